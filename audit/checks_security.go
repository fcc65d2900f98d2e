package audit

import (
	"crypto/tls"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitegrade/fetch"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// securityChecks are the checks of the section security that look at the connection and the headers.
var securityChecks = []check{
	{
		id: "https", severity: High,
		source: "Lighthouse is-on-https",
		run:    checkHTTPS,
	},
	{
		id: "http-to-https", severity: Medium,
		source: "Lighthouse redirects-http; MDN HTTP Observatory",
		needs:  needsInsecure,
		run:    checkHTTPToHTTPS,
	},
	{
		id: "tls-certificate", severity: High,
		source: "Semrush",
		run:    checkTLSCertificate,
	},
	{
		id: "tls-version", severity: Medium,
		source: "Semrush",
		run:    checkTLSVersion,
	},
	{
		id: "hsts", severity: Medium,
		source: "MDN HTTP Observatory; Lighthouse has-hsts",
		run:    checkStrictTransport,
	},
	{
		id: "csp", severity: Medium,
		source: "MDN HTTP Observatory; Lighthouse csp-xss",
		run:    checkContentSecurity,
	},
	{
		id: "frame-control", severity: Medium,
		source: "MDN HTTP Observatory; Lighthouse clickjacking-mitigation",
		run:    checkFrameControl,
	},
	{
		id: "nosniff", severity: Low,
		source: "MDN HTTP Observatory; SEOnaut",
		run:    checkNosniff,
	},
	{
		id: "referrer-policy", severity: Low,
		source: "MDN HTTP Observatory",
		run:    checkReferrerPolicy,
	},
	{
		id: "permissions-policy", severity: Info,
		source: "MDN HTTP Observatory",
		run:    checkPermissionsPolicy,
	},
	{
		id: "coop", severity: Info,
		source: "Lighthouse origin-isolation",
		run:    checkOpenerPolicy,
	},
	{
		id: "cors", severity: Medium,
		source: "MDN HTTP Observatory",
		needs:  needsForeign,
		run:    checkCrossOriginAccess,
	},
	{
		id: "cookies", severity: Medium,
		source: "MDN HTTP Observatory; webhint",
		run:    checkCookies,
	},
	{
		id: "server-signature", severity: Low,
		source: "webhint",
		run:    checkServerSignature,
	},
}

const certificateWarning = 14 * 24 * time.Hour

func checkHTTPS(f *facts) finding {
	switch {
	case f.final.Scheme() == "https":
		return pass("https.https")
	case f.final.IsLoopback():
		return notApplicable("https.own-machine")
	}
	return fail([]Evidence{{URL: shownAddress(f.final)}}, "https.http")
}

// checkHTTPToHTTPS looks at where the http: version of the page leads: to https on the same host first, so that
// Strict-Transport-Security covers that host, and to https in the end.
func checkHTTPToHTTPS(f *facts) finding {
	variant := f.site.insecure
	if variant == nil {
		return notApplicable("http-to-https.unfetched")
	}
	if failure := variant.Failure; failure != nil {
		if failure.Code == fetch.CodeUnreachable || failure.Code == fetch.CodeDNS {
			return pass("http-to-https.nobody")
		}
		return notApplicable("http-to-https.unknown")
	}
	if variant.URL.Scheme() != "https" {
		return fail([]Evidence{{URL: shownAddress(variant.URL)}}, "http-to-https.stays")
	}
	first := variant.URL
	if len(variant.Redirects) > 1 {
		first = weburl.Resolve(nil, variant.Redirects[1])
	}
	switch {
	case first == nil || first.Scheme() != "https":
		return fail([]Evidence{{URL: variant.Redirects[1]}}, "http-to-https.http-first")
	case first.Hostname() != f.final.Hostname():
		return fail([]Evidence{{URL: shownAddress(first)}}, "http-to-https.other-host")
	}
	return pass("http-to-https.redirects")
}

func checkTLSCertificate(f *facts) finding {
	t := f.response.TLS
	if t == nil {
		return notApplicable("common.no-tls")
	}
	if t.Problem != "" {
		return fail(nil, "tls-certificate.rejected", locale.Worded(t.Problem))
	}
	left := t.NotAfter.Sub(f.now)
	until := locale.Date(t.NotAfter)
	switch {
	case left <= 0:
		return fail(nil, "tls-certificate.expired", until)
	case left < certificateWarning:
		return warn(nil, "tls-certificate.expires", until)
	}
	return pass("tls-certificate.valid", until)
}

func checkTLSVersion(f *facts) finding {
	t := f.response.TLS
	if t == nil {
		return notApplicable("common.no-tls")
	}
	if t.Version < tls.VersionTLS12 {
		return fail(nil, "tls-version.old", locale.Text(tls.VersionName(t.Version)))
	}
	return pass("tls-version.good", locale.Text(tls.VersionName(t.Version)))
}

func checkServerSignature(f *facts) finding {
	var told tally
	for _, name := range sortedNames(f.response.Header) {
		lower := strings.ToLower(name)
		for _, value := range f.response.Header[name] {
			if lower == "server" && hasVersion(value) || lower == "x-powered-by" || strings.HasPrefix(lower, "x-aspnet") {
				told.add(headerEvidence(name, value)[0])
			}
		}
	}
	if told.count > 0 {
		return fail(told.evidence, "server-signature.told", locale.Count(told.count))
	}
	return pass("server-signature.silent")
}

func sortedNames(h http.Header) []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hasVersion reports whether a Server value has version digits: a number after a slash, a space or "v", or one with a point in
// it. A digit that is part of a name (AmazonS3, gws2) is no version.
func hasVersion(server string) bool {
	for i := range len(server) {
		if server[i] < '0' || server[i] > '9' || i == 0 {
			continue
		}
		before := server[i-1]
		if before == '/' || before == ' ' || before == 'v' || before == '.' && i > 1 && server[i-2] >= '0' && server[i-2] <= '9' {
			return true
		}
	}
	return false
}
