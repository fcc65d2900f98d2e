package notify

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// maxDigest is how many messages one mail shows; the others are counted.
const maxDigest = 50

// maxSubject is how long the subject of a mail may be.
const maxSubject = 200

// letter is a mail before it is written: what several messages say, under one subject.
type letter struct {
	subject  string
	lang     string
	brand    Brand
	contents []content
	more     int // messages that are not shown
}

// letterOf returns the mail about messages, of which there is at least one.
func letterOf(brand Brand, subject string, messages []Message) letter {
	l := letter{
		subject: line(subject, maxSubject), lang: line(messages[0].Summary.Lang, maxFactName),
		brand: Brand{
			Name: line(brand.Name, 100), Footer: line(brand.Footer, 500), Color: colorOf(brand.Color), URL: linkTo(brand.URL),
			Logo: brand.Logo, LogoType: brand.LogoType,
		},
		more: max(len(messages)-maxDigest, 0),
	}
	for _, m := range messages[:min(len(messages), maxDigest)] {
		l.contents = append(l.contents, contentOf(m))
	}
	if l.subject == "" {
		l.subject = l.contents[0].title
	}
	if l.brand.Name == "" {
		l.brand.Name = "Sitegrade"
	}
	return l
}

// text returns the mail as plain text.
func (l letter) text() string {
	var b strings.Builder
	for _, c := range l.contents {
		b.WriteString(c.title + "\n")
		for _, l := range c.lead() {
			b.WriteString("\n" + l + "\n")
		}
		for i, f := range c.facts {
			b.WriteString(strings.Repeat("\n", max(1-i, 0)) + f.Name + ": " + f.Value + "\n")
		}
		if len(c.problems) > 0 {
			b.WriteString("\n" + bullets(c.problems) + "\n")
		}
		if c.link != "" {
			b.WriteString("\n" + c.action + ": " + c.link + "\n")
		}
		b.WriteString("\n----\n\n")
	}
	if l.more > 0 {
		fmt.Fprintf(&b, "+%d\n\n", l.more)
	}
	for _, s := range []string{l.brand.Name, l.brand.Footer, l.brand.URL} {
		if s != "" {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

// logoID is the Content-ID of the logo, by which the HTML of a mail refers to it.
const logoID = "logo"

// html returns the mail as a page without scripts, without pictures but the brand's logo, which comes with it, and without links other than to
// the pages audited, to Sitegrade and to the brand.
func (l letter) html() string {
	var p page
	p.raw("<!doctype html>\n<html")
	p.attribute("lang", l.lang)
	p.raw(`><head><meta charset="utf-8">`)
	p.element("title", l.subject)
	p.raw("</head>\n" + `<body style="margin:0;padding:16px;background:#ffffff;color:#1a1a1a;font:16px/1.5 sans-serif"><div`)
	p.attribute("style", "max-width:40em;margin:auto;border-top:4px solid "+l.brand.Color)
	p.raw(">\n")
	if l.brand.Logo != nil {
		p.raw(`<p><img src="cid:` + logoID + `" height="48" style="height:48px;width:auto"`)
		p.attribute("alt", l.brand.Name)
		p.raw("></p>\n")
	}
	for _, c := range l.contents {
		p.content(c)
	}
	if l.more > 0 {
		p.element("p", fmt.Sprintf("+%d", l.more))
	}
	p.raw(`<hr><p style="color:#555555">`)
	p.link(l.brand.URL, l.brand.Name)
	p.raw("</p>\n")
	p.element("p", l.brand.Footer)
	p.raw("</div></body></html>\n")
	return p.String()
}

// page is HTML that is being written. Whatever is given as text is escaped.
type page struct{ strings.Builder }

func (p *page) raw(html string) { p.WriteString(html) }

func (p *page) text(s string) { p.WriteString(html.EscapeString(s)) }

// element writes a text within an element, nothing for no text.
func (p *page) element(name, text string) {
	if text == "" {
		return
	}
	p.raw("<" + name + ">")
	p.text(text)
	p.raw("</" + name + ">\n")
}

// attribute writes one, nothing for an empty one.
func (p *page) attribute(name, value string) {
	if value == "" {
		return
	}
	p.raw(" " + name + `="`)
	p.text(value)
	p.raw(`"`)
}

// link writes a text that leads to a URL, or the text alone where there is no URL.
func (p *page) link(to, text string) {
	if to == "" {
		p.text(text)
		return
	}
	p.raw("<a")
	p.attribute("href", to)
	p.raw(">")
	p.text(text)
	p.raw("</a>")
}

func (p *page) content(c content) {
	p.element("h2", c.title)
	p.element("p", c.text)
	if c.page != "" {
		p.raw("<p>")
		p.link(c.pageLink, c.page)
		p.raw("</p>\n")
	}
	if c.score != "" {
		p.raw(fmt.Sprintf(`<p style="font-size:24px;font-weight:bold;color:#%06X">`, c.color()))
		p.text(c.score)
		p.raw("</p>\n")
	}
	if len(c.facts) > 0 {
		p.raw("<table>\n")
		for _, f := range c.facts {
			p.raw(`<tr><th align="left" scope="row">`)
			p.text(f.Name)
			p.raw("</th><td>")
			p.text(f.Value)
			p.raw("</td></tr>\n")
		}
		p.raw("</table>\n")
	}
	if len(c.problems) > 0 {
		p.raw("<ul>\n")
		for _, problem := range c.problems {
			p.element("li", problem)
		}
		p.raw("</ul>\n")
	}
	if c.link != "" {
		p.raw("<p>")
		p.link(c.link, c.action)
		p.raw("</p>\n")
	}
}

var colorPattern = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

// colorOf returns a colour as CSS has it, and grey for what is not one.
func colorOf(s string) string {
	if colorPattern.MatchString(s) {
		return s
	}
	return "#555555"
}
