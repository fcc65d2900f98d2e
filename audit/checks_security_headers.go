package audit

import (
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/locale"
)

const (
	hstsFailSeconds = 15_552_000 // half a year (MDN)
	hstsWarnSeconds = 31_536_000 // a year (Lighthouse)
)

// checkStrictTransport looks at the first header line only, as browsers do (RFC 6797 section 8.1).
func checkStrictTransport(f *facts) finding {
	if f.final.Scheme() != "https" {
		return notApplicable("hsts.plain-page")
	}
	lines := f.response.Header.Values("Strict-Transport-Security")
	if len(lines) == 0 {
		return fail(nil, "common.header-missing")
	}
	if t := f.response.TLS; t != nil && t.Problem != "" {
		return fail(nil, "hsts.bad-certificate")
	}
	h, err := header.ParseHSTS(lines[0])
	shown := headerEvidence("Strict-Transport-Security", lines[0])
	switch {
	case err != nil:
		return fail(shown, "hsts.unreadable", locale.Worded(cutText(err.Error(), 120)))
	case h.MaxAge == 0:
		return fail(shown, "hsts.zero", locale.Count(hstsWarnSeconds))
	case h.MaxAge < hstsFailSeconds:
		return fail(shown, "hsts.short", locale.Count(h.MaxAge), locale.Count(hstsWarnSeconds))
	case h.MaxAge < hstsWarnSeconds:
		return warn(shown, "hsts.short", locale.Count(h.MaxAge), locale.Count(hstsWarnSeconds))
	}
	return pass("hsts.long", locale.Count(h.MaxAge))
}

// headerEvidence shows a header line as it came.
func headerEvidence(name, value string) []Evidence {
	return []Evidence{{Snippet: page.CutSnippet(name + ": " + value)}}
}

// checkFrameControl heeds that frame-ancestors makes browsers ignore X-Frame-Options, and counts in headers only.
func checkFrameControl(f *facts) finding {
	declared := false
	for _, p := range header.ParseCSP(f.response.Header.Values("Content-Security-Policy")) {
		has, limited := p.Framing()
		if limited {
			return pass("frame-control.policy")
		}
		declared = declared || has
	}
	if declared {
		return fail(nil, "frame-control.policy-open")
	}
	lines := f.response.Header.Values("X-Frame-Options")
	value := strings.Join(lines, ", ")
	switch header.FrameOptions(lines) {
	case header.FramedByOwnOrigin:
		return pass("frame-control.own-origin")
	case header.FramedByNobody:
		if strings.EqualFold(strings.TrimSpace(value), "deny") {
			return pass("frame-control.nobody")
		}
		return pass("frame-control.several")
	}
	if len(lines) > 0 {
		return fail(headerEvidence("X-Frame-Options", value), "frame-control.ignored")
	}
	return fail(nil, "frame-control.missing")
}

func checkNosniff(f *facts) finding {
	lines := f.response.Header.Values("X-Content-Type-Options")
	switch {
	case header.Nosniff(lines):
		return pass("nosniff.good")
	case len(lines) == 0:
		return fail(nil, "common.header-missing")
	}
	return fail(headerEvidence("X-Content-Type-Options", strings.Join(lines, ", ")), "nosniff.other")
}

// leakyReferrers are the policies that tell other sites, or listeners on the way, more than browsers do by themselves, with the sentence that
// says what they tell (MDN).
var leakyReferrers = map[string]string{
	"no-referrer-when-downgrade": "referrer-policy.full-url",
	"origin":                     "referrer-policy.name-over-http",
	"origin-when-cross-origin":   "referrer-policy.name-over-http",
}

func checkReferrerPolicy(f *facts) finding {
	lines := f.response.Header.Values("Referrer-Policy")
	policy := header.ReferrerPolicy(lines)
	metas := 0
	for _, m := range f.doc.Metas {
		if m.Name == "referrer" && m.Content != "" {
			metas++
			if declared := header.MetaReferrerPolicy(m.Content); declared != "" {
				policy = declared
			}
		}
	}
	told, leaky := leakyReferrers[policy]
	switch {
	case policy == "" && len(lines)+metas > 0:
		return fail(nil, "referrer-policy.unknown")
	case policy == "":
		return fail(nil, "referrer-policy.missing")
	case policy == "unsafe-url":
		return fail(nil, "referrer-policy.unsafe-url")
	case leaky:
		return warn(nil, told, locale.Text(policy))
	}
	return pass("referrer-policy.good", locale.Text(policy))
}

func checkPermissionsPolicy(f *facts) finding {
	lines := f.response.Header.Values("Permissions-Policy")
	features, ok := header.PermissionsPolicy(lines)
	switch {
	case len(lines) == 0:
		return fail(nil, "common.header-missing")
	case !ok:
		return fail(headerEvidence("Permissions-Policy", strings.Join(lines, ", ")), "permissions-policy.ignored")
	case len(features) == 0:
		return fail(nil, "permissions-policy.empty")
	}
	return pass("permissions-policy.good", locale.Count(len(features)))
}

// checkOpenerPolicy takes unsafe-none for what it is: the same as no header.
func checkOpenerPolicy(f *facts) finding {
	lines := f.response.Header.Values("Cross-Origin-Opener-Policy")
	policy, value := header.OpenerPolicy(lines), strings.Join(lines, ", ")
	switch {
	case policy != "":
		return pass("coop.good", locale.Text(policy))
	case len(lines) == 0:
		return fail(nil, "common.header-missing")
	case strings.HasPrefix(strings.TrimSpace(value), "unsafe-none"):
		return fail(headerEvidence("Cross-Origin-Opener-Policy", value), "coop.unsafe-none")
	}
	return fail(headerEvidence("Cross-Origin-Opener-Policy", value), "coop.ignored")
}

// checkCrossOriginAccess judges the response to a request with an Origin, which shows whether the server lets in whoever asks.
func checkCrossOriginAccess(f *facts) finding {
	answer := f.site.foreign
	if answer == nil || answer.Failure != nil {
		return notApplicable("cors.unasked")
	}
	origin := strings.Join(answer.Header.Values("Access-Control-Allow-Origin"), ", ")
	credentials := strings.Join(answer.Header.Values("Access-Control-Allow-Credentials"), ", ") == "true"
	shown := headerEvidence("Access-Control-Allow-Origin", origin)
	switch {
	case origin == "":
		return notApplicable("cors.nobody")
	case origin == "*" && credentials:
		return fail(shown, "cors.any-with-cookies")
	case origin == foreignOrigin && credentials:
		return fail(shown, "cors.whoever-with-cookies")
	case origin == "null" && credentials:
		return fail(shown, "cors.null-with-cookies")
	case origin == "*" || origin == foreignOrigin:
		return pass("cors.any")
	case strings.Contains(origin, ","):
		return pass("cors.several")
	case credentials:
		return pass("cors.one-with-cookies", locale.Text(cutText(origin, 200)))
	}
	return pass("cors.one", locale.Text(cutText(origin, 200)))
}
