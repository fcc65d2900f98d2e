package locale

import (
	"errors"
	"strconv"
	"strings"
)

// The compact form of a sentence, as it is stored, is its id and behind it each Arg as the letter of its kind and its value, with "|" between
// them: "title-length.wrong|c12|c20|c60". A backslash stands before a "|" or a backslash within a value. A list is the compact form of its
// entries as if they were a sentence without an id, and a phrase is that of its sentence.

// AppendCompact appends the compact form of the sentence; nothing for the zero Sentence.
func (s Sentence) AppendCompact(b []byte) []byte { return appendFields(append(b, s.ID...), s.Args) }

// Compact returns the compact form of the sentence.
func (s Sentence) Compact() string { return string(s.AppendCompact(nil)) }

// String returns the compact form, for logs and tests.
func (s Sentence) String() string { return s.Compact() }

func appendFields(b []byte, args []Arg) []byte {
	for i := range args {
		b = args[i].appendCompact(append(b, '|'))
	}
	return b
}

func (a *Arg) appendCompact(b []byte) []byte {
	b = append(b, byte(a.kind))
	switch a.kind {
	case kindText, kindQuoted:
		return appendEscaped(b, a.text)
	case kindList, kindSeries:
		return appendEscaped(b, string(appendFields(nil, a.list)))
	case kindPhrase:
		if a.said == nil {
			return appendEscaped(append(b, '='), a.text)
		}
		return appendEscaped(b, a.said.Compact())
	}
	return strconv.AppendFloat(b, a.number, 'f', -1, 64)
}

func appendEscaped(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] == '|' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return b
}

var errCompact = errors.New("this is no sentence in its compact form")

// ParseCompact reads what AppendCompact wrote. The error is one of a text that it did not write.
func ParseCompact(s string) (Sentence, error) {
	id, rest, more := cutField(s)
	if !more {
		return Sentence{ID: id}, nil
	}
	args, err := parseFields(rest)
	return Sentence{id, args}, err
}

func parseFields(s string) ([]Arg, error) {
	args := make([]Arg, 0, 1+strings.Count(s, "|"))
	for more := true; more; {
		var field string
		field, s, more = cutField(s)
		arg, err := parseArg(field)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return args, nil
}

// cutField returns the text before the first "|", unescaped, and what is behind it.
func cutField(s string) (field, rest string, more bool) {
	i := strings.IndexAny(s, `|\`)
	if i < 0 {
		return s, "", false
	}
	if s[i] == '|' {
		return s[:i], s[i+1:], true
	}
	var b []byte
	for i = 0; i < len(s); i++ {
		switch {
		case s[i] == '|':
			return string(b), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b = append(b, s[i])
	}
	return string(b), "", false
}

func parseArg(field string) (Arg, error) {
	if field == "" {
		return Arg{}, errCompact
	}
	a, value := Arg{kind: Kind(field[0])}, field[1:]
	var err error
	switch a.kind {
	case kindText, kindQuoted:
		a.text = value
	case kindList, kindSeries:
		if rest, ok := strings.CutPrefix(value, "|"); ok {
			a.list, err = parseFields(rest)
		}
	case kindPhrase:
		if english, ok := strings.CutPrefix(value, "="); ok {
			a.text = english
			break
		}
		var said Sentence
		said, err = ParseCompact(value)
		a.said = &said
	case kindCount, kindDecimal, kindCode, kindBytes, kindKiB, kindTime, kindPercent, kindDate:
		a.number, err = strconv.ParseFloat(value, 64)
	default:
		err = errCompact
	}
	return a, err
}
