package audit

import (
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// Failure is why an audit has no report, and Code names it. Who keeps and shows reports has both from here, since it knows nothing of
// requests.
type (
	Failure = fetch.Failure
	Code    = fetch.Code
)

// The codes of a Failure, as fetch tells them.
const (
	CodeDNS          = fetch.CodeDNS
	CodeTimeout      = fetch.CodeTimeout
	CodeRedirectLoop = fetch.CodeRedirectLoop
	CodeNotHTML      = fetch.CodeNotHTML
	CodeUnreachable  = fetch.CodeUnreachable
)

// ForbiddenDetail says of a URL that is Forbidden what would be right.
const ForbiddenDetail = fetch.ForbiddenDetail

// Forbidden reports whether the host of a URL is an IP address that the auditor will not contact. Of a name only the connection itself
// can tell.
func (a *Auditor) Forbidden(u *weburl.URL) bool { return a.client.Forbidden(u) }
