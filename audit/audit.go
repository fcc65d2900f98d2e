// Package audit fetches one page, checks it against the table of checks and rates it. It knows no storage, and it is the
// only package that makes requests to other machines.
package audit

import (
	"context"
	"errors"
	"net/netip"
	"time"
)

// Options are the limits of an audit. The zero value of a field means the default that its comment names.
type Options struct {
	Timeout       time.Duration  // for the whole audit; 30 s
	MaxSize       int64          // bytes of the decoded document; 10 MiB
	MaxHeader     int64          // bytes of response headers; 64 KiB
	MaxRedirects  int            // 10
	SiteRequests  int            // class b requests to the site; 6; negative: none
	Samples       int            // class c resources; 60; negative: none
	CheckExternal bool           // broken-links looks at links to other hosts too; false
	AllowNetworks []netip.Prefix // networks that may be dialled beside public addresses; none
	UserAgent     string         // "Sitegrade/1 (+https://github.com/...)"-like, set in the code
	Now           func() time.Time
}

// An Auditor makes audits. It is safe for concurrent use and keeps connections between audits of one host.
type Auditor struct {
	Options
}

// New gives an auditor with these limits.
func New(o Options) *Auditor { return &Auditor{Options: o} }

// Audit fetches the page at address, checks it and rates it. The error is a *Failure when the page could not be audited, and
// ctx's own error when the caller ended it.
func (a *Auditor) Audit(ctx context.Context, address string) (*Report, error) {
	return nil, errors.New("not written yet")
}
