package mcp

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// TestProblemsComePageByPage reads all problems of a report by cursors, the worst first and each once.
func TestProblemsComePageByPage(t *testing.T) {
	s := newServer(t, Options{})
	first := s.must("audit_page", map[string]any{"url": s.site.put("/", "<html><p>short</p><img src=x>"), "project": "p"})
	r, ids, severities := first, []string{}, []audit.Severity{audit.High, audit.Medium, audit.Low, audit.Info}
	last := 0
	for {
		for _, c := range r.list("checks") {
			ids = append(ids, c["id"].(string))
			rank := slices.Index(severities, audit.Severity(c["severity"].(string)))
			if rank < last {
				t.Errorf("%s comes too late", c["id"])
			}
			last = rank
		}
		if r.cursor() == "" {
			break
		}
		r = s.must("get_report", map[string]any{"report": first.id(), "cursor": r.cursor()})
	}
	summary := first.structured["summary"].(map[string]any)
	if want := int(summary["failed"].(float64) + summary["warnings"].(float64)); len(ids) != want || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != want {
		t.Errorf("%d problems of %d: %v", len(ids), want, ids)
	}
	if ref := first.structured["project"].(map[string]any); ref["name"] != "p" {
		t.Errorf("the project is %v", ref)
	}
}

// TestACursorOutlivesAnotherAudit mends a problem that a cursor stands behind: what follows it is neither repeated nor left out.
func TestACursorOutlivesAnotherAudit(t *testing.T) {
	all := []audit.Outcome{
		{ID: "document-title", Severity: audit.High, Status: audit.Failed}, {ID: "viewport", Severity: audit.High, Status: audit.Failed},
		{ID: "html-lang", Severity: audit.Medium, Status: audit.Failed}, {ID: "canonical", Severity: audit.Medium, Status: audit.Warning},
	}
	for i := range all {
		p, err := parseCheckPlace(placeOf(all[i]))
		if err != nil {
			t.Fatal(err)
		}
		if n := p.behind(all); n != i+1 {
			t.Errorf("behind %s: %d", all[i].ID, n)
		}
		if n := p.behind(slices.Delete(slices.Clone(all), i, i+1)); n != i {
			t.Errorf("behind %s, which is mended: %d", all[i].ID, n)
		}
	}
	for _, wrong := range []string{"x", "high.passed.x", "highest.failed.x", "high.failed."} {
		if _, err := parseCheckPlace(wrong); err == nil {
			t.Errorf("%q is taken for a cursor", wrong)
		}
	}
}

func TestRecheckTellsWhatAnEditDid(t *testing.T) {
	s := newServer(t, Options{})
	id := s.must("audit_page", map[string]any{"url": s.site.put("/", "<!doctype html><p>text</p>")}).id()
	s.site.put("/", "<!doctype html><html lang=en><title>A title that says it</title><p>text</p><img src=x>")
	for _, r := range []result{s.must("recheck", map[string]any{"report": id}), s.must("compare_report", map[string]any{"report": id})} {
		if !hasCheck(r, "fixed", "document-title") || !hasCheck(r, "fixed", "html-lang") || !hasCheck(r, "regressed", "image-alt") || !hasCheck(r, "still", "viewport") {
			t.Errorf("%s", r.raw)
		}
		if !strings.HasPrefix(string(r.raw), `{"score":`) || r.structured["delta"].(float64) <= 0 || !strings.Contains(r.text, "+") {
			t.Errorf("%s", r.text)
		}
	}
	if r := s.must("compare_report", map[string]any{"report": id, "from": 1, "to": 2}); !hasCheck(r, "fixed", "document-title") {
		t.Errorf("%s", r.raw)
	}
	s.site.Close()
	r := s.must("recheck", map[string]any{"report": id})
	if r.structured["status"] != "failed" || r.structured["delta"] != nil || !strings.Contains(r.text, "failed") || !strings.Contains(r.text, "unreachable") {
		t.Errorf("of a site that is gone: %s", r.raw)
	}
}

func hasCheck(r result, class, id string) bool {
	return slices.ContainsFunc(r.list(class), func(e map[string]any) bool { return e["id"] == id })
}

// TestErrorsSayWhatToDo calls tools as they should not be.
func TestErrorsSayWhatToDo(t *testing.T) {
	s := newServer(t, Options{})
	id := s.must("audit_page", map[string]any{"url": s.site.put("/", "<p>x")}).id()
	for _, test := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"audit_page", map[string]any{}, "url"},
		{"audit_page", map[string]any{"url": ""}, "url is required"},
		{"audit_page", map[string]any{"url": "ftp://example.com"}, "http"},
		{"audit_page", map[string]any{"url": s.site.URL, "project": "a/b"}, "project must"},
		{"get_report", map[string]any{"report": "x"}, "list_reports"},
		{"get_report", map[string]any{"report": id, "cursor": "x"}, "next_cursor"},
		{"compare_report", map[string]any{"report": id}, "no two successful generations"},
		{"compare_report", map[string]any{"report": id, "from": 7}, "from"},
		{"list_reports", map[string]any{"cursor": "1.2"}, "next_cursor"},
		{"list_reports", map[string]any{"result": "great"}, "decent"},
		{"list_projects", map[string]any{"page": 1}, "page"},
		{"explain_check", map[string]any{"check": "documnt-title"}, "document-title"},
		{"explain_check", map[string]any{"check": strings.Repeat("x", 1000)}, "get_report"},
	} {
		if r := s.call(s.key, test.tool, test.args); !r.isError || !strings.Contains(r.text, test.says) {
			t.Errorf("%s %v: %s", test.tool, test.args, r.text)
		}
	}
}

// TestAuditPageHeedsTheDefaultPrivacy has an account whose new reports are private.
func TestAuditPageHeedsTheDefaultPrivacy(t *testing.T) {
	s := newServer(t, Options{})
	for _, want := range []db.Privacy{db.Public, db.Private} {
		if _, err := s.Store.UpdateAccount(t.Context(), "default", db.AccountChange{Privacy: &want}, nil); err != nil {
			t.Fatal(err)
		}
		id := s.must("audit_page", map[string]any{"url": s.site.put("/", "<p>x")}).id()
		if r, _, err := s.Store.Report(t.Context(), "default", uuid.MustParse(id)); err != nil || r.Privacy != want {
			t.Errorf("the report has the privacy %d (%v), not %d", r.Privacy, err, want)
		}
	}
}
