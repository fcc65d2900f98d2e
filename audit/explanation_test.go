package audit

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitegrade/audit/texts"
	"sitegrade/locale"
)

func TestEveryCheckIsExplained(t *testing.T) {
	all, err := texts.Read()
	if err != nil {
		t.Fatal(err)
	}
	english := locale.For(locale.English)
	isCheck := map[string]bool{}
	for _, c := range table {
		isCheck[c.id] = true
	}
	for _, c := range SiteChecks() {
		isCheck[c.ID] = true
	}
	for _, id := range english.CheckIDs() {
		words, _ := english.Check(id)
		if isCheck[id] == (words.Retired != "") {
			t.Errorf("%s has words and is in the table: %v, but is retired: %v", id, isCheck[id], words.Retired != "")
		}
		holdsText(t, id, words, all[id])
	}
	for _, e := range Explanations() {
		if got, ok := Explain(e.ID); !ok || got.Name != e.Name || e.CategoryTitle == "" {
			t.Errorf("%s is explained as %q of %q", e.ID, got.Name, e.CategoryTitle)
		}
	}
	if got, want := len(Explanations()), len(all); got != want || len(english.CheckIDs()) != want {
		t.Errorf("%d explanations and words about %d checks, with the examples of %d", got, len(english.CheckIDs()), want)
	}
}

func holdsText(t *testing.T, id string, words locale.Check, text texts.Text) {
	t.Helper()
	sentences := []string{words.Looks, words.Why, words.Mend}
	headings := []string{words.Name}
	if words.Retired == "" {
		headings = append(headings, words.Passed, words.Failed)
	}
	for _, s := range sentences {
		if s == "" || !strings.Contains(".)", s[len(s)-1:]) || strings.Count(s, "`")%2 != 0 {
			t.Errorf("%s: %q is no sentence", id, s)
		}
	}
	for _, s := range headings {
		if s == "" || strings.HasSuffix(s, ".") {
			t.Errorf("%s: %q is no heading", id, s)
		}
	}
	if !strings.HasPrefix(text.Link, "https://") || text.Passes == "" || text.Fails == "" {
		t.Errorf("%s has no link or no examples", id)
	}
	if !slices.Contains([]string{"", "passes", "fails", "both"}, text.Sketch) {
		t.Errorf("%s: sketch %q", id, text.Sketch)
	}
}

// The examples are run as pages, so that what they show is true.
func TestExamplesPassAndFail(t *testing.T) {
	ran := 0
	for _, c := range table {
		text := written().texts[c.id]
		for _, example := range []struct {
			kind, code string
			want       Status
		}{{"passes", text.Passes, Passed}, {"fails", text.Fails, Failed}} {
			if text.Sketch == "both" || text.Sketch == example.kind {
				continue
			}
			ran++
			if got := c.run(factsOfExample(t, example.code)); got.status != example.want {
				t.Errorf("%s: the page that %s: %s: %s", c.id, example.kind, got.status, got.said.Compact())
			}
		}
	}
	if ran < 140 {
		t.Errorf("only %d examples were run", ran)
	}
}

// factsOfExample returns the facts of a page that a text shows.
func factsOfExample(t *testing.T, code string) *facts {
	t.Helper()
	example := texts.ReadExample(code)
	f := exampleFacts(t, example.HTML)
	if example.URL != "" {
		at(example.URL)(f)
	}
	if example.Status != "" {
		_, status, _ := strings.Cut(example.Status, " ")
		n, err := strconv.Atoi(status)
		if err != nil {
			t.Fatalf("%q has no status", example.Status)
		}
		f.response.Status = n
	}
	if len(example.Header) > 0 {
		header := http.Header{}
		for _, line := range example.Header {
			name, value, found := strings.Cut(line, ": ")
			if !found {
				t.Fatalf("%q is no line of a header", line)
			}
			header.Add(name, value)
		}
		f.response.Header = header
	}
	return f
}

func TestTitlesFollowTheOutcome(t *testing.T) {
	for status, want := range map[Status]string{
		Passed: "Search engines may index the page", Failed: "Search engines may not index the page",
		Warning: "Some search engines may not index the page", NotApplicable: "Indexing by search engines",
	} {
		if got := TitleFor("is-crawlable", status); got != want {
			t.Errorf("%s: %q, want %q", status, got, want)
		}
	}
	if got := TitleFor("readability", Warning); got != "The text is difficult to read" {
		t.Errorf("a warning without a sentence of its own: %q", got)
	}
}
