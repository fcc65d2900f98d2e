package notify

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Mailer hands mails to the SMTP server of the configuration. The operator chose that server, and it may well be in a private network: it is
// dialled without the guard that stands before all that users name.
type Mailer struct {
	host     string
	port     int
	user     string // "" for none
	password string
	security security
	from     *mail.Address
	roots    *x509.CertPool // nil: the system's
}

// security is how the connection to the SMTP server is encrypted.
type security string

const (
	implicit security = "tls"      // from the first byte
	required security = "required" // STARTTLS, or no mail
	offered  security = "offered"  // STARTTLS where the server offers it
	never    security = "never"
)

// The ports of RFC 8314 and RFC 6409.
const (
	implicitPort   = 465
	submissionPort = 587
)

// NewMailer returns a mailer for an SMTP server and the address that its mails come from ("reports@example.com", "Sitegrade
// <reports@example.com>").
//
// The server is written smtp://host, with STARTTLS at port 587, or smtps://host, with TLS at port 465; a user name and password stand before
// the host, percent-encoded. With a password STARTTLS is required, without one it is used where the server offers it, and at the machine
// itself there is none. "?starttls=required" and "?starttls=never" say otherwise; never excludes a password, but for the machine itself.
// The error says what would be right, and nothing of the password.
func NewMailer(server, from string) (*Mailer, error) {
	u, err := url.Parse(server)
	switch {
	case err != nil: // whose text holds the password
		return nil, errors.New("smtp_url is not a URL; it is like smtp://user:password@mail.example.com:587, with special characters of the password percent-encoded")
	case u.Scheme != "smtp" && u.Scheme != "smtps":
		return nil, errors.New("smtp_url must begin with smtp:// (STARTTLS) or smtps:// (TLS)")
	case u.Hostname() == "":
		return nil, errors.New("smtp_url must name a host")
	case u.Path != "" && u.Path != "/" || u.Fragment != "":
		return nil, errors.New("smtp_url must have nothing after the host and the port but ?starttls=required or ?starttls=never")
	}
	m := &Mailer{host: u.Hostname(), user: u.User.Username()}
	m.password, _ = u.User.Password()
	if m.port, err = portOf(u); err != nil {
		return nil, err
	}
	if m.security, err = m.securityOf(u); err != nil {
		return nil, err
	}
	if m.from, err = mail.ParseAddress(from); err != nil || !isMailbox(m.from.Address) {
		return nil, fmt.Errorf("smtp_from must be a mail address, such as sitegrade@example.com, not %q", from)
	}
	return m, nil
}

func portOf(u *url.URL) (int, error) {
	switch {
	case u.Port() != "":
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil || port == 0 {
			return 0, errors.New("the port of smtp_url must be from 1 to 65535")
		}
		return int(port), nil
	case u.Scheme == "smtps":
		return implicitPort, nil
	}
	return submissionPort, nil
}

func (m *Mailer) securityOf(u *url.URL) (security, error) {
	query, err := url.ParseQuery(u.RawQuery)
	chosen := security(query.Get("starttls"))
	switch {
	case err != nil || u.RawQuery != "" && chosen != required && chosen != never || len(query) > 1:
		return "", errors.New("the query of smtp_url must be starttls=required or starttls=never")
	case u.Scheme == "smtps" && chosen != "":
		return "", errors.New("smtp_url must not name starttls with smtps://, which is encrypted from the beginning")
	case chosen == never && m.user != "" && !m.isLocal():
		return "", errors.New("smtp_url must not send a password without encryption: leave starttls=never out, or the user and password")
	case u.Scheme == "smtps":
		return implicit, nil
	case chosen != "":
		return chosen, nil
	case m.isLocal():
		return never, nil
	case m.user != "":
		return required, nil
	}
	return offered, nil
}

// isLocal reports whether the server is on this machine, so that nothing it is told leaves it.
func (m *Mailer) isLocal() bool {
	ip, err := netip.ParseAddr(m.host)
	return strings.EqualFold(m.host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// maxAddress is how long a mail address may be (RFC 5321 section 4.5.3.1).
const maxAddress = 254

// isMailbox reports whether an address, without a name, is one that mail goes to: ASCII, without spaces and quotes, which few servers know.
func isMailbox(address string) bool {
	local, domain, found := strings.Cut(address, "@")
	return found && local != "" && domain != "" && len(address) <= maxAddress && !strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),:;<>[]\`, r)
	}) && !strings.Contains(domain, "@")
}

// recipient returns the address of a mailto: URL, which names one and nothing else.
func recipient(target string) (string, error) {
	scheme, rest, _ := strings.Cut(target, ":")
	address, err := url.PathUnescape(rest)
	if !strings.EqualFold(scheme, "mailto") || err != nil || !isMailbox(address) || strings.ContainsAny(address, "?&") {
		return "", errRecipient
	}
	return address, nil
}
