package web

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sitegrade/db"
)

// browser is a tab of a real browser.
type browser struct {
	*server
	ctx context.Context
}

// newBrowser starts a browser that ends with the test. Where there is none, the test is skipped, but not where CI runs it.
func newBrowser(s *server) *browser {
	s.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			s.Fatal("there is no chromium, which the tests of the pages need")
		}
		s.Skip("there is no chromium")
	}
	profile, err := os.MkdirTemp("", "sitegrade-browser-") // not the test's own directory: it must outlive the browser
	if err != nil {
		s.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(profile),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true))
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocated)
	s.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			s.Log(err)
		}
		end()
		_ = os.RemoveAll(profile)
	})
	if err := chromedp.Do(ctx); err != nil {
		s.Fatal(err)
	}
	return &browser{s, ctx}
}

// in returns the same tab for a part of the test.
func (b *browser) in(t *testing.T) *browser {
	s := *b.server
	s.TB = t
	return &browser{&s, b.ctx}
}

// stranger returns a tab that shares no cookies with b.
func (b *browser) stranger() *browser {
	b.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	b.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		b.Fatal(err)
	}
	return &browser{b.server, ctx}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// run returns what an action gives.
func run[T any](b *browser, action chromedp.Action[T]) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		b.Fatal(err)
	}
	return value
}

func (b *browser) open(path string) {
	b.Helper()
	b.do(chromedp.Navigate(b.HTTP.URL + path))
}

// text returns what people see of an element.
func (b *browser) text(selector string) string {
	b.Helper()
	return run(b, chromedp.Text(chromedp.CSS(selector)))
}

// awaitText waits until an element is there and has a text.
func (b *browser) awaitText(selector, text string) {
	b.Helper()
	b.do(chromedp.WaitVisible(chromedp.CSS(selector)), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Poll[bool](`document.querySelector(`+quoted(selector)+`)?.textContent.includes(`+quoted(text)+`)`)(ctx, t)
		return err
	}))
}

// quoted returns a text as JavaScript writes it; it has no line ends.
func quoted(s string) string {
	return "`" + strings.NewReplacer("`", "\\`", `\`, `\\`).Replace(s) + "`"
}

// signIn signs in with a key, as people do.
func (b *browser) signIn(key string) {
	b.Helper()
	b.open("/")
	b.do(chromedp.SendKeys(chromedp.CSS("#key"), key), chromedp.Click(chromedp.CSS("form .primary")), chromedp.WaitVisible(chromedp.CSS(".heading")))
}

// look sets width and colours.
func (b *browser) look(width int64, theme string) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, 800), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	}))
}

func TestBrowser(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	b := newBrowser(s)

	t.Run("sign in, make a report and watch it finish", func(t *testing.T) {
		b := b.in(t)
		b.signIn(s.key)
		b.do(chromedp.SendKeys(chromedp.CSS("#url"), s.site.URL+"/slow"), chromedp.Click(chromedp.CSS(".quick .primary")))
		b.awaitText("[data-state]", "being audited")
		close(s.site.gate)
		b.do(chromedp.WaitVisible(chromedp.CSS(".issues")))
		if heading := b.text("h1"); !strings.Contains(heading, "127.0.0.1") {
			t.Errorf("the heading of the finished report is %q", heading)
		}
	})

	t.Run("find it by a search", func(t *testing.T) {
		b := b.in(t)
		s.create(db.NewReport{URL: s.site.URL + "/bread"})
		b.open("/")
		b.do(chromedp.SendKeys(chromedp.CSS("[name=search]"), "SLO"), chromedp.Click(chromedp.CSS(".filter button")), chromedp.WaitVisible(chromedp.CSS(".chips")))
		if rows := run(b, chromedp.Evaluate[string](`[...document.querySelectorAll(".rows .what > a")].map(a => a.textContent).join()`)); rows != s.site.URL+"/slow" {
			t.Errorf("the search found %q", rows)
		}
	})

	t.Run("nothing takes away what somebody writes", func(t *testing.T) { writeMeanwhile(t, b.in(t)) })
	t.Run("share it with a password", func(t *testing.T) { shareWithPassword(t, b.in(t)) })
	t.Run("texts of the audited page never run", func(t *testing.T) { showHostile(t, b.in(t)) })
	t.Run("start a crawl, watch it and read the report of the site", func(t *testing.T) { watchCrawl(t, b.in(t)) })
	t.Run("by keyboard alone", func(t *testing.T) { workByKeyboard(t, b.in(t)) })
	t.Run("fits every width in both themes", func(t *testing.T) { showEverywhere(t, b.in(t)) })

	t.Run("prints", func(t *testing.T) {
		b := b.in(t)
		r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
		b.open("/r/" + r.Share)
		pdf := run(b, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(), chromedp.PDFPrintBackground()))
		if pages := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page/")); !bytes.HasPrefix(pdf, []byte("%PDF-")) || pages < 1 {
			t.Errorf("a PDF of %d bytes with %d pages", len(pdf), pages)
		}
		keep(t, "report.pdf", pdf)
	})
}

// writeMeanwhile types while a list renews itself and while a report becomes ready.
func writeMeanwhile(t *testing.T, b *browser) {
	later := b.createQueued(db.NewReport{URL: b.site.URL + "/later"})
	latest := b.createQueued(db.NewReport{URL: b.site.URL + "/latest"})
	value := func(selector string) string { return run(b, chromedp.Value(chromedp.CSS(selector))) }
	report := b.stranger()
	report.signIn(b.key)
	report.open("/reports/" + latest.ID.String())
	report.do(chromedp.Click(chromedp.CSS(".tools summary")), chromedp.SendKeys(chromedp.CSS("#privacy"), "P"))
	_ = run(report, chromedp.Evaluate[bool](`document.querySelector(".only-password").hidden = false, document.querySelector("#password").focus(), true`))
	report.do(chromedp.SendKeys(chromedp.CSS("#password"), "half a pass"))

	b.open("/")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=search]"), "half a word"))
	row := `.rows a[href="/reports/` + later.ID.String() + `"]`
	_ = run(b, chromedp.Evaluate[bool](`document.querySelector(".rows .what a").id = "kept", true`))
	close(b.site.later)
	b.finished(later.ID)
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Poll[bool](`!document.querySelector(`+quoted(row)+`).closest("li").textContent.includes("udit") && !document.querySelector(`+quoted(row)+`).closest("li").textContent.includes("Queued")`)(ctx, t)
		return err
	}))
	if got := value("[name=search]"); got != "half a word" {
		t.Errorf("the search has %q after the list was renewed", got)
	}
	if has := run(b, chromedp.Evaluate[bool](`document.activeElement.name === "search"`)); !has {
		t.Error("the search has lost the focus")
	}
	report.awaitText("[data-state]", "is ready")
	if got := run(report, chromedp.Value(chromedp.CSS("#password"))); got != "half a pass" {
		t.Errorf("the password has %q once the report is ready", got)
	}
}

// shareWithPassword protects a report in the dashboard and opens it in a browser that is not signed in.
func shareWithPassword(t *testing.T, b *browser) {
	r := b.create(db.NewReport{URL: b.site.URL + "/bread"})
	b.open("/reports/" + r.ID.String())
	b.do(
		chromedp.Click(chromedp.CSS(".tools summary")),
		chromedp.SetValue(chromedp.CSS("#privacy"), "2"),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := chromedp.Evaluate[bool](`document.querySelector("#privacy").dispatchEvent(new Event("change"))`)(ctx, t)
			return err
		}),
		chromedp.SendKeys(chromedp.CSS("#password"), "rye & oats"),
		chromedp.Click(chromedp.CSS(".tools .stack-form button")),
		chromedp.WaitVisible(chromedp.CSS(".notice")),
	)
	address := run(b, chromedp.Value(chromedp.CSS("#share")))

	guest := b.stranger()
	guest.do(chromedp.Navigate(address), chromedp.SendKeys(chromedp.CSS("#password"), "wheat"), chromedp.Click(chromedp.CSS("form .primary")))
	guest.awaitText(".notice.bad", "not the password")
	if body := guest.text("body"); strings.Contains(body, "127.0.0.1") {
		t.Errorf("the form tells something of the report: %s", body)
	}
	guest.do(chromedp.SendKeys(chromedp.CSS("#password"), "rye & oats"), chromedp.Click(chromedp.CSS("form .primary")), chromedp.WaitVisible(chromedp.CSS(".issues")))
}

// showHostile opens the pages of a report whose texts try to break out of them.
func showHostile(t *testing.T, b *browser) {
	r := b.create(db.NewReport{URL: b.site.URL + "/hostile/?%22%3E%3Cscript%3Edocument.title='broken'%3C/script%3E"})
	if r.Status != db.Done {
		t.Fatalf("the report is %s: %v", r.Status, r.Failure)
	}
	site := b.crawledSite()
	for _, path := range []string{
		site, site + "/issues/duplicate-title", site + "/issues/broken-target", site + "/pages", site + "/links", "/reports/" + r.ID.String(), "/r/" + r.Share, "/?search=hostile", "/projects",
		"/reports/" + r.ID.String() + "/delete",
	} {
		b.open(path)
		if title := run(b, chromedp.Title()); strings.Contains(title, "broken") || !strings.HasSuffix(title, "Sitegrade") {
			t.Errorf("%s: the title is %q", path, title)
		}
		foreign := run(b, chromedp.Evaluate[int](`document.querySelectorAll("[onerror], [onclick], img, marquee, main script, a[href^=javascript], a[href^=data]").length`))
		if foreign != 0 {
			t.Errorf("%s: %d elements of the audited page are in ours", path, foreign)
		}
	}
	b.open("/r/" + r.Share)
	if text := b.text(".serp"); !strings.Contains(text, "<script>document.title='broken'</script>") {
		t.Errorf("the preview does not show the title as it is: %s", text)
	}
}

// showEverywhere opens every page on a phone, on a small one and on a desk, in both themes.
func showEverywhere(t *testing.T, b *browser) {
	report := b.create(db.NewReport{URL: b.site.URL + "/bread"})
	b.create(db.NewReport{URL: b.site.URL + "/a-rather-long-address/" + strings.Repeat("which-does-not-end-", 20)})
	locked := b.create(db.NewReport{URL: b.site.URL + "/rye", Privacy: db.Password, Password: "x"})
	failed := b.create(db.NewReport{URL: "http://no-such-host.invalid/"})
	changed := b.changing(true, false, true, true, false, true)
	site := b.crawledSite()
	schedule, webhook := b.scheduled(), b.told()
	pages := map[string]string{
		"schedules": "/schedules", "schedule": schedule, "webhooks": "/webhooks", "webhook": webhook,
		"reports": "/", "projects": "/projects", "new": "/new", "report": "/reports/" + report.ID.String(), "failed": "/reports/" + failed.ID.String(),
		"history": "/r/" + changed.Share, "history-own": "/reports/" + changed.ID.String() + "?from=1&to=2", "past": "/r/" + changed.Share + "?generation=2",
		"delete": "/reports/" + report.ID.String() + "/delete", "shared": "/r/" + report.Share, "docs": "/docs", "missing": "/nothing",
		"sites": "/crawls", "site": site, "site-issue": site + "/issues/duplicate-title", "site-pages": site + "/pages", "site-links": site + "/links?status=broken",
		"empty": "/?search=nothing-has-this", "query": "/?sort_by=wrong", "checks": "/docs/checks", "check": "/docs/checks/csp",
		"settings": "/settings", "forms": "/forms", "filters": "/?status=done&select=all",
		"keys": "/keys", "project": "/projects/" + report.Project.ID.String(),
	}
	guests := map[string]string{"login": "/login", "password": "/r/" + locked.Share}
	guest := b.stranger()
	for name, path := range pages {
		showOne(t, b, name, path)
	}
	for name, path := range guests {
		showOne(t, guest, name, path)
	}
	b.do(chromedp.EmulateViewport(1280, 800))
}

// showOne opens a page on the smallest screen, and then changes the screen and the theme before it.
func showOne(t *testing.T, b *browser, name, path string) {
	b.look(320, "light")
	b.open(path)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 360, 1280} {
			b.look(width, theme)
			if wide := run(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); wide > width {
				t.Errorf("%s is %d pixels wide on a screen of %d", path, wide, width)
			}
			if width != 320 && os.Getenv("SITEGRADE_SCREENSHOTS") != "" {
				size := map[int64]string{360: "phone", 1280: "desk"}[width]
				keep(t, name+"-"+theme+"-"+size+".png", run(b, chromedp.FullScreenshot(100)))
			}
		}
	}
}

// keep writes a file for people to look at into the directory SITEGRADE_SCREENSHOTS, where that is set.
func keep(t *testing.T, name string, contents []byte) {
	dir := os.Getenv("SITEGRADE_SCREENSHOTS")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name), contents, 0o644); err != nil {
		t.Error(err)
	}
}
