package audit

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitegrade/audit/header"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// acceptPage is what a browser accepts when somebody follows a link.
const acceptPage = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// fetchedPage is a document as it came.
type fetchedPage struct {
	fetch.Result
	timings Timings
}

// fetchPage fetches the document at an address, through its redirects. An error page is a document too: one without HTML is
// an empty one.
func (a *Auditor) fetchPage(own *allotment, u *weburl.URL) (*fetchedPage, *fetch.Failure) {
	start := time.Now()
	e, failure := a.client.Open(own, fetch.Request{
		Method: http.MethodGet, URL: u, Accept: acceptPage, Redirects: a.MaxRedirects, Fresh: true, Await: own.await, Behind: own.behind,
	})
	start = start.Add(own.waited)
	if failure != nil {
		return nil, failure
	}
	defer e.Close()
	return a.receivePage(own, e, start)
}

// receivePage receives the document of an exchange that began at start.
func (a *Auditor) receivePage(own *allotment, e *fetch.Exchange, start time.Time) (*fetchedPage, *fetch.Failure) {
	e.JudgeTLS()
	media := header.MIMEType(e.Header)
	if neverHTML(media) {
		return pageWithoutHTML(e, start, time.Now(), media)
	}
	end, err := own.receive(e, a.MaxSize)
	if err != nil {
		return nil, fetch.BodyFailure(own, err, a.MaxSize)
	}
	if !isHTMLType(media) && !startsLikeHTML(e.Body) {
		return pageWithoutHTML(e, start, end, media)
	}
	return &fetchedPage{Result: e.Result, timings: timingsOf(e.Phases(), start, end)}, nil
}

// pageWithoutHTML returns the empty document of an error, or the failure of what is no page.
func pageWithoutHTML(e *fetch.Exchange, start, end time.Time, media string) (*fetchedPage, *fetch.Failure) {
	if e.Status < 400 {
		if media == "" {
			return nil, fetch.NewFailure(fetch.CodeNotHTML, "The address answers without a Content-Type, and with something else than HTML.")
		}
		return nil, fetch.NewFailure(fetch.CodeNotHTML, fmt.Sprintf("The address answers with %s, not with an HTML page.", cutText(media, 100)))
	}
	e.Body, e.Size = nil, 0
	return &fetchedPage{Result: e.Result, timings: timingsOf(e.Phases(), start, end)}, nil
}

func isHTMLType(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml"
}

// neverHTML reports whether a body need not be read to know that it is no page. Other types are looked at: pages that are
// labelled as plain text, XML or nothing are common, and the check mime-type is there to say so.
func neverHTML(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	switch kind {
	case "image", "audio", "video", "font":
		return true
	}
	return media == "application/pdf" || media == "application/zip"
}

// startsLikeHTML reports whether content that is not labelled as HTML is a page all the same: it begins with a doctype or a tag
// of one (WHATWG MIME Sniffing).
func startsLikeHTML(body []byte) bool {
	return strings.HasPrefix(http.DetectContentType(body), "text/html")
}

// timingsOf returns the timings of an audit that began at start, whose document came by a request with these phases, its last byte
// at end.
func timingsOf(p fetch.Phases, start, end time.Time) Timings {
	return Timings{
		DNS: milliseconds(p.DNS), Connect: milliseconds(p.Connect), TLS: milliseconds(p.TLS), TTFB: milliseconds(p.Wait),
		Download: milliseconds(end.Sub(p.FirstByte)), Document: milliseconds(end.Sub(start)),
	}
}

// milliseconds returns a duration as reports write it.
func milliseconds(d time.Duration) float64 { return float64(max(d, 0).Microseconds()) / 1000 }
