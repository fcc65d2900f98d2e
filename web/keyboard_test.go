package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sitegrade/db"
)

// workByKeyboard holds how many keys it takes from the beginning of the list to audit a page and to see the next page of the list.
func workByKeyboard(t *testing.T, b *browser) {
	for i := range 12 {
		b.create(db.NewReport{URL: fmt.Sprintf("%s/bread?%d", b.site.URL, i)})
	}
	focused := func() string {
		return run(b, chromedp.Evaluate[string](`document.activeElement.id || document.activeElement.textContent`))
	}
	press := func(keys ...string) {
		b.do(chromedp.KeyEvent(strings.Join(keys, "")))
	}
	b.open("/")
	press(kb.Tab, kb.Enter, kb.Tab)
	if at := focused(); at != "url" {
		t.Fatalf("three keys lead to %q, not to the address of a page to audit", at)
	}
	press(kb.Tab, kb.Tab)
	if at := focused(); at != "Next page" {
		t.Fatalf("five keys lead to %q, not to the next page", at)
	}
	press(kb.Enter)
	b.do(chromedp.WaitVisible(chromedp.CSS(`.pager [rel=prev]`)))
	press(kb.Tab, kb.Enter, kb.Tab, b.site.URL+"/rye", kb.Enter)
	b.do(chromedp.WaitVisible(chromedp.CSS(`.tools`)))
}
