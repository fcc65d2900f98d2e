package main

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPagesGrowFromTheirSeed(t *testing.T) {
	first, again, other := makePages(30, 1), makePages(30, 1), makePages(30, 2)
	same := 0
	for i := range first {
		if !reflect.DeepEqual(first[i], again[i]) {
			t.Errorf("page %s differs from itself", first[i].name)
		}
		if bytes.Equal(first[i].html, other[i].html) {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d pages do not depend on the seed", same)
	}
}

func TestPagesAreReadAsWritten(t *testing.T) {
	pages := makePages(12, 1)
	dir := t.TempDir() + "/pages"
	if err := writePages(dir, pages); err != nil {
		t.Fatal(err)
	}
	got, err := readPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, pages) {
		t.Error("what was read is not what was written")
	}
	if _, err := readPages(t.TempDir()); err == nil {
		t.Error("an empty directory is read without an error")
	}
}

func TestPagesAreServedAsTheirAnswerSays(t *testing.T) {
	pages := []page{
		{name: "plain", html: []byte("<p>one")},
		{name: "said", html: []byte("<p>two"), answer: answer{
			Path: "/a?b=c", Status: 410, Headers: map[string]string{"X-Robots-Tag": "noindex"}, RobotsTXT: "User-agent: *\n", RobotsStatus: 503,
		}},
	}
	s, err := serve(pages)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		address string
		status  int
		body    string
	}{
		{s.addresses[0], 200, "<p>one"},
		{s.addresses[0] + "robots.txt", 404, ""},
		{s.addresses[1], 410, "<p>two"},
		{strings.TrimSuffix(s.addresses[1], "a?b=c") + "robots.txt", 503, "User-agent: *\n"},
		{s.addresses[0] + "a.png", 200, string(picture)},
		{s.addresses[0] + "favicon.ico", 404, "404 page not found\n"},
	} {
		response, err := http.Get(c.address)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || string(body) != c.body {
			t.Errorf("%s: %d %.20q %v, want %d %.20q", c.address, response.StatusCode, body, err, c.status, c.body)
		}
	}
}

func TestProcessTimes(t *testing.T) {
	stat := "42 (chrome (a b) c) S 1 77 77 0 -1 4194304 100 0 0 0 3 4 50 600 20 0 1 0 591355"
	if group, ticks := processTimes([]byte(stat)); group != 77 || ticks != 657 {
		t.Errorf("group %d, %d ticks", group, ticks)
	}
}

func TestVerdictsAreCompared(t *testing.T) {
	pass, fail := verdict{applies: true}, verdict{applies: true, failed: true, detail: "why"}
	theirs := &verdicts{errors: make([]string, 6), pages: []map[string]verdict{
		{"label": pass}, {"label": pass, "select-name": fail}, {"label": fail}, {"label": pass}, {}, {"label": fail},
	}}
	theirs.errors[5] = "no verdict"
	ours := &verdicts{pages: []map[string]verdict{
		{"form-labels": pass}, {"form-labels": fail}, {"form-labels": pass}, {"form-labels": fail}, {}, {"form-labels": pass},
	}}
	names := make([]page, 6)
	got, lines := comparison{names, theirs, ours}.judge("form-labels", []string{"label", "select-name"})
	if want := (tally{1, 1, 1, 1}); got != want || len(lines) != 2 || got.agreement() != "50.0 %" {
		t.Errorf("%+v, %q", got, lines)
	}
}

func TestEveryAuditIsAskedForOnce(t *testing.T) {
	all := lighthouseAudits()
	slices.Sort(all)
	if unique := slices.Compact(slices.Clone(all)); len(unique) != len(all) {
		t.Errorf("%d of %d", len(unique), len(all))
	}
}
