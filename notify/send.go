package notify

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitegrade/weburl"
)

// post is a request that delivers a message. Header and url are those of the format where it needs some.
type post struct {
	url    *weburl.URL // nil for that of the target
	header http.Header
	body   []byte
}

// posts makes a request of a message, for each format that goes over HTTP.
var posts = map[Format]func(to Target, m Message, now time.Time) (post, error){
	Standard: postStandard,
}

func (s *Sender) send(ctx context.Context, to Target, m Message, now time.Time) Outcome {
	u, err := weburl.Parse(to.URL)
	if err != nil {
		return Outcome{Detail: err.Error()}
	}
	write, known := posts[to.Format]
	if !known {
		return Outcome{Detail: "There is no such format."}
	}
	p, err := write(to, m, now)
	if err == nil && len(p.body) >= maxBody {
		err = fmt.Errorf("the message has %d bytes; it must have fewer than %d", len(p.body), maxBody)
	}
	if err != nil {
		return Outcome{Detail: sentence(err)}
	}
	if p.url == nil {
		p.url = u
	}
	return s.post(ctx, p, now)
}

// post makes the request.
func (s *Sender) post(ctx context.Context, p post, now time.Time) Outcome {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set("Content-Type", "application/json")
	response, failure := s.client.Post(ctx, p.url, p.header, p.body)
	if failure != nil {
		return Outcome{Detail: failure.Detail}
	}
	return Outcome{
		Status:     response.Status,
		Detail:     statusDetail(response.Status),
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), now),
		Gone:       response.Status == http.StatusGone,
		Delivered:  isSuccess(response.Status),
	}
}

func isSuccess(status int) bool { return status >= 200 && status <= 299 }

// statusDetail says why a response is no success, "" if it is one.
func statusDetail(status int) string {
	switch {
	case isSuccess(status):
		return ""
	case status == http.StatusGone:
		return "The receiver responded 410 Gone: it wants no more messages."
	case status >= 300 && status <= 399:
		return fmt.Sprintf("The receiver responded %d, a redirect. The webhook must have the address that receives.", status)
	}
	return strings.TrimSuffix(fmt.Sprintf("The receiver responded %d %s", status, http.StatusText(status)), " ") + "."
}

// sentence returns an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
