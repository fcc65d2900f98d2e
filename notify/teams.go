package notify

import (
	"strings"
	"time"
)

// teamsRun is a piece of text. Unlike a TextBlock it knows no markdown, so its text cannot become a link or anything else.
type teamsRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Size   string `json:"size,omitempty"`
	Weight string `json:"weight,omitempty"`
	Color  string `json:"color,omitempty"`
}

type teamsBlock struct {
	Type    string     `json:"type"`
	Inlines []teamsRun `json:"inlines"`
}

type teamsAction struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

type teamsCard struct {
	Schema       string        `json:"$schema"`
	Type         string        `json:"type"`
	Version      string        `json:"version"`
	FallbackText string        `json:"fallbackText"`
	Body         []teamsBlock  `json:"body"`
	Actions      []teamsAction `json:"actions,omitempty"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	ContentURL  *string   `json:"contentUrl"`
	Content     teamsCard `json:"content"`
}

type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

// postTeams writes an Adaptive Card for the Workflows of Teams, which take 28 KB at most; a whole summary is shorter.
func postTeams(_ Target, m Message, _ time.Time) (post, error) {
	c := contentOf(m)
	card := teamsCard{
		Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.4",
		FallbackText: teamsText(c.title),
	}
	add := func(runs ...teamsRun) { card.Body = append(card.Body, teamsBlock{"RichTextBlock", runs}) }
	color := "attention"
	if c.good {
		color = "good"
	}
	add(teamsRun{"TextRun", teamsText(c.title), "large", "bolder", color})
	for _, l := range c.lead() {
		add(teamsRun{Type: "TextRun", Text: teamsText(l)})
	}
	for _, f := range c.facts {
		add(teamsRun{Type: "TextRun", Text: teamsText(f.Name) + ": ", Weight: "bolder"}, teamsRun{Type: "TextRun", Text: teamsText(f.Value)})
	}
	for _, p := range c.problems {
		add(teamsRun{Type: "TextRun", Text: "• " + teamsText(p)})
	}
	if c.link != "" {
		card.Actions = []teamsAction{{"Action.OpenUrl", teamsText(c.action), c.link}}
	}
	body, err := encode(teamsMessage{"message", []teamsAttachment{{"application/vnd.microsoft.card.adaptive", nil, card}}})
	return post{body: body}, err
}

// teamsText parts the signs that begin the functions and bindings of a card, and the mentions of a message.
func teamsText(s string) string {
	return strings.NewReplacer("{{", "{ {", "${", "$ {", "<at", "< at").Replace(s)
}
