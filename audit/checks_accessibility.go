package audit

// htmlAccessibility are the checks of what people with assistive technology need.
var htmlAccessibility = []check{
	{
		id: "form-labels", severity: Medium,
		title:  "Form fields have labels",
		advice: "Give every field a label element or an aria-label.",
		source: "Lighthouse label",
		run:    checkFormLabels,
	},
	{
		id: "button-name", severity: Medium,
		title:  "Buttons have a name",
		advice: "Give every button a text or an aria-label.",
		source: "Lighthouse button-name",
		run:    checkButtonName,
	},
	{
		id: "frame-title", severity: Low,
		title:  "Frames have a title",
		advice: "Say in the title of each iframe what is in it.",
		source: "Lighthouse frame-title",
		run:    checkFrameTitle,
	},
	{
		id: "landmark-main", severity: Low,
		title:  "Main landmark",
		advice: "Put the content of the page into a main element.",
		source: "Lighthouse landmark-one-main",
		run:    checkLandmarkMain,
	},
	{
		id: "tabindex", severity: Low,
		title:  "Keyboard order follows the page",
		advice: "Use tabindex 0 or -1, and order the elements themselves.",
		source: "Lighthouse tabindex",
		run:    checkTabindex,
	},
	{
		id: "list-structure", severity: Low,
		title:  "List entries stand in lists",
		advice: "Put li into ul or ol, and dt and dd into dl.",
		source: "Lighthouse list, listitem, dlitem",
		run:    checkListStructure,
	},
	{
		id: "video-captions", severity: Low,
		title:  "Videos have captions",
		advice: "Add a track of kind captions to each video with sound.",
		source: "Lighthouse video-caption",
		run:    checkVideoCaptions,
	},
}

func checkFormLabels(f *facts) finding {
	found, total := namelessControls(f.doc, false)
	switch {
	case total == 0:
		return notApplicable("The page has no form fields.")
	case found.count > 0:
		return fail(found.evidence, "%d of %s have no label.", found.count, plural(total, "form field", "form fields"))
	}
	return pass("All %s have labels.", plural(total, "form field", "form fields"))
}

func checkButtonName(f *facts) finding {
	found, total := namelessControls(f.doc, true)
	switch {
	case total == 0:
		return notApplicable("The page has no buttons.")
	case found.count > 0:
		return fail(found.evidence, "%d of %s have no name.", found.count, plural(total, "button", "buttons"))
	}
	return pass("All %s have a name.", plural(total, "button", "buttons"))
}

// namelessControls returns the controls without an accessible name among the buttons or among the others, and how many those are.
func namelessControls(d *document, buttons bool) (found tally, total int) {
	for _, c := range d.controls {
		if c.ignored || c.isButton() != buttons {
			continue
		}
		total++
		if !c.named {
			found.addElement(d, c.element, nil)
		}
	}
	return found, total
}

func checkFrameTitle(f *facts) finding {
	var untitled tally
	total := 0
	for _, frame := range f.doc.frames {
		if frame.hidden {
			continue
		}
		total++
		if !frame.named {
			untitled.addElement(f.doc, frame.element, frame.url)
		}
	}
	switch {
	case total == 0:
		return notApplicable("The page has no frames.")
	case untitled.count > 0:
		return fail(untitled.evidence, "%d of %s have no title.", untitled.count, plural(total, "frame", "frames"))
	}
	return pass("All %s have a title.", plural(total, "frame", "frames"))
}

func checkLandmarkMain(f *facts) finding {
	if f.doc.mains == 0 {
		return fail(nil, "The page has no main landmark.")
	}
	return pass("The page has %s.", plural(f.doc.mains, "main landmark", "main landmarks"))
}

func checkTabindex(f *facts) finding {
	if n := len(f.doc.tabindexes); n > 0 {
		return fail(evidenceOfAll(f.doc, f.doc.tabindexes), "%s a tabindex above 0.", countHave(n, "element"))
	}
	return pass("No element has a tabindex above 0.")
}

func checkListStructure(f *facts) finding {
	switch n := len(f.doc.outsideLists); {
	case f.doc.total.listItems == 0:
		return notApplicable("The page has no list entries.")
	case n > 0:
		return fail(evidenceOfAll(f.doc, f.doc.outsideLists), "%d of %s stand outside a list.", n, plural(f.doc.total.listItems, "list entry", "list entries"))
	}
	return pass("All %s stand in lists.", plural(f.doc.total.listItems, "list entry", "list entries"))
}

func checkVideoCaptions(f *facts) finding {
	var silent tally
	total := 0
	for _, v := range f.doc.videos {
		if v.muted {
			continue
		}
		total++
		if !v.captions {
			silent.addElement(f.doc, v.element, nil)
		}
	}
	switch {
	case total == 0:
		return notApplicable("The page has no videos with sound.")
	case silent.count > 0:
		return fail(silent.evidence, "%d of %s have no captions.", silent.count, plural(total, "video", "videos"))
	}
	return pass("All %s have captions.", plural(total, "video", "videos"))
}
