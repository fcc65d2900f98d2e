package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sitegrade/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newSender returns a sender that may reach this machine.
func newSender(t testing.TB, o fetch.Options, mail *Mailer) *Sender {
	t.Helper()
	o.AllowNetworks = append(o.AllowNetworks, netip.MustParsePrefix("127.0.0.0/8"))
	client := fetch.New(o)
	t.Cleanup(client.Close)
	return New(client, mail)
}

// delivery is a request that came to a receiver.
type delivery struct {
	method, target string
	header         http.Header
	body           []byte
}

// receiver is a server that keeps what comes.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	came []delivery
}

// receive starts a receiver, which responds as respond does, 200 without one.
func receive(t testing.TB, respond http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		r.came = append(r.came, delivery{request.Method, request.RequestURI, request.Header, body})
		r.mu.Unlock()
		if respond != nil {
			respond(w, request)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// only returns what came, which must be one request.
func (r *receiver) only(t testing.TB) delivery {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.came) != 1 {
		t.Fatalf("%d requests came, want 1", len(r.came))
	}
	return r.came[0]
}

// deliver sends a message, which must arrive.
func deliver(t testing.TB, s *Sender, to Target, m Message, now time.Time) {
	t.Helper()
	if o := s.Send(t.Context(), to, m, now); !o.Delivered || o.Detail != "" || o.Took <= 0 {
		t.Fatalf("%+v", o)
	}
}

// regressed is a message as the server would send it.
func regressed() Message {
	old, now := 82, 63
	return Message{
		ID: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", Type: "report.regressed", Time: noon, Data: json.RawMessage(`{"report": {"id": "r1"}}`),
		Summary: Summary{
			Title: "example.com got worse", Text: "Two checks broke.", URL: "https://example.com/a?b=1&c=2", Link: "https://grade.example/r/1",
			Action: "Open the report", Old: &old, New: &now, Facts: []Fact{{"Problems", "7"}}, Problems: []string{"No title", "No HTTPS"}, Lang: "en",
		},
	}
}
