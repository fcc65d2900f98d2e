package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitegrade/fetch"
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
	Slack:    postSlack,
	Discord:  postDiscord,
	Teams:    postTeams,
	Ntfy:     postNtfy,
}

func (s *Sender) send(ctx context.Context, to Target, m Message, now time.Time) Outcome {
	if to.Format == Email {
		return s.sendMail(ctx, to, m.Summary.Title, []Message{m}, now)
	}
	u, err := weburl.Parse(to.URL)
	if err != nil {
		return Outcome{Detail: err.Error()}
	}
	write, known := posts[to.Format]
	if !known {
		return Outcome{Detail: "There is no such format."}
	}
	p, err := write(to, m, now)
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
	text := strings.TrimSuffix(err.Error(), ".")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// encode returns the JSON of a message for people. Unlike json.Marshal it leaves < > & alone, which would take six bytes each.
func encode(message any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(message)
	return b.Bytes(), err
}

// Check says why a target cannot be: a sentence about its URL, for people; nil when it can. A host name may still turn out to lead to a
// network that the server does not contact.
func (s *Sender) Check(to Target) error {
	switch to.Format {
	case Email:
		if s.mail == nil {
			return errNoMail
		}
		_, err := recipient(to.URL)
		return err
	case Ntfy:
		if _, _, err := ntfyTopic(to.URL); err != nil {
			return err
		}
	}
	u, err := weburl.Parse(to.URL)
	if err == nil && s.client.Forbidden(u) {
		err = errForbidden
	}
	return err
}

// The errors of Check are sentences, as those of weburl are.
type targetError string

func (e targetError) Error() string { return string(e) }

const (
	errNoMail    = targetError("This server sends no mail: smtp_url and smtp_from are not in its configuration.")
	errForbidden = targetError("The address " + fetch.ForbiddenDetail + ".")
	errRecipient = targetError("The address must be one mail address, such as mailto:team@example.com.")
	errTopic     = targetError("The address must end in the name of a topic of ntfy, such as https://ntfy.sh/sitegrade.")
)
