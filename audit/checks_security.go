package audit

import (
	"crypto/tls"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitegrade/fetch"
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
		return passText("The page is served over https.")
	case f.final.IsLoopback():
		return notApplicableText("The page is served by this machine itself.")
	}
	return failText([]Evidence{{URL: shownAddress(f.final)}}, "The page is served over http, which anyone on the way can read and change.")
}

// checkHTTPToHTTPS looks at where the http: version of the page leads: to https on the same host first, so that
// Strict-Transport-Security covers that host, and to https in the end.
func checkHTTPToHTTPS(f *facts) finding {
	variant := f.site.insecure
	if variant == nil {
		return notApplicableText("The http: version of the page was not fetched.")
	}
	if failure := variant.Failure; failure != nil {
		if failure.Code == fetch.CodeUnreachable || failure.Code == fetch.CodeDNS {
			return passText("Nothing answers at the http: version of the page.")
		}
		return notApplicableText("The http: version of the page did not say where it leads.")
	}
	if variant.URL.Scheme() != "https" {
		return failText([]Evidence{{URL: shownAddress(variant.URL)}}, "The http: version of the page does not lead to https.")
	}
	first := variant.URL
	if len(variant.Redirects) > 1 {
		first = weburl.Resolve(nil, variant.Redirects[1])
	}
	switch {
	case first == nil || first.Scheme() != "https":
		return failText([]Evidence{{URL: variant.Redirects[1]}}, "The first redirect of the http: version of the page stays at http.")
	case first.Hostname() != f.final.Hostname():
		return failText([]Evidence{{URL: shownAddress(first)}}, "The http: version of the page first redirects to https on another host.")
	}
	return passText("The http: version of the page redirects to https.")
}

func checkTLSCertificate(f *facts) finding {
	t := f.response.TLS
	if t == nil {
		return notApplicableText("The page came without TLS.")
	}
	if t.Problem != "" {
		return failText(nil, "Browsers reject the certificate: %s.", strings.TrimSuffix(t.Problem, "."))
	}
	left := t.NotAfter.Sub(f.now)
	until := t.NotAfter.UTC().Format(time.DateOnly)
	switch {
	case left <= 0:
		return failText(nil, "The certificate expired on %s.", until)
	case left < certificateWarning:
		return warnText(nil, "The certificate expires on %s, in less than 14 days.", until)
	}
	return passText("The certificate is valid until %s.", until)
}

func checkTLSVersion(f *facts) finding {
	t := f.response.TLS
	if t == nil {
		return notApplicableText("The page came without TLS.")
	}
	if t.Version < tls.VersionTLS12 {
		return failText(nil, "The page came over %s; TLS 1.2 or later is good.", tls.VersionName(t.Version))
	}
	return passText("The page came over %s.", tls.VersionName(t.Version))
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
		return failText(told.evidence, "%s.", counted(told.count, "header", "headers", "gives away the server's software"))
	}
	return passText("No header gives away the version of the server's software.")
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
