package audit

// check is one rule: an entry of the table.
type check struct {
	id       string
	category string
	severity Severity
	title    string
	advice   string
	source   string
	run      func(*facts) finding
}

// finding is what a check says of a page.
type finding struct {
	status   Status
	severity Severity // "" for the check's own
	detail   string
	evidence []Evidence
	capped   bool // a gate: the whole score may not be over limit
	limit    int
}
