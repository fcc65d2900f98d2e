package audit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// formElement gathers from forms and what belongs to them.
func (w *walker) formElement(e element, p scope) {
	switch e.node.DataAtom {
	case atom.Form:
		w.form(e, &p)
		w.children(e.node, p)
	case atom.Label:
		w.label(e, p)
	case atom.Select:
		w.control(e, p)
		p.inSelect = true
		w.children(e.node, p)
	case atom.Button:
		i := w.control(e, p)
		named := w.named
		w.children(e.node, p)
		if i >= 0 && w.named > named {
			w.d.controls[i].named = true
		}
	case atom.Input:
		w.control(e, p)
	}
}

func (w *walker) form(e element, p *scope) {
	f := form{element: e, url: w.d.address, method: "get"}
	if action, ok := attribute(e.node, "action"); ok && !isBlank(action) {
		f.action, f.url = action, weburl.Resolve(w.d.base, action)
	}
	if method, ok := attribute(e.node, "method"); ok {
		f.method = strings.ToLower(strings.TrimSpace(method))
	}
	if len(w.d.forms) < maxStored {
		w.d.forms = append(w.d.forms, f)
		p.form = len(w.d.forms)
	}
}

// label returns its name to the controls inside it and to the one that it is for.
func (w *walker) label(e element, p scope) {
	named, controls := w.named, len(w.d.controls)
	w.children(e.node, p)
	if w.named == named {
		return
	}
	for i := controls; i < len(w.d.controls); i++ {
		w.d.controls[i].named = true
	}
	if id, ok := attribute(e.node, "for"); ok && len(w.labelled) < maxIDs {
		w.labelled[id] = true
	}
}

// control keeps a control and gives its index, or -1 when there are enough of them.
func (w *walker) control(e element, p scope) int {
	c := newControl(e)
	c.ignored = c.ignored || p.unexposed
	if p.form > 0 && w.d.forms[p.form-1].detour == nil {
		w.d.forms[p.form-1].detour = detour(e.node, w.d.base)
	}
	if c.kind == "password" {
		w.d.passwords++
		if p.form > 0 {
			w.d.forms[p.form-1].password = true
		}
	}
	if c.kind == "image" && c.named && !c.ignored {
		w.named++
	}
	if len(w.d.controls) >= maxStored {
		return -1
	}
	w.d.controls = append(w.d.controls, c)
	return len(w.d.controls) - 1
}

// detour returns the insecure address that a button sends its form to in place of the form's own, or nil.
func detour(button *html.Node, base *weburl.URL) *weburl.URL {
	action, ok := attribute(button, "formaction")
	method, _ := attribute(button, "formmethod")
	kind, _ := attribute(button, "type")
	if !ok || isBlank(action) || strings.EqualFold(method, "dialog") {
		return nil
	}
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "submit", kind == "image" && button.DataAtom == atom.Input:
	case button.DataAtom == atom.Button && kind != "button" && kind != "reset":
	default:
		return nil
	}
	if to := weburl.Resolve(base, action); to != nil && to.IsInsecure() {
		return to
	}
	return nil
}

// newControl reads what a control says of itself.
func newControl(e element) control {
	c := control{element: e, kind: e.node.Data}
	value, alt, placeholder, hasValue := "", "", "", false
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "id":
			c.id = a.Val
		case "type":
			if e.node.DataAtom == atom.Input {
				c.kind = strings.ToLower(strings.TrimSpace(a.Val))
			}
		case "value":
			value, hasValue = a.Val, true
		case "alt":
			alt = a.Val
		case "placeholder":
			placeholder = a.Val
		case "aria-label", "title":
			c.named = c.named || !isBlank(a.Val)
		case "aria-labelledby":
			c.refs = a.Val
		}
	}
	switch c.kind {
	case "hidden":
		c.ignored = true
	case "submit", "reset": // without a value they have a text of the browser's own
		c.ignored = !hasValue
		c.named = c.named || !isBlank(value)
	case "button":
		c.named = c.named || e.node.DataAtom == atom.Input && !isBlank(value)
	case "image":
		c.named = c.named || !isBlank(alt)
	}
	if !c.isButton() && e.node.DataAtom != atom.Select {
		c.named = c.named || !isBlank(placeholder)
	}
	return c
}

// isButton reports whether a control is one that people press.
func (c control) isButton() bool {
	switch c.kind {
	case "button", "image", "submit", "reset":
		return true
	}
	return false
}
