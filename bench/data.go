package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The needles that the search kinds look for. A few reports hold the rare one, none the missing ones, 15 % the common one; the
// words below hold none of these. Of the likely one each three letters stand somewhere in the words. 80 % begin with the frequent one.
const (
	rareNeedle     = "zanzibar"
	missingNeedle  = "xylophonist"
	likelyNeedle   = "latestions" // missing, too
	commonNeedle   = "blog"
	frequentNeedle = "https"
	shortNeedle    = "zo"
	rareCount      = 20 // reports that hold the rare needle, whatever the size of the set
)

var (
	hostWords = strings.Fields(`amber autumn birch bright cedar clear coast copper crystal delta eager early ember falcon fern field
		forest garden golden granite green harbor hazel hidden horizon iron island ivory juniper lake lunar maple marble meadow
		mellow misty north oak ocean olive opal orchard pearl pine prairie quiet rapid raven river rocky rose ruby sage sandy
		shadow silver sky small solar spring stone summer sunny swift tidal timber valley velvet violet willow winter`)
	hostTrades = strings.Fields(`agency academy bakery bikes books cafe clinic coffee consulting dental design farm fitness florist
		foods furniture gallery guitars hotel insurance kitchen law lighting logistics market media motors music optics paint
		pharmacy photo plumbing press print records repair school shoes software solutions sports store studio supplies tea
		tools tours toys travel tutors wines works yoga`)
	hostEnds  = []string{"com", "com", "com", "org", "net", "de", "co.uk", "fr", "io", "shop"}
	pathWords = strings.Fields(`about account accessories all archive article autumn basket brands brand-new careers catalog categories
		checkout cheap collections company compare contact content customers delivery details discount documents downloads events
		faq features gallery gifts guide help history home how-to images index information items jobs kids kontakt ladies landing
		latest legal locations mens news newsletter offers orders overview pages partners photos pricing privacy products projects
		publications returns reviews sale search services shipping sitemap sizes special stories summer support tags team terms
		testimonials topics tour training trends updates video warranty winter women zone zoom`)
)

// reportLine and projectLine are lines of an import: one JSON object each.
type reportLine struct {
	Kind      string     `json:"kind"`
	ID        uuid.UUID  `json:"id"`
	URL       string     `json:"url"`
	Project   string     `json:"project"`
	Status    string     `json:"status"`
	Result    *string    `json:"result"` // nil: never audited with success
	Score     *int       `json:"score"`
	Privacy   int        `json:"privacy"`
	Error     *failure   `json:"error,omitempty"`
	Generated *time.Time `json:"generated_at"`
	Created   time.Time  `json:"created_at"`
	Name      string     `json:"name,omitempty"` // of a project
}

// failure is why an audit failed.
type failure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// projectLine is the line of a project. All of them come before the first report, so that every engine knows the same ids.
type projectLine struct {
	Kind    string    `json:"kind"`
	ID      uuid.UUID `json:"id"`
	Name    string    `json:"name"`
	Created time.Time `json:"created_at"`
}

// dataset is a file of import lines and what the mix must know of it.
type dataset struct {
	path    string
	reports int
	size    int64          // bytes of the file
	ids     []uuid.UUID    // of up to 1,000 reports, spread over all
	ranked  []projectCount // the most reports first
}

type projectCount struct {
	name    string
	reports int
}

// makeDataset writes the import lines of n reports. The same n gives the same bytes.
func makeDataset(dir string, n int) (*dataset, error) {
	set := &dataset{path: filepath.Join(dir, fmt.Sprintf("reports-%d.jsonl", n)), reports: n}
	file, err := os.Create(set.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	if err := newGenerator(n).write(out, set); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	set.size = info.Size()
	return set, nil
}

// top is the project with the most reports, median the one in the middle of the ranking.
func (d *dataset) top() projectCount    { return d.ranked[0] }
func (d *dataset) median() projectCount { return d.ranked[len(d.ranked)/2] }

// generator makes up reports; all its randomness comes from one seed.
type generator struct {
	random *rand.Rand
	zipf   *rand.Zipf
	hosts  []string
	n      int
	step   int64 // ms between two reports
}

var firstReport = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

const span = 2 * 365 * 24 * time.Hour

func newGenerator(n int) *generator {
	g := &generator{random: rand.New(rand.NewPCG(20241101, uint64(n))), n: n}
	g.hosts = g.makeHosts(max(20, n/500))
	g.zipf = rand.NewZipf(g.random, 1.1, 1, uint64(len(g.hosts)-1))
	g.step = max(1, span.Milliseconds()/int64(n))
	return g
}

// makeHosts returns n different host names without www.
func (g *generator) makeHosts(n int) []string {
	seen := make(map[string]bool, n)
	hosts := make([]string, 0, n)
	for len(hosts) < n {
		host := pick(g.random, hostWords) + pick(g.random, []string{"", "-"}) + pick(g.random, hostTrades)
		if g.random.IntN(4) == 0 {
			host += fmt.Sprint(g.random.IntN(100))
		}
		host += "." + pick(g.random, hostEnds)
		if !seen[host] {
			seen[host] = true
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// write puts all lines into w and fills the rest of set.
func (g *generator) write(w io.Writer, set *dataset) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for i, host := range g.hosts {
		created := firstReport.Add(time.Duration(i) * time.Second)
		if err := lines.Encode(projectLine{"project", g.id(created), host, created}); err != nil {
			return err
		}
	}
	counts := make(map[string]int, len(g.hosts))
	sampleStep := max(1, g.n/1000)
	for i := range g.n {
		report := g.report(i)
		counts[report.Project]++
		if i%sampleStep == 0 && len(set.ids) < 1000 {
			set.ids = append(set.ids, report.ID)
		}
		if err := lines.Encode(report); err != nil {
			return err
		}
	}
	set.ranked = ranked(counts)
	return nil
}

// ranked orders projects by their reports, the most first; the same counts give the same order.
func ranked(counts map[string]int) []projectCount {
	list := make([]projectCount, 0, len(counts))
	for name, n := range counts {
		list = append(list, projectCount{name, n})
	}
	slices.SortFunc(list, func(a, b projectCount) int {
		if a.reports != b.reports {
			return b.reports - a.reports
		}
		return strings.Compare(a.name, b.name)
	})
	return list
}

// report makes up the report number i; numbers rise with the time of creation.
func (g *generator) report(i int) reportLine {
	created := firstReport.Add(time.Hour + time.Duration(int64(i)*g.step)*time.Millisecond)
	host := g.hosts[g.zipf.Uint64()]
	report := reportLine{
		Kind: "report", ID: g.id(created), URL: g.url(i, host), Project: host, Privacy: g.random.IntN(2), Created: created,
	}
	g.rate(&report)
	return report
}

// rate returns half the reports good, 30 % decent, 15 % bad, and 5 % a failure.
func (g *generator) rate(r *reportLine) {
	result, score := "", 0
	switch p := g.random.IntN(100); {
	case p < 50:
		result, score = "good", 80+g.random.IntN(21)
	case p < 80:
		result, score = "decent", 50+g.random.IntN(30)
	case p < 95:
		result, score = "bad", g.random.IntN(50)
	default:
		r.Status, r.Error = "failed", &failure{"timeout", "the page did not answer within 30 s"}
		return
	}
	generated := r.Created.Add(time.Duration(300+g.random.IntN(8000)) * time.Millisecond)
	if g.random.IntN(5) == 0 { // made again since
		generated = generated.Add(time.Duration(g.random.IntN(90*24*3600)) * time.Second)
	}
	r.Status, r.Result, r.Score, r.Generated = "done", &result, &score, &generated
}

// url makes up an address of 20 to 150 bytes.
func (g *generator) url(i int, host string) string {
	var b strings.Builder
	b.WriteString(pick(g.random, []string{"https://", "https://", "https://", "https://", "http://"}))
	b.WriteString(pick(g.random, []string{"", "", "www."}))
	b.WriteString(host)
	if g.random.IntN(100) < 15 {
		b.WriteString("/" + commonNeedle)
	}
	if i%max(1, g.n/rareCount) == max(1, g.n/rareCount)/2 {
		b.WriteString("/" + rareNeedle)
	}
	for range g.random.IntN(4) {
		b.WriteString("/" + pick(g.random, pathWords))
	}
	b.WriteString("/" + g.slug())
	if g.random.IntN(6) == 0 {
		fmt.Fprintf(&b, "?id=%d", g.random.IntN(1_000_000))
	}
	const shortest, longest = 20, 150
	for b.Len() < shortest {
		b.WriteString("-" + pick(g.random, pathWords))
	}
	return b.String()[:min(b.Len(), longest)]
}

// slug is the last part of a path: words, sometimes capitalised, with or without a number and an ending.
func (g *generator) slug() string {
	words := make([]string, 1+g.random.IntN(5))
	for i := range words {
		words[i] = pick(g.random, pathWords)
		if g.random.IntN(12) == 0 {
			words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
		}
	}
	slug := strings.Join(words, "-")
	if g.random.IntN(2) == 0 {
		slug += fmt.Sprintf("-%d", g.random.IntN(100_000))
	}
	return slug + pick(g.random, []string{"", "", "/", ".html"})
}

// id returns a UUIDv7 for a moment, from the generator's own randomness.
func (g *generator) id(at time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16|0x7000|g.random.Uint64()&0xfff)
	binary.BigEndian.PutUint64(id[8:], 1<<63|g.random.Uint64()>>2)
	return id
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

// readLines calls each with every line of the file at path, in order.
func readLines(path string, each func(*reportLine) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), 1<<20)
	for lines.Scan() {
		var line reportLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return err
		}
		if err := each(&line); err != nil {
			return err
		}
	}
	return lines.Err()
}
