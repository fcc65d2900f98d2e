package audit

import (
	"sitegrade/locale"
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
		return notApplicable("image-alt.none")
	case nameless.count > 0:
		return fail(nameless.evidence, "image-alt.missing", locale.Count(nameless.count), locale.Count(total)).of(nameless.count, total)
	default:
		return pass("image-alt.all", locale.Count(total))
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
		return notApplicable("common.no-alt-texts")
	case long.count > 0:
		return fail(long.evidence, "image-alt-length.long",
			locale.Count(long.count), locale.Count(asked), locale.Count(maxAlt), locale.Count(longest))
	}
	return pass("image-alt-length.short", locale.Count(longest))
}
