package cli

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// dial opens a connection to the server's port that is closed when the test ends.
func dial(t *testing.T, s *server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// TestIdleConnectionsHoldNobodyUp opens a thousand connections that say nothing, or half of a request, while another client is answered.
func TestIdleConnectionsHoldNobodyUp(t *testing.T) {
	s := startServer(t, func(*settings) {})
	for i := range 1000 {
		conn := dial(t, s)
		if i%2 == 0 {
			if _, err := io.WriteString(conn, "GET /livez HTTP/1.1\r\nHost: slow\r\nX-Half: "); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 10 {
		if status, _ := get(t, s.address()+"/livez"); status != http.StatusOK {
			t.Fatalf("beside idle connections a client gets %d", status)
		}
	}
}

// TestSlowRequestsAreCutOff sends a request head byte by byte for longer than it may take.
func TestSlowRequestsAreCutOff(t *testing.T) {
	t.Parallel() // it mostly waits
	if testing.Short() {
		t.Skip("takes as long as a head may")
	}
	s := startServer(t, func(*settings) {})
	conn := dial(t, s)
	if err := conn.SetDeadline(time.Now().Add(headerTimeout + 5*time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "GET /livez HTTP/1.1\r\nHost: slow\r\n"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, err := io.ReadAll(conn)
	if took := time.Since(began); errors.Is(err, os.ErrDeadlineExceeded) || took > headerTimeout+2*time.Second {
		t.Errorf("half a head is waited for %v (%v)", took, err)
	}
}

func TestLargeHeadersAreRefused(t *testing.T) {
	s := startServer(t, func(*settings) {})
	request, err := http.NewRequest(http.MethodGet, s.address()+"/livez", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Large", strings.Repeat("x", 2*maxHeader))
	conn := dial(t, s)
	go request.Write(conn) // the server may close before it has read all
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("large headers give %d", response.StatusCode)
	}
}

// TestConnectionsOverTheLimitWait has a second client come while one connection is all that may be open.
func TestConnectionsOverTheLimitWait(t *testing.T) {
	s := startServer(t, func(s *settings) { s.MaxConnections = 1 })
	first, second := dial(t, s), dial(t, s)
	served := make(chan error, 1)
	ask(t, first)
	go func() {
		_, err := io.WriteString(second, "GET /livez HTTP/1.1\r\nHost: second\r\nConnection: close\r\n\r\n")
		if err == nil {
			_, err = io.ReadAll(second)
		}
		served <- err
	}()
	ask(t, first)
	select {
	case err := <-served:
		t.Fatalf("a second connection is served beside the first: %v", err)
	default:
	}
	first.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// ask has a request answered over a connection that stays open.
func ask(t *testing.T, conn net.Conn) {
	t.Helper()
	if _, err := io.WriteString(conn, "GET /livez HTTP/1.1\r\nHost: first\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
}
