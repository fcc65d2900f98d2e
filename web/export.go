package web

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// exportChunk is how many rows of an export are read at once.
const exportChunk = 1000

// eachReport calls visit for all reports of a list, in its order. The list is read in chunks, so that a slow client keeps nothing
// open in the database; a row that moved on from one chunk to the next meanwhile is passed over.
func (w *Web) eachReport(ctx context.Context, account string, q sortfilter.Query, visit func(db.Report) error) error {
	q.PerPage = exportChunk
	before := map[uuid.UUID]bool{}
	for q.Page = 1; ; q.Page++ {
		page, err := w.store.Reports(ctx, account, q)
		if err != nil {
			return err
		}
		here := make(map[uuid.UUID]bool, len(page.Rows))
		for _, r := range page.Rows {
			here[r.ID] = true
			if before[r.ID] {
				continue
			}
			if err := visit(r); err != nil {
				return err
			}
		}
		if len(page.Rows) < exportChunk || ctx.Err() != nil {
			return ctx.Err()
		}
		before = here
	}
}

// startExport reads the query and begins the answer. An error after it can only break the answer off.
func (v *visit) startExport(mediaType, name string) (sortfilter.Query, error) {
	q, err := sortfilter.ParseReports(v.r.URL.RawQuery)
	if err != nil {
		return q, err
	}
	_ = http.NewResponseController(v.ResponseWriter).SetWriteDeadline(time.Time{}) // a long list takes its time; not every connection has a deadline
	h := v.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	v.WriteHeader(http.StatusOK)
	return q, nil
}

// breakOff ends an answer that has begun so that the client sees that it is not whole.
func (w *Web) breakOff(v *visit, err error) {
	if err == nil || v.r.Context().Err() != nil {
		return
	}
	w.Log.Error("an export broke off", "error", err, "request_id", v.ID)
	panic(http.ErrAbortHandler)
}

var csvHeader = []string{"id", "url", "project", "status", "result", "score", "privacy", "share_url", "generated_at", "created_at", "error"}

// exportCSV returns the list as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know that.
func (w *Web) exportCSV(v *visit) error {
	q, err := v.startExport("text/csv; charset=utf-8; header=present", "reports.csv")
	if err != nil || v.r.Method == http.MethodHead {
		return err
	}
	_, _ = v.Write([]byte("\ufeff")) // a client that is gone is noticed below
	out := csv.NewWriter(v)
	out.UseCRLF = true
	_ = out.Write(csvHeader)
	err = w.eachReport(v.r.Context(), v.key.Account, q, func(r db.Report) error { return out.Write(csvRow(newExported(r, v.Base))) })
	out.Flush()
	w.breakOff(v, err)
	return nil
}

func csvRow(e exported) []string {
	row := []string{
		e.ID.String(), e.URL, e.Project.Name, e.Status, e.Result.String(), "", strconv.Itoa(int(e.Privacy)), text(e.ShareURL),
		text(e.GeneratedAt), e.CreatedAt, "",
	}
	if e.Score != nil {
		row[5] = strconv.Itoa(*e.Score)
	}
	if e.Error != nil {
		row[10] = e.Error.Error()
	}
	for i := range row {
		row[i] = harmless(row[i])
	}
	return row
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// harmless returns a cell that no spreadsheet takes for a formula (OWASP, "CSV Injection").
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}

// exported is a report as the API's lists have it.
type exported struct {
	ID      uuid.UUID `json:"id"`
	URL     string    `json:"url"`
	Project struct {
		ID   uuid.UUID `json:"id"`
		Name string    `json:"name"`
	} `json:"project"`
	Status      string         `json:"status"`
	Result      audit.Result   `json:"result"`
	Score       *int           `json:"score"`
	Privacy     db.Privacy     `json:"privacy"`
	ShareURL    *string        `json:"share_url"`
	GeneratedAt *string        `json:"generated_at"`
	CreatedAt   string         `json:"created_at"`
	UpdatedAt   string         `json:"updated_at"`
	Error       *audit.Failure `json:"error"`
}

// exportTime is RFC 3339 with milliseconds, as the API writes times.
const exportTime = "2006-01-02T15:04:05.000Z"

func newExported(r db.Report, base string) exported {
	e := exported{
		ID: r.ID, URL: r.URL, Status: r.Status.String(), Result: r.Result, Privacy: r.Privacy,
		CreatedAt: r.CreatedAt.UTC().Format(exportTime), UpdatedAt: r.UpdatedAt.UTC().Format(exportTime), Error: r.Failure,
	}
	e.Project.ID, e.Project.Name = r.Project.ID, r.Project.Name
	if r.Score != db.NoScore {
		e.Score = &r.Score
	}
	if r.Share != "" {
		share := base + "/r/" + r.Share
		e.ShareURL = &share
	}
	if !r.GeneratedAt.IsZero() {
		generated := r.GeneratedAt.UTC().Format(exportTime)
		e.GeneratedAt = &generated
	}
	return e
}

// exportJSON returns the list as one array of reports.
func (w *Web) exportJSON(v *visit) error {
	q, err := v.startExport("application/json", "reports.json")
	if err != nil || v.r.Method == http.MethodHead {
		return err
	}
	_, _ = v.Write([]byte("[")) // a client that is gone is noticed below
	separator := "\n"
	err = w.eachReport(v.r.Context(), v.key.Account, q, func(r db.Report) error {
		row, err := json.Marshal(newExported(r, v.Base))
		if err != nil {
			return err
		}
		_, err = v.Write(append([]byte(separator), row...))
		separator = ",\n"
		return err
	})
	w.breakOff(v, err)
	_, _ = v.Write([]byte("\n]\n"))
	return nil
}
