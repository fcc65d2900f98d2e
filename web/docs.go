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
	page := docsPage{frame: v.checksFrame(v.say("docs.title"), "/docs"), Manual: w.docs(), Server: v.Base}
	if w.Tools != "" {
		page.Agents, page.LocalAgent = manual.AgentClients(v.Base+w.Tools), manual.LocalAgent
	}
	page.Description = v.say("docs.description")
	page.addCard(w.assets, v, "")
	w.sendPage(v, http.StatusOK, "docs", page)
	return nil
}
