package cli

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// latencyBounds are the upper bounds of the latency histogram, in seconds. Creates wait for their report, hence the long ones.
var latencyBounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// requestMetrics counts responses. It is safe for concurrent use.
type requestMetrics struct {
	mu        sync.Mutex
	responses map[responseLabels]uint64
	latencies map[routeLabels]*latency
}

type routeLabels struct{ route, method string }

type responseLabels struct {
	routeLabels
	status int
}

// latency is one histogram.
type latency struct {
	buckets [len(latencyBounds)]uint64 // responses that took up to a bound, and longer than the one before
	count   uint64
	seconds float64
}

func newRequestMetrics() *requestMetrics {
	return &requestMetrics{responses: map[responseLabels]uint64{}, latencies: map[routeLabels]*latency{}}
}

// observe counts one response. Methods that no route has are counted together, so that nobody can make the metrics grow without end.
func (m *requestMetrics) observe(route, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other"
	}
	labels := routeLabels{cmp.Or(route, "none"), method}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.responses[responseLabels{labels, status}]++
	l := m.latencies[labels]
	if l == nil {
		l = &latency{}
		m.latencies[labels] = l
	}
	l.add(took.Seconds())
}

func (l *latency) add(seconds float64) {
	l.count++
	l.seconds += seconds
	if i, _ := slices.BinarySearch(latencyBounds[:], seconds); i < len(l.buckets) {
		l.buckets[i]++
	}
}

// write adds the metrics of the requests.
func (m *requestMetrics) write(e *exposition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.family("sitegrade_http_requests_total", "counter", "Answers, by route, method and status.")
	for _, l := range slices.SortedFunc(maps.Keys(m.responses), compareResponses) {
		e.sample("sitegrade_http_requests_total", float64(m.responses[l]), "route", l.route, "method", l.method, "status", strconv.Itoa(l.status))
	}
	const name = "sitegrade_http_request_duration_seconds"
	e.family(name, "histogram", "Time to the end of the response, by route and method.")
	for _, l := range slices.SortedFunc(maps.Keys(m.latencies), compareRoutes) {
		m.latencies[l].write(e, name, l)
	}
}

func (l *latency) write(e *exposition, name string, labels routeLabels) {
	under := uint64(0)
	for i, bound := range latencyBounds {
		under += l.buckets[i]
		e.sample(name+"_bucket", float64(under), "route", labels.route, "method", labels.method, "le", formatNumber(bound))
	}
	e.sample(name+"_bucket", float64(l.count), "route", labels.route, "method", labels.method, "le", "+Inf")
	e.sample(name+"_sum", l.seconds, "route", labels.route, "method", labels.method)
	e.sample(name+"_count", float64(l.count), "route", labels.route, "method", labels.method)
}

func compareRoutes(x, y routeLabels) int {
	return cmp.Or(strings.Compare(x.route, y.route), strings.Compare(x.method, y.method))
}

func compareResponses(x, y responseLabels) int {
	return cmp.Or(compareRoutes(x.routeLabels, y.routeLabels), x.status-y.status)
}

// exposition is text in the format of Prometheus, version 0.0.4: families of metrics, each followed by its samples.
type exposition struct{ strings.Builder }

const expositionType = "text/plain; version=0.0.4; charset=utf-8"

// family begins a family.
func (e *exposition) family(name, kind, help string) {
	e.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
}

// sample adds a value with its labels, which are given as name, value, name, value and so on.
func (e *exposition) sample(name string, value float64, labels ...string) {
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+labelEscapes.Replace(labels[i+1])+`"`)
	}
	e.WriteString(name)
	if len(pairs) > 0 {
		e.WriteString("{" + strings.Join(pairs, ",") + "}")
	}
	e.WriteString(" " + formatNumber(value) + "\n")
}

// gauge adds a family that is one gauge.
func (e *exposition) gauge(name, help string, value float64) {
	e.family(name, "gauge", help)
	e.sample(name, value)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
