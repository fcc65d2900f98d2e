package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
)

// store makes so many reports that are not audited, and returns their ids, the newest first.
func (s *server) store(n int) []string {
	s.Helper()
	var addresses []string
	for i := range n {
		addresses = append(addresses, fmt.Sprintf("http://192.0.2.1/%d", i)) // of a network for documentation
	}
	made, err := s.Store.CreateReports(context.Background(), "default", db.NewReport{Project: "many"}, addresses...)
	if err != nil {
		s.Fatal(err)
	}
	var ids []string
	for _, r := range slices.Backward(made) {
		ids = append(ids, r.ID.String())
	}
	return ids
}

// TestCursorsKeepTheirPlace reads a list from cursor to cursor, while reports are made before the place and removed around it.
func TestCursorsKeepTheirPlace(t *testing.T) {
	for name, between := range map[string]func(s *server, seen []string, round int){
		"nothing happens": func(*server, []string, int) {},
		"reports come":    func(s *server, _ []string, round int) { s.store(30 + 20*round) },
		"reports go": func(s *server, seen []string, round int) {
			if round != 3 {
				return
			}
			for _, id := range seen {
				if err := s.Store.DeleteReport(context.Background(), "default", uuid.MustParse(id), nil); err != nil {
					s.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Options{})
			s.StopWorker()
			want := s.store(130)
			var seen []string
			for cursor, round := "", 0; round == 0 || cursor != ""; round++ {
				r := s.must("list_reports", map[string]any{"project": "many", "cursor": cursor})
				for _, row := range r.list("reports") {
					seen = append(seen, row["id"].(string))
				}
				between(s, seen, round)
				cursor = r.cursor()
			}
			if !slices.Equal(seen, want) {
				t.Errorf("%d reports of %d are seen, or in another order", len(seen), len(want))
			}
		})
	}
}

// TestLongNamesLeaveRoomForTheRest lists reports and projects whose addresses and names are as long as can be, and grow in JSON.
func TestLongNamesLeaveRoomForTheRest(t *testing.T) {
	s := newServer(t, Options{})
	s.StopWorker()
	for i := range 30 {
		n := db.NewReport{URL: fmt.Sprintf("http://192.0.2.1/%02d?%s", i, strings.Repeat("&", 2000)), Project: fmt.Sprintf("%02d%s", i, strings.Repeat("<", 98))}
		if _, err := s.Store.CreateReport(context.Background(), "default", n); err != nil {
			t.Fatal(err)
		}
	}
	for tool, key := range map[string]string{"list_reports": "reports", "list_projects": "projects"} {
		seen := s.readAll(s.must(tool, nil), tool, map[string]any{}, key, func(row map[string]any) string { return row["id"].(string) })
		if len(seen) != 30 {
			t.Errorf("%s: %d of 30", tool, len(seen))
		}
	}
}

func TestListsFilter(t *testing.T) {
	s := newServer(t, Options{})
	good := s.must("audit_page", map[string]any{"url": s.site.put("/one", "<p>x"), "project": "first"})
	s.must("audit_page", map[string]any{"url": s.site.put("/two", "<p>x"), "project": "second"})
	for _, test := range []struct {
		tool  string
		args  map[string]any
		total float64
	}{
		{"list_reports", nil, 2}, {"list_reports", map[string]any{"project": "first"}, 1}, {"list_reports", map[string]any{"search": "TWO"}, 1},
		{"list_reports", map[string]any{"result": "good"}, 0}, {"list_reports", map[string]any{"result": good.structured["result"]}, 2},
		{"list_projects", nil, 2}, {"list_projects", map[string]any{"search": "sec"}, 1}, {"list_projects", map[string]any{"search": "third"}, 0},
	} {
		if r := s.must(test.tool, test.args); r.structured["total"] != test.total {
			t.Errorf("%s %v: %s", test.tool, test.args, r.text)
		}
	}
}
