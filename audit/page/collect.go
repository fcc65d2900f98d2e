package page

// collector collects the facts of one kind while a page is walked over. Functions that it does not need are nil.
type collector struct {
	// enter is called for each element before its content, in the order of the page. Elements of SVG and MathML are among them,
	// templates and what is in them are not.
	enter func(e Element, in scope)
	// leave is called for the same elements after their content.
	leave func(e Element, in scope)
	// text is called for each piece of text that is rendered and not blank, with where it is in the visible text. in is the scope of
	// the element around.
	text func(at span, in scope)
	// finish is called once, when the whole page was walked over and all facts of the walk itself are there.
	finish func()
}

// collectors make the collectors of a document. A new kind of fact has a file with its function, and a line here.
var collectors = []func(*Document) collector{
	collectIDs,
	collectExposed, // after collectIDs, whose ids it looks names up by
	collectAreas,
	collectItems,
	collectLandmarks,
	collectLists,
	collectTabindexes,
	collectScripted,
	collectPassages,
}

// hooks are the functions of all collectors for one walk.
type hooks struct {
	enter, leave []func(Element, scope)
	text         []func(span, scope)
	finish       []func()
}

func newHooks(d *Document, makers []func(*Document) collector) hooks {
	var h hooks
	for _, collect := range makers {
		c := collect(d)
		if c.enter != nil {
			h.enter = append(h.enter, c.enter)
		}
		if c.leave != nil {
			h.leave = append(h.leave, c.leave)
		}
		if c.text != nil {
			h.text = append(h.text, c.text)
		}
		if c.finish != nil {
			h.finish = append(h.finish, c.finish)
		}
	}
	return h
}
