package web

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sitegrade/db"
)

// crawledSite crawls a site whose texts try to break out of its report, and returns the path of that.
func (s *server) crawledSite() string {
	s.Helper()
	made, _, err := s.Store.CreateCrawl(s.Context(), "default", db.NewCrawl{URL: crawlSite(s, closed).URL})
	if err != nil {
		s.Fatal(err)
	}
	path := "/crawls/" + made.ID.String()
	s.crawled(path)
	return path
}

// watchCrawl starts a crawl in the dashboard, and looks at it until its report has taken the place of the progress, without a reload meanwhile.
func watchCrawl(t *testing.T, b *browser) {
	gate := make(chan struct{})
	site := crawlSite(t, gate)
	b.open("/crawls")
	b.do(chromedp.SendKeys(chromedp.CSS("#url"), site.URL), chromedp.Click(chromedp.CSS(".crawl-form .primary")))
	b.awaitText("[data-state]", "being crawled")
	run(b, chromedp.Evaluate[string](`document.body.dataset.seen = "before"`))
	b.awaitText("[data-count=done]", "5")
	if seen := run(b, chromedp.Evaluate[string](`document.body.dataset.seen`)); seen != "before" {
		t.Error("the page was loaded again while the crawl ran")
	}
	close(gate)
	b.do(chromedp.WaitVisible(chromedp.CSS(".folders")))
	if text := b.text("main"); !strings.Contains(text, "Gone for good") && !strings.Contains(text, "Broken links") {
		t.Errorf("the report has no broken links: %s", text)
	}
	pdf := run(b, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(), chromedp.PDFPrintBackground()))
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("%d bytes that are no PDF", len(pdf))
	}
	keep(t, "site.pdf", pdf)
}
