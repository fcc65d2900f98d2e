package audit

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startClock(t.Context(), time.Minute)
		defer c.stop()
		time.Sleep(40 * time.Second)
		if err := c.await(func(context.Context) error { time.Sleep(time.Hour); return nil }); err != nil || c.Err() != nil || c.waited != time.Hour {
			t.Errorf("after a wait of an hour: %v, %v, %v", err, c.Err(), c.waited)
		}
		if err := c.await(func(context.Context) error { return fetch.ErrTooLarge }); !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("a wait that fails: %v", err)
		}
		time.Sleep(19 * time.Second)
		synctest.Wait()
		if c.Err() != nil {
			t.Errorf("before its end: %v", c.Err())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if c.Err() == nil {
			t.Error("it has not ended")
		}
		if err := c.await(func(context.Context) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a wait after its end: %v", err)
		}
	})
}

// The time of an audit stands still while others use the processor.
func TestWaitForTheProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Auditor{Options: Options{Timeout: time.Second}, rooms: newRooms(2)}
		for range 2 {
			go a.allot(t.Context()).compute(t.Context(), func() { time.Sleep(time.Hour) })
		}
		synctest.Wait()
		if n := a.Computing(); n != 2 {
			t.Errorf("%d audits use the processor, want 2", n)
		}
		own := a.allot(t.Context())
		defer own.leave()
		began := time.Now()
		done := false
		if err := own.computeAlone(func() { done = true }); err != nil || !done || time.Since(began) != time.Hour || own.Err() != nil {
			t.Errorf("done %t after %v: %v, %v", done, time.Since(began), err, own.Err())
		}
		synctest.Wait()
		if n := a.Computing(); n != 0 {
			t.Errorf("%d audits use the processor in the end", n)
		}
	})
}

// An audit that somebody waits for has each place before those that nobody waits for, however many of them wait already.
func TestAuditsBehindLetOthersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Auditor{Options: Options{Timeout: time.Hour}, rooms: newRooms(1)}
		var order []string
		compute := func(a *Auditor, name string) {
			own := a.allot(t.Context())
			defer own.leave()
			for range 3 { // as an audit does: decode, read, check
				if err := own.computeAlone(func() { time.Sleep(time.Second); order = append(order, name) }); err != nil {
					t.Error(err)
				}
			}
		}
		for range 5 {
			go compute(a.Behind(), "behind")
		}
		synctest.Wait()
		go compute(a, "first")
		time.Sleep(time.Minute)
		synctest.Wait()
		want := "behind first behind first behind first"
		if got := strings.Join(order, " "); !strings.HasPrefix(got, want) || len(order) != 18 {
			t.Errorf("%d steps: %s", len(order), got)
		}
	})
}

func TestLargeDocumentsTakeAPlace(t *testing.T) {
	tests := []struct {
		name    string
		size    int
		coding  string
		chunked bool
		want    bool
	}{
		{"small", 1000, "", false, false},
		{"just small", largeSize, "", false, false},
		{"just large", largeSize + 1, "", false, true},
		{"just small, of a length that is not known", largeSize, "", true, false},
		{"just large, of a length that is not known", largeSize + 1, "", true, true},
		{"just small, decoded", largeSize, "gzip", false, false},
		{"just large, decoded", largeSize + 1, "gzip", false, true},
	}
	for _, test := range tests {
		page := "<!doctype html>" + strings.Repeat("x", test.size-len("<!doctype html>"))
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body := []byte(page)
			if test.coding != "" {
				w.Header().Set("Content-Encoding", test.coding)
				body = fetchtest.Encode(t, body, test.coding)
			}
			if test.chunked {
				w.WriteHeader(http.StatusOK)
				w.(http.Flusher).Flush()
			}
			w.Write(body)
		})
		a := newAuditor(t, Options{Workers: 1})
		own := allotTo(t, a)
		found, failure := a.fetchPage(own, weburl.Resolve(nil, s.URL+"/"))
		if failure != nil || string(found.Body) != page || own.hasBody != test.want {
			t.Errorf("%s: it takes a place: %t (%v)", test.name, own.hasBody, failure)
		}
		if err := own.holdDocument(test.size); err != nil || own.hasBody || (own.document > 0) != test.want {
			t.Errorf("%s: then it holds %d bytes: %v", test.name, own.document, err)
		}
	}
}

// A large document that does not come to its end keeps the next large one waiting, and no small one.
func TestSmallDocumentsPassLargeOnes(t *testing.T) {
	large := strings.Repeat("x", 2*largeSize)
	stuck, rest := make(chan struct{}), make(chan struct{})
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/stuck":
			servePage(w, large)
			w.(http.Flusher).Flush()
			close(stuck)
			<-rest
		case "/large":
			servePage(w, large)
		default:
			servePage(w, "small")
		}
	}
	a := newAuditor(t, Options{Workers: 1, SiteRequests: -1, Samples: -1})
	audits := make(chan string)
	audit := func(path string) {
		if _, err := a.Audit(t.Context(), weburl.Resolve(nil, serve(t, handler).URL+path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		audits <- path
	}
	go audit("/stuck")
	<-stuck
	go audit("/large")
	go audit("/small")
	if first := <-audits; first != "/small" {
		t.Errorf("%s ended first", first)
	}
	close(rest)
	<-audits
	<-audits
}

// An audit gives back all that it took, and takes memory for what the page links only beyond what is free.
func TestRoomsAreEmptyAfterwards(t *testing.T) {
	script := strings.Repeat("x", codeRead-1)
	for _, test := range []struct {
		page  string
		takes bool
	}{
		{"<script src=/1.js></script><script src=/2.js></script>", false},
		{"<script src=/1.js></script><script src=/2.js></script><script src=/3.js></script>" + strings.Repeat("x", largeSize), true},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				servePage(w, test.page)
				return
			}
			w.Write([]byte(script))
		})
		a := newAuditor(t, Options{SiteRequests: -1})
		own := a.allot(t.Context())
		u := weburl.Resolve(nil, s.URL+"/")
		gatherAlone(t, a, own, u)
		if (own.resources == 3*codeRead) != test.takes || (own.resources == 0) == test.takes || (own.document > 0) != test.takes {
			t.Errorf("the audit holds %d bytes of resources, %d of documents", own.resources, own.document)
		}
		own.leave()
		if r := a.rooms; !r.resources.places.TryAcquire(resourceMemory) || !r.documents.places.TryAcquire(documentMemory) || !r.bodies.places.TryAcquire(int64(a.Workers)) ||
			!r.processor.places.TryAcquire(int64(a.Workers)) || !r.windows.places.TryAcquire(largeWindows) {
			t.Error("something is still taken")
		}
	}
}
