package main

import (
	"context"
	"errors"

	store "sitegrade/db/postgres"
)

// postgres is the product with a PostgreSQL server.
type postgres struct {
	product
	server pgServer
}

func (p *postgres) name() string { return "postgres" }

func (p *postgres) open(dir string) error {
	if err := p.server.open(dir); err != nil {
		return err
	}
	opened, err := store.Open(context.Background(), p.server.address(), store.Options{})
	if err != nil {
		return err
	}
	p.store = opened
	return nil
}

func (p *postgres) load(path string) error {
	if err := p.product.load(path); err != nil {
		return err
	}
	return p.server.tidy()
}

func (p *postgres) close() error {
	if p.store == nil {
		return p.server.close()
	}
	return errors.Join(p.product.close(), p.server.close())
}

func (p *postgres) size() (int64, error) { return p.server.size() }
