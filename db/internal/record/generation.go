package record

import (
	"sitegrade/audit"
	"sitegrade/db"
)

// Shown returns what is kept of the audit whose result the report shows, without its number. found is what it found, nil where that is not
// known: an import need not bring it.
func (r *Record) Shown(found *audit.Report) db.Generation {
	var g db.Generation
	if found != nil {
		g = db.GenerationOf(found)
	}
	g.GeneratedAt, g.Result, g.Score = Instant(r.Generated), r.Result, int(r.Score)
	if r.Score == NoScore {
		g.Score = db.NoScore
	}
	return g
}
