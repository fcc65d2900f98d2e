package main

import (
	"path/filepath"

	"sitegrade/db/bolt"
)

// sitegrade is the product with its embedded database.
type sitegrade struct {
	product
	file string
}

func (s *sitegrade) name() string { return "sitegrade" }

func (s *sitegrade) open(dir string) (err error) {
	s.file = filepath.Join(dir, "sitegrade.db")
	s.store, err = bolt.Open(s.file, bolt.Options{})
	return err
}

func (s *sitegrade) size() (int64, error) { return filesSize(s.file) }
