package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"

	"sitegrade/db"
)

// selectedPrefix begins the names of the boxes with which reports of a list are selected.
const selectedPrefix = "report-"

// selectedPage is the data of the question before several reports are deleted.
type selectedPage struct {
	frame
	Reports []uuid.UUID
	Back    string // the query of the list
}

// List returns the path of the list. Templates must not put a query together.
func (p selectedPage) List() string {
	kept, err := url.ParseQuery(p.Back)
	if err != nil {
		return "/"
	}
	return "/?" + kept.Encode()
}

// selectedIn returns the reports whose boxes are ticked in a form.
func selectedIn(form url.Values) []uuid.UUID {
	var all []uuid.UUID
	for name := range form {
		if text, ok := strings.CutPrefix(name, selectedPrefix); ok {
			if id, err := uuid.Parse(text); err == nil {
				all = append(all, id)
			}
		}
	}
	return all
}

// doSelected does with all reports that are selected in the list what a button says.
func (w *Web) doSelected(v *visit) error {
	chosen, back := selectedIn(v.posted), v.posted.Get("back")
	what := v.posted.Get("do")
	if len(chosen) == 0 {
		return v.backToList(back, "none", 0)
	}
	if what == "delete" {
		w.sendPage(v, http.StatusOK, "selected", selectedPage{frame: v.frame(v.say("delete.reports"), "reports"), Reports: chosen, Back: back})
		return nil
	}
	do, ok := w.selectedAction(v, what)
	if !ok {
		return malformedForm
	}
	if err := tooMany(w.Limits.Calls(v.key.ID, len(chosen), w.Now())); err != nil {
		return err
	}
	done, err := forEach(v.r.Context(), chosen, do)
	if err != nil {
		return err
	}
	return v.backToList(back, what, done)
}

// selectedAction returns what a button does with one report.
func (w *Web) selectedAction(v *visit, what string) (do func(context.Context, uuid.UUID) error, ok bool) {
	var change db.Change
	switch what {
	case "again":
		change.Regenerate = true
	case "privacy":
		privacy, password := postedPrivacy(v.posted)
		change.Privacy = &privacy
		if password != "" {
			change.Password = &password
		}
	case "deleted":
		return func(ctx context.Context, id uuid.UUID) error {
			return w.store.DeleteReport(ctx, v.key.Account, id, nil)
		}, true
	default:
		return nil, false
	}
	return func(ctx context.Context, id uuid.UUID) error {
		_, _, err := w.store.UpdateReport(ctx, v.key.Account, id, change, nil)
		return err
	}, true
}

// together is how many changes are asked for at once, which then share their way to the disk.
const together = 16

// forEach calls do for each report, and returns for how many it was done. One that is not there any more is passed over.
func forEach(ctx context.Context, reports []uuid.UUID, do func(context.Context, uuid.UUID) error) (done int, err error) {
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan uuid.UUID)
	for range min(together, len(reports)) {
		group.Go(func() {
			for id := range next {
				failed := do(ctx, id)
				mu.Lock()
				switch {
				case failed == nil:
					done++
				case err == nil && !errors.Is(failed, db.ErrNotFound):
					err = failed
				}
				mu.Unlock()
			}
		})
	}
	for _, id := range reports {
		next <- id
	}
	close(next)
	group.Wait()
	return done, err
}

// backToList leads to the list that a form was on, which says what was done with how many reports.
func (v *visit) backToList(query, done string, reports int) error {
	kept, err := url.ParseQuery(query)
	if err != nil {
		return malformedForm
	}
	return v.see("/?" + with(kept, "done", done, "n", strconv.Itoa(reports)).Encode())
}
