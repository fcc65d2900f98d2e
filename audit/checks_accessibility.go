package audit

import (
	"slices"

	"sitegrade/audit/page"
	"sitegrade/locale"
)

// htmlAccessibility are the checks of what people with assistive technology need.
var htmlAccessibility = []check{
	{
		id: "form-labels", severity: Medium,
		source: "Lighthouse label",
		run:    checkFormLabels,
	},
	{
		id: "button-name", severity: Medium,
		source: "Lighthouse button-name",
		run:    checkButtonName,
	},
	{
		id: "frame-title", severity: Low,
		source: "Lighthouse frame-title",
		run:    checkFrameTitle,
	},
	{
		id: "landmark-main", severity: Low,
		source: "Lighthouse landmark-one-main",
		ofText: true,
		run:    checkLandmarkMain,
	},
	{
		id: "tabindex", severity: Low,
		source: "Lighthouse tabindex",
		run:    checkTabindex,
	},
	{
		id: "list-structure", severity: Low,
		source: "Lighthouse list, listitem, definition-list, dlitem",
		run:    checkListStructure,
	},
	{
		id: "video-captions", severity: Low,
		source: "Lighthouse video-caption",
		run:    checkVideoCaptions,
	},
}

func checkFormLabels(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.Fields)
	switch total := len(f.doc.Fields); {
	case total == 0:
		return notApplicable("form-labels.no-fields")
	case nameless.count > 0:
		return fail(nameless.evidence, "form-labels.missing", locale.Count(nameless.count), locale.Count(total)).of(nameless.count, total)
	default:
		return pass("form-labels.all", locale.Count(total))
	}
}

func checkButtonName(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.Buttons)
	switch total := len(f.doc.Buttons); {
	case total == 0:
		return notApplicable("button-name.no-buttons")
	case nameless.count > 0:
		return fail(nameless.evidence, "button-name.missing", locale.Count(nameless.count), locale.Count(total)).of(nameless.count, total)
	default:
		return pass("button-name.all", locale.Count(total))
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
		return notApplicable("common.no-frames")
	case untitled.count > 0:
		return fail(untitled.evidence, "frame-title.missing", locale.Count(untitled.count), locale.Count(total))
	}
	return pass("frame-title.all", locale.Count(total))
}

func checkLandmarkMain(f *facts) finding {
	if f.doc.Mains == 0 {
		return fail(nil, "landmark-main.missing")
	}
	return pass("landmark-main.found", locale.Count(f.doc.Mains))
}

func checkTabindex(f *facts) finding {
	switch n := len(f.doc.Tabindexes); {
	case f.doc.Total.Tabindexes == 0:
		return notApplicable("tabindex.unused")
	case n > 0:
		return fail(evidenceOfAll(f.doc, f.doc.Tabindexes), "tabindex.positive", locale.Count(n))
	}
	return pass("tabindex.none-positive")
}

func checkListStructure(f *facts) finding {
	items, lists := f.doc.Total.ListItems, f.doc.Total.Lists
	var faults []locale.Arg
	if n := len(f.doc.OutsideLists); n > 0 {
		faults = append(faults, locale.Phrase("list-structure.outside", locale.Count(n), locale.Count(items)))
	}
	if n := len(f.doc.MixedLists); n > 0 {
		faults = append(faults, locale.Phrase("list-structure.mixed", locale.Count(n), locale.Count(lists)))
	}
	switch {
	case len(faults) > 0:
		return fail(evidenceOfAll(f.doc, slices.Concat(f.doc.OutsideLists, f.doc.MixedLists)), "list-structure.wrong", locale.SeriesOf(faults))
	case items == 0:
		return notApplicable("list-structure.no-items")
	}
	return pass("list-structure.all", locale.Count(items))
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
		return notApplicable("video-captions.no-videos")
	case silent.count > 0:
		return fail(silent.evidence, "video-captions.missing", locale.Count(silent.count), locale.Count(total))
	}
	return pass("video-captions.all", locale.Count(total))
}
