package audit

import (
	"fmt"
)

// seoImages are the checks of the texts of images.
var seoImages = []check{
	{
		id: "image-alt", severity: Medium,
		source: "Lighthouse image-alt",
		run:    checkImageAlt,
	},
	{
		id: "image-alt-length", severity: Low,
		source: "SEOnaut",
		run:    checkImageAltLength,
	},
}

const maxAlt = 100 // characters

func checkImageAlt(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.ExposedImages)
	switch total := len(f.doc.ExposedImages); {
	case total == 0:
		return notApplicableText("The page has no images that assistive technology can reach.")
	case nameless.count > 0:
		return failText(nameless.evidence, "%s.", share(nameless.count, total, "image", "images", "has no alternative text")).of(nameless.count, total)
	default:
		return passText("%s.", every(total, "image", "images", "is described or marked as decoration"))
	}
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
		return notApplicableText("The page has no images with an alternative text.")
	case long.count > 0:
		return failText(long.evidence, "%s; the longest has %d.",
			share(long.count, asked, "alternative text", "alternative texts", fmt.Sprintf("is longer than %d characters", maxAlt)), longest)
	}
	return passText("The longest alternative text has %s.", plural(longest, "character", "characters"))
}
