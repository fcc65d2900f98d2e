package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/page"
)

// htmlAccessibility are the checks of what people with assistive technology need.
var htmlAccessibility = []check{
	{
		id: "form-labels", severity: Medium,
		advice: "Give every field a label element or an aria-label.",
		source: "Lighthouse label",
		run:    checkFormLabels,
	},
	{
		id: "button-name", severity: Medium,
		advice: "Give every button text or an aria-label.",
		source: "Lighthouse button-name",
		run:    checkButtonName,
	},
	{
		id: "frame-title", severity: Low,
		advice: "Give each iframe a title that says what it contains.",
		source: "Lighthouse frame-title",
		run:    checkFrameTitle,
	},
	{
		id: "landmark-main", severity: Low,
		advice: "Wrap the main content of the page in a main element.",
		source: "Lighthouse landmark-one-main",
		ofText: true,
		run:    checkLandmarkMain,
	},
	{
		id: "tabindex", severity: Low,
		advice: "Use tabindex 0 or -1, and put the elements in the order in which people should reach them.",
		source: "Lighthouse tabindex",
		run:    checkTabindex,
	},
	{
		id: "list-structure", severity: Low,
		advice: "Put li elements inside ul or ol, dt and dd inside dl, and nothing else between them.",
		source: "Lighthouse list, listitem, definition-list, dlitem",
		run:    checkListStructure,
	},
	{
		id: "video-captions", severity: Low,
		advice: `Add a track element with kind="captions" to each video that has sound.`,
		source: "Lighthouse video-caption",
		run:    checkVideoCaptions,
	},
}

func checkFormLabels(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.Fields)
	switch total := len(f.doc.Fields); {
	case total == 0:
		return notApplicable("The page has no form fields.")
	case nameless.count > 0:
		return fail(nameless.evidence, "%s.", share(nameless.count, total, "form field", "form fields", "has no label")).of(nameless.count, total)
	default:
		return pass("%s.", every(total, "form field", "form fields", "has a label"))
	}
}

func checkButtonName(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.Buttons)
	switch total := len(f.doc.Buttons); {
	case total == 0:
		return notApplicable("The page has no buttons.")
	case nameless.count > 0:
		return fail(nameless.evidence, "%s.", share(nameless.count, total, "button", "buttons", "has no name")).of(nameless.count, total)
	default:
		return pass("%s.", every(total, "button", "buttons", "has a name"))
	}
}

// namelessOf returns those of the elements that have no accessible name.
func namelessOf(d *page.Document, elements []page.Exposed) tally {
	var nameless tally
	for _, e := range elements {
		if !e.Named {
			nameless.addElement(d, e.Element, d.AddressOf(e.Element))
		}
	}
	return nameless
}

func checkFrameTitle(f *facts) finding {
	var untitled tally
	total := 0
	for _, frame := range f.doc.Frames {
		if frame.Hidden {
			continue
		}
		total++
		if !frame.Named {
			untitled.addElement(f.doc, frame.Element, frame.URL)
		}
	}
	switch {
	case total == 0:
		return notApplicable("The page has no frames.")
	case untitled.count > 0:
		return fail(untitled.evidence, "%s.", share(untitled.count, total, "frame", "frames", "has no title"))
	}
	return pass("%s.", every(total, "frame", "frames", "has a title"))
}

func checkLandmarkMain(f *facts) finding {
	if f.doc.Mains == 0 {
		return fail(nil, "The page has no main landmark.")
	}
	return pass("The page has %s.", plural(f.doc.Mains, "main landmark", "main landmarks"))
}

func checkTabindex(f *facts) finding {
	switch n := len(f.doc.Tabindexes); {
	case f.doc.Total.Tabindexes == 0:
		return notApplicable("No element has a tabindex.")
	case n > 0:
		return fail(evidenceOfAll(f.doc, f.doc.Tabindexes), "%s.", counted(n, "element", "elements", "has a tabindex above 0"))
	}
	return pass("No element has a tabindex above 0.")
}

func checkListStructure(f *facts) finding {
	items, lists := f.doc.Total.ListItems, f.doc.Total.Lists
	var faults []string
	if n := len(f.doc.OutsideLists); n > 0 {
		faults = append(faults, share(n, items, "list item", "list items", "is outside a list"))
	}
	if n := len(f.doc.MixedLists); n > 0 {
		faults = append(faults, share(n, lists, "list", "lists", "has more in it than list items, or terms without descriptions"))
	}
	switch {
	case len(faults) > 0:
		return fail(evidenceOfAll(f.doc, slices.Concat(f.doc.OutsideLists, f.doc.MixedLists)), "%s.", strings.Join(faults, "; "))
	case items == 0:
		return notApplicable("The page has no list items.")
	}
	return pass("%s.", every(items, "list item", "list items", "is inside a list"))
}

func checkVideoCaptions(f *facts) finding {
	var silent tally
	total := 0
	for _, v := range f.doc.Videos {
		if v.Muted {
			continue
		}
		total++
		if !v.Captions {
			silent.addElement(f.doc, v.Element, nil)
		}
	}
	switch {
	case total == 0:
		return notApplicable("The page has no videos with sound.")
	case silent.count > 0:
		return fail(silent.evidence, "%s.", share(silent.count, total, "video", "videos", "has no captions"))
	}
	return pass("%s.", every(total, "video", "videos", "has captions"))
}
