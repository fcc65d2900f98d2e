package robots

import (
	"fmt"
	"strings"
)

// A Signal is a Content-Signal line: for what a crawler that has fetched a page may use it (contentsignals.org).
type Signal struct {
	Line    int      // 1-based
	Text    string   // of the line
	Agents  []string // the user-agents of its group, as written; empty before the first group
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

// addSignal reads the value of a Content-Signal line.
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
	p.file.Signals = append(p.file.Signals, signal)
	p.signalGroups = append(p.signalGroups, len(p.file.groups)-1)
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

// addressSignals gives each signal the user-agents of its group, once all are known.
func (p *reader) addressSignals() {
	for i, group := range p.signalGroups {
		if group >= 0 {
			p.file.Signals[i].Agents = p.file.groups[group].agents
		}
	}
}
