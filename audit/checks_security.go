package audit

import (
	"crypto/tls"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/weburl"
)

// securityChecks are the checks of the section security that look at the connection and the headers.
var securityChecks = []check{
	{
		id: "https", severity: High,
		title:  "HTTPS",
		advice: "Serve the page over https; certificates are free.",
		source: "Lighthouse is-on-https",
		run:    checkHTTPS,
	},
	{
		id: "http-to-https", severity: Medium,
		title:  "Redirect from http to https",
		advice: "Redirect every http: URL to the same URL with https:.",
		source: "Lighthouse redirects-http; MDN HTTP Observatory",
		run:    checkHTTPToHTTPS,
	},
	{
		id: "tls-certificate", severity: High,
		title:  "Certificate",
		advice: "Install a valid certificate for this host and renew it automatically.",
		source: "Semrush",
		run:    checkTLSCertificate,
	},
	{
		id: "tls-version", severity: Medium,
		title:  "TLS version",
		advice: "Turn off TLS 1.0 and 1.1, and offer 1.2 and 1.3.",
		source: "Semrush",
		run:    checkTLSVersion,
	},
	{
		id: "hsts", severity: Medium,
		title:  "Strict-Transport-Security",
		advice: "Send Strict-Transport-Security: max-age=31536000; includeSubDomains.",
		source: "MDN HTTP Observatory; Lighthouse has-hsts",
		run:    checkStrictTransport,
	},
	{
		id: "csp", severity: Medium,
		title:  "Content-Security-Policy",
		advice: "Send a Content-Security-Policy that limits scripts by nonce or hash and allows neither eval nor http.",
		source: "MDN HTTP Observatory; Lighthouse csp-xss",
		run:    checkContentSecurity,
	},
	{
		id: "frame-control", severity: Medium,
		title:  "Framing by other sites",
		advice: "Send Content-Security-Policy: frame-ancestors 'self' or X-Frame-Options: SAMEORIGIN.",
		source: "MDN HTTP Observatory; Lighthouse clickjacking-mitigation",
		run:    checkFrameControl,
	},
	{
		id: "nosniff", severity: Low,
		title:  "X-Content-Type-Options",
		advice: "Send X-Content-Type-Options: nosniff.",
		source: "MDN HTTP Observatory; SEOnaut",
		run:    checkNosniff,
	},
	{
		id: "referrer-policy", severity: Low,
		title:  "Referrer-Policy",
		advice: "Send Referrer-Policy: strict-origin-when-cross-origin or a stricter one.",
		source: "MDN HTTP Observatory",
		run:    checkReferrerPolicy,
	},
	{
		id: "permissions-policy", severity: Info,
		title:  "Permissions-Policy",
		advice: "Send a Permissions-Policy that turns off the features that the page does not use.",
		source: "MDN HTTP Observatory",
		run:    checkPermissionsPolicy,
	},
	{
		id: "coop", severity: Info,
		title:  "Cross-Origin-Opener-Policy",
		advice: "Send Cross-Origin-Opener-Policy: same-origin.",
		source: "Lighthouse origin-isolation",
		run:    checkOpenerPolicy,
	},
	{
		id: "cors", severity: Medium,
		title:  "Access by other origins",
		advice: "Name the origins that may read the page with the visitor's cookies, or do not send Access-Control-Allow-Credentials.",
		source: "MDN HTTP Observatory",
		run:    checkCrossOriginAccess,
	},
	{
		id: "cookies", severity: Medium,
		title:  "Cookie attributes",
		advice: "Set session cookies with Secure and HttpOnly, and SameSite=None only together with Secure.",
		source: "MDN HTTP Observatory; webhint",
		run:    checkCookies,
	},
	{
		id: "server-signature", severity: Low,
		title:  "Software versions in headers",
		advice: "Leave version numbers out of Server, and do not send X-Powered-By or X-AspNet headers.",
		source: "webhint",
		run:    checkServerSignature,
	},
}

const (
	certificateWarning = 14 * 24 * time.Hour
	hstsFailSeconds    = 15_552_000 // half a year (MDN)
	hstsWarnSeconds    = 31_536_000 // a year (Lighthouse)
)

func checkHTTPS(f *facts) finding {
	switch {
	case f.final.Scheme() == "https":
		return pass("The page is served over https.")
	case f.final.IsLoopback():
		return notApplicable("The page is served by this machine itself.")
	}
	return fail([]Evidence{{URL: shownAddress(f.final)}}, "The page is served over http, which anyone on the way can read and change.")
}

// checkHTTPToHTTPS looks at where the http: version of the page leads: to https on the same host first, so that
// Strict-Transport-Security covers that host, and to https in the end.
func checkHTTPToHTTPS(f *facts) finding {
	variant := f.site.insecure
	if variant == nil {
		return notApplicable("The http: version of the page was not fetched.")
	}
	if failure := variant.failure; failure != nil {
		if failure.Code == CodeUnreachable || failure.Code == CodeDNS {
			return pass("Nothing answers at the http: version of the page.")
		}
		return notApplicable("The http: version of the page did not say where it leads.")
	}
	if variant.url.Scheme() != "https" {
		return fail([]Evidence{{URL: shownAddress(variant.url)}}, "The http: version of the page does not lead to https.")
	}
	for _, hop := range append(slices.Clone(variant.redirects), variant.url.String()) {
		if u := weburl.Resolve(nil, hop); u != nil && u.Scheme() == "https" {
			if u.Hostname() == f.final.Hostname() {
				return pass("The http: version of the page redirects to https.")
			}
			return fail([]Evidence{{URL: shownAddress(u)}}, "The http: version of the page first redirects to https on another host.")
		}
	}
	return fail([]Evidence{{URL: shownAddress(variant.url)}}, "The http: version of the page does not lead to https.")
}

func checkTLSCertificate(f *facts) finding {
	t := f.response.tls
	if t == nil {
		return notApplicable("The page came without TLS.")
	}
	if t.problem != "" {
		return fail(nil, "Browsers reject the certificate: %s.", strings.TrimSuffix(t.problem, "."))
	}
	left := t.notAfter.Sub(f.now)
	until := t.notAfter.UTC().Format(time.DateOnly)
	switch {
	case left <= 0:
		return fail(nil, "The certificate expired on %s.", until)
	case left < certificateWarning:
		return warn(nil, "The certificate expires on %s, in less than 14 days.", until)
	}
	return pass("The certificate is valid until %s.", until)
}

func checkTLSVersion(f *facts) finding {
	t := f.response.tls
	if t == nil {
		return notApplicable("The page came without TLS.")
	}
	if t.version < tls.VersionTLS12 {
		return fail(nil, "The page came over %s; TLS 1.2 or later is good.", tls.VersionName(t.version))
	}
	return pass("The page came over %s.", tls.VersionName(t.version))
}

// checkStrictTransport looks at the first header line only, as browsers do (RFC 6797 section 8.1).
func checkStrictTransport(f *facts) finding {
	if f.final.Scheme() != "https" {
		return notApplicable("Browsers obey Strict-Transport-Security only over https.")
	}
	lines := f.response.header.Values("Strict-Transport-Security")
	if len(lines) == 0 {
		return fail(nil, "The header is missing.")
	}
	h, err := header.ParseHSTS(lines[0])
	switch {
	case err != nil:
		return fail(headerEvidence("Strict-Transport-Security", lines[0]), "Browsers ignore the header: %v.", err)
	case h.MaxAge < hstsFailSeconds:
		return fail(headerEvidence("Strict-Transport-Security", lines[0]), "max-age is %d seconds; at least %d is good.", h.MaxAge, hstsWarnSeconds)
	case h.MaxAge < hstsWarnSeconds:
		return warn(headerEvidence("Strict-Transport-Security", lines[0]), "max-age is %d seconds; at least %d is good.", h.MaxAge, hstsWarnSeconds)
	}
	return pass("max-age is %d seconds.", h.MaxAge)
}

// headerEvidence shows a header line as it came.
func headerEvidence(name, value string) []Evidence {
	return []Evidence{{Snippet: page.CutSnippet(name + ": " + value)}}
}

// checkContentSecurity judges the policies together: one that is strict protects the page whatever the others say.
func checkContentSecurity(f *facts) finding {
	policies := f.policies()
	if len(policies) == 0 {
		if f.response.header.Get("Content-Security-Policy-Report-Only") != "" {
			return fail(nil, "There is only a policy that reports and does not protect.")
		}
		return fail(nil, "Neither a header nor a meta element sets a policy.")
	}
	weakness := ""
	for _, p := range policies {
		if weakness = policyWeakness(p); weakness == "" {
			return pass("The policy allows no inline code, eval or http.")
		}
	}
	return warn(nil, "The policy is weak: %s.", weakness)
}

// checkFrameControl heeds that frame-ancestors makes browsers ignore X-Frame-Options, and counts in headers only.
func checkFrameControl(f *facts) finding {
	declared := false
	for _, p := range header.ParseCSPHeader(f.response.header.Values("Content-Security-Policy")) {
		has, limited := p.Framing()
		if limited {
			return pass("frame-ancestors limits who may frame the page.")
		}
		declared = declared || has
	}
	if declared {
		return fail(nil, "frame-ancestors lets any site frame the page.")
	}
	value, ok := header.FrameOptions(f.response.header.Values("X-Frame-Options"))
	switch {
	case ok:
		return pass("X-Frame-Options is %s.", value)
	case value != "":
		return fail(headerEvidence("X-Frame-Options", value), "X-Frame-Options is neither DENY nor SAMEORIGIN.")
	}
	return fail(nil, "Neither X-Frame-Options nor frame-ancestors limits who may frame the page.")
}

func checkNosniff(f *facts) finding {
	value, _, _ := strings.Cut(strings.Join(f.response.header.Values("X-Content-Type-Options"), ","), ",")
	switch value = strings.TrimSpace(value); {
	case strings.EqualFold(value, "nosniff"):
		return pass("X-Content-Type-Options is nosniff.")
	case value == "":
		return fail(nil, "The header is missing.")
	}
	return fail(headerEvidence("X-Content-Type-Options", value), "X-Content-Type-Options is not nosniff.")
}

func checkReferrerPolicy(f *facts) finding {
	declared := header.ReferrerPolicy(f.response.header.Values("Referrer-Policy"))
	for _, m := range f.doc.Metas {
		if m.Name == "referrer" && !m.InBody {
			if policy := header.ReferrerPolicy([]string{m.Content}); policy != "" {
				declared = policy
			}
		}
	}
	switch declared {
	case "":
		return fail(nil, "Neither a header nor a meta element sets a referrer policy.")
	case "unsafe-url":
		return fail(nil, "The policy unsafe-url sends the full URL to every site.")
	}
	return pass("The policy is %s.", declared)
}

func checkPermissionsPolicy(f *facts) finding {
	if value := f.response.header.Get("Permissions-Policy"); strings.TrimSpace(value) != "" {
		return pass("The header is set.")
	}
	return fail(nil, "The header is missing.")
}

// checkOpenerPolicy takes unsafe-none for what it is: the same as no header.
func checkOpenerPolicy(f *facts) finding {
	value, _, _ := strings.Cut(f.response.header.Get("Cross-Origin-Opener-Policy"), ";")
	switch value = strings.ToLower(strings.TrimSpace(value)); value {
	case "same-origin", "same-origin-allow-popups", "noopener-allow-popups":
		return pass("The policy is %s.", value)
	case "":
		return fail(nil, "The header is missing.")
	}
	return fail(headerEvidence("Cross-Origin-Opener-Policy", value), "The policy does not isolate the page.")
}

// checkCrossOriginAccess judges the answer to a request without an Origin header, as the audit makes it. That shows a server that
// lets everybody in ("*" or "null" with credentials), but not one that repeats whatever origin asks.
func checkCrossOriginAccess(f *facts) finding {
	origin := strings.TrimSpace(f.response.header.Get("Access-Control-Allow-Origin"))
	credentials := strings.EqualFold(strings.TrimSpace(f.response.header.Get("Access-Control-Allow-Credentials")), "true")
	switch {
	case origin == "":
		return notApplicable("No other origin may read the page.")
	case credentials && (origin == "*" || origin == "null"):
		return fail(headerEvidence("Access-Control-Allow-Origin", origin), "Any origin may read the page with the visitor's cookies.")
	case credentials:
		return pass("%s may read the page with the visitor's cookies.", cutText(origin, 200))
	}
	return pass("%s may read the page without the visitor's cookies.", cutText(origin, 200))
}

func checkCookies(f *facts) finding {
	set := header.ParseCookies(f.response.header.Values("Set-Cookie"))
	var weak tally
	for _, c := range set {
		if weakness := cookieWeakness(c); weakness != "" {
			weak.add(Evidence{Snippet: page.CutSnippet("Set-Cookie: " + c.Name + ": " + weakness)})
		}
	}
	switch {
	case len(set) == 0:
		return notApplicable("The page sets no cookies.")
	case weak.count > 0:
		return fail(weak.evidence, "%s.", share(weak.count, len(set), "cookie", "cookies", "is poorly protected"))
	}
	return pass("%s.", every(len(set), "cookie", "cookies", "is well protected"))
}

func checkServerSignature(f *facts) finding {
	var told tally
	for _, name := range sortedNames(f.response.header) {
		lower := strings.ToLower(name)
		for _, value := range f.response.header[name] {
			if lower == "server" && hasVersion(value) || lower == "x-powered-by" || strings.HasPrefix(lower, "x-aspnet") {
				told.add(headerEvidence(name, value)[0])
			}
		}
	}
	if told.count > 0 {
		return fail(told.evidence, "%s.", counted(told.count, "header", "headers", "gives away the server's software"))
	}
	return pass("No header gives away the version of the server's software.")
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
// it. The digit of a name (AmazonS3, gws2) is none.
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
