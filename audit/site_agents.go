package audit

import (
	"context"
	"net/http"
	"sync"

	"sitegrade/audit/header"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// agentFileRead is how much is read of a file that a site has for agents.
const agentFileRead = 256 << 10

// acceptMarkdown is what agents accept that would rather have Markdown than HTML.
const acceptMarkdown = "text/markdown, text/html;q=0.9, */*;q=0.8"

// siteFile is a file of the site that agents look for.
type siteFile struct {
	fetch.Result
	whole bool // the body is not cut
}

// exists reports whether the site has the file. Many sites answer every address with a page: that is no file.
func (s *siteFile) exists() bool {
	return s != nil && s.Failure == nil && s.Status == http.StatusOK && !looksLikeHTML(s.Body) && header.MIMEType(s.Header) != "text/html"
}

// agentVisit is the page as an agent asks for it.
type agentVisit struct {
	token string // by which robots.txt knows the agent
	fetch.Result
}

// agentNames are agents that fetch a page when a person asks about it, with the User-Agent that their makers document.
var agentNames = []struct{ token, userAgent string }{
	{"ChatGPT-User", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)"},
	{"Claude-User", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)"},
}

// fetchAsAgents asks for the page in the name of agents.
func (r *run) fetchAsAgents(ctx context.Context) {
	visits := make([]agentVisit, len(agentNames))
	var all sync.WaitGroup
	for i, agent := range agentNames {
		all.Go(func() {
			visits[i] = agentVisit{agent.token, r.visit(ctx, func(request *fetch.Request) { request.UserAgent = agent.userAgent })}
		})
	}
	all.Wait()
	r.facts.site.agents = visits
}

// visit asks for the page once more, with another request, for its status and headers.
func (r *run) visit(ctx context.Context, change func(*fetch.Request)) fetch.Result {
	limited := startClock(ctx, besideTimeout)
	defer limited.stop()
	request := r.request(http.MethodGet, r.facts.final, acceptPage, limited)
	change(&request)
	e, failure := r.open(limited, request)
	if failure != nil {
		return fetch.Failed(r.facts.final, failure)
	}
	e.Discard()
	e.Close()
	return e.Result
}

// fetchMarkdown asks for the page as Markdown.
func (r *run) fetchMarkdown(ctx context.Context) {
	r.facts.site.markdown = r.siteFile(ctx, r.facts.final, acceptMarkdown)
}

// fetchAgentFiles asks for the files that agents look for at known places, and for the license that the site names.
func (r *run) fetchAgentFiles(ctx context.Context) {
	site := &r.facts.site
	at := func(place **siteFile, path string) func() {
		return func() { *place = r.siteFile(ctx, r.facts.final.WithPath(path), acceptAnything) }
	}
	var all sync.WaitGroup
	all.Go(at(&site.agentsMD, "/AGENTS.md"))
	all.Go(at(&site.apiCatalog, "/.well-known/api-catalog"))
	site.cards = make([]*siteFile, len(cardKinds))
	for i, kind := range cardKinds {
		all.Go(at(&site.cards[i], kind.path))
	}
	if licenses := r.facts.licenses(); len(licenses) > 0 && licenses[0].url != nil {
		all.Go(func() { site.license = r.siteFile(ctx, licenses[0].url, acceptAnything) })
	}
	all.Wait()
}

func (r *run) siteFile(ctx context.Context, u *weburl.URL, accept string) *siteFile {
	found, whole := r.get(ctx, u, accept, agentFileRead)
	return &siteFile{found, whole}
}
