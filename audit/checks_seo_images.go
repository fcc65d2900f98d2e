package audit

import "strings"

// seoImages are the checks of the texts of images.
var seoImages = []check{
	{
		id: "image-alt", severity: Medium,
		title:  "Images have alternative texts",
		advice: `Describe each image in its alt, or write alt="" when it only decorates.`,
		source: "Lighthouse image-alt",
		run:    checkImageAlt,
	},
	{
		id: "image-alt-length", severity: Low,
		title:  "Length of alternative texts",
		advice: "Say the essential in at most 100 characters, and the rest in the text.",
		source: "SEOnaut",
		run:    checkImageAltLength,
	},
}

const maxAlt = 100 // characters

func checkImageAlt(f *facts) finding {
	var without tally
	asked := 0
	for _, m := range f.doc.images {
		if m.hidden {
			continue
		}
		asked++
		if !m.named && (!m.hasAlt || m.alt != "" && strings.TrimSpace(m.alt) == "") { // alt="" says that it decorates, alt=" " nothing
			without.addElement(f.doc, m.element, m.url)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("The page has no images that assistive technology meets.")
	case without.count > 0:
		return fail(without.evidence, "%d of %s have no alternative text.", without.count, plural(asked, "image", "images"))
	}
	return pass("All %s have an alternative text or say that they need none.", plural(asked, "image", "images"))
}

func checkImageAltLength(f *facts) finding {
	var long tally
	longest, asked := 0, 0
	for _, m := range f.doc.images {
		if m.alt == "" {
			continue
		}
		asked++
		n := countCharacters(m.alt)
		longest = max(longest, n)
		if n > maxAlt {
			long.addElement(f.doc, m.element, m.url)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("The page has no images with an alternative text.")
	case long.count > 0:
		return fail(long.evidence, "%d of %s are longer than %d characters, the longest has %d.",
			long.count, plural(asked, "alternative text", "alternative texts"), maxAlt, longest)
	}
	return pass("The longest of %s has %s.", plural(asked, "alternative text", "alternative texts"), plural(longest, "character", "characters"))
}
