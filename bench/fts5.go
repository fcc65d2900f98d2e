package main

import (
	"strings"
	"sync"
)

const trigramSchema = `
CREATE VIRTUAL TABLE IF NOT EXISTS addresses USING fts5(url, content='reports', content_rowid='number', tokenize='trigram');
CREATE TRIGGER IF NOT EXISTS addresses_insert AFTER INSERT ON reports WHEN new.status = 'queued' BEGIN
	INSERT INTO addresses (rowid, url) VALUES (new.number, new.url);
END;`

// trigramRebuild fills the index from the table at once, which is much faster than row by row: the trigger leaves the rows of a
// bulk load out.
const trigramRebuild = "INSERT INTO addresses (addresses) VALUES ('rebuild')"

// newFTS5 returns SQLite with an FTS5 trigram index, which answers the searches of three characters and more.
func newFTS5() *sqlite {
	s := &sqlite{label: "fts5", trigrams: true}
	s.writes = &sync.Mutex{}
	s.dialect = dialect{page: plainPage, folded: noCase, match: trigramMatch, count: trigramCount}
	return s
}

// shortestTrigram is the length of a needle below which the index is of no use.
const shortestTrigram = 3

func trigramMatch(column, needle string) (string, any) {
	if len(needle) < shortestTrigram {
		return likeNoCase(column, needle)
	}
	return "r.number IN (SELECT rowid FROM addresses WHERE addresses MATCH ?)", trigramText(strings.ToLower(needle))
}

// trigramCount counts in the index alone where there is no other filter.
func trigramCount(k kind) string {
	q := k.query
	if len(q.Search) < shortestTrigram || q.Project != "" || q.Result != "" {
		return ""
	}
	return "SELECT COUNT(*) FROM addresses WHERE addresses MATCH ?"
}
