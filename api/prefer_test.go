package api

import (
	"net/http"
	"testing"
	"time"
)

func TestPreferred(t *testing.T) {
	const otherwise = 7 * time.Second
	tests := []struct {
		lines   []string
		wait    time.Duration
		applied string
	}{
		{nil, otherwise, ""},
		{[]string{""}, otherwise, ""},
		{[]string{"wait=10"}, 10 * time.Second, "wait=10"},
		{[]string{"wait=0"}, 0, "wait=0"},
		{[]string{"wait=60"}, time.Minute, "wait=60"},
		{[]string{"wait=61"}, time.Minute, "wait=60"},
		{[]string{"wait=99999999999999999999"}, time.Minute, "wait=60"},
		{[]string{`wait="5"`}, 5 * time.Second, "wait=5"},
		{[]string{`WAIT = 5 ; x="a,b"`}, 5 * time.Second, "wait=5"},
		{[]string{"wait=5, wait=6"}, 5 * time.Second, "wait=5"},
		{[]string{"wait=x, wait=6"}, 6 * time.Second, "wait=6"},
		{[]string{"wait=-1"}, otherwise, ""},
		{[]string{"wait=1.5"}, otherwise, ""},
		{[]string{"wait=1e1"}, otherwise, ""},
		{[]string{"wait"}, otherwise, ""},
		{[]string{"wait=+5"}, otherwise, ""},
		{[]string{"respond-async"}, 0, "respond-async"},
		{[]string{"Respond-Async"}, 0, "respond-async"},
		{[]string{"respond-async, wait=10"}, 0, "respond-async"},
		{[]string{"wait=10", "respond-async"}, 0, "respond-async"},
		{[]string{"respond-async=0"}, otherwise, ""},
		{[]string{`respond-async=""`}, 0, "respond-async"},
		{[]string{`x="respond-async, wait=9"`}, otherwise, ""},
		{[]string{`x="\", wait=9"`, "wait=3"}, 3 * time.Second, "wait=3"},
		{[]string{`x="wait=1, y`}, otherwise, ""},
		{[]string{"return=minimal; wait=4"}, otherwise, ""},
		{[]string{"handling=lenient,,wait=4,"}, 4 * time.Second, "wait=4"},
	}
	for _, test := range tests {
		got := preferred(http.Header{"Prefer": test.lines}, otherwise)
		if got.wait != test.wait || got.applied != test.applied {
			t.Errorf("%q: %v, %q; not %v, %q", test.lines, got.wait, got.applied, test.wait, test.applied)
		}
	}
}

// FuzzPreferred holds that no header makes a request wait longer than any may, and that what is applied is what was understood.
func FuzzPreferred(f *testing.F) {
	f.Add(`wait=10, respond-async; x="a\"b"`)
	f.Add(`x="\`)
	f.Fuzz(func(t *testing.T, line string) {
		got := preferred(http.Header{"Prefer": {line}}, time.Second)
		if got.wait < 0 || got.wait > MaxWait || got.applied == "" && got.wait != time.Second {
			t.Errorf("%q: %v, %q", line, got.wait, got.applied)
		}
		if got.applied == "" {
			return
		}
		if again := preferred(http.Header{"Prefer": {got.applied}}, time.Second); again != got {
			t.Errorf("%q: %v, and %q means %v", line, got, got.applied, again)
		}
	})
}

func TestPreferRespondAsync(t *testing.T) {
	s := newServer(t, Options{})
	c := call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow"), header: http.Header{"Prefer": {"respond-async, wait=30"}}}
	made := s.must(http.StatusAccepted, c)
	r := s.record(made)
	if made.Header.Get("Preference-Applied") != "respond-async" || made.Header.Get("Retry-After") == "" {
		t.Errorf("%v", made.Header)
	}
	if want := s.HTTP.URL + Base + "/reports/" + r.ID; made.Header.Get("Location") != want {
		t.Errorf("Location is %q, not %q", made.Header.Get("Location"), want)
	}
	<-s.site.arrived
	if shown := s.record(s.get(http.StatusOK, "/reports/"+r.ID)); shown.Status != "running" {
		t.Errorf("the status is %q", shown.Status)
	}
	close(s.site.gate)
}

func TestPreferWait(t *testing.T) {
	s := newServer(t, Options{})
	c := call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow"), header: http.Header{"Prefer": {"wait=1"}}}
	made := s.must(http.StatusAccepted, c)
	if got := made.Header.Get("Preference-Applied"); got != "wait=1" {
		t.Errorf("Preference-Applied is %q", got)
	}
	close(s.site.gate)
	c.header = http.Header{"Prefer": {"wait=60"}}
	made = s.must(http.StatusCreated, c)
	if got := made.Header.Get("Preference-Applied"); got != "wait=60" {
		t.Errorf("Preference-Applied is %q", got)
	}
}

func TestPreferOnUpdate(t *testing.T) {
	s := newServer(t, Options{})
	r := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/"))
	path := "/reports/" + r.ID
	async := http.Header{"Prefer": {"respond-async"}}
	changed := s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "1"), header: async})
	if got := changed.Header.Get("Preference-Applied"); got != "" {
		t.Errorf("Preference-Applied is %q where nothing is waited for", got)
	}
	slow := s.record(s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow"), header: async}))
	<-s.site.arrived
	queued := s.must(http.StatusAccepted, call{method: "PATCH", path: "/reports/" + slow.ID, form: form("results", "1"), header: async})
	if queued.Header.Get("Preference-Applied") != "respond-async" || queued.Header.Get("Location") == "" || queued.Header.Get("Retry-After") == "" {
		t.Errorf("%v", queued.Header)
	}
	queued = s.must(http.StatusAccepted, call{method: "PUT", path: "/reports/" + slow.ID, form: form("results", "1"), header: async})
	if got := s.record(queued); got.ID != slow.ID {
		t.Errorf("another report is shown: %+v", got)
	}
	private := s.must(http.StatusOK, call{method: "PUT", path: "/reports/" + slow.ID, form: form("privacy", "1")})
	if got := s.record(private); got.Privacy != 1 || got.Status == "done" || private.Header.Get("Retry-After") != "" {
		t.Errorf("a change beside a running audit is answered with %v and %+v", private.Header, got)
	}
	close(s.site.gate)
}

func TestWaitOfTheServer(t *testing.T) {
	s := newServer(t, Options{Wait: -1})
	r := s.record(s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow")}))
	if r.Status == "done" || r.Status == "failed" {
		t.Errorf("the status is %q", r.Status)
	}
	close(s.site.gate)
	for wait, want := range map[time.Duration]time.Duration{0: DefaultWait, -1: 0, time.Hour: MaxWait, time.Second: time.Second} {
		if got := New(nil, nil, Options{Wait: wait}).Wait; got != want {
			t.Errorf("a wait of %v means %v, not %v", wait, got, want)
		}
	}
}
