package record

import (
	"github.com/google/uuid"

	"sitegrade/db"
)

// Kept is what is stored for the idempotency key of a create.
type Kept struct {
	ReportID uuid.UUID   // the first that it made, or what else it made
	Others   []uuid.UUID // that it made behind the first
	Asked    db.Asked
	Known    bool   // whether Asked is
	Stored   int64  // when the reports were created, in ms
	Status   int    // of HTTP; 0 before the response
	Packed   []byte // the response, as Pack gives it
}

// Made returns all reports that the create made, in their order.
func (k *Kept) Made() []uuid.UUID { return append([]uuid.UUID{k.ReportID}, k.Others...) }

// Expired reports whether something that was stored at a moment is kept no longer. Both are in ms.
func Expired(stored, now int64) bool { return now-stored >= db.ResponseLife.Milliseconds() }
