// Package export writes lists as files: CSV for spreadsheets, JSON for programs.
//
// A list is read in chunks of which not one is kept, so that a slow client keeps nothing open in the database.
package export

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/jsonappend"
)

// chunk is how many rows of a list are read at once.
const chunk = 1000

// File is a list as a file.
type File struct {
	Name      string // "reports.csv"
	MediaType string
	// Write writes the whole file. After an error, which is one of the database or of the writer, it is not whole.
	Write func(context.Context, io.Writer) error
}

// list is what can be written as a file of either format.
type list struct {
	columns []string
	// each calls visit for every row.
	each func(ctx context.Context, visit func(row) error) error
}

// row is a line of CSV or an object of JSON. Only that which is asked for is made.
type row interface {
	cells() []string
	appendJSON([]byte) ([]byte, error)
}

// file returns a list as the file of a name, which ends in .csv or .json.
func (l list) file(name string) File {
	if strings.HasSuffix(name, ".csv") {
		return File{name, "text/csv; charset=utf-8; header=present", l.writeCSV}
	}
	return File{name, "application/json", l.writeJSON}
}

// writeCSV writes the list as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know that.
func (l list) writeCSV(ctx context.Context, w io.Writer) error {
	_, _ = io.WriteString(w, "\ufeff") // a client that is gone is noticed below
	out := csv.NewWriter(w)
	out.UseCRLF = true
	_ = out.Write(l.columns)
	err := l.each(ctx, func(r row) error {
		cells := r.cells()
		for i := range cells {
			cells[i] = harmless(cells[i])
		}
		return out.Write(cells)
	})
	out.Flush()
	return err
}

// writeJSON writes the list as one array.
func (l list) writeJSON(ctx context.Context, w io.Writer) error {
	_, _ = io.WriteString(w, "[") // a client that is gone is noticed below
	separator := "\n"
	err := l.each(ctx, func(r row) error {
		text, err := r.appendJSON([]byte(separator))
		if err == nil {
			_, err = w.Write(text)
		}
		separator = ",\n"
		return err
	})
	if err == nil {
		_, _ = io.WriteString(w, "\n]\n")
	}
	return err
}

// harmless returns a cell that no spreadsheet takes for a formula (OWASP, "CSV Injection").
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}

// timeCell returns a time as the API writes it; "" for the zero time.
func timeCell(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(jsonappend.TimeLayout)
}

// numberCell returns a number, "" for the one that stands for nothing.
func numberCell(n, none int) string {
	if n == none {
		return ""
	}
	return strconv.Itoa(n)
}

// idCell returns the id of a report; "" for no report.
func idCell(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}
