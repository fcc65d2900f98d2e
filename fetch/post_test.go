package fetch

import (
	"io"
	"net/http"
	"testing"
	"time"

	"sitegrade/weburl"
)

// A receiver that says nothing, or begins a body and goes silent, is left when the time of a post is over; a status that came counts.
func TestPostIsLimitedInTime(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Header().Set("Content-Length", "10")
			w.WriteHeader(http.StatusAccepted)
			w.(http.Flusher).Flush()
		}
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	c := newClient(t, Options{})
	if c.postLimit != 15*time.Second {
		t.Errorf("a post may take %v", c.postLimit)
	}
	c.postLimit = 50 * time.Millisecond
	if _, failure := c.Post(t.Context(), weburl.Resolve(nil, s.URL), http.Header{}, []byte("x")); failure == nil || failure.Code != CodeTimeout {
		t.Errorf("silence is %v", failure)
	}
	response, failure := c.Post(t.Context(), weburl.Resolve(nil, s.URL+"/body"), http.Header{}, []byte("x"))
	if failure != nil || response.Status != http.StatusAccepted {
		t.Errorf("half a body is %+v, %v", response, failure)
	}
}

// Posts one after the other take one connection, when responses say how long they are.
func TestPostsShareAConnection(t *testing.T) {
	clients := map[string]bool{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clients[r.RemoteAddr] = true
		w.Header().Set("Set-Cookie", "a=b")
		if r.Header.Get("Cookie") != "" || r.Method != http.MethodPost {
			t.Errorf("%s with the cookie %q", r.Method, r.Header.Get("Cookie"))
		}
		io.WriteString(w, "thank you")
	})
	c := newClient(t, Options{})
	for range 3 {
		if _, failure := c.Post(t.Context(), weburl.Resolve(nil, s.URL), http.Header{}, []byte("x")); failure != nil {
			t.Fatal(failure)
		}
	}
	if len(clients) != 1 {
		t.Errorf("%d connections were made, want 1", len(clients))
	}
}
