package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// markdown writes all results as tables.
func (r *results) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d reports of %d projects, the largest with %d; %d MB of import lines. %s.\n",
		r.set.reports, len(r.set.ranked), r.set.top().reports, r.set.size>>20, machine())
	r.writeDifferences(&b)
	r.writeBounds(&b)
	r.writeSummary(&b)
	r.writeLoads(&b)
	r.writeWrites(&b)
	r.writePrepared(&b)
	r.writeDeletions(&b)
	r.writeKinds(&b, "Lists in process", "ms: median (99th percentile), and how many times Sitegrade's median (of `sitegrade` where it takes part, else of `postgres`)", r.inProcess, r.inProcessEngines())
	for _, n := range connections {
		title := fmt.Sprintf("Lists over HTTP, %s", plural(n, "connection"))
		r.writeKinds(&b, title, "ms: median (99th percentile), and how many times Sitegrade's median (of `sitegrade` where it takes part, else of `postgres`)", r.overHTTP[n], r.engines)
	}
	n := connections[len(connections)-1]
	r.writeThroughput(&b, fmt.Sprintf("Lists over HTTP, %s: answers a second", plural(n, "connection")), r.overHTTP[n])
	r.writeGrowth(&b)
	return strings.TrimSpace(b.String())
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// machine names what the run was made on.
func machine() string {
	model := "unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		kernel = []byte("unknown")
	}
	return fmt.Sprintf("%s, %s, %s/%s %s, %s", model, plural(runtime.NumCPU(), "core"), runtime.GOOS, runtime.GOARCH,
		strings.TrimSpace(string(kernel)), runtime.Version())
}

func (r *results) writeDifferences(b *strings.Builder) {
	if len(r.differences) == 0 {
		fmt.Fprintf(b, "\nAll engines gave the same rows and totals for all %d kinds of list (of PocketBase only totals are compared).\n", len(mix(r.set)))
		return
	}
	fmt.Fprintf(b, "\n**%d differences between the engines**\n\n", len(r.differences))
	for _, d := range r.differences {
		fmt.Fprintf(b, "- %s\n", d)
	}
}

func (r *results) inProcessEngines() []string {
	var names []string
	for _, name := range r.engines {
		if len(r.inProcess) > 0 && r.inProcess[0].samples[name].p50 > 0 {
			names = append(names, name)
		}
	}
	return names
}

// table writes a Markdown table with its columns aligned, so that it reads well in a terminal too.
func table(b *strings.Builder, title, note string, head []string, rows [][]string) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	if note != "" {
		fmt.Fprintf(b, "%s\n\n", note)
	}
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	line := func(row []string) {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i == 0 {
				fmt.Fprintf(b, "| %s%s ", cell, pad)
			} else {
				fmt.Fprintf(b, "| %s%s ", pad, cell)
			}
		}
		b.WriteString("|\n")
	}
	line(head)
	for i, width := range widths {
		if i == 0 {
			fmt.Fprintf(b, "|%s", strings.Repeat("-", width+2))
		} else {
			fmt.Fprintf(b, "|%s:", strings.Repeat("-", width+1))
		}
	}
	b.WriteString("|\n")
	for _, row := range rows {
		line(row)
	}
}

// milliseconds writes a duration with three digits that count.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f", ms)
	}
	return fmt.Sprintf("%.3f", ms)
}

// times writes a ratio.
func times(ratio float64) string {
	switch {
	case ratio >= 10:
		return fmt.Sprintf("%.0fx", ratio)
	case ratio >= 2:
		return fmt.Sprintf("%.1fx", ratio)
	}
	return fmt.Sprintf("%.2fx", ratio)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/(1<<20)) }

// ratio returns how many times Sitegrade's median (of `sitegrade` where it takes part, else of `postgres`) another engine's is; 0 where one of them was not measured.
func (m measured) ratio(engine string) float64 {
	own, other := m.samples[m.own].p50, m.samples[engine].p50
	if own == 0 {
		return 0
	}
	return float64(other) / float64(own)
}

func (r *results) writeKinds(b *strings.Builder, title, note string, list []measured, engines []string) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, m := range list {
		row := []string{m.kind.name}
		for _, engine := range engines {
			s := m.samples[engine]
			cell := fmt.Sprintf("%s (%s)", milliseconds(s.p50), milliseconds(s.p99))
			if ratio := m.ratio(engine); engine != m.own && ratio > 0 {
				cell += " " + times(ratio)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	mean := []string{"geometric mean"}
	for _, engine := range engines {
		cell := milliseconds(geometricMean(list, engine))
		if own := geometricMean(list, list[0].own); engine != list[0].own && own > 0 {
			cell += " " + times(float64(geometricMean(list, engine))/float64(own))
		}
		mean = append(mean, cell)
	}
	table(b, title, note, append([]string{"kind of list"}, engines...), append(rows, mean))
}

// geometricMean returns the geometric mean of an engine's medians.
func geometricMean(list []measured, engine string) time.Duration {
	sum, n := 0.0, 0
	for _, m := range list {
		if p50 := m.samples[engine].p50; p50 > 0 {
			sum += math.Log(float64(p50))
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return time.Duration(math.Exp(sum / float64(n)))
}

func (r *results) writeThroughput(b *strings.Builder, title string, list []measured) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, m := range list {
		row := []string{m.kind.name}
		for _, engine := range r.engines {
			row = append(row, fmt.Sprintf("%.0f", m.samples[engine].perSecond))
		}
		rows = append(rows, row)
	}
	table(b, title, "", append([]string{"kind of list"}, r.engines...), rows)
}

// writeSummary says in a few lines how the engines compare.
func (r *results) writeSummary(b *strings.Builder) {
	head := append([]string{"geometric mean of the medians, ms"}, r.engines...)
	var rows [][]string
	add := func(name string, list []measured) {
		row := []string{name}
		own := geometricMean(list, r.own)
		for _, engine := range r.engines {
			mean := geometricMean(list, engine)
			switch {
			case mean == 0:
				row = append(row, "-")
			case engine == r.own || own == 0:
				row = append(row, milliseconds(mean))
			default:
				row = append(row, milliseconds(mean)+" "+times(float64(mean)/float64(own)))
			}
		}
		rows = append(rows, row)
	}
	add("in process", r.inProcess)
	for _, n := range connections {
		add(fmt.Sprintf("over HTTP, %s", plural(n, "connection")), r.overHTTP[n])
	}
	table(b, "All kinds of list", "", head, rows)
}

func (r *results) writeLoads(b *strings.Builder) {
	var rows [][]string
	for _, engine := range r.engines {
		l := r.loads[engine]
		rows = append(rows, []string{engine, fmt.Sprintf("%.1f", l.took.Seconds()), fmt.Sprintf("%.0f", float64(r.set.reports)/l.took.Seconds()),
			megabytes(l.size), milliseconds(l.idle.Start), milliseconds(l.empty.Start),
			megabytes(l.idle.Private), megabytes(l.idle.Mapped), megabytes(l.empty.Private)})
	}
	table(b, "Load, start and memory",
		"Load: the import lines into the indexed store. Start: until the first newest page, in a new process. Memory, in MB: the idle process, "+
			"of its own, and of mapped files and shared memory; an empty store for comparison.",
		[]string{"engine", "load, s", "reports/s", "file, MB", "start, ms", "start empty, ms", "own memory", "mapped", "own memory empty"}, rows)
}

func (r *results) writeWrites(b *strings.Builder) {
	if r.shows == nil {
		return
	}
	var rows [][]string
	for _, clients := range createClients {
		row := []string{"creates, " + plural(clients, "client")}
		for _, engine := range append(slices.Clone(r.engines), floorName) {
			s := r.creates[clients][engine]
			row = append(row, fmt.Sprintf("%.0f/s %s (%s)", s.perSecond, milliseconds(s.p50), milliseconds(s.p99)))
		}
		rows = append(rows, row)
	}
	row := []string{"shows"}
	for _, engine := range r.engines {
		s := r.shows[engine]
		row = append(row, fmt.Sprintf("%.0f/s %s (%s)", s.perSecond, milliseconds(s.p50), milliseconds(s.p99)))
	}
	const note = "A second, and ms: median (99th percentile). Every create is on disk before it counts. The last column is bbolt alone, one small " +
		"value into one bucket with each commit."
	rows = append(rows, append(row, "-"))
	table(b, "Single reports", note, append(append([]string{""}, r.engines...), floorName), rows)
}

func (r *results) writePrepared(b *strings.Builder) {
	var rows [][]string
	for _, n := range connections {
		own, bare := r.prepared[n]["sitegrade"], r.prepared[n]["prepared"]
		if bare.perSecond == 0 {
			return
		}
		rows = append(rows, []string{plural(n, "connection"), fmt.Sprintf("%.0f", own.perSecond), fmt.Sprintf("%.0f", bare.perSecond),
			fmt.Sprintf("%.2f", own.perSecond/bare.perSecond)})
	}
	table(b, "Newest page beside a handler that writes the same bytes", "Answers a second.", []string{"", "sitegrade", "prepared bytes", "share"}, rows)
}

// writeGrowth compares the kinds on the full set with those on the small one.
func (r *results) writeGrowth(b *strings.Builder) {
	var engines []string
	for _, engine := range r.inProcessEngines() {
		if r.inProcess[0].samples[smallName(engine)].p50 > 0 {
			engines = append(engines, engine)
		}
	}
	if engines == nil {
		return
	}
	var rows [][]string
	for _, m := range r.inProcess {
		row := []string{m.kind.name}
		for _, engine := range engines {
			row = append(row, times(m.growth(engine)))
		}
		rows = append(rows, row)
	}
	table(b, "Growth", fmt.Sprintf("How many times the median of %d reports that of %d is, in process.", r.set.reports, smallSet),
		append([]string{"kind of list"}, engines...), rows)
}

// growth returns how many times its median on the small set an engine's median on the full set is.
func (m measured) growth(engine string) float64 {
	return float64(m.samples[engine].p50) / float64(m.samples[smallName(engine)].p50)
}

// slowest returns the kinds in which Sitegrade's median is the largest share of another engine's, the worst first.
func slowest(list []measured, engine string, n int) []measured {
	sorted := slices.DeleteFunc(slices.Clone(list), func(m measured) bool { return m.ratio(engine) == 0 })
	slices.SortStableFunc(sorted, func(a, b measured) int { return cmp.Compare(a.ratio(engine), b.ratio(engine)) })
	return sorted[:min(n, len(sorted))]
}
