package crawl

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"sitegrade/audit/sitemap"
)

// Visit is what was seen at one address: all that a crawl keeps of it, and what a frontier is built again from. URLs are absolute and
// normalised, without fragments.
type Visit struct {
	URL  string    `json:"url"`
	Kind Kind      `json:"kind"`
	At   time.Time `json:"at"` // when it was over

	Status     int    `json:"status,omitempty"`      // of the response; 0 without one
	Failure    string `json:"failure,omitempty"`     // why there is no response, or none that could be read: the code of an audit's failure
	Redirect   string `json:"redirect,omitempty"`    // where it leads; "" for anything but a redirect
	RetryAfter string `json:"retry_after,omitempty"` // the header of that name, where the status is 429 or 503
	Challenge  bool   `json:"challenge,omitempty"`   // a guard asked whether a person is there

	// IsPage tells that it answers with status 200 and HTML. What follows is of pages alone.
	IsPage      bool     `json:"page,omitempty"`
	Noindex     bool     `json:"noindex,omitempty"`
	Canonical   string   `json:"canonical,omitempty"` // "" for none
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	H1          string   `json:"h1,omitempty"`
	TextHash    string   `json:"text_hash,omitempty"` // of the visible text; "" when it has none
	SimHash     uint64   `json:"simhash,omitempty"`
	Words       int      `json:"words,omitempty"`
	Links       []Link   `json:"links,omitempty"`    // to other addresses of the site, in the order of the page
	External    int      `json:"external,omitempty"` // how many addresses of other sites it links
	Versions    []string `json:"versions,omitempty"` // its alternates in other languages
	Report      string   `json:"report,omitempty"`   // how whoever keeps reports names that of the page; "" for none
	Score       int      `json:"score,omitempty"`

	Robots  string   `json:"robots,omitempty"`  // of Kind Robots: the file, "" where there is none
	Sitemap *Listing `json:"sitemap,omitempty"` // of Kind Sitemap: what it says; nil where there is none

	Beside json.RawMessage `json:"beside,omitempty"` // of Kind Beside: what an audit.Series keeps
}

// Link is a link in a page.
type Link struct {
	Target  string `json:"target"`
	Text    string `json:"text,omitempty"`    // at most 200 bytes
	Unnamed bool   `json:"unnamed,omitempty"` // assistive technology finds no name for it
	Line    int    `json:"line,omitempty"`    // of the decoded page, from 1; 0 where it is unknown
}

// Listing is what a sitemap says.
type Listing struct {
	sitemap.Contents
	Listed []string `json:"listed"` // as written; of the site alone, at most 50,000
}

// isTryAgain reports whether the host asks to come back later.
func (v *Visit) isTryAgain() bool { return (v.Status == 429 || v.Status == 503) && !v.Challenge }

// rest returns how long a host rests that asks to come back later.
func (v *Visit) rest() time.Duration {
	text := strings.TrimSpace(v.RetryAfter)
	rest := usualRest
	if seconds, err := strconv.Atoi(text); err == nil {
		rest = time.Duration(min(max(seconds, 0), int(mostRest/time.Second))) * time.Second
	} else if at, err := time.Parse(time.RFC1123, text); err == nil {
		rest = at.Sub(v.At)
	}
	return min(max(rest, 0), mostRest)
}
