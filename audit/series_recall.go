package audit

import (
	"encoding/json"
	"fmt"
	"net/http"

	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// remembered is what a series keeps for a later run of its crawl, as JSON: the site, or what came of an address that pages load.
type remembered struct {
	Site   *rememberedSite   `json:"site,omitempty"`
	Loaded *rememberedLoaded `json:"loaded,omitempty"`
}

type rememberedLoaded struct {
	Address   string             `json:"address"`
	Limit     int64              `json:"limit"`
	Result    *rememberedRequest `json:"result"`
	Truncated bool               `json:"truncated,omitempty"`
}

// rememberedSite is a sharedSite.
type rememberedSite struct {
	Page       string             `json:"page"`
	NotFound   *rememberedRequest `json:"not_found,omitempty"`
	Foreign    *rememberedRequest `json:"foreign,omitempty"`
	Insecure   *rememberedRequest `json:"insecure,omitempty"`
	OtherHost  *rememberedRequest `json:"other_host,omitempty"`
	Favicon    *rememberedRequest `json:"favicon,omitempty"`
	Llms       *rememberedRequest `json:"llms,omitempty"`
	Agents     []rememberedAgent  `json:"agents,omitempty"`
	Markdown   *rememberedFile    `json:"markdown,omitempty"`
	AgentsMD   *rememberedFile    `json:"agents_md,omitempty"`
	APICatalog *rememberedFile    `json:"api_catalog,omitempty"`
	Cards      []*rememberedFile  `json:"cards,omitempty"`
	License    *rememberedFile    `json:"license,omitempty"`
	Sitemaps   []rememberedMap    `json:"sitemaps,omitempty"`
}

type rememberedMap struct {
	Result   *rememberedRequest `json:"result"`
	Contents sitemap.Contents   `json:"contents"`
	Declared bool               `json:"declared,omitempty"`
	InIndex  bool               `json:"in_index,omitempty"`
}

type rememberedAgent struct {
	Token  string             `json:"token"`
	Result *rememberedRequest `json:"result"`
}

type rememberedFile struct {
	Result *rememberedRequest `json:"result"`
	Whole  bool               `json:"whole,omitempty"`
}

// rememberedRequest is what came of a request, without what is known of its connection.
type rememberedRequest struct {
	URL       string      `json:"url"`
	Status    int         `json:"status,omitempty"`
	Proto     string      `json:"proto,omitempty"`
	Header    http.Header `json:"header,omitempty"`
	Encoding  string      `json:"encoding,omitempty"`
	Body      []byte      `json:"body,omitempty"`
	Size      int64       `json:"size,omitempty"`
	Wire      int64       `json:"wire,omitempty"`
	Redirects []string    `json:"redirects,omitempty"`
	Cookies   []string    `json:"cookies,omitempty"`
	Failure   *Failure    `json:"failure,omitempty"`
}

func rememberRequest(r *fetch.Result) *rememberedRequest {
	if r == nil {
		return nil
	}
	return &rememberedRequest{
		URL: r.URL.String(), Status: r.Status, Proto: r.Proto, Header: r.Header, Encoding: r.Encoding, Body: r.Body, Size: r.Size, Wire: r.Wire,
		Redirects: r.Redirects, Cookies: r.EarlierCookies, Failure: r.Failure,
	}
}

// result returns the request again, nil of nil.
func (r *rememberedRequest) result() *fetch.Result {
	if r == nil {
		return nil
	}
	return &fetch.Result{
		Response: fetch.Response{
			URL: weburl.Restore(r.URL), Status: r.Status, Proto: r.Proto, Header: r.Header, Encoding: r.Encoding, Body: r.Body, Size: r.Size, Wire: r.Wire,
		},
		Redirects: r.Redirects, EarlierCookies: r.Cookies, Failure: r.Failure,
	}
}

func rememberFile(f *siteFile) *rememberedFile {
	if f == nil {
		return nil
	}
	return &rememberedFile{rememberRequest(&f.Result), f.whole}
}

func (f *rememberedFile) file() *siteFile {
	if f == nil || f.Result == nil {
		return nil
	}
	return &siteFile{*f.Result.result(), f.Whole}
}

func rememberLoaded(key loadedKey, a *loadedAnswer) *rememberedLoaded {
	return &rememberedLoaded{key.address, key.limit, rememberRequest(&a.result), a.truncated}
}

func rememberSite(s *sharedSite) *rememberedSite {
	kept := &rememberedSite{
		Page: s.page.String(), NotFound: rememberRequest(s.notFound), Foreign: rememberRequest(s.foreign), Insecure: rememberRequest(s.insecure),
		OtherHost: rememberRequest(s.otherHost), Favicon: rememberRequest(s.favicon), Llms: rememberRequest(s.llms), Markdown: rememberFile(s.markdown),
		AgentsMD: rememberFile(s.agentsMD), APICatalog: rememberFile(s.apiCatalog), License: rememberFile(s.license),
	}
	for i := range s.agents {
		kept.Agents = append(kept.Agents, rememberedAgent{s.agents[i].token, rememberRequest(&s.agents[i].Result)})
	}
	for _, card := range s.cards {
		kept.Cards = append(kept.Cards, rememberFile(card))
	}
	for i := range s.sitemaps {
		m := &s.sitemaps[i]
		kept.Sitemaps = append(kept.Sitemaps, rememberedMap{rememberRequest(&m.Result), m.Contents, m.declared, m.inIndex})
	}
	return kept
}

// shared returns the site again.
func (kept *rememberedSite) shared() *sharedSite {
	s := &sharedSite{page: weburl.Restore(kept.Page), site: site{
		notFound: kept.NotFound.result(), foreign: kept.Foreign.result(), insecure: kept.Insecure.result(), otherHost: kept.OtherHost.result(),
		favicon: kept.Favicon.result(), llms: kept.Llms.result(), markdown: kept.Markdown.file(), agentsMD: kept.AgentsMD.file(),
		apiCatalog: kept.APICatalog.file(), license: kept.License.file(),
	}}
	for _, agent := range kept.Agents {
		s.agents = append(s.agents, agentVisit{agent.Token, *agent.Result.result()})
	}
	for _, card := range kept.Cards {
		s.cards = append(s.cards, card.file())
	}
	for _, m := range kept.Sitemaps {
		s.sitemaps = append(s.sitemaps, sitemapFile{Result: *m.Result.result(), Contents: m.Contents, declared: m.Declared, inIndex: m.InIndex})
	}
	return s
}

// remember tells whoever keeps what the series has asked for.
func (s *Series) remember(kept remembered) {
	if s.Remember == nil {
		return
	}
	if text, err := json.Marshal(kept); err == nil { // always
		s.Remember(text)
	}
}

// Remind hands the series what Remember was told in an earlier run of the crawl, before anything is asked for. The error says that it is not
// readable.
func (s *Series) Remind(text []byte) error {
	var kept remembered
	if err := json.Unmarshal(text, &kept); err != nil {
		return fmt.Errorf("reading what a crawl has asked for: %w", err)
	}
	if kept.Site != nil {
		s.site = kept.Site.shared()
	}
	if l := kept.Loaded; l != nil && l.Result != nil {
		a := &loadedAnswer{ready: make(chan struct{}), result: *l.Result.result(), truncated: l.Truncated}
		close(a.ready)
		s.loaded.answers[loadedKey{l.Address, l.Limit}] = a
		s.loaded.bytes += int64(len(a.result.Body))
	}
	return nil
}
