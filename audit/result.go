package audit

import "fmt"

// Result is the verdict on a page. The order of its values is the order in which lists rank them.
type Result uint8

// The results; Unrated is a page that was never audited with success.
const (
	Unrated Result = iota
	Bad
	Decent
	Good
)

var resultNames = [...]string{Unrated: "", Bad: "bad", Decent: "decent", Good: "good"}

// A score of GoodScore or more is good, one of DecentScore or more is decent, and a lower one is bad. Categories are judged alike.
const (
	GoodScore   = 80
	DecentScore = 50
)

// ResultOf returns the verdict for a score of 0 to 100.
func ResultOf(score int) Result {
	switch {
	case score >= GoodScore:
		return Good
	case score >= DecentScore:
		return Decent
	}
	return Bad
}

// String returns "good", "decent", "bad", or "" for Unrated.
func (r Result) String() string { return resultNames[r] }

// ParseResult returns the result that String writes as s.
func ParseResult(s string) (Result, error) {
	for r, name := range resultNames {
		if s == name {
			return Result(r), nil
		}
	}
	return Unrated, fmt.Errorf("no such result %q", s)
}

// MarshalJSON writes the name, or null for Unrated.
func (r Result) MarshalJSON() ([]byte, error) {
	if r == Unrated {
		return []byte("null"), nil
	}
	return []byte(`"` + r.String() + `"`), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*r = Unrated
		return nil
	}
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("a result is good, decent, bad or null, not %s", b)
	}
	got, err := ParseResult(string(b[1 : len(b)-1]))
	if err != nil || got == Unrated {
		return fmt.Errorf("a result is good, decent, bad or null, not %s", b)
	}
	*r = got
	return nil
}
