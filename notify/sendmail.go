package notify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// mailTimeout is how long handing over one mail may take in all.
const mailTimeout = 15 * time.Second

// SendDigest makes one attempt to deliver several messages, of which there is at least one, as one mail under a subject; it is for targets of
// the format Email, whose receivers want one mail a minute at most. It shows the first 50 and counts the others.
func (s *Sender) SendDigest(ctx context.Context, to Target, subject string, messages []Message, now time.Time) Outcome {
	started := time.Now() // only to measure with
	outcome := s.sendMail(ctx, to, subject, messages, now)
	outcome.Took = time.Since(started)
	return outcome
}

func (s *Sender) sendMail(ctx context.Context, to Target, subject string, messages []Message, now time.Time) Outcome {
	if s.mail == nil {
		return Outcome{Detail: errNoMail.Error()}
	}
	address, err := recipient(to.URL)
	if err != nil {
		return Outcome{Detail: err.Error()}
	}
	mail, err := s.mail.write(letterOf(to.Brand, subject, messages), address, messageID(messages), now)
	if err != nil {
		return Outcome{Detail: "The mail could not be written."} // the error names the address
	}
	err = s.mail.hand(ctx, mail)
	if mail.IsDelivered() {
		return Outcome{Delivered: true} // the server has it, however the connection ended
	}
	return mailFailure(err)
}

// messageID returns the left part of the Message-ID: the same for the same messages, so that a mail that arrives twice can be known.
func messageID(messages []Message) string {
	if len(messages) == 1 && isID(messages[0].ID) {
		return messages[0].ID
	}
	sum := sha256.New()
	for _, m := range messages {
		fmt.Fprintf(sum, "%s\n", m.ID)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// write returns a mail as text and as HTML.
func (m *Mailer) write(l letter, to, id string, now time.Time) (*mail.Msg, error) {
	_, domain, _ := strings.Cut(m.from.Address, "@")
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(m.from)
	if err := msg.To(to); err != nil {
		return nil, err
	}
	msg.Subject(l.subject)
	msg.SetDateWithValue(now)
	msg.SetMessageIDWithValue(id + "@" + domain)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody's out-of-office is to reply
	msg.SetBodyString(mail.TypeTextPlain, l.text())
	msg.AddAlternativeString(mail.TypeTextHTML, l.html())
	if l.brand.Logo == nil {
		return msg, nil
	}
	name := logoID + "." + strings.TrimPrefix(l.brand.LogoType, "image/")
	return msg, msg.EmbedReader(name, bytes.NewReader(l.brand.Logo), mail.WithFileContentID("<"+logoID+">"), mail.WithFileContentType(mail.ContentType(l.brand.LogoType)))
}

// hand gives a mail to the server. The connection is closed when hand returns, and when ctx ends, both of which the library leaves to others.
func (m *Mailer) hand(ctx context.Context, msg *mail.Msg) error {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := m.dial(dialing, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
	client, err := mail.NewClient(m.host, append(m.options(), mail.WithDialContextFunc(dial))...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // in place of the error of a connection that was closed
	}
	return err
}

// dial connects to the server, with TLS where that is to be from the first byte.
func (m *Mailer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if m.security == implicit {
		return (&tls.Dialer{Config: m.tls()}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

func (m *Mailer) tls() *tls.Config {
	return &tls.Config{ServerName: m.host, RootCAs: m.roots, MinVersion: tls.VersionTLS12}
}

// policies says what the library is to do about STARTTLS. A connection that has TLS already it finds out by itself, unless told never.
var policies = map[security]mail.TLSPolicy{
	implicit: mail.TLSOpportunistic, required: mail.TLSMandatory, offered: mail.TLSOpportunistic, never: mail.NoTLS,
}

func (m *Mailer) options() []mail.Option {
	options := []mail.Option{
		mail.WithPort(m.port), mail.WithTimeout(mailTimeout), mail.WithTLSConfig(m.tls()), mail.WithTLSPolicy(policies[m.security]),
	}
	if m.user == "" {
		return options
	}
	way := mail.SMTPAuthAutoDiscover
	if m.security == never { // on this machine
		way = mail.SMTPAuthPlainNoEnc
	}
	return append(options, mail.WithSMTPAuth(way), mail.WithUsername(m.user), mail.WithPassword(m.password))
}

// mailFailure says why a mail was not taken, with the code of the server but not with its words, which may hold addresses.
func mailFailure(err error) Outcome {
	var (
		refused     *mail.SendError
		reply       *textproto.Error
		certificate *tls.CertificateVerificationError
		network     net.Error
		dialing     *net.OpError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.As(err, &network) && network.Timeout():
		return Outcome{Detail: "The mail server did not respond in time."}
	case errors.As(err, &refused) && refused.ErrorCode() != 0:
		return Outcome{Status: refused.ErrorCode(), Detail: fmt.Sprintf("The mail server refused the mail (%d).", refused.ErrorCode())}
	case errors.As(err, &reply):
		return Outcome{Status: reply.Code, Detail: fmt.Sprintf("The mail server refused the connection or the user name and password (%d).", reply.Code)}
	case errors.As(err, &certificate):
		return Outcome{Detail: "The certificate of the mail server is not valid for its name, or no known authority has signed it."}
	case errors.As(err, &dialing) && dialing.Op == "dial":
		return Outcome{Detail: "The mail server could not be reached."}
	}
	return Outcome{Detail: "The mail server broke off, or does not offer the encryption or the sign-in that smtp_url asks for."}
}
