package sortfilter

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// MalformedError says that a query cannot be read at all.
type MalformedError struct {
	Parameter string // as it was sent where it cannot be decoded
	Detail    string // what is wrong
}

func (e *MalformedError) Error() string { return e.Parameter + ": " + e.Detail }

// InvalidError names every parameter whose value is not allowed, in the order of the table.
type InvalidError struct{ Fields []FieldError }

// FieldError is one wrong parameter, or one wrong field of what shall be stored. Detail says what would be right.
type FieldError struct{ Field, Detail string }

func (e *InvalidError) Error() string {
	wrong := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		wrong[i] = f.Field + ": " + f.Detail
	}
	return strings.Join(wrong, "; ")
}

// ParseReports reads the query of a list of reports. The error is a *MalformedError or an *InvalidError.
func ParseReports(rawQuery string) (Query, error) { return parse(rawQuery, ReportParameters) }

// ParseProjects reads the query of a list of projects. The error is a *MalformedError or an *InvalidError.
func ParseProjects(rawQuery string) (Query, error) { return parse(rawQuery, ProjectParameters) }

// Parse reads the query of a list that has these parameters. The error is a *MalformedError or an *InvalidError.
func Parse(rawQuery string, table []Parameter) (Query, error) { return parse(rawQuery, table) }

// parse reads the parameters of the table and ignores others, which must be well-formed all the same.
func parse(rawQuery string, table []Parameter) (Query, error) {
	values, err := readValues(rawQuery)
	if err != nil {
		return Query{}, err
	}
	var q Query
	var wrong []FieldError
	for _, p := range table {
		value := values[p.Name]
		if value == "" {
			value = p.Default
		}
		if value == "" {
			continue
		}
		if detail := p.wrong(value); detail != "" {
			wrong = append(wrong, FieldError{Field: p.Name, Detail: detail})
			continue
		}
		p.set(&q, value)
	}
	if wrong != nil {
		return Query{}, &InvalidError{Fields: wrong}
	}
	return q, nil
}

// readValues returns each parameter's value. The error is a *MalformedError.
func readValues(rawQuery string) (map[string]string, error) {
	values := make(map[string]string)
	for piece := range pieces(rawQuery) {
		name, value, err := decodePiece(piece)
		if err != nil {
			return nil, err
		}
		if _, repeated := values[name]; repeated {
			return nil, &MalformedError{Parameter: name, Detail: "is given more than once; give it one value"}
		}
		values[name] = value
	}
	return values, nil
}

// pieces yields what stands between the ampersands, leaving out what is empty. A semicolon separates nothing, as in browsers.
func pieces(rawQuery string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for piece := range strings.SplitSeq(rawQuery, "&") {
			if piece != "" && !yield(piece) {
				return
			}
		}
	}
}

// decodePiece returns name and value of "name=value", or of "name", whose value is empty. The error is a *MalformedError.
func decodePiece(piece string) (name, value string, err error) {
	rawName, rawValue, _ := strings.Cut(piece, "=")
	name, nameErr := url.QueryUnescape(rawName)
	value, valueErr := url.QueryUnescape(rawValue)
	switch {
	case nameErr != nil:
		return "", "", &MalformedError{Parameter: rawName, Detail: brokenEscape}
	case !utf8.ValidString(name):
		return "", "", &MalformedError{Parameter: rawName, Detail: notUTF8}
	case valueErr != nil:
		return "", "", &MalformedError{Parameter: name, Detail: brokenEscape}
	case !utf8.ValidString(value):
		return "", "", &MalformedError{Parameter: name, Detail: notUTF8}
	}
	return name, value, nil
}

const (
	brokenEscape = "has a % that is not followed by two hexadecimal digits; a percent sign itself is written %25"
	notUTF8      = "is not valid UTF-8"
)
