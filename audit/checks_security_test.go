package audit

import (
	"crypto/tls"
	"testing"
	"time"
)

func TestSecurityChecks(t *testing.T) {
	runCheckCases(t, securityChecks, append(connectionCases(), headerCases()...), []string{
		"csp", "frame-control", "nosniff", "referrer-policy", "permissions-policy", "coop", "server-signature",
	}, nil)
}

func connectionCases() []checkCase {
	insecure := func(got fetched, hops ...string) func(*facts) {
		return func(f *facts) { got.redirects = hops; f.site.insecure = &got }
	}
	certificate := func(left time.Duration) func(*facts) {
		return func(f *facts) { f.response.tls.notAfter = testTime.Add(left) }
	}
	version := func(v uint16) func(*facts) { return func(f *facts) { f.response.tls.version = v } }
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
		{id: "http-to-https", name: "too slow", change: insecure(fetched{failure: &Failure{Code: CodeTimeout}}), want: NotApplicable},
		{id: "http-to-https", name: "stays", change: insecure(answer(plain, 200, "", "")), want: Failed},
		{id: "http-to-https", name: "another host first", change: insecure(answer("https://www.example.com/", 200, "", ""), plain), want: Failed},
		{id: "http-to-https", name: "not fetched", want: NotApplicable},
		{id: "tls-certificate", name: "valid", change: certificate(14 * day), want: Passed, detail: "2026-12-04"},
		{id: "tls-certificate", name: "nearly expired", change: certificate(14*day - time.Second), want: Warning},
		{id: "tls-certificate", name: "expired", change: certificate(0), want: Failed},
		{id: "tls-certificate", name: "refused", want: Failed, detail: "it is for other.example",
			change: func(f *facts) { f.response.tls.problem = "it is for other.example." }},
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
		{id: "hsts", name: "missing", want: Failed},
		{id: "hsts", name: "http", change: all(at(plain), with("Strict-Transport-Security", "max-age=1")), want: NotApplicable},
	}
}

func headerCases() []checkCase {
	const meta = `<head><meta http-equiv="Content-Security-Policy" content="`
	csp := func(lines ...string) func(*facts) { return with("Content-Security-Policy", lines...) }
	return []checkCase{
		{id: "csp", name: "strict", change: csp("default-src 'self'; script-src 'nonce-abc'"), want: Passed},
		{id: "csp", name: "in the page", html: meta + `default-src 'self'">`, want: Passed},
		{id: "csp", name: "inline with a hash", change: csp("default-src 'self'; script-src 'unsafe-inline' 'sha256-abc='"), want: Passed},
		{id: "csp", name: "one of two is strict", change: csp("script-src *", "script-src 'none'; style-src 'self'"), want: Passed},
		{id: "csp", name: "two in a line", change: csp("default-src 'unsafe-inline', default-src 'self'"), want: Passed},
		{id: "csp", name: "inline", change: csp("default-src 'self' 'UNSAFE-INLINE'"), want: Warning, detail: "inline"},
		{id: "csp", name: "eval", change: csp("script-src 'self' 'unsafe-eval'"), want: Warning, detail: "eval"},
		{id: "csp", name: "http", change: csp("default-src 'self'; img-src http://a.example"), want: Warning, detail: "img-src"},
		{id: "csp", name: "scripts not limited", change: csp("frame-ancestors 'none'"), want: Warning},
		{id: "csp", name: "the first of two directives", change: csp("default-src 'unsafe-eval'; default-src 'none'"), want: Warning},
		{id: "csp", name: "reports only", change: with("Content-Security-Policy-Report-Only", "default-src 'self'"), want: Failed, detail: "reports"},
		{id: "csp", name: "empty", change: csp(" ; "), want: Failed},
		{id: "csp", name: "none", want: Failed},
		{id: "frame-control", name: "X-Frame-Options", change: with("X-Frame-Options", "sameorigin"), want: Passed},
		{id: "frame-control", name: "the same twice", change: with("X-Frame-Options", "DENY", "DENY"), want: Passed},
		{id: "frame-control", name: "frame-ancestors", change: csp("frame-ancestors 'self'"), want: Passed},
		{id: "frame-control", name: "in the page, where it does not count", html: meta + `frame-ancestors 'none'">`, want: Failed},
		{id: "frame-control", name: "two that differ", change: with("X-Frame-Options", "DENY, SAMEORIGIN"), want: Failed},
		{id: "frame-control", name: "ALLOW-FROM", change: with("X-Frame-Options", "ALLOW-FROM https://a.example"), want: Failed},
		{id: "frame-control", name: "frame-ancestors beats X-Frame-Options", change: all(csp("frame-ancestors *"), with("X-Frame-Options", "DENY")), want: Failed},
		{id: "frame-control", name: "none", want: Failed},
		{id: "nosniff", name: "nosniff", change: with("X-Content-Type-Options", "NoSniff"), want: Passed},
		{id: "nosniff", name: "twice", change: with("X-Content-Type-Options", "nosniff, nosniff"), want: Passed},
		{id: "nosniff", name: "another", change: with("X-Content-Type-Options", "sniff"), want: Failed},
		{id: "nosniff", name: "none", want: Failed},
		{id: "referrer-policy", name: "header", change: with("Referrer-Policy", "no-referrer"), want: Passed},
		{id: "referrer-policy", name: "the last known", change: with("Referrer-Policy", "unsafe-url, strict-origin, future"), want: Passed, detail: "strict-origin"},
		{id: "referrer-policy", name: "in the page", html: `<head><meta name=referrer content=origin>`, want: Passed},
		{id: "referrer-policy", name: "unsafe-url", change: with("Referrer-Policy", "unsafe-url"), want: Failed},
		{id: "referrer-policy", name: "none", want: Failed},
		{id: "permissions-policy", name: "there", change: with("Permissions-Policy", "camera=()"), want: Passed},
		{id: "permissions-policy", name: "none", want: Failed},
		{id: "coop", name: "same-origin", change: with("Cross-Origin-Opener-Policy", `same-origin; report-to="a"`), want: Passed},
		{id: "coop", name: "unsafe-none", change: with("Cross-Origin-Opener-Policy", "unsafe-none"), want: Failed},
		{id: "coop", name: "none", want: Failed},
		{id: "cors", name: "anybody without cookies", change: with("Access-Control-Allow-Origin", "*"), want: Passed},
		{id: "cors", name: "one with cookies", want: Passed, change: all(with("Access-Control-Allow-Origin", "https://a.example"), credentials)},
		{id: "cors", name: "anybody with cookies", change: all(with("Access-Control-Allow-Origin", "*"), credentials), want: Failed},
		{id: "cors", name: "null with cookies", change: all(with("Access-Control-Allow-Origin", "null"), credentials), want: Failed},
		{id: "cors", name: "nobody", change: credentials, want: NotApplicable},
		{id: "cookies", name: "a protected session", change: with("Set-Cookie", "PHPSESSID=a; path=/; secure; HTTPONLY; SameSite=Lax"), want: Passed},
		{id: "cookies", name: "a setting", change: with("Set-Cookie", "theme=dark"), want: Passed},
		{id: "cookies", name: "a token for scripts", change: with("Set-Cookie", "XSRF-TOKEN=a; Secure"), want: Passed},
		{id: "cookies", name: "a deleted session", change: with("Set-Cookie", "sid=; Max-Age=0"), want: Passed},
		{id: "cookies", name: "without HttpOnly", change: with("Set-Cookie", "connect.sid=a; Secure"), want: Failed},
		{id: "cookies", name: "without Secure", change: with("Set-Cookie", "theme=dark", "auth=a; HttpOnly"), want: Failed, detail: "1 of 2"},
		{id: "cookies", name: "SameSite=None", change: with("Set-Cookie", "theme=dark; SameSite=None"), want: Failed},
		{id: "cookies", name: "none", want: NotApplicable},
		{id: "cookies", name: "no cookie in the line", change: with("Set-Cookie", "Secure"), want: NotApplicable},
		{id: "server-signature", name: "a name", change: with("Server", "AmazonS3"), want: Passed},
		{id: "server-signature", name: "nothing", want: Passed},
		{id: "server-signature", name: "a version", change: with("Server", "nginx/1.27"), want: Failed},
		{id: "server-signature", name: "a version with a point", change: with("Server", "Caddy2.8"), want: Failed},
		{id: "server-signature", name: "X-Powered-By", change: with("X-Powered-By", "Express"), want: Failed},
		{id: "server-signature", name: "X-AspNetMvc-Version", change: with("X-AspNetMvc-Version", "5.2"), want: Failed},
	}
}

func credentials(f *facts) { with("Access-Control-Allow-Credentials", "true")(f) }
