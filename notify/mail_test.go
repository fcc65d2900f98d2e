package notify

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"sitegrade/fetch"
)

var team = Target{URL: "mailto:team@example.com", Format: Email}

// read returns the parts of a mail: its header, its text and its HTML.
func read(t *testing.T, data []byte) (header mail.Header, text, html string) {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	var texts []string
	for _, want := range []string{"text/plain; charset=UTF-8", "text/html; charset=UTF-8"} {
		part, err := parts.NextRawPart()
		if err != nil || part.Header.Get("Content-Type") != want {
			t.Fatalf("%v, %v", part, err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.ReplaceAll(string(body), "\r\n", "\n"))
	}
	if _, err := parts.NextRawPart(); err != io.EOF {
		t.Errorf("there is a third part, or %v", err)
	}
	return m.Header, texts[0], texts[1]
}

func TestMail(t *testing.T) {
	server := serveSMTP(t, false, nil)
	s := newSender(t, fetch.Options{}, server.mailer(t, "smtp", "", ""))
	to := team
	to.Brand = Brand{Name: "Acme", Footer: "Acme Ltd <1>", Color: "#0a0", URL: "https://acme.example/"}
	deliver(t, s, to, regressed(), noon)
	m := server.only(t)
	header, text, page := read(t, m.data)
	if !strings.HasPrefix(m.from, "FROM:<sitegrade@sender.example>") || m.to != "TO:<team@example.com>" {
		t.Errorf("from %s to %s", m.from, m.to)
	}
	for name, want := range map[string]string{
		"From": `"Sitegrade" <sitegrade@sender.example>`, "To": "<team@example.com>", "Subject": "example.com got worse",
		"Date": "Sat, 21 Nov 2026 12:00:00 +0000", "Message-Id": "<" + regressed().ID + "@sender.example>", "Auto-Submitted": "auto-generated",
		"User-Agent": "", "X-Mailer": "",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	const want = `example.com got worse

Two checks broke.

https://example.com/a?b=1&c=2

82 → 63

Problems: 7

• No title
• No HTTPS

Open the report: https://grade.example/r/1

----

Acme
Acme Ltd <1>
https://acme.example/
`
	if text != want {
		t.Errorf("the text is %q\nwant %q", text, want)
	}
	has(t, []string{page}, `<html lang="en">`, `<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>`, "solid #0a0",
		`<a href="https://grade.example/r/1">Open the report</a>`, `<a href="https://acme.example/">Acme</a>`, "Acme Ltd &lt;1&gt;", "82 → 63", "<li>No HTTPS</li>")
}

// No text of a page becomes a header, a tag, a link or a command.
func TestHostileMail(t *testing.T) {
	known := []string{"html", "head", "meta", "title", "body", "div", "h2", "p", "a", "table", "tbody", "tr", "th", "td", "ul", "li", "hr"}
	for _, text := range hostile {
		server := serveSMTP(t, false, nil)
		s := newSender(t, fetch.Options{}, server.mailer(t, "smtp", "", ""))
		to := team
		to.Brand = Brand{Name: text, Footer: text, Color: text, URL: text}
		m := hostileMessage(text)
		m.ID, m.Summary.Lang, m.Summary.Action, m.Summary.Link = text, text, text, text
		deliver(t, s, to, m, noon)
		got := server.only(t)
		header, plain, page := read(t, got.data)
		if len(header) != 8 || header.Get("Bcc") != "" || !strings.HasSuffix(header.Get("Message-Id"), "@sender.example>") || got.to != "TO:<team@example.com>" {
			t.Errorf("%.40q becomes the header %v", text, header)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
		if err != nil || length(subject) > maxSubject || strings.ContainsFunc(subject, unicode.IsControl) {
			t.Errorf("%.40q becomes the subject %q, %v", text, subject, err)
		}
		if strings.ContainsFunc(plain+page, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%.40q leaves control characters", text)
		}
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && !slices.Contains(known, n.Data) {
				t.Errorf("%.40q becomes <%s>", text, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "href" && !strings.HasPrefix(a.Val, "https://example.com/") || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%.40q becomes %s=%q", text, a.Key, a.Val)
				}
			}
		}
	}
}

func TestDigest(t *testing.T) {
	server := serveSMTP(t, false, nil)
	s := newSender(t, fetch.Options{}, server.mailer(t, "smtp", "", ""))
	var messages []Message
	for i := range 53 {
		m := regressed()
		m.ID, m.Summary.Title = fmt.Sprintf("msg_%d", i), fmt.Sprintf("Site %d got worse", i)
		messages = append(messages, m)
	}
	for range 2 {
		if o := s.SendDigest(t.Context(), team, "53 news\r\nBcc: x@y.z", messages, noon); !o.Delivered {
			t.Fatalf("%+v", o)
		}
	}
	header, text, page := read(t, server.mails[0].data)
	if header.Get("Subject") != "53 news Bcc: x@y.z" {
		t.Errorf("the subject is %q", header.Get("Subject"))
	}
	for _, body := range []string{text, page} {
		if strings.Count(body, "got worse") < 50 || !strings.Contains(body, "Site 49 got") || strings.Contains(body, "Site 50 got") || !strings.Contains(body, "+3") {
			t.Errorf("%s", body)
		}
	}
	again, _, _ := read(t, server.mails[1].data)
	if again.Get("Message-Id") != header.Get("Message-Id") {
		t.Error("the same digest has another Message-ID when sent again")
	}
}

// Encryption is used and demanded as smtp_url says, and a password travels only within it, or on this machine.
func TestMailSecurity(t *testing.T) {
	password := "PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00me\x00p@ss"))
	for _, c := range []struct {
		scheme, user, query           string
		implicit, starttls, untrusted bool
		delivered, encrypted          bool
		auth, says                    string
	}{
		{scheme: "smtp", starttls: true, delivered: true}, // on this machine there is no need
		{scheme: "smtp", query: "?starttls=required", starttls: true, delivered: true, encrypted: true},
		{scheme: "smtp", query: "?starttls=required", says: "does not offer the encryption"},
		{scheme: "smtp", query: "?starttls=required", starttls: true, untrusted: true, says: "certificate"},
		{scheme: "smtp", user: "me:p%40ss@", delivered: true, auth: password},
		{scheme: "smtp", user: "me:p%40ss@", query: "?starttls=required", starttls: true, delivered: true, encrypted: true, auth: password},
		{scheme: "smtps", user: "me:p%40ss@", implicit: true, delivered: true, encrypted: true, auth: password},
		{scheme: "smtps", implicit: true, untrusted: true, says: "certificate"},
	} {
		server := serveSMTP(t, c.implicit, func(s *smtpServer) { s.starttls = c.starttls })
		mailer := server.mailer(t, c.scheme, c.user, c.query)
		if c.untrusted {
			mailer.roots = nil
		}
		o := newSender(t, fetch.Options{}, mailer).Send(t.Context(), team, regressed(), noon)
		if o.Delivered != c.delivered || !strings.Contains(o.Detail, c.says) || strings.Contains(o.Detail, "p@ss") {
			t.Errorf("%+v: %+v", c, o)
		}
		if !c.delivered && len(server.mails) > 0 {
			t.Errorf("%+v: a mail came", c)
		}
		if c.delivered {
			if m := server.only(t); m.encrypted != c.encrypted || m.auth != c.auth {
				t.Errorf("%+v: encrypted %v, auth %q", c, m.encrypted, m.auth)
			}
		}
	}
}

// STARTTLS that is only offered is taken, also from a server elsewhere; 127.0.0.1 stands for one here.
func TestMailOfferedSecurity(t *testing.T) {
	for _, offered := range []bool{true, false} {
		server := serveSMTP(t, false, func(s *smtpServer) { s.starttls = offered })
		mailer := server.mailer(t, "smtp", "", "")
		mailer.security = "offered"
		deliver(t, newSender(t, fetch.Options{}, mailer), team, regressed(), noon)
		if server.only(t).encrypted != offered {
			t.Errorf("offered %v, encrypted %v", offered, !offered)
		}
	}
}

func TestMailFailures(t *testing.T) {
	for _, c := range []struct {
		replies map[string]string
		user    string
		status  int
		says    string
	}{
		{map[string]string{"RCPT": "550 5.1.1 No such user hunter2"}, "", 550, "The mail server refused the mail (550)."},
		{map[string]string{"MAIL": "451 later hunter2"}, "", 451, "refused the mail (451)"},
		{map[string]string{"DATA": "554 no hunter2"}, "", 554, "refused the mail (554)"},
		{map[string]string{"AUTH": "535 5.7.8 wrong hunter2"}, "me:hunter2@", 535, "user name and password (535)"},
		{map[string]string{"EHLO": "421 hunter2", "HELO": "421 hunter2"}, "", 421, "421"},
	} {
		server := serveSMTP(t, false, func(s *smtpServer) { s.replies = c.replies })
		s := newSender(t, fetch.Options{}, server.mailer(t, "smtp", c.user, ""))
		o := s.Send(t.Context(), team, regressed(), noon)
		if o.Delivered || o.Status != c.status || !strings.Contains(o.Detail, c.says) || strings.Contains(o.Detail, "hunter2") || strings.Contains(o.Detail, "team@") {
			t.Errorf("%v: %+v", c.replies, o)
		}
	}
}

// A mail that the server has taken is delivered, whatever the server says to the goodbyes.
func TestMailTakenIsDelivered(t *testing.T) {
	server := serveSMTP(t, false, func(s *smtpServer) { s.replies = map[string]string{"RSET": "421 bye", "QUIT": "500 what"} })
	deliver(t, newSender(t, fetch.Options{}, server.mailer(t, "smtp", "", "")), team, regressed(), noon)
	server.only(t)
}

func TestMailServerThatIsNotThere(t *testing.T) {
	silent := serveSMTP(t, false, func(s *smtpServer) { s.silent = true })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	o := newSender(t, fetch.Options{}, silent.mailer(t, "smtp", "", "")).Send(ctx, team, regressed(), noon)
	if o.Delivered || o.Detail != "The mail server did not respond in time." {
		t.Errorf("%+v", o)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	m, err := NewMailer("smtp://"+listener.Addr().String(), "a@b.c")
	if err != nil {
		t.Fatal(err)
	}
	if o := New(nil, m).Send(t.Context(), team, regressed(), noon); o.Delivered || o.Detail != "The mail server could not be reached." {
		t.Errorf("%+v", o)
	}
	if o := New(nil, nil).Send(t.Context(), team, regressed(), noon); o.Delivered || !strings.Contains(o.Detail, "smtp_url") {
		t.Errorf("%+v", o)
	}
}
