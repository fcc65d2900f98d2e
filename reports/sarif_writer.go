package reports

import (
	"bufio"
	"encoding/json"
	"errors"
)

// sarifWriter writes a log whose results come one by one, so that those of a large site need not be held. They stand before the rest of
// their run.
type sarifWriter struct {
	w     *bufio.Writer
	count int
	err   error
}

// begin writes what stands before the results.
func (s *sarifWriter) begin() {
	s.write("{\n  \"$schema\": \"" + sarifSchema + "\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n      \"results\": [")
}

func (s *sarifWriter) write(text string) {
	_, err := s.w.WriteString(text)
	s.err = errors.Join(s.err, err)
}

// add writes a result.
func (s *sarifWriter) add(result sarifResult) {
	text, err := json.MarshalIndent(result, "        ", "  ")
	s.err = errors.Join(s.err, err)
	if s.count++; s.count > 1 {
		s.write(",")
	}
	s.write("\n        " + string(text))
}

// end writes the rest of the run, and returns the first error of all.
func (s *sarifWriter) end(rest sarifRun) error {
	if s.count > 0 {
		s.write("\n      ")
	}
	text, err := json.MarshalIndent(rest, "    ", "  ")
	if err != nil {
		return err
	}
	s.write("]," + string(text[len("{"):]) + "\n  ]\n}\n")
	return errors.Join(s.err, s.w.Flush())
}
