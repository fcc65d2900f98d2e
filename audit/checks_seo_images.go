package audit

import (
	"fmt"
	"strings"
)

// seoImages are the checks of the texts of images.
var seoImages = []check{
	{
		id: "image-alt", severity: Medium,
		title:  "Images have alternative text",
		advice: `Describe each image in its alt attribute, or write alt="" if it is only decoration.`,
		source: "Lighthouse image-alt",
		run:    checkImageAlt,
	},
	{
		id: "image-alt-length", severity: Low,
		title:  "Length of alternative texts",
		advice: "Say what matters in at most 100 characters, and put the rest into the text.",
		source: "SEOnaut",
		run:    checkImageAltLength,
	},
}

const maxAlt = 100 // characters

func checkImageAlt(f *facts) finding {
	var without tally
	asked := 0
	for _, m := range f.doc.Images {
		if m.Hidden {
			continue
		}
		asked++
		if !m.Named && (!m.HasAlt || m.Alt != "" && strings.TrimSpace(m.Alt) == "") { // alt="" says that it decorates, alt=" " nothing
			without.addElement(f.doc, m.Element, m.URL)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("The page has no images that assistive technology can reach.")
	case without.count > 0:
		return fail(without.evidence, "%s.", share(without.count, asked, "image", "images", "has no alternative text"))
	}
	return pass("%s.", every(asked, "image", "images", "is described or marked as decoration"))
}

func checkImageAltLength(f *facts) finding {
	var long tally
	longest, asked := 0, 0
	for _, m := range f.doc.Images {
		if m.Alt == "" {
			continue
		}
		asked++
		n := countCharacters(m.Alt)
		longest = max(longest, n)
		if n > maxAlt {
			long.addElement(f.doc, m.Element, m.URL)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("The page has no images with an alternative text.")
	case long.count > 0:
		return fail(long.evidence, "%s; the longest has %d.",
			share(long.count, asked, "alternative text", "alternative texts", fmt.Sprintf("is longer than %d characters", maxAlt)), longest)
	}
	return pass("The longest alternative text has %s.", plural(longest, "character", "characters"))
}
