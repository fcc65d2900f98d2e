package main

import (
	"net/http"

	"github.com/google/uuid"
)

// engine is a place that reports are kept in and listed from.
type engine interface {
	name() string
	// open opens what is in dir and makes it where there is none.
	open(dir string) error
	// load reads the import lines of a file into the empty engine, as fast as it honestly can, with all indexes afterwards.
	load(path string) error
	close() error
	// size gives the bytes on disk.
	size() (int64, error)
	// create stores a new report and returns when it would survive a power cut.
	create(url string) error
	// show reads one report.
	show(id uuid.UUID) error
	// handler answers the requests that target makes.
	handler() (http.Handler, error)
	// target gives path and query of the request for a list, and a header line for it ("" for none).
	target(k kind) (path, header string)
}

// lister is an engine that can be asked for a list within the process, without HTTP.
type lister interface {
	list(k kind) (answer, error)
}

// answer is what the engines must agree in: which rows, in which order, of how many.
type answer struct {
	ids   []uuid.UUID
	total int
}

// newEngine makes the engine of that name.
func newEngine(name string) engine {
	switch name {
	case "sitegrade":
		return &sitegrade{}
	case "sqlite":
		return newSQLite()
	case "fts5":
		return newFTS5()
	case "postgres":
		return &postgres{}
	case "plain":
		return newPlain()
	case "pocketbase":
		return &pocketBase{}
	}
	return nil
}

// engineNames are the engines in the order of the tables.
var engineNames = []string{"sitegrade", "sqlite", "fts5", "plain", "postgres", "pocketbase"}
