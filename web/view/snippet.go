package view

import (
	"cmp"
	"net/url"
	"strings"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// Snippet is the page as search engines and social networks would show it. What is too wide is cut by the style sheet.
type Snippet struct {
	Site, Trail        string
	Title, Description string
	CardTitle          string
	CardDescription    string
	CardImage          string // an address, shown as text: nothing is loaded from the page
}

func newSnippet(r *audit.Report) *Snippet {
	return &Snippet{
		Site: weburl.Restore(r.FinalURL).Site(), Trail: trail(r.FinalURL), Title: r.Page.Title, Description: r.Page.Description,
		CardTitle: cmp.Or(r.Page.OGTitle, r.Page.Title), CardDescription: cmp.Or(r.Page.OGDescription, r.Page.Description),
		CardImage: r.Page.OGImage,
	}
}

// trail returns the path of an address as search engines write it: "https://example.com › blog › a-post".
func trail(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	written := u.Scheme + "://" + u.Host
	for step := range strings.SplitSeq(strings.Trim(u.Path, "/"), "/") {
		if step != "" {
			written += " › " + step
		}
	}
	return written
}
