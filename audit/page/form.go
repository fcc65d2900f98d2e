package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// formElement collects forms and their controls.
func (w *walker) formElement(e Element, p scope) {
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
			w.d.Controls[i].Named = true
		}
	case atom.Input:
		w.control(e, p)
	}
}

func (w *walker) form(e Element, p *scope) {
	f := Form{Element: e, URL: w.d.address, Method: "get"}
	if action, ok := attribute(e.node, "action"); ok && !isBlank(action) {
		f.URL = weburl.Resolve(w.d.Base, action)
	}
	if method, ok := attribute(e.node, "method"); ok {
		f.Method = strings.ToLower(strings.TrimSpace(method))
	}
	if len(w.d.Forms) < MaxStored {
		w.d.Forms = append(w.d.Forms, f)
		p.form = len(w.d.Forms)
	}
}

// label gives its text as a name to the controls inside it and to the one that it is for.
func (w *walker) label(e Element, p scope) {
	named, controls := w.named, len(w.d.Controls)
	w.children(e.node, p)
	if w.named == named {
		return
	}
	for i := controls; i < len(w.d.Controls); i++ {
		w.d.Controls[i].Named = true
	}
	if id, ok := attribute(e.node, "for"); ok && len(w.labelled) < maxIDs {
		w.labelled[id] = true
	}
}

// control keeps a control and returns its index, or -1 when MaxStored are kept already.
func (w *walker) control(e Element, p scope) int {
	c := newControl(e)
	c.Ignored = c.Ignored || p.unexposed
	if p.form > 0 && w.d.Forms[p.form-1].Detour == nil {
		w.d.Forms[p.form-1].Detour = detour(e.node, w.d.Base)
	}
	if c.Kind == "password" && p.form > 0 {
		w.d.Forms[p.form-1].Password = true
	}
	if c.Kind == "image" && c.Named && !c.Ignored {
		w.named++
	}
	if len(w.d.Controls) >= MaxStored {
		return -1
	}
	w.d.Controls = append(w.d.Controls, c)
	return len(w.d.Controls) - 1
}

// detour returns the insecure URL that a button sends its form to in place of the form's own, or nil.
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

// newControl reads the attributes of a control.
func newControl(e Element) Control {
	c := Control{Element: e, Kind: e.node.Data}
	value, alt, placeholder, hasValue := "", "", "", false
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "id":
			c.id = a.Val
		case "type":
			if e.node.DataAtom == atom.Input {
				c.Kind = strings.ToLower(strings.TrimSpace(a.Val))
			}
		case "value":
			value, hasValue = a.Val, true
		case "alt":
			alt = a.Val
		case "placeholder":
			placeholder = a.Val
		case "aria-label", "title":
			c.Named = c.Named || !isBlank(a.Val)
		case "aria-labelledby":
			c.refs = a.Val
		}
	}
	switch c.Kind {
	case "hidden":
		c.Ignored = true
	case "submit", "reset": // without a value they have a text of the browser's own
		c.Ignored = !hasValue
		c.Named = c.Named || !isBlank(value)
	case "button":
		c.Named = c.Named || e.node.DataAtom == atom.Input && !isBlank(value)
	case "image":
		c.Named = c.Named || !isBlank(alt)
	}
	if !c.IsButton() && e.node.DataAtom != atom.Select {
		c.Named = c.Named || !isBlank(placeholder)
	}
	return c
}

// IsButton reports whether people press the control rather than fill it in.
func (c Control) IsButton() bool {
	switch c.Kind {
	case "button", "image", "submit", "reset":
		return true
	}
	return false
}
