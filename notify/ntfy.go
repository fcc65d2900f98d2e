package notify

import (
	"net/url"
	"strings"
	"time"

	"sitegrade/weburl"
)

// maxNtfy is how many bytes a message may have before ntfy makes an attachment of it.
const maxNtfy = 4096

// ntfy's priorities, of 1 to 5.
const (
	ntfyDefault = 3
	ntfyHigh    = 4
)

type ntfyMessage struct {
	Topic    string   `json:"topic"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Tags     []string `json:"tags"`
	Priority int      `json:"priority"`
	Click    string   `json:"click,omitempty"`
}

// postNtfy publishes as JSON, which has room for every character, unlike headers. JSON goes to the server, and names the topic within.
func postNtfy(to Target, m Message, _ time.Time) (post, error) {
	server, topic, err := ntfyTopic(to.URL)
	if err != nil {
		return post{}, err
	}
	c := contentOf(m)
	message := ntfyMessage{Topic: topic, Title: c.title, Tags: []string{"warning"}, Priority: ntfyHigh, Click: c.link}
	if c.good {
		message.Tags, message.Priority = []string{"white_check_mark"}, ntfyDefault
	}
	lines := c.lead()
	for _, f := range c.facts {
		lines = append(lines, f.Name+": "+f.Value)
	}
	if text := bullets(c.problems); text != "" {
		lines = append(lines, text)
	}
	message.Message = fit(strings.Join(lines, "\n"), maxNtfy/3, unescaped) // a unit is 3 bytes at most
	body, err := encode(message)
	return post{url: server, body: body}, err
}

// ntfyTopic parts the URL of a topic, whose path ends in its name. A query, which may hold a token, stays at the server's.
func ntfyTopic(target string) (server *weburl.URL, topic string, err error) {
	u, err := weburl.Parse(target)
	if err != nil {
		return nil, "", err
	}
	slash := strings.LastIndexByte(u.Path(), '/')
	topic, err = url.PathUnescape(u.Path()[slash+1:])
	if err != nil || !isID(topic) {
		return nil, "", errTopic
	}
	rest := strings.TrimPrefix(u.Target(), u.Path())
	server, err = weburl.Parse(u.Origin() + u.Path()[:slash+1] + rest)
	return server, topic, err
}
