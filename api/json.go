package api

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// Rows of lists are written by hand, without reflection: they are what the API writes most of.

// AppendReport appends a report as the API shows it alone. found is nil before the first success; base is what the address of its
// page begins with.
func AppendReport(b []byte, r db.Report, found *audit.Report, base string) ([]byte, error) {
	b = appendReport(b, r, base)
	rest, err := marshalFound(found)
	if err != nil {
		return nil, err
	}
	b[len(b)-1] = ',' // in place of the brace
	return append(b, rest[1:]...), nil
}

// appendReport appends a report as lists show it.
func appendReport(b []byte, r db.Report, base string) []byte {
	b = append(b, `{"id":`...)
	b = appendID(b, r.ID)
	b = append(b, `,"url":`...)
	b = appendString(b, r.URL)
	b = append(b, `,"project":{"id":`...)
	b = appendID(b, r.Project.ID)
	b = append(b, `,"name":`...)
	b = appendString(b, r.Project.Name)
	b = append(b, `},"status":`...)
	b = appendString(b, r.Status.String())
	b = append(b, `,"result":`...)
	b = appendRating(b, r)
	b = append(b, `,"privacy":`...)
	b = strconv.AppendUint(b, uint64(r.Privacy), 10)
	b = append(b, `,"share_url":`...)
	b = appendShare(b, base, r.Share)
	b = append(b, `,"generated_at":`...)
	b = appendTime(b, r.GeneratedAt)
	b = append(b, `,"created_at":`...)
	b = appendTime(b, r.CreatedAt)
	b = append(b, `,"updated_at":`...)
	b = appendTime(b, r.UpdatedAt)
	b = append(b, `,"error":`...)
	b = appendFailure(b, r.Failure)
	return append(b, '}')
}

// appendRating appends result and score, both null before the first success; an imported result may lack its score.
func appendRating(b []byte, r db.Report) []byte {
	if r.Result == audit.Unrated {
		return append(b, `null,"score":null`...)
	}
	b = appendString(b, r.Result.String())
	b = append(b, `,"score":`...)
	if r.Score == db.NoScore {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(r.Score), 10)
}

func appendShare(b []byte, base, share string) []byte {
	if share == "" {
		return append(b, "null"...)
	}
	return appendString(b, base+"/r/"+share)
}

func appendFailure(b []byte, f *audit.Failure) []byte {
	if f == nil {
		return append(b, "null"...)
	}
	b = append(b, `{"code":`...)
	b = appendString(b, string(f.Code))
	b = append(b, `,"detail":`...)
	b = appendString(b, f.Detail)
	return append(b, '}')
}

func appendProject(b []byte, p db.Project) []byte {
	b = append(b, `{"id":`...)
	b = appendID(b, p.ID)
	b = append(b, `,"name":`...)
	b = appendString(b, p.Name)
	b = append(b, `,"created_at":`...)
	b = appendTime(b, p.CreatedAt)
	b = append(b, `,"reports":{"total":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Total), 10)
	b = append(b, `,"good":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Good), 10)
	b = append(b, `,"decent":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Decent), 10)
	b = append(b, `,"bad":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Bad), 10)
	return append(b, "}}"...)
}

// foundJSON is what a report shown alone has beside the fields of a list: what the last successful audit found.
type foundJSON struct {
	FinalURL     *string          `json:"final_url"`
	HTTPStatus   *int             `json:"http_status"`
	Redirects    []string         `json:"redirects"`
	Timings      *audit.Timings   `json:"timings"`
	Size         *int64           `json:"size"`
	TransferSize *int64           `json:"transfer_size"`
	Grader       *int             `json:"grader_version"`
	Why          *string          `json:"why"`
	Summary      *audit.Summary   `json:"summary"`
	Categories   []audit.Category `json:"categories"`
	Checks       []audit.Outcome  `json:"checks"`
	Page         *audit.Page      `json:"page"`
}

// marshalFound returns a JSON object; before the first success, one whose fields are null or empty.
func marshalFound(found *audit.Report) ([]byte, error) {
	shown := foundJSON{Redirects: []string{}, Categories: []audit.Category{}, Checks: []audit.Outcome{}}
	if found != nil {
		shown = foundJSON{
			FinalURL: &found.FinalURL, HTTPStatus: &found.HTTPStatus, Redirects: found.Redirects, Timings: &found.Timings,
			Size: &found.Size, TransferSize: &found.TransferSize, Grader: &found.Grader, Why: &found.Why, Summary: &found.Summary,
			Categories: found.Categories, Checks: found.Checks, Page: &found.Page,
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(shown); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// reportDocument returns the answer that shows one report.
func reportDocument(r db.Report, found *audit.Report, base string) ([]byte, error) {
	b, err := AppendReport([]byte(`{"data":`), r, found, base)
	return append(b, "}\n"...), err
}

// projectDocument returns the answer that shows one project.
func projectDocument(p db.Project) []byte {
	return append(appendProject([]byte(`{"data":`), p), "}\n"...)
}

// appendTime appends a moment in UTC with milliseconds (RFC 3339); null for the zero time.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	ms := t.Nanosecond() / 1_000_000
	b = appendTwo(appendTwo(append(b, '"'), year/100%100), year%100)
	b = appendTwo(append(b, '-'), int(month))
	b = appendTwo(append(b, '-'), day)
	b = appendTwo(append(b, 'T'), hour)
	b = appendTwo(append(b, ':'), minute)
	b = appendTwo(append(b, ':'), second)
	b = appendTwo(append(b, '.', byte('0'+ms/100)), ms%100)
	return append(b, 'Z', '"')
}

// appendTwo appends a number below 100 with two digits. Package time would read a layout for each of the three times of a row.
func appendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

// appendID appends an id in its usual spelling.
func appendID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, id[:4])
	for _, group := range [...][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = append(b, '-')
		b = hex.AppendEncode(b, group)
	}
	return append(b, '"')
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string (RFC 8259). What is not UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, since they end a
// line in older JavaScript.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	written := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && !(r == utf8.RuneError && size == 1) && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		b = append(b, s[written:i]...)
		b = appendEscaped(b, r)
		i += size
		written = i
	}
	b = append(b, s[written:]...)
	return append(b, '"')
}

func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
