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
	Agents     []agentClient // not one where there are no tools
	LocalAgent string
}

// Curl returns the command of an operation for this server.
func (p docsPage) Curl(o manual.Operation) string { return o.Curl(p.Base, p.Server) }

func (w *Web) showDocs(v *visit) error {
	if w.docs == nil {
		return notFound
	}
	page := docsPage{frame: v.frame("API documentation for developers", "docs"), Manual: w.docs, Server: v.Base}
	if w.Tools != "" {
		page.Agents, page.LocalAgent = agentClients(v.Base+w.Tools), localAgent
	}
	page.Description = "How to audit pages and read their reports over HTTP: every address, parameter and answer of the API, with commands to paste."
	page.Canonical = v.Base + "/docs"
	page.Index = true
	page.addCard(w.assets, v.Base, "")
	w.sendPage(v, http.StatusOK, "docs", page)
	return nil
}
