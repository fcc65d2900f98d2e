package audit

import (
	"crypto/tls"
	"testing"
	"time"

	"sitegrade/fetch"
)

func TestSecurityChecks(t *testing.T) {
	runCheckCases(t, securityChecks, append(connectionCases(), headerCases()...), []string{
		"csp", "frame-control", "nosniff", "referrer-policy", "permissions-policy", "coop", "server-signature",
	}, nil)
}

func connectionCases() []checkCase {
	insecure := func(got fetch.Result, hops ...string) func(*facts) {
		return func(f *facts) { got.Redirects = hops; f.site.insecure = &got }
	}
	certificate := func(left time.Duration) func(*facts) {
		return func(f *facts) { f.response.TLS.NotAfter = testTime.Add(left) }
	}
	version := func(v uint16) func(*facts) { return func(f *facts) { f.response.TLS.Version = v } }
	const day = 24 * time.Hour
	const secure, plain = "https://example.com/shop/page", "http://example.com/shop/page"
	return []checkCase{
		{id: "https", name: "https", want: Passed},
		{id: "https", name: "http", change: at(plain), want: Failed},
		{id: "https", name: "loopback by name", change: at("http://localhost:8080/"), want: NotApplicable},
		{id: "https", name: "loopback by number", change: at("http://[::1]/"), want: NotApplicable},
		{id: "https", name: "a private address", change: at("http://10.0.0.1/"), want: Failed},
		{id: "http-to-https", name: "redirects", change: insecure(answer(secure, 200, "", ""), plain), want: Passed},
		{id: "http-to-https", name: "over its own host to another", want: Passed,
			change: insecure(answer("https://www.example.com/", 200, "", ""), plain, secure)},
		{id: "http-to-https", name: "nothing answers", change: insecure(noAnswer()), want: Passed},
		{id: "http-to-https", name: "too slow", change: insecure(fetch.Result{Failure: &Failure{Code: CodeTimeout}}), want: NotApplicable},
		{id: "http-to-https", name: "by way of http", change: insecure(answer(secure, 200, "", ""), plain, "http://www.example.com/"), want: Failed, detail: "stays at http"},
		{id: "http-to-https", name: "stays", change: insecure(answer(plain, 200, "", "")), want: Failed},
		{id: "http-to-https", name: "another host first", change: insecure(answer("https://www.example.com/", 200, "", ""), plain), want: Failed},
		{id: "http-to-https", name: "not fetched", want: NotApplicable},
		{id: "tls-certificate", name: "valid", change: certificate(14 * day), want: Passed, detail: "4 December 2026"},
		{id: "tls-certificate", name: "nearly expired", change: certificate(14*day - time.Second), want: Warning},
		{id: "tls-certificate", name: "expired", change: certificate(0), want: Failed},
		{id: "tls-certificate", name: "refused", want: Failed, detail: "it is for other.example",
			change: func(f *facts) { f.response.TLS.Problem = "it is for other.example." }},
		{id: "tls-certificate", name: "no TLS", change: at(plain), want: NotApplicable},
		{id: "tls-version", name: "1.2", change: version(tls.VersionTLS12), want: Passed, detail: "TLS 1.2"},
		{id: "tls-version", name: "1.1", change: version(tls.VersionTLS11), want: Failed},
		{id: "tls-version", name: "no TLS", change: at(plain), want: NotApplicable},
		{id: "hsts", name: "a year", change: with("Strict-Transport-Security", "max-age=31536000"), want: Passed},
		{id: "hsts", name: "quoted and unknown directives", change: with("Strict-Transport-Security", `foo="a;b"; max-age="31536000"; preload`), want: Passed},
		{id: "hsts", name: "the first header counts", change: with("Strict-Transport-Security", "max-age=31536000", "max-age=0"), want: Passed},
		{id: "hsts", name: "half a year", change: with("Strict-Transport-Security", "max-age=15552000"), want: Warning},
		{id: "hsts", name: "short", change: with("Strict-Transport-Security", "max-age=15551999"), want: Failed},
		{id: "hsts", name: "no max-age", change: with("Strict-Transport-Security", "includeSubDomains"), want: Failed, detail: "max-age is missing"},
		{id: "hsts", name: "no number", change: with("Strict-Transport-Security", "max-age=1y"), want: Failed},
		{id: "hsts", name: "twice", change: with("Strict-Transport-Security", "max-age=31536000; max-age=31536000"), want: Failed},
		{id: "hsts", name: "joined headers", change: with("Strict-Transport-Security", "max-age=31536000, max-age=31536000"), want: Failed},
		{id: "hsts", name: "more than fits", change: with("Strict-Transport-Security", "max-age=99999999999999999999"), want: Passed},
		{id: "hsts", name: "switched off", change: with("Strict-Transport-Security", "max-age=0"), want: Failed, detail: "forget"},
		{id: "hsts", name: "a certificate that browsers reject", want: Failed, detail: "certificate",
			change: all(with("Strict-Transport-Security", "max-age=31536000"), func(f *facts) { f.response.TLS.Problem = "it has expired" })},
		{id: "hsts", name: "missing", want: Failed},
		{id: "hsts", name: "http", change: all(at(plain), with("Strict-Transport-Security", "max-age=1")), want: NotApplicable},
	}
}

func headerCases() []checkCase {
	const meta = `<head><meta http-equiv="Content-Security-Policy" content="`
	csp := func(lines ...string) func(*facts) { return with("Content-Security-Policy", lines...) }
	return []checkCase{
		{id: "csp", name: "strict", change: csp("default-src 'self'; script-src 'nonce-abcdefgh'; base-uri 'none'"), want: Passed},
		{id: "csp", name: "nothing at all", change: csp("default-src 'none'; base-uri 'none'"), want: Passed},
		{id: "csp", name: "in the page", html: meta + `default-src 'self'; base-uri 'self'">`, want: Passed},
		{id: "csp", name: "inline with a hash", change: csp("default-src 'self'; script-src 'unsafe-inline' 'sha256-abc='; base-uri 'self'"), want: Passed},
		{id: "csp", name: "inline and everything, ignored", want: Passed,
			change: csp("script-src 'strict-dynamic' 'nonce-abcdefgh' 'unsafe-inline' http: https: *; object-src 'none'; base-uri 'self'")},
		{id: "csp", name: "one of two is strict", change: csp("script-src *", "script-src 'none'; object-src 'none'; base-uri 'none'"), want: Passed},
		{id: "csp", name: "each closes what the other leaves open", change: csp("script-src 'self'; object-src *", "object-src 'none'; base-uri 'none'"), want: Passed},
		{id: "csp", name: "header and meta together", html: meta + `object-src 'none'; script-src *">`, change: csp("script-src 'self'; base-uri 'self'"), want: Passed},
		{id: "csp", name: "two in a line", change: csp("default-src 'unsafe-inline', default-src 'self'; base-uri 'self'"), want: Passed},
		{id: "csp", name: "inline styles", change: csp("default-src 'self'; style-src 'unsafe-inline'; base-uri 'self'"), want: Passed},
		{id: "csp", name: "scripts of its own for elements", want: Passed,
			change: csp("default-src *; script-src-elem 'self'; script-src-attr 'none'; script-src 'none'; object-src 'none'; base-uri 'none'")},
		{id: "csp", name: "inline", change: csp("default-src 'self' 'UNSAFE-INLINE'"), want: Warning, detail: "default-src allows inline code"},
		{id: "csp", name: "inline in both of two", change: csp("default-src 'unsafe-inline'", "default-src 'self' 'unsafe-inline'"), want: Warning, detail: "inline"},
		{id: "csp", name: "inline beside a broken nonce", change: csp("default-src 'self' 'unsafe-inline' 'nonce-'"), want: Warning, detail: "inline"},
		{id: "csp", name: "inline elements", change: csp("default-src 'self'; script-src-elem 'unsafe-inline'"), want: Warning, detail: "script-src-elem allows inline"},
		{id: "csp", name: "inline handlers", change: csp("default-src 'self'; script-src-attr 'unsafe-inline'"), want: Warning, detail: "script-src-attr allows inline"},
		{id: "csp", name: "eval", change: csp("script-src 'self' 'unsafe-eval'"), want: Warning, detail: "eval"},
		{id: "csp", name: "eval beside a nonce", change: csp("default-src 'none'; base-uri 'none'; script-src 'nonce-abcdefgh' 'unsafe-eval'"), want: Warning, detail: "eval"},
		{id: "csp", name: "any host", change: csp("default-src 'none'; script-src *"), want: Warning, detail: "script-src allows any host (*)"},
		{id: "csp", name: "any https host", change: csp("default-src https:"), want: Warning, detail: "(https:)"},
		{id: "csp", name: "any https host with stars", change: csp("default-src https://*:*"), want: Warning, detail: "any host"},
		{id: "csp", name: "any https host beside a nonce", change: csp("default-src 'none'; base-uri 'none'; script-src 'nonce-abcdefgh' https:"), want: Warning},
		{id: "csp", name: "data: as a script", change: csp("default-src 'none'; script-src data:"), want: Warning, detail: "data:"},
		{id: "csp", name: "data: as an image", change: csp("default-src 'none'; img-src data: *; base-uri 'none'"), want: Passed},
		{id: "csp", name: "any plugin", change: csp("default-src 'none'; object-src https:"), want: Warning, detail: "object-src allows any host"},
		{id: "csp", name: "no word of plugins", change: csp("script-src 'none'"), want: Warning, detail: "object-src is missing"},
		{id: "csp", name: "any base", change: csp("default-src 'none'; base-uri *"), want: Warning, detail: "base-uri allows any host"},
		{id: "csp", name: "no word of the base", change: csp("default-src 'self'"), want: Warning, detail: "base-uri is missing, so that a <base> can send relative"},
		{id: "csp", name: "no word of the base beside a nonce", change: csp("default-src 'none'; script-src 'nonce-abcdefgh'"), want: Warning, detail: "trusted scripts"},
		{id: "csp", name: "the base in one of two", change: csp("default-src 'self'", "base-uri 'self'"), want: Passed},
		{id: "csp", name: "http", change: csp("default-src 'self'; img-src http://a.example"), want: Warning, detail: "img-src"},
		{id: "csp", name: "ftp for frames", change: csp("default-src 'none'; frame-ancestors ftp://a.example"), want: Warning, detail: "ftp"},
		{id: "csp", name: "http that another policy forbids", change: csp("default-src 'self'; img-src http:", "img-src 'self'; base-uri 'self'"), want: Passed},
		{id: "csp", name: "a host of AngularJS", change: csp("default-src 'self'; script-src https://*.googleapis.com"), want: Warning, detail: "any host"},
		{id: "csp", name: "a library of AngularJS", change: csp("default-src 'self'; script-src cdnjs.cloudflare.com"), want: Warning, detail: "AngularJS"},
		{id: "csp", name: "another library there", change: csp("default-src 'self'; script-src cdnjs.cloudflare.com/ajax/libs/jquery/; base-uri 'self'"), want: Passed},
		{id: "csp", name: "callbacks", change: csp("default-src 'self'; script-src *.google.com"), want: Warning, detail: "callback"},
		{id: "csp", name: "scripts not limited", change: csp("frame-ancestors 'none'"), want: Warning, detail: "neither script-src nor default-src"},
		{id: "csp", name: "elements limited alone", change: csp("script-src-elem 'self'; object-src 'none'"), want: Warning, detail: "script-src is missing"},
		{id: "csp", name: "the first of two directives", change: csp("default-src 'unsafe-eval'; default-src 'none'"), want: Warning, detail: "eval"},
		{id: "csp", name: "a directive twice", change: csp("default-src 'none'; default-src 'none'"), want: Warning, detail: "twice"},
		{id: "csp", name: "an unknown directive", change: csp("default-src 'none'; scrip-src 'self'"), want: Warning, detail: "scrip-src is no directive"},
		{id: "csp", name: "an old directive", change: csp("default-src 'none'; reflected-xss block"), want: Warning, detail: "reflected-xss does nothing"},
		{id: "csp", name: "directives that browsers dropped", want: Warning, detail: "has mistakes: block-all-mixed-content does nothing",
			change: csp("default-src 'self'; base-uri 'none'; block-all-mixed-content; plugin-types a/b; require-sri-for script; navigate-to 'self'")},
		{id: "csp", name: "none beside others", change: csp("default-src 'none' https://a.example"), want: Warning, detail: "'none' in default-src"},
		{id: "csp", name: "none alone", change: csp("default-src 'NONE'; base-uri 'none'; img-src 'none'"), want: Passed},
		{id: "csp", name: "whatever anybody publishes", change: csp("default-src 'self'; script-src https://cdn.skypack.dev"), want: Warning, detail: "is weak"},
		{id: "csp", name: "no semicolon", change: csp("default-src 'self' script-src 'none'"), want: Warning, detail: "semicolon is missing in default-src"},
		{id: "csp", name: "no quotes", change: csp("default-src self"), want: Warning, detail: "understand self in default-src"},
		{id: "csp", name: "a short nonce", change: csp("default-src 'none'; base-uri 'none'; script-src 'nonce-abc'"), want: Warning, detail: "3 characters"},
		{id: "csp", name: "strict-dynamic alone", change: csp("default-src 'none'; script-src 'strict-dynamic'"), want: Warning, detail: "no script run"},
		{id: "csp", name: "an address", change: csp("default-src 'self' 8.8.8.8"), want: Warning, detail: "8.8.8.8"},
		{id: "csp", name: "reports only", change: with("Content-Security-Policy-Report-Only", "default-src 'self'"), want: Failed, detail: "reports"},
		{id: "csp", name: "empty", change: csp(" ; "), want: Failed},
		{id: "csp", name: "in the page, where it does not count", html: meta + `frame-ancestors 'none'; sandbox">`, want: Failed},
		{id: "csp", name: "in the body", html: `<body><meta http-equiv="Content-Security-Policy" content="default-src 'self'">`, want: Failed},
		{id: "csp", name: "none", want: Failed},
		{id: "frame-control", name: "X-Frame-Options", change: with("X-Frame-Options", "sameorigin"), want: Passed, detail: "only the site itself"},
		{id: "frame-control", name: "the same twice", change: with("X-Frame-Options", "DENY", "DENY"), want: Passed},
		{id: "frame-control", name: "frame-ancestors", change: csp("frame-ancestors 'self'"), want: Passed},
		{id: "frame-control", name: "empty frame-ancestors", change: csp("frame-ancestors"), want: Passed},
		{id: "frame-control", name: "one of two policies", change: csp("frame-ancestors *", "frame-ancestors https://a.example"), want: Passed},
		{id: "frame-control", name: "two that differ", change: with("X-Frame-Options", "DENY, SAMEORIGIN"), want: Passed, detail: "several values"},
		{id: "frame-control", name: "one that is known", change: with("X-Frame-Options", "SAMEORIGIN", "ALLOW-FROM https://a.example"), want: Passed},
		{id: "frame-control", name: "in the page, where it does not count", html: meta + `frame-ancestors 'none'">`, want: Failed},
		{id: "frame-control", name: "ALLOW-FROM", change: with("X-Frame-Options", "ALLOW-FROM https://a.example"), want: Failed},
		{id: "frame-control", name: "ALLOWALL", change: with("X-Frame-Options", "ALLOWALL"), want: Failed},
		{id: "frame-control", name: "frame-ancestors beats X-Frame-Options", change: all(csp("frame-ancestors *"), with("X-Frame-Options", "DENY")), want: Failed},
		{id: "frame-control", name: "any host with a scheme", change: csp("frame-ancestors 'self' https://*"), want: Failed},
		{id: "frame-control", name: "reports only", change: with("Content-Security-Policy-Report-Only", "frame-ancestors 'none'"), want: Failed},
		{id: "frame-control", name: "none", want: Failed},
		{id: "nosniff", name: "nosniff", change: with("X-Content-Type-Options", "NoSniff"), want: Passed},
		{id: "nosniff", name: "twice", change: with("X-Content-Type-Options", "nosniff, nosniff"), want: Passed},
		{id: "nosniff", name: "another", change: with("X-Content-Type-Options", "sniff"), want: Failed},
		{id: "nosniff", name: "another first", change: with("X-Content-Type-Options", "sniff", "nosniff"), want: Failed},
		{id: "nosniff", name: "none", want: Failed},
		{id: "referrer-policy", name: "header", change: with("Referrer-Policy", "no-referrer"), want: Passed},
		{id: "referrer-policy", name: "the last known", change: with("Referrer-Policy", "unsafe-url, strict-origin, future"), want: Passed, detail: "strict-origin"},
		{id: "referrer-policy", name: "in the page", html: `<head><meta name=referrer content=same-origin>`, want: Passed},
		{id: "referrer-policy", name: "the page beats the header", html: `<head><meta name=referrer content=always>`, change: with("Referrer-Policy", "no-referrer"), want: Failed},
		{id: "referrer-policy", name: "unknown in the page", html: `<head><meta name=referrer content=whimsy>`, change: with("Referrer-Policy", "no-referrer"), want: Passed},
		{id: "referrer-policy", name: "origin", change: with("Referrer-Policy", "origin"), want: Warning},
		{id: "referrer-policy", name: "no-referrer-when-downgrade", change: with("Referrer-Policy", "no-referrer-when-downgrade"), want: Warning},
		{id: "referrer-policy", name: "unsafe-url", change: with("Referrer-Policy", "unsafe-url"), want: Failed},
		{id: "referrer-policy", name: "unknown", change: with("Referrer-Policy", "whimsy"), want: Failed, detail: "know none"},
		{id: "referrer-policy", name: "none", want: Failed},
		{id: "permissions-policy", name: "there", change: with("Permissions-Policy", "camera=()"), want: Passed},
		{id: "permissions-policy", name: "the syntax of Feature-Policy", change: with("Permissions-Policy", "camera 'none'"), want: Failed, detail: "ignore"},
		{id: "permissions-policy", name: "empty", change: with("Permissions-Policy", ""), want: Failed},
		{id: "permissions-policy", name: "none", want: Failed},
		{id: "coop", name: "same-origin", change: with("Cross-Origin-Opener-Policy", `same-origin; report-to="a"`), want: Passed},
		{id: "coop", name: "unsafe-none", change: with("Cross-Origin-Opener-Policy", "unsafe-none"), want: Failed, detail: "isolate"},
		{id: "coop", name: "upper case", change: with("Cross-Origin-Opener-Policy", "Same-Origin"), want: Failed, detail: "ignore"},
		{id: "coop", name: "two headers", change: with("Cross-Origin-Opener-Policy", "same-origin", "same-origin"), want: Failed, detail: "ignore"},
		{id: "coop", name: "none", want: Failed},
		{id: "cors", name: "anybody without cookies", change: foreign("Access-Control-Allow-Origin: *"), want: Passed},
		{id: "cors", name: "whoever asks without cookies", change: foreign("Access-Control-Allow-Origin: " + foreignOrigin), want: Passed},
		{id: "cors", name: "one with cookies", change: foreign("Access-Control-Allow-Origin: https://a.example\n" + credentials), want: Passed},
		{id: "cors", name: "several values", change: foreign("Access-Control-Allow-Origin: *\nAccess-Control-Allow-Origin: *\n" + credentials), want: Passed},
		{id: "cors", name: "another word than true", change: foreign("Access-Control-Allow-Origin: null\nAccess-Control-Allow-Credentials: True"), want: Passed},
		{id: "cors", name: "whoever asks with cookies", change: foreign("Access-Control-Allow-Origin: " + foreignOrigin + "\n" + credentials), want: Failed, detail: "whichever origin asks"},
		{id: "cors", name: "anybody with cookies", change: foreign("Access-Control-Allow-Origin: *\n" + credentials), want: Failed},
		{id: "cors", name: "null with cookies", change: foreign("Access-Control-Allow-Origin: null\n" + credentials), want: Failed},
		{id: "cors", name: "nobody", change: foreign(credentials), want: NotApplicable},
		{id: "cors", name: "no answer", change: func(f *facts) { got := noAnswer(); f.site.foreign = &got }, want: NotApplicable},
		{id: "cors", name: "not asked", want: NotApplicable},
		{id: "cookies", name: "a protected session", change: cookies("PHPSESSID=a; path=/; secure; HTTPONLY; SameSite=Lax"), want: Passed},
		{id: "cookies", name: "a setting", change: cookies("theme=dark; Secure"), want: Passed},
		{id: "cookies", name: "a token for scripts", change: cookies("XSRF-TOKEN=a; Secure; SameSite=Strict"), want: Passed},
		{id: "cookies", name: "a deleted session", change: cookies("sid=; Max-Age=0", "sid=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT"), want: Passed},
		{id: "cookies", name: "a prefix", change: cookies("__Host-a=b; Secure; Path=/"), want: Passed},
		{id: "cookies", name: "a setting over http", change: cookies("theme=dark"), want: Warning, detail: "The only cookie"},
		{id: "cookies", name: "a token without SameSite", change: cookies("csrftoken=a; Secure"), want: Warning},
		{id: "cookies", name: "an unknown SameSite", change: cookies("theme=dark; Secure; SameSite=Maybe"), want: Warning},
		{id: "cookies", name: "no name", change: cookies("Secure"), want: Warning},
		{id: "cookies", name: "without HttpOnly", change: cookies("connect.sid=a; Secure"), want: Failed},
		{id: "cookies", name: "without Secure", change: cookies("theme=dark", "auth=a; HttpOnly"), want: Failed, detail: "1 of 2"},
		{id: "cookies", name: "SameSite=None", change: cookies("theme=dark; SameSite=None"), want: Failed},
		{id: "cookies", name: "Partitioned", change: cookies("theme=dark; Partitioned"), want: Failed},
		{id: "cookies", name: "a prefix that is not kept", change: cookies("__host-a=b; Secure; Path=/x"), want: Failed},
		{id: "cookies", name: "none", want: NotApplicable},
		{id: "cookies", name: "nothing in the line", change: cookies("=; Secure"), want: NotApplicable},
		{id: "server-signature", name: "a name", change: with("Server", "AmazonS3"), want: Passed},
		{id: "server-signature", name: "nothing", want: Passed},
		{id: "server-signature", name: "a version", change: with("Server", "nginx/1.27"), want: Failed},
		{id: "server-signature", name: "a version with a point", change: with("Server", "Caddy2.8"), want: Failed},
		{id: "server-signature", name: "X-Powered-By", change: with("X-Powered-By", "Express"), want: Failed},
		{id: "server-signature", name: "X-AspNetMvc-Version", change: with("X-AspNetMvc-Version", "5.2"), want: Failed},
	}
}

const credentials = "Access-Control-Allow-Credentials: true"

// foreign returns a change that gives the response to another site's script these header lines.
func foreign(lines string) func(*facts) {
	return func(f *facts) {
		got := answer(f.final.String(), 200, lines, "")
		f.site.foreign = &got
	}
}

// cookies returns a change that sets cookies.
func cookies(lines ...string) func(*facts) { return func(f *facts) { f.cookies = lines } }
