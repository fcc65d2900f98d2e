package web

import (
	"errors"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// batch is how far the reports have come that one form has made.
type batch struct {
	Made, Done int // Made is 0 for none
}

// Unfinished reports whether some wait or are being made.
func (b batch) Unfinished() bool { return b.Done < b.Made }

// batchName names the reports that were made at once, the first of them first, for the address of the list.
func batchName(made []db.Report) string {
	return made[0].ID.String() + "." + made[len(made)-1].ID.String() + "." + strconv.Itoa(len(made))
}

// batchOf returns how far a batch has come. What is not the name of one is none, as is one that was made too long ago to be near the beginning of the
// list.
func (w *Web) batchOf(v *visit, name string) (batch, error) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 {
		return batch{}, nil
	}
	first, err := uuid.Parse(parts[0])
	last, lastErr := uuid.Parse(parts[1])
	n, countErr := strconv.Atoi(parts[2])
	if errors.Join(err, lastErr, countErr) != nil || n < 1 || n > maxCreated {
		return batch{}, nil
	}
	newest, err := w.store.Reports(v.r.Context(), v.key.Account, sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 2 * maxCreated, Page: 1})
	if err != nil {
		return batch{}, err
	}
	found := batch{Made: n, Done: n} // those that were deleted since are done
	for _, r := range newest.Rows {
		if r.Status.Unfinished() && r.ID.String() >= first.String() && r.ID.String() <= last.String() {
			found.Done--
		}
	}
	return found, nil
}
