package notify

import (
	"strings"
	"time"
)

// Our limits of the texts in an embed. Discord's are 256, 4,096, 25 fields of 256 and 1,024, and 6,000 in all; these stay below.
const (
	discordTitle       = 256
	discordDescription = 2500
	discordName        = 60
	discordValue       = 150
)

type discordField struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Inline bool   `json:"inline"`
}

type discordAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

type discordEmbed struct {
	Author      *discordAuthor `json:"author,omitempty"`
	Title       string         `json:"title"`
	URL         string         `json:"url,omitempty"`
	Description string         `json:"description,omitempty"`
	Color       int            `json:"color"`
	Timestamp   string         `json:"timestamp"`
	Fields      []discordField `json:"fields,omitempty"`
}

// discordMentions says whom a message may call: an empty list is nobody.
type discordMentions struct {
	Parse []string `json:"parse"`
}

type discordMessage struct {
	Embeds          []discordEmbed  `json:"embeds"`
	AllowedMentions discordMentions `json:"allowed_mentions"`
}

func postDiscord(_ Target, m Message, _ time.Time) (post, error) {
	c := contentOf(m)
	embed := discordEmbed{
		Title: discordEscape(c.title, discordTitle), URL: c.link, Color: c.color(), Timestamp: m.Time.UTC().Format(timeFormat),
	}
	if c.page != "" { // shown without markdown
		embed.Author = &discordAuthor{fit(c.page, discordTitle, unescaped), c.pageLink}
		c.page = ""
	}
	text := strings.Join(append(c.lead(), bullets(c.problems)), "\n")
	embed.Description = strings.TrimSpace(discordEscape(text, discordDescription))
	for _, f := range c.facts {
		embed.Fields = append(embed.Fields, discordField{discordEscape(f.Name, discordName), discordEscape(f.Value, discordValue), true})
	}
	body, err := encode(discordMessage{[]discordEmbed{embed}, discordMentions{[]string{}}})
	return post{body: body}, err
}

// discordEscape escapes what has a meaning in Discord's markdown, also that of links, mentions and pictures.
func discordEscape(s string, limit int) string {
	return fit(s, limit, func(r rune) string {
		if strings.ContainsRune("\\*_~`|#-+[]()<>:@", r) {
			return `\` + string(r)
		}
		return string(r)
	})
}
