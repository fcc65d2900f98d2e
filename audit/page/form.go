package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// formElement collects forms and what their controls say of them.
func (w *walker) formElement(e Element, p scope) {
	switch e.node.DataAtom {
	case atom.Form:
		w.form(e, &p)
	case atom.Button, atom.Input:
		w.control(e, p)
	}
	if e.node.DataAtom != atom.Input {
		w.children(e.node, p)
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

// control tells the form around a control what matters of it.
func (w *walker) control(e Element, p scope) {
	if p.form == 0 {
		return
	}
	form := &w.d.Forms[p.form-1]
	if form.Detour == nil {
		form.Detour = detour(e.node, w.d.Base)
	}
	if e.node.DataAtom == atom.Input && inputKind(e.node) == "password" {
		form.Password = true
	}
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
