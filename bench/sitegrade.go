package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"sitegrade/api"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt"
)

// sitegrade is the product: its database, and its whole API with a key.
type sitegrade struct {
	store  *bolt.DB
	file   string
	routes *api.API
	secret string
}

const account = "default"

func (s *sitegrade) name() string { return "sitegrade" }

func (s *sitegrade) open(dir string) (err error) {
	s.file = filepath.Join(dir, "sitegrade.db")
	s.store, err = bolt.Open(s.file, bolt.Options{})
	return err
}

func (s *sitegrade) load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = s.store.Import(context.Background(), account, file, func(db.ImportStats) {})
	return err
}

func (s *sitegrade) close() error {
	if s.routes != nil {
		if err := s.routes.Close(context.Background()); err != nil {
			return err
		}
		s.routes = nil
	}
	return s.store.Close()
}

func (s *sitegrade) size() (int64, error) { return filesSize(s.file) }

func (s *sitegrade) list(k kind) (answer, error) {
	if k.projects {
		page, err := s.store.Projects(context.Background(), account, k.query)
		a := answer{make([]uuid.UUID, len(page.Rows)), page.Total}
		for i := range page.Rows {
			a.ids[i] = page.Rows[i].ID
		}
		return a, err
	}
	page, err := s.store.Reports(context.Background(), account, k.query)
	a := answer{make([]uuid.UUID, len(page.Rows)), page.Total}
	for i := range page.Rows {
		a.ids[i] = page.Rows[i].ID
	}
	return a, err
}

func (s *sitegrade) create(url string) error {
	_, err := s.store.CreateReport(context.Background(), account, db.NewReport{URL: url})
	return err
}

func (s *sitegrade) show(id uuid.UUID) error {
	_, _, err := s.store.Report(context.Background(), account, id)
	return err
}

// handler is the API as the server runs it, without a limit of requests a second and without a worker, whom lists do not need.
func (s *sitegrade) handler() (http.Handler, error) {
	if s.routes != nil {
		return s.routes, nil
	}
	s.secret = auth.NewSecret()
	key := auth.Key{Account: account, Name: "bench", Hash: auth.HashSecret(s.secret), Scopes: auth.Read}
	if _, err := s.store.CreateKey(context.Background(), key); err != nil {
		return nil, err
	}
	s.routes = api.New(s.store, nil, api.Options{})
	return s.routes, nil
}

func (s *sitegrade) target(k kind) (path, header string) {
	return apiPath(k), "Authorization: Bearer " + s.secret
}
