package record

import (
	"github.com/google/uuid"

	"sitegrade/db"
)

// Kept is what is stored for the idempotency key of a create.
type Kept struct {
	ReportID uuid.UUID
	Asked    db.Asked
	Known    bool   // whether Asked is
	Stored   int64  // when the report was created, in ms
	Status   int    // of HTTP; 0 before the response
	Packed   []byte // the response, as Pack gives it
}

// Expired reports whether something that was stored at a moment is kept no longer. Both are in ms.
func Expired(stored, now int64) bool { return now-stored >= db.ResponseLife.Milliseconds() }
