package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"sync"

	_ "github.com/mattn/go-sqlite3" // the C library: the fastest way to SQLite from Go
)

// sqlite is SQLite as a careful developer would set it up: write-ahead log, every commit synced, prepared statements, memory for
// the cache, and an index for every combination of filter and order that the lists know.
type sqlite struct {
	sqlStore
	label string
	file  string
	// trigrams says to keep an FTS5 index over the addresses.
	trigrams bool
}

func newSQLite() *sqlite {
	s := &sqlite{label: "sqlite"}
	s.writes = &sync.Mutex{} // SQLite has one writer: waiting here is cheaper than its busy handler
	s.dialect = dialect{page: plainPage, folded: noCase, match: likeNoCase}
	return s
}

func noCase(column string) string { return column + " COLLATE NOCASE" }

// likeNoCase uses that LIKE in SQLite takes no notice of case.
func likeNoCase(column, needle string) (string, any) { return like(column, needle) }

const sqliteSchema = `
CREATE TABLE IF NOT EXISTS projects (
	number INTEGER PRIMARY KEY, id BLOB NOT NULL, name TEXT NOT NULL COLLATE NOCASE, created_at INTEGER NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS projects_name ON projects (name COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS projects_created ON projects (created_at, id);
CREATE TABLE IF NOT EXISTS reports (
	number INTEGER PRIMARY KEY, id BLOB NOT NULL, project INTEGER NOT NULL, url TEXT NOT NULL COLLATE NOCASE, status TEXT NOT NULL,
	result INTEGER NOT NULL, score INTEGER NOT NULL, privacy INTEGER NOT NULL, share TEXT NOT NULL, error_code TEXT NOT NULL,
	error_detail TEXT NOT NULL, generated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS reports_id ON reports (id);
CREATE INDEX IF NOT EXISTS reports_url ON reports (url COLLATE NOCASE, id);
CREATE INDEX IF NOT EXISTS reports_generated ON reports (generated_at, id);
CREATE INDEX IF NOT EXISTS reports_result ON reports (result, id);
CREATE INDEX IF NOT EXISTS reports_result_url ON reports (result, url COLLATE NOCASE, id);
CREATE INDEX IF NOT EXISTS reports_result_generated ON reports (result, generated_at, id);
CREATE INDEX IF NOT EXISTS reports_project ON reports (project, id);
CREATE INDEX IF NOT EXISTS reports_project_url ON reports (project, url COLLATE NOCASE, id);
CREATE INDEX IF NOT EXISTS reports_project_generated ON reports (project, generated_at, id);
CREATE INDEX IF NOT EXISTS reports_project_result ON reports (project, result, id);
CREATE INDEX IF NOT EXISTS reports_project_result_url ON reports (project, result, url COLLATE NOCASE, id);
CREATE INDEX IF NOT EXISTS reports_project_result_generated ON reports (project, result, generated_at, id);`

func (s *sqlite) name() string { return s.label }

func (s *sqlite) open(dir string) (err error) {
	s.file = filepath.Join(dir, "reports.sqlite")
	s.db, err = sql.Open("sqlite3", "file:"+s.file+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=60000&_cache_size=-65536&_txlock=immediate")
	if err != nil {
		return err
	}
	s.db.SetMaxIdleConns(16)
	s.db.SetMaxOpenConns(16)
	schema := sqliteSchema
	if s.trigrams {
		schema += trigramSchema
	}
	_, err = s.db.Exec(schema)
	return err
}

const (
	rowsPerInsert      = 100
	insertsPerTransact = 100
)

// load inserts many rows with a statement and many statements with a transaction, into the table with all its indexes.
func (s *sqlite) load(path string) error {
	loader := sqliteLoader{store: s, projects: projectLoader{numbers: map[string]int64{}}}
	if err := readLines(path, loader.take); err != nil {
		return err
	}
	if err := loader.finish(); err != nil {
		return err
	}
	if s.trigrams {
		if _, err := s.db.Exec(trigramRebuild); err != nil {
			return err
		}
	}
	_, err := s.db.Exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// sqliteLoader collects lines until they make a statement.
type sqliteLoader struct {
	store    *sqlite
	projects projectLoader
	tx       *sql.Tx
	inserts  int // in tx
	rows     int // in values
	values   []any
}

func (l *sqliteLoader) take(line *reportLine) error {
	if err := l.begin(); err != nil {
		return err
	}
	if line.Kind == "project" {
		l.projects.add(line)
		_, err := l.tx.Exec("INSERT INTO projects VALUES (?, ?, ?, ?)", len(l.projects.rows), line.ID[:], line.Name, line.Created.UnixMilli())
		return err
	}
	l.values = reportValues(l.values, line, l.projects.numbers[line.Project])
	l.rows++
	if l.rows < rowsPerInsert {
		return nil
	}
	return l.insert()
}

// begin starts a transaction where none is open.
func (l *sqliteLoader) begin() (err error) {
	if l.tx == nil {
		l.tx, err = l.store.db.Begin()
	}
	return err
}

func (l *sqliteLoader) insert() error {
	statement, err := l.store.statement(insertReports(l.rows))
	if err != nil {
		return err
	}
	if _, err := l.tx.Stmt(statement).Exec(l.values...); err != nil {
		return err
	}
	l.values, l.rows = l.values[:0], 0
	l.inserts++
	if l.inserts < insertsPerTransact {
		return nil
	}
	return l.commit()
}

func (l *sqliteLoader) commit() error {
	err := l.tx.Commit()
	l.tx, l.inserts = nil, 0
	return err
}

func (l *sqliteLoader) finish() error {
	if l.rows > 0 {
		if err := l.insert(); err != nil {
			return err
		}
	}
	if l.tx != nil {
		return l.commit()
	}
	return nil
}

func (s *sqlite) size() (int64, error) { return filesSize(s.file, s.file+"-wal") }

// trigramText quotes a needle as a phrase of FTS5.
func trigramText(needle string) string { return `"` + strings.ReplaceAll(needle, `"`, `""`) + `"` }
