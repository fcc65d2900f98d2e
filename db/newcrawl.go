package db

import (
	"fmt"

	"sitegrade/weburl"
)

// Bounds of crawls.
const (
	DefaultCrawlPages = 500
	MaxCrawlPages     = 100_000
	MaxCrawlDepth     = 1000
	MaxCrawlURLs      = 10_000 // of a list
	MaxCrawlPatterns  = 100    // that include, and as many that exclude
	MaxCrawlHeaders   = 20
	MaxOpenCrawls     = 100 // of an account that wait or run
	maxHeaderValue    = 4096
)

// NewCrawl is what a client may say of a crawl that it makes.
type NewCrawl struct {
	URL            string   // either this or, with the mode list, URLs
	URLs           []string // at most MaxCrawlURLs
	Mode           string   // "" for links
	Project        string   // "" for the host of the address
	Privacy        *Privacy // of the reports that it makes; nil for Private
	MaxPages       *int     // nil for DefaultCrawlPages
	MaxDepth       *int     // nil for any number of clicks
	Include        []string
	Exclude        []string
	Headers        map[string]string // that go with each request to the site; a store keeps them encrypted
	IdempotencyKey string            `json:"-"`
}

// Normalised returns the crawl that n asks for, without id, times and id of the project, and the addresses of a list. The error is
// *InvalidError with every wrong field.
func (n NewCrawl) Normalised() (c Crawl, urls []string, err error) {
	var fields []FieldError
	wrong := func(field, detail string) {
		if detail != "" {
			fields = append(fields, FieldError{Field: field, Detail: detail})
		}
	}
	c = Crawl{Status: CrawlQueued, Revision: 1, CrawlOptions: CrawlOptions{
		Mode: CrawlLinks, Privacy: Private, MaxPages: DefaultCrawlPages, Include: n.Include, Exclude: n.Exclude,
	}}
	if n.Mode != "" {
		c.Mode = CrawlMode(n.Mode)
		wrong("mode", oneOf(c.Mode, CrawlModes))
	}
	urls, field, detail := n.start()
	wrong(field, detail)
	if detail == "" {
		c.URL, c.Project.Name = urls[0], weburl.Restore(urls[0]).Site()
	}
	if n.Project != "" {
		c.Project.Name = n.Project
		wrong("project", projectNameDetail(n.Project))
	}
	if n.Privacy != nil {
		if c.Privacy = *n.Privacy; c.Privacy > Private {
			wrong("privacy", "must be 0 (public) or 1 (private): a password is given to a report")
		}
	}
	wrong("max_pages", within(n.MaxPages, &c.MaxPages, MaxCrawlPages))
	wrong("max_depth", within(n.MaxDepth, &c.MaxDepth, MaxCrawlDepth))
	wrong("include", patternsDetail(n.Include))
	wrong("exclude", patternsDetail(n.Exclude))
	wrong("headers", headersDetail(n.Headers))
	if c.Mode != CrawlList {
		urls = nil
	}
	return c, urls, invalid(fields)
}

// start returns the addresses that a crawl begins with, normalised, or what is wrong with which field.
func (n NewCrawl) start() (urls []string, field, detail string) {
	switch {
	case CrawlMode(n.Mode) != CrawlList && n.URLs != nil:
		return nil, "urls", `is only possible with the mode "list"`
	case CrawlMode(n.Mode) != CrawlList && n.URL == "":
		return nil, "url", "is required: the absolute http or https address that the crawl begins with"
	case CrawlMode(n.Mode) != CrawlList:
		u, err := weburl.Parse(n.URL)
		if err != nil {
			return nil, "url", err.Error()
		}
		return []string{u.String()}, "", ""
	case n.URL != "":
		return nil, "url", `is not possible with the mode "list", which takes urls`
	case len(n.URLs) == 0 || len(n.URLs) > MaxCrawlURLs:
		return nil, "urls", fmt.Sprintf("is required: 1 to %d addresses", MaxCrawlURLs)
	}
	for i, text := range n.URLs {
		u, err := weburl.Parse(text)
		if err != nil {
			return nil, "urls", fmt.Sprintf("number %d %s", i+1, err)
		}
		urls = append(urls, u.String())
	}
	return urls, "", ""
}

// within sets a number from 1 to most, or says what is wrong with it.
func within(given, set *int, most int) string {
	if given == nil {
		return ""
	}
	if *given < 1 || *given > most {
		return fmt.Sprintf("must be a whole number from 1 to %d", most)
	}
	*set = *given
	return ""
}

func patternsDetail(patterns []string) string {
	if len(patterns) > MaxCrawlPatterns {
		return fmt.Sprintf("must have at most %d patterns", MaxCrawlPatterns)
	}
	for i, p := range patterns {
		if p == "" || len(p) > weburl.MaxLength || !printable(p) {
			return fmt.Sprintf("number %d must be 1 to %d bytes without control characters", i+1, weburl.MaxLength)
		}
	}
	return ""
}
