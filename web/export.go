package web

import (
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/jsonappend"
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

// startExport reads the query and begins the response. An error after it can only break the response off.
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

// breakOff ends a response that has begun so that the client sees that it is not whole.
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
	err = w.eachReport(v.r.Context(), v.key.Account, q, func(r db.Report) error { return out.Write(csvRow(r, v.Base)) })
	out.Flush()
	w.breakOff(v, err)
	return nil
}

func csvRow(r db.Report, base string) []string {
	row := []string{
		r.ID.String(), r.URL, r.Project.Name, r.Status.String(), r.Result.String(), "", strconv.Itoa(int(r.Privacy)), r.ShareURL(base),
		cellTime(r.GeneratedAt), cellTime(r.CreatedAt), "",
	}
	if r.Score != db.NoScore {
		row[5] = strconv.Itoa(r.Score)
	}
	if r.Failure != nil {
		row[10] = r.Failure.Error()
	}
	for i := range row {
		row[i] = harmless(row[i])
	}
	return row
}

// cellTime returns a time as the API writes it; "" for the zero time.
func cellTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(jsonappend.TimeLayout)
}

// harmless returns a cell that no spreadsheet takes for a formula (OWASP, "CSV Injection").
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
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
		_, err := v.Write(r.AppendJSON([]byte(separator), v.Base))
		separator = ",\n"
		return err
	})
	w.breakOff(v, err)
	_, _ = v.Write([]byte("\n]\n"))
	return nil
}
