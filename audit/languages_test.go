package audit

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sitegrade/locale"
)

// TestFailuresAreRecognised holds that the catalogues have what failures say, by the source of those who make them.
func TestFailuresAreRecognised(t *testing.T) {
	made := regexp.MustCompile(`NewFailure\([\w.]+, (?:fmt\.Sprintf\()?("(?:[^"\\]|\\.)*")((?: ?\+ ?[\w.()]+ ?\+ ?"[^"]*")?)`)
	found := 0
	for _, file := range []string{"../fetch/failure.go", "../fetch/client.go", "../fetch/post.go", "document.go", "requests.go", "sitemapurls.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range made.FindAllStringSubmatch(string(source), -1) {
			found++
			detail := strings.Trim(m[1], `"`)
			if joined := m[2]; joined != "" {
				detail += "x" + joined[strings.IndexByte(joined, '"')+1:len(joined)-1]
			}
			detail = strings.NewReplacer("%d", "10", "%s", "x").Replace(detail)
			if _, ok := locale.Recognise(detail, "failures"); !ok {
				t.Errorf("%s: no catalogue has %q", file, detail)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d failures were found", found)
	}
}

func TestReportsInALanguage(t *testing.T) {
	r := grade(exampleFacts(t, "<title>Toys</title><p>Toys of maple"))
	old := *r
	old.WhySaid = locale.Sentence{}
	old.Checks = append([]Outcome{}, r.Checks...)
	for i := range old.Checks {
		old.Checks[i].Said = locale.Sentence{}
	}
	old.Checks = append(old.Checks, Outcome{ID: "title-length", Status: Failed, Title: "Words", Detail: "Words that no version said."})
	german := locale.For(locale.German)
	now, before := r.In(locale.German), old.In(locale.German)
	for i, o := range now.Checks {
		if past := before.Checks[i]; past.Detail != o.Detail || past.Title != o.Title || past.Advice != o.Advice {
			t.Errorf("%s of an earlier version: %q, %q, %q, not %q, %q, %q", o.ID, past.Title, past.Detail, past.Advice, o.Title, o.Detail, o.Advice)
		}
		if o.ID == "title-length" && (o.Detail != german.Text("title-length.outside", locale.Count(4), locale.Count(20), locale.Count(60)) ||
			o.Title != TitleIn(locale.German, o.ID, Failed) || o.Detail == r.Checks[i].Detail || o.Title == r.Checks[i].Title) {
			t.Errorf("%q: %q", o.Title, o.Detail)
		}
	}
	if last := before.Checks[len(before.Checks)-1]; last.Detail != "Words that no version said." {
		t.Errorf("what is not known is %q", last.Detail)
	}
	if now.Categories[0].Title != german.Text("categories.seo") || r.Categories[0].Title == now.Categories[0].Title {
		t.Errorf("the category is %q, in English %q", now.Categories[0].Title, r.Categories[0].Title)
	}
	if now.Why != before.Why || now.Why == r.Why {
		t.Errorf("%q, of an earlier version %q", now.Why, before.Why)
	}
	if r.In(locale.English) != r || (*Report)(nil).In(locale.German) != nil {
		t.Error("English is another report")
	}
	capped := grade(exampleFacts(t, "<p>Toys"))
	capped.WhySaid = locale.Sentence{}
	if why := capped.In(locale.German).Why; why == capped.Why {
		t.Errorf("a limit is told as %q", why)
	}
}
