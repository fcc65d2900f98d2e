package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sitegrade/httpx"
)

// maxBody is how many bytes a body may have, and maxLongBody one that may have a list of addresses.
const (
	maxBody     = 64 << 10
	maxLongBody = 1 << 20
)

// formType is the media type that HTML forms are sent as.
const formType = "application/x-www-form-urlencoded"

// body is what a request says, field by field. A field is read with text, number and the like, which also take it out; what is left in the
// end is unknown. What is wrong is gathered, so that the client learns all of it at once.
type body struct {
	values map[string]any // formText, or what encoding/json gives with UseNumber
	fields []string       // those that were read
	wrong  []fieldError
	size   int // bytes
}

// formText is the value of a field of a form. It has no type of its own: a number is spelt in it, and empty is absent.
type formText string

// readBody reads a form or a JSON object. The problem is 400, 413 or 415. No body at all is one without fields.
func (x *request) readBody() (*body, error) { return x.readBodyOf(maxBody) }

// readLongBody is readBody for a body that may have addresses as the field urls. Without them it may have no more bytes than others.
func (x *request) readLongBody() (*body, error) {
	b, err := x.readBodyOf(maxLongBody)
	if err != nil || b.size <= maxBody || b.values["urls"] != nil || b.values["urls"+listSuffix] != nil {
		return b, err
	}
	return nil, bodyTooLarge.with(tooManyBytes, maxBody)
}

func (x *request) readBodyOf(limit int64) (*body, error) {
	raw, err := httpx.ReadBody(x.ResponseWriter, x.r, limit)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, bodyTooLarge.with(tooManyBytes, limit)
	}
	if err != nil {
		return nil, malformed.with("The body ended early: %v.", err)
	}
	contentType := x.r.Header.Get("Content-Type")
	if len(raw) == 0 && !isJSON(contentType) {
		return &body{}, nil
	}
	if coding := x.r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, unsupported.with("The body has the Content-Encoding %q; send it as it is.", coding)
	}
	values, err := decodeBody(contentType, raw)
	if err != nil {
		return nil, err
	}
	return &body{values: values, size: len(raw)}, nil
}

func isJSON(contentType string) bool {
	mediaType, _, _ := mime.ParseMediaType(contentType)
	return mediaType == jsonType
}

// decodeBody returns the fields of a form or of a JSON object. The problem is 400 or 415.
func decodeBody(contentType string, raw []byte) (map[string]any, error) {
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || mediaType != formType && mediaType != jsonType {
		return nil, unsupported.with("The Content-Type is %q; send %s or %s.", contentType, formType, jsonType)
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, unsupported.with("The charset is %q; send UTF-8.", charset)
	}
	if !utf8.Valid(raw) {
		return nil, malformed.with("The body is not valid UTF-8.")
	}
	if mediaType == formType {
		return decodeForm(string(raw))
	}
	return decodeObject(raw)
}

// listSuffix is what the name of a field ends with that a form repeats: addresses have commas.
const listSuffix = "[]"

// decodeForm reads name=value pairs. Only & separates them, as in browsers.
func decodeForm(form string) (map[string]any, error) {
	values := map[string]any{}
	for pair := range strings.SplitSeq(form, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		if nameErr != nil || valueErr != nil {
			return nil, malformed.with("The form field %q has a %% that is not followed by two hexadecimal digits; a percent sign itself is written %%25.", rawName)
		}
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, malformed.with("The form field %q is not valid UTF-8.", rawName)
		}
		if strings.HasSuffix(name, listSuffix) {
			list, _ := values[name].([]any)
			values[name] = append(list, value)
			continue
		}
		if _, twice := values[name]; twice {
			return nil, duplicate(name)
		}
		values[name] = formText(value)
	}
	return values, nil
}

func duplicate(name string) *problem {
	return malformed.with("The field %q is given more than once.", name)
}

// decodeObject reads one JSON object with nothing behind it.
func decodeObject(raw []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	opening, err := d.Token()
	if err != nil {
		return nil, notJSON(err)
	}
	if opening != json.Delim('{') {
		return nil, malformed.with("The body must be a JSON object.")
	}
	values := map[string]any{}
	for d.More() {
		if err := decodeMember(d, values); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, notJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, malformed.with("There is something behind the JSON object.")
	}
	return values, nil
}

func decodeMember(d *json.Decoder, values map[string]any) error {
	key, err := d.Token()
	if err != nil {
		return notJSON(err)
	}
	name, _ := key.(string) // the decoder allows nothing else here
	if _, twice := values[name]; twice {
		return duplicate(name)
	}
	var value any
	if err := d.Decode(&value); err != nil {
		return notJSON(err)
	}
	values[name] = value
	return nil
}

func notJSON(err error) *problem {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return malformed.with("The body is not JSON: it ends early.")
	}
	return malformed.with("The body is not JSON: %v.", err)
}

// take returns the value of a field and leaves the others.
func (b *body) take(name string) (value any, given bool) {
	b.fields = append(b.fields, name)
	value, given = b.values[name]
	delete(b.values, name)
	return value, given
}

func (b *body) refuse(name, detail string) {
	b.wrong = append(b.wrong, fieldError{Field: name, Detail: detail})
}

// text returns the value of a field that is a string; "" when it is absent.
func (b *body) text(name string) string {
	value, given := b.take(name)
	switch v := value.(type) {
	case formText:
		return string(v)
	case string:
		return v
	}
	if given {
		b.refuse(name, "must be a string")
	}
	return ""
}

// given is text for a field that a change leaves alone without it: nil when it is absent or "".
func (b *body) given(name string) *string {
	text := b.text(name)
	if text == "" {
		return nil
	}
	return &text
}

// nullable returns the value of a field that is a string or, in JSON, null; "" stands for null, and nil for an absent field.
func (b *body) nullable(name string) *string {
	value, given := b.values[name]
	switch {
	case given && value == nil, value == "":
		b.take(name)
		return new("")
	}
	return b.given(name)
}

// boolean returns the value of a field that is true or false; nil when it is absent.
func (b *body) boolean(name string) *bool {
	value, given := b.take(name)
	switch value {
	case true, formText("true"):
		return new(true)
	case false, formText("false"):
		return new(false)
	}
	if given && value != formText("") {
		b.refuse(name, "must be true or false")
	}
	return nil
}

// flag returns whether a field that is 0 or 1 is 1. one says what that has done.
func (b *body) flag(name, one string) bool {
	n := b.number(name)
	if n != nil && *n != 0 && *n != 1 {
		b.refuse(name, "must be 0, or 1 ("+one+")")
	}
	return n != nil && *n == 1
}

// number returns the value of a field that is a whole number; nil when it is absent.
func (b *body) number(name string) *int {
	value, given := b.take(name)
	if !given || value == formText("") {
		return nil
	}
	n, ok := wholeNumber(value)
	if !ok {
		b.refuse(name, "must be a whole number")
		return nil
	}
	return &n
}

// list returns the value of a field that is a list of texts, or of texts with commas between them in a form; nil when it is absent.
func (b *body) list(name string) []string {
	value, given := b.take(name)
	switch v := value.(type) {
	case formText:
		if v == "" {
			return nil
		}
		var texts []string
		for text := range strings.SplitSeq(string(v), ",") {
			texts = append(texts, strings.TrimSpace(text))
		}
		return texts
	case []any:
		if texts, ok := textsOf(v); ok {
			return texts
		}
	}
	if given {
		b.refuse(name, "must be a list of strings")
	}
	return nil
}

// addresses is list for addresses, which a form writes as fields with listSuffix behind the name.
func (b *body) addresses(name string) []string {
	if listed, given := b.values[name+listSuffix]; given {
		delete(b.values, name+listSuffix)
		b.fields = append(b.fields, name)
		texts, _ := textsOf(listed.([]any))
		return texts
	}
	if text, isForm := b.values[name].(formText); isForm && text != "" {
		b.take(name)
		b.refuse(name, "must be written as "+name+listSuffix+" in a form, once for each address")
		return nil
	}
	return b.list(name)
}

// texts returns the value of a field that is an object of strings, which only JSON has; nil when it is absent.
func (b *body) texts(name string) map[string]string {
	value, given := b.take(name)
	if !given || value == formText("") {
		return nil
	}
	members, ok := value.(map[string]any)
	all := make(map[string]string, len(members))
	for name, member := range members {
		text, isText := member.(string)
		ok = ok && isText
		all[name] = text
	}
	if !ok {
		b.refuse(name, "must be an object of strings, in JSON")
	}
	return all
}

// textsOf returns the members of a list, which must all be strings.
func textsOf(members []any) ([]string, bool) {
	texts := make([]string, 0, len(members))
	for _, member := range members {
		text, ok := member.(string)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// time returns the value of a field that is a moment, to the millisecond; the zero time when it is absent or null.
func (b *body) time(name string) time.Time {
	value, given := b.take(name)
	if !given || value == nil || value == formText("") {
		return time.Time{}
	}
	text, _ := value.(string)
	if form, ok := value.(formText); ok {
		text = string(form)
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.UnixMilli() < 0 {
		b.refuse(name, "must be a time such as 2027-01-31T12:00:00Z, or null for none")
	}
	return at.UTC().Truncate(time.Millisecond)
}

// wholeNumber reads the number of a form or of JSON, where 1.0 is one too.
func wholeNumber(value any) (int, bool) {
	switch v := value.(type) {
	case formText:
		n, err := strconv.Atoi(string(v))
		return n, err == nil
	case json.Number:
		f, err := v.Float64()
		if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
			return 0, false
		}
		return int(f), true
	}
	return 0, false
}

// finish returns every field that is wrong, those included that nothing has read.
func (b *body) finish() []fieldError {
	for _, name := range slices.Sorted(maps.Keys(b.values)) {
		b.refuse(name, fmt.Sprintf("is not a field of this request; its fields are %s", strings.Join(b.fields, ", ")))
	}
	return b.wrong
}
