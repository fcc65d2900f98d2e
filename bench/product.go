package main

import (
	"context"
	"net/http"
	"os"

	"github.com/google/uuid"

	"sitegrade/api"
	"sitegrade/auth"
	"sitegrade/db"
)

// product is Sitegrade on one of its stores: with its whole API, and a key.
type product struct {
	store  db.Store
	routes *api.API
	secret string
}

// products are the engines that are Sitegrade, in the order in which one of them is what the others are compared with.
var products = []string{"sitegrade", "postgres"}

const account = "default"

func (p *product) load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = p.store.Import(context.Background(), account, file, func(db.ImportStats) {})
	return err
}

func (p *product) close() error {
	if p.routes != nil {
		if err := p.routes.Close(context.Background()); err != nil {
			return err
		}
		p.routes = nil
	}
	return p.store.Close()
}

func (p *product) list(k kind) (answer, error) {
	if k.projects {
		page, err := p.store.Projects(context.Background(), account, k.query)
		a := answer{make([]uuid.UUID, len(page.Rows)), page.Total}
		for i := range page.Rows {
			a.ids[i] = page.Rows[i].ID
		}
		return a, err
	}
	page, err := p.store.Reports(context.Background(), account, k.query)
	a := answer{make([]uuid.UUID, len(page.Rows)), page.Total}
	for i := range page.Rows {
		a.ids[i] = page.Rows[i].ID
	}
	return a, err
}

func (p *product) create(url string) error {
	_, err := p.store.CreateReport(context.Background(), account, db.NewReport{URL: url})
	return err
}

func (p *product) show(id uuid.UUID) error {
	_, _, err := p.store.Report(context.Background(), account, id)
	return err
}

// handler is the API as the server runs it, without a limit of requests a second and without a worker, whom lists do not need.
func (p *product) handler() (http.Handler, error) {
	if p.routes != nil {
		return p.routes, nil
	}
	p.secret = auth.NewSecret()
	key := auth.Key{Account: account, Name: "bench", Hash: auth.HashSecret(p.secret), Scopes: auth.Read}
	if _, err := p.store.CreateKey(context.Background(), key); err != nil {
		return nil, err
	}
	p.routes = api.New(p.store, nil, api.Options{})
	return p.routes, nil
}

func (p *product) target(k kind) (path, header string) {
	return apiPath(k), "Authorization: Bearer " + p.secret
}
