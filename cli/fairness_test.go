package cli

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	silentHosts   = 38
	silentReports = 32 // of each host
)

// TestSilentHostsOfOthersDoNotDelayAPage queues a thousand reports of hosts that take connections and never respond, and then one page of another
// account. It must be asked for while all of them are still waited for.
func TestSilentHostsOfOthersDoNotDelayAPage(t *testing.T) {
	p := newProgram(t)
	p.start()
	arrived := make(chan struct{}, silentHosts*silentReports)
	var lines strings.Builder
	for range silentHosts {
		address := newSilentHost(t, arrived)
		for i := range silentReports {
			fmt.Fprintf(&lines, `{"kind":"report","url":"http://%s/%d"}`+"\n", address, i)
		}
	}
	p.load("other", lines.String())
	for range 4 * auditsPerWorker / 2 { // all that one account may have
		<-arrived
	}
	asked := make(chan time.Time, 1)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- time.Now()
		fmt.Fprint(w, "<!doctype html><title>A page</title>")
	}))
	defer page.Close()
	began := time.Now()
	id := p.create(page.URL + "/")
	select {
	case at := <-asked:
		t.Logf("behind %d reports of %d silent hosts a page of another account is asked for after %v", silentHosts*silentReports, silentHosts, at.Sub(began))
	case <-time.After(20 * time.Second): // the silent hosts have 30
		t.Fatal("the page of another account waits for hosts that never respond")
	}
	for status := ""; status != "done"; status = p.status("/reports/" + id) {
		if status == "failed" {
			t.Fatal("the page could not be audited")
		}
	}
	p.kill()
}

// newSilentHost takes connections, says so, and never writes a byte.
func newSilentHost(t *testing.T, arrived chan<- struct{}) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			arrived <- struct{}{}
		}
	}()
	return listener.Addr().String()
}
