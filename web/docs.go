package web

import (
	"net/http"

	"sitegrade/web/manual"
)

// docsPage is the data of the documentation.
type docsPage struct {
	frame
	*manual.Manual
	Server     string
	Agents     []manual.AgentClient // not one where there are no tools
	LocalAgent string
}

// Command returns the command of an operation for this server.
func (p docsPage) Command(o manual.Operation) string { return p.Manual.Command(o, p.Server) }

// Variables returns the commands that set what that of an operation needs.
func (p docsPage) Variables(o manual.Operation) string { return p.Manual.Variables(o, p.Server) }

func (w *Web) showDocs(v *visit) error {
	if w.docs == nil {
		return notFound
	}
	page := docsPage{frame: v.frame("API documentation for developers", "docs"), Manual: w.docs, Server: v.Base}
	if w.Tools != "" {
		page.Agents, page.LocalAgent = manual.AgentClients(v.Base+w.Tools), manual.LocalAgent
	}
	page.Description = "How to audit pages and read their reports over HTTP: every address, parameter and response of the API, with commands to paste."
	page.Canonical = v.Base + "/docs"
	page.Index = true
	page.addCard(w.assets, v, "")
	w.sendPage(v, http.StatusOK, "docs", page)
	return nil
}
