package standalone

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"sitegrade/audit"
	"sitegrade/locale"
)

// TestStandaloneLoadsNothing holds that a file with reports names nothing that a browser would fetch or run, that its style is the one
// that its policy allows, and that its ids are there once.
func TestStandaloneLoadsNothing(t *testing.T) {
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)></style><style>*{background:url(//evil.example)}`
	score := 40
	found := &audit.Report{
		URL: "http://example.com/", FinalURL: "http://example.com/" + hostile, Score: 40, Result: audit.Bad, Why: hostile, Size: 1, TransferSize: 1,
		Redirects: []string{hostile}, Timings: audit.Timings{TTFB: 1}, Page: audit.Page{Title: hostile, Description: hostile, OGImage: "https://evil.example/x.png"},
		Categories: []audit.Category{{ID: "seo", Title: "SEO", Score: &score, Failed: 1, Passed: 1}},
		Checks: []audit.Outcome{
			{ID: "image-alt", Category: "seo", Severity: audit.High, Status: audit.Failed, Title: hostile, Detail: hostile, Advice: hostile,
				Evidence: []audit.Evidence{{Snippet: hostile, Selector: hostile, URL: "javascript:alert(1)"}, {URL: "https://example.com/" + hostile}}},
			{ID: "h1", Category: "seo", Severity: audit.Low, Status: audit.Passed, Title: hostile},
		},
	}
	var file strings.Builder
	reports := []Report{{URL: found.URL, Found: found}, {URL: "http://example.org/", Failure: &audit.Failure{Code: audit.CodeDNS, Detail: hostile}}}
	if err := Write(&file, locale.For(locale.English), reports); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	ids, policy, style := map[string]bool{}, "", ""
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "img", "link", "iframe", "object", "form", "base", "image", "use":
			t.Errorf("there is the element %s", n.Data)
		case "style":
			style += n.FirstChild.Data
		}
		equiv := ""
		for _, a := range n.Attr {
			switch {
			case a.Key == "http-equiv":
				equiv = a.Val
			case a.Key == "content" && equiv != "":
				policy = a.Val
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("the id %s is there twice", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "src":
				t.Errorf("%s has the attribute %s", n.Data, a.Key)
			case a.Key == "href" && !regexp.MustCompile(`^(https?://|#page-\d)`).MatchString(a.Val):
				t.Errorf("a link leads to %s", a.Val)
			}
		}
	}
	sum := sha256.Sum256([]byte(style))
	if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, "style-src "+want) || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the policy is %s, and the hash of the style %s", policy, want)
	}
	if strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("the style loads something")
	}
	if !strings.Contains(file.String(), "The last audit failed.") || len(ids) < 3 {
		t.Errorf("not everything is there: %v", ids)
	}
}

// TestSiteInALanguage holds that the words of a file about a site are in the language that it is written in.
func TestSiteInALanguage(t *testing.T) {
	score := 40
	site := Site{
		URL: "https://example.com/", Generated: time.Now(), Score: &score, Result: audit.Bad, Notes: []string{"x"},
		Issues:  []Issue{{Severity: audit.High, Title: "x", More: 3, Places: []Place{{URL: "https://example.com/a"}, {URL: "https://example.com/b"}}}},
		Broken:  []Issue{{Title: "x"}},
		Folders: []Score{{Name: "x"}}, Worst: []Score{{Name: "x"}},
	}
	var file strings.Builder
	if err := WriteSite(&file, locale.For(locale.German), site); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<html lang="de">`, "Die Website https://example.com/", "Bericht zur Website", "Gecrawlt am <time", "Schlecht, 40 von 100", ">Hoch<", "Was ausgelassen wurde",
		"Was zu beheben ist, das Wichtigste zuerst", "Die ersten 2 Stellen", "Defekte Links", "Ordner", "Seiten mit den wenigsten Punkten",
	} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("it lacks %s", want)
		}
	}
}
