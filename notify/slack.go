package notify

import (
	"strings"
	"time"
)

// Slack's limits of the texts in a block, and ours of the link in one.
const (
	slackHeader  = 150
	slackSection = 3000
	slackField   = 2000
	slackLink    = 2500 // a URL of 500 with each character escaped
)

type slackText struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji *bool  `json:"emoji,omitempty"` // of plain text: whether :smile: becomes a picture
}

type slackBlock struct {
	Type   string      `json:"type"`
	Text   *slackText  `json:"text,omitempty"`
	Fields []slackText `json:"fields,omitempty"`
}

type slackMessage struct {
	Text        string       `json:"text"` // of notifications
	Mrkdwn      bool         `json:"mrkdwn"`
	UnfurlLinks bool         `json:"unfurl_links"`
	Blocks      []slackBlock `json:"blocks"`
}

// postSlack writes blocks of plain text, in which Slack knows no formatting. Only the link to Sitegrade is in its markup.
func postSlack(_ Target, m Message, _ time.Time) (post, error) {
	c := contentOf(m)
	message := slackMessage{Text: slackEscape(c.title, slackSection)}
	add := func(kind, text string, limit int) {
		if text != "" {
			message.Blocks = append(message.Blocks, slackBlock{Type: kind, Text: slackPlain(text, limit)})
		}
	}
	add("header", c.title, slackHeader)
	add("section", strings.Join(c.lead(), "\n"), slackSection)
	if len(c.facts) > 0 {
		block := slackBlock{Type: "section"}
		for _, f := range c.facts {
			block.Fields = append(block.Fields, *slackPlain(f.Name+": "+f.Value, slackField))
		}
		message.Blocks = append(message.Blocks, block)
	}
	add("section", bullets(c.problems), slackSection)
	if c.link != "" && length(c.link) <= slackLink/len("&amp;") {
		link := "<" + strings.ReplaceAll(slackEscape(c.link, slackLink), "|", "%7C") + "|" + slackAction(c.action) + ">"
		message.Blocks = append(message.Blocks, slackBlock{Type: "section", Text: &slackText{Type: "mrkdwn", Text: link}})
	}
	body, err := encode(message)
	return post{body: body}, err
}

func slackPlain(text string, limit int) *slackText {
	return &slackText{Type: "plain_text", Text: slackEscape(text, limit), Emoji: new(bool)}
}

// slackAction returns what a link says, without the characters that have a meaning in mrkdwn.
func slackAction(text string) string {
	return slackEscape(strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_~`|", r) {
			return ' '
		}
		return r
	}, text), maxTitle)
}

// slackEscape escapes the three characters that Slack reads in every text: mentions and links begin with "<".
func slackEscape(s string, limit int) string {
	return fit(s, limit, func(r rune) string {
		switch r {
		case '&':
			return "&amp;"
		case '<':
			return "&lt;"
		case '>':
			return "&gt;"
		}
		return string(r)
	})
}
