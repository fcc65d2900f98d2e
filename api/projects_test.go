package api

import (
	"net/http"
	"testing"
)

func TestShowProject(t *testing.T) {
	s := newServer(t, Options{})
	r := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "Mine"))
	s.post(http.StatusCreated, "url", s.site.URL+"/image", "project", "MINE")
	byID, byName := s.get(http.StatusOK, "/projects/"+r.Project.ID), s.get(http.StatusOK, "/projects/mine")
	if string(byID.Body) != string(byName.Body) {
		t.Errorf("by id %s, by name %s", byID.Body, byName.Body)
	}
	p := s.record(byID)
	if p.ID != r.Project.ID || p.Name != "Mine" || p.CreatedAt.IsZero() {
		t.Errorf("the project is %s", byID.Body)
	}
	if c := p.Reports; c.Total != 2 || c.Good+c.Decent+c.Bad != 1 {
		t.Errorf("the counts are %+v", c)
	}
}

func TestDeleteProject(t *testing.T) {
	s := newServer(t, Options{})
	for _, page := range []string{"/1", "/2", "/3"} {
		s.post(http.StatusCreated, "url", s.site.URL+page, "project", "gone")
	}
	kept := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "kept"))
	if r := s.must(http.StatusNoContent, call{method: "DELETE", path: "/projects/GONE"}); len(r.Body) > 0 {
		t.Errorf("204 has a body: %s", r.Body)
	}
	s.must(http.StatusNotFound, call{path: "/projects/gone"})
	s.must(http.StatusNotFound, call{method: "DELETE", path: "/projects/gone"})
	s.total("/reports", 1)
	s.total("/projects", 1)
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/projects/" + kept.Project.ID})
	s.total("/reports", 0)
	s.get(http.StatusNotFound, "/reports/"+kept.ID)
}
