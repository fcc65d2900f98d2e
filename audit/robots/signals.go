package robots

import (
	"fmt"
	"slices"
	"strings"
)

// A Signal is a Content-Signal line: for what a crawler that has fetched a page may use it (contentsignals.org).
type Signal struct {
	Line    int      // 1-based
	Text    string   // of the line
	Agents  []string // the user-agents that it is for, as written; empty before the first one
	Path    string   // the pattern of the pages that it is for; "" for all
	Uses    []Use    // those that could be read
	Problem string   // why the line cannot be read whole; "" if it can
}

// A Use is what one part of a Content-Signal line says, such as "ai-train=no".
type Use struct {
	Name  string // "search", "ai-input" or "ai-train"
	Given bool   // the use is permitted
}

// MaxSignals bounds the list of signals.
const MaxSignals = 100

// addSignal reads the value of a Content-Signal line. It is for the user-agents before it: those that follow begin anew, though to crawlers
// that know no signals all are one group.
func (p *reader) addSignal(number int, line, value string) {
	if len(p.file.Signals) >= MaxSignals {
		return
	}
	signal := Signal{Line: number, Text: fmt.Sprintf("%.200s", line)}
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "*") {
		signal.Path, value, _ = strings.Cut(value, " ")
	}
	for part := range strings.SplitSeq(value, ",") {
		use, problem := readUse(part)
		if problem != "" {
			signal.Problem = problem
			continue
		}
		signal.Uses = append(signal.Uses, use)
	}
	if n := len(p.file.groups); n > 0 {
		signal.Agents = slices.Clip(p.file.groups[n-1].agents[p.addressed:])
		p.signalled = true
	}
	p.file.Signals = append(p.file.Signals, signal)
}

// readUse reads a part between commas, and says what is wrong with it.
func readUse(part string) (use Use, problem string) {
	name, value, ok := strings.Cut(part, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(value))
	switch {
	case name == "" && !ok:
		return use, "a use is missing"
	case !ok:
		return use, fmt.Sprintf("%.40q has no value", name)
	case name != "search" && name != "ai-input" && name != "ai-train":
		return use, fmt.Sprintf("there is no use %.40q, only search, ai-input and ai-train", name)
	case value != "yes" && value != "no":
		return use, fmt.Sprintf("%s must be yes or no, not %.40q", name, value)
	}
	return Use{name, value == "yes"}, ""
}
