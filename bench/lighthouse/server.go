package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// page is one page of the run: NAME.html in a directory of pages, and beside it NAME.json when its answer is not a plain one.
type page struct {
	name   string
	html   []byte
	answer answer
}

// answer says how a page is answered. What is left out of its JSON has the default that its comment names.
type answer struct {
	Path         string            `json:"path,omitempty"`          // /
	Status       int               `json:"status,omitempty"`        // 200
	Headers      map[string]string `json:"headers,omitempty"`       // Content-Type: text/html; charset=utf-8
	RobotsTXT    string            `json:"robots_txt,omitempty"`    // none: it answers 404
	RobotsStatus int               `json:"robots_status,omitempty"` // 200 with a robots_txt, else 404
}

// readPages reads a directory of pages, in the order of their names.
func readPages(dir string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		return nil, err
	}
	var pages []page
	for _, file := range files {
		p := page{name: strings.TrimSuffix(filepath.Base(file), ".html")}
		if p.html, err = os.ReadFile(file); err != nil {
			return nil, err
		}
		sidecar, err := os.ReadFile(strings.TrimSuffix(file, ".html") + ".json")
		if err == nil {
			err = json.Unmarshal(sidecar, &p.answer)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		pages = append(pages, p)
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("there are no pages (*.html) in %s", dir)
	}
	return pages, nil
}

// writePages writes pages as readPages reads them.
func writePages(dir string, pages []page) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		sidecar, err := json.MarshalIndent(p.answer, "", "  ")
		if err != nil {
			return err
		}
		base := filepath.Join(dir, p.name)
		if err := errors.Join(os.WriteFile(base+".html", p.html, 0o644), os.WriteFile(base+".json", sidecar, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// site serves each page from an origin of its own, so that each has its own robots.txt.
type site struct {
	addresses []string // of the pages, in their order
	servers   []*http.Server
}

// serve serves pages on loopback until the site is closed.
func serve(pages []page) (*site, error) {
	s := &site{}
	for _, p := range pages {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if p.answer.Path == "" {
			p.answer.Path = "/"
		}
		server := &http.Server{Handler: p}
		go server.Serve(listener)
		s.servers = append(s.servers, server)
		s.addresses = append(s.addresses, "http://"+listener.Addr().String()+p.answer.Path)
	}
	return s, nil
}

// Close stops serving.
func (s *site) Close() error {
	var all error
	for _, server := range s.servers {
		all = errors.Join(all, server.Close())
	}
	return all
}

// ServeHTTP answers for the origin of a page: the page, its robots.txt, images and style sheets for whoever asks, and a plain page
// wherever links lead.
func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch extension := path.Ext(r.URL.Path); {
	case r.URL.RequestURI() == p.answer.Path:
		p.answerPage(w)
	case r.URL.Path == "/robots.txt":
		p.answerRobots(w)
	case extension == ".png":
		w.Header().Set("Content-Type", "image/png")
		w.Write(picture)
	case extension == ".css":
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, "body { font: 16px/1.5 sans-serif }")
	case extension == ".js":
		w.Header().Set("Content-Type", "text/javascript")
	case extension == ".ico":
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html><html lang=en><title>Another page</title><p>Here is another page.")
	}
}

func (p page) answerPage(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	for name, value := range p.answer.Headers {
		w.Header().Set(name, value)
	}
	if p.answer.Status != 0 {
		w.WriteHeader(p.answer.Status)
	}
	w.Write(p.html)
}

func (p page) answerRobots(w http.ResponseWriter) {
	status := p.answer.RobotsStatus
	switch {
	case status != 0:
	case p.answer.RobotsTXT == "":
		status = http.StatusNotFound
	default:
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, p.answer.RobotsTXT)
}

// picture is the image that stands for every image.
var picture = newPicture(300, 200)

func newPicture(width, height int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), 128, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // an image in memory can be encoded
	}
	return b.Bytes()
}
