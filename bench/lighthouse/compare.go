package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// pairs names the checks that both have: Sitegrade's, and the audits of Lighthouse that it stands for. Where one of those fails, all
// together do.
var pairs = []struct {
	check  string
	audits []string
}{
	{"http-status", []string{"http-status-code"}},
	{"is-crawlable", []string{"is-crawlable"}},
	{"robots-txt", []string{"robots-txt"}},
	{"document-title", []string{"document-title"}},
	{"meta-description", []string{"meta-description"}},
	{"canonical", []string{"canonical"}},
	{"hreflang", []string{"hreflang"}},
	{"meta-refresh", []string{"meta-refresh"}},
	{"html-lang", []string{"html-has-lang"}},
	{"html-lang-valid", []string{"html-lang-valid"}},
	{"heading-order", []string{"heading-order"}},
	{"heading-empty", []string{"empty-heading"}},
	{"link-text", []string{"link-text"}},
	{"link-name", []string{"link-name"}},
	{"crawlable-anchors", []string{"crawlable-anchors"}},
	{"image-alt", []string{"image-alt"}},
	{"image-dimensions", []string{"unsized-images"}},
	{"doctype", []string{"doctype"}},
	{"charset", []string{"charset"}},
	{"viewport", []string{"viewport-insight"}},
	{"viewport-zoom", []string{"meta-viewport"}},
	{"form-labels", []string{"label", "select-name"}},
	{"button-name", []string{"button-name", "input-button-name", "input-image-alt"}},
	{"frame-title", []string{"frame-title"}},
	{"landmark-main", []string{"landmark-one-main"}},
	{"tabindex", []string{"tabindex"}},
	{"list-structure", []string{"list", "listitem", "definition-list", "dlitem"}},
	{"video-captions", []string{"video-caption"}},
}

// lighthouseAudits returns every audit that Lighthouse is asked for. It gathers what its doctype audit needs to know of limited quirks
// mode only for inspector-issues.
func lighthouseAudits() []string {
	all := []string{"inspector-issues"}
	for _, p := range pairs {
		all = append(all, p.audits...)
	}
	return all
}

// together returns the verdict of several audits on one page.
func together(page map[string]verdict, audits []string) verdict {
	var all verdict
	for _, id := range audits {
		v := page[id]
		all.applies = all.applies || v.applies
		if v.failed {
			all.failed = true
			all.detail = strings.TrimSpace(all.detail + " " + v.detail)
		}
	}
	return all
}

// comparison is what both sides said of the same pages.
type comparison struct {
	pages        []page
	theirs, ours *verdicts
}

// tally counts what both say of one check. A page to which neither applies it does not count.
type tally struct {
	bothPass, bothFail, onlyTheirs, onlyOurs int
}

func (t tally) same() int { return t.bothPass + t.bothFail }

func (t tally) all() int { return t.same() + t.onlyTheirs + t.onlyOurs }

// agreement returns the share of same verdicts as people read it.
func (t tally) agreement() string {
	if t.all() == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(t.same())/float64(t.all()))
}

func (t *tally) add(other tally) {
	t.bothPass += other.bothPass
	t.bothFail += other.bothFail
	t.onlyTheirs += other.onlyTheirs
	t.onlyOurs += other.onlyOurs
}

// judge compares one check over all pages, and gives a line for each page on which the two differ.
func (c comparison) judge(check string, audits []string) (t tally, differences []string) {
	for i, p := range c.pages {
		if c.theirs.errors[i] != "" {
			continue
		}
		theirs, ours := together(c.theirs.pages[i], audits), c.ours.pages[i][check]
		switch {
		case !theirs.applies && !ours.applies:
			continue
		case theirs.failed && ours.failed:
			t.bothFail++
			continue
		case theirs.failed:
			t.onlyTheirs++
		case ours.failed:
			t.onlyOurs++
		default:
			t.bothPass++
			continue
		}
		differences = append(differences, fmt.Sprintf("- %s, %s: Lighthouse %s, Sitegrade %s",
			check, p.name, inWords(theirs), inWords(ours)))
	}
	return t, differences
}

// inWords says a verdict and what it points at.
func inWords(v verdict) string {
	word := "passes it"
	switch {
	case v.failed:
		word = "fails it"
	case !v.applies:
		return "does not apply it"
	}
	if v.detail != "" {
		word += " (" + strings.ReplaceAll(v.detail, "\n", " ") + ")"
	}
	return word
}

// markdown writes the comparison.
func (c comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages. %s; %s. %s.\n\n", len(c.pages), c.ours.version, c.theirs.version, machine())
	b.WriteString("| check | both pass | both fail | only Lighthouse fails | only Sitegrade fails | agreement |\n|---|--:|--:|--:|--:|--:|\n")
	var total tally
	var differences []string
	for _, p := range pairs {
		t, lines := c.judge(p.check, p.audits)
		total.add(t)
		differences = append(differences, lines...)
		t.write(&b, p.check)
	}
	total.write(&b, "**all**")
	fmt.Fprintf(&b, "\n## Differences: %d\n\n", len(differences))
	for _, line := range differences {
		b.WriteString(line + "\n")
	}
	for i, problem := range c.theirs.errors {
		if problem != "" {
			fmt.Fprintf(&b, "- %s: Lighthouse could not audit it: %s\n", c.pages[i].name, problem)
		}
	}
	b.WriteString("\n## Cost\n\n")
	c.writeCost(&b)
	return b.String()
}

func (t tally) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n", name, t.bothPass, t.bothFail, t.onlyTheirs, t.onlyOurs, t.agreement())
}

func (c comparison) writeCost(b *strings.Builder) {
	n := time.Duration(len(c.pages))
	b.WriteString("| | CPU | CPU a page | wall | wall a page |\n|---|--:|--:|--:|--:|\n")
	for _, side := range []struct {
		name string
		took *verdicts
	}{{"Lighthouse with Chromium", c.theirs}, {"Sitegrade", c.ours}} {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", side.name, inMilliseconds(side.took.cpu), inMilliseconds(side.took.cpu/n),
			inMilliseconds(side.took.wall), inMilliseconds(side.took.wall/n))
	}
	fmt.Fprintf(b, "| **ratio** | %.0f | | %.0f | |\n", float64(c.theirs.cpu)/float64(max(c.ours.cpu, 1)), float64(c.theirs.wall)/float64(c.ours.wall))
}

func inMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// machine names the processor and the number of its cores.
func machine() string {
	model := runtime.GOARCH
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		lines := strings.Split(string(text), "\n")
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "model name") }); i >= 0 {
			_, model, _ = strings.Cut(lines[i], ": ")
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", model, runtime.NumCPU(), runtime.Version())
}
