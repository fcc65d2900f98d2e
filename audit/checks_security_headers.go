package audit

import (
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
)

const (
	hstsFailSeconds = 15_552_000 // half a year (MDN)
	hstsWarnSeconds = 31_536_000 // a year (Lighthouse)
)

// checkStrictTransport looks at the first header line only, as browsers do (RFC 6797 section 8.1).
func checkStrictTransport(f *facts) finding {
	if f.final.Scheme() != "https" {
		return notApplicableText("Browsers obey Strict-Transport-Security only over https.")
	}
	lines := f.response.Header.Values("Strict-Transport-Security")
	if len(lines) == 0 {
		return failText(nil, "The header is missing.")
	}
	if t := f.response.TLS; t != nil && t.Problem != "" {
		return failText(nil, "Browsers ignore the header, since they reject the certificate of the page.")
	}
	h, err := header.ParseHSTS(lines[0])
	shown := headerEvidence("Strict-Transport-Security", lines[0])
	switch {
	case err != nil:
		return failText(shown, "Browsers ignore the header: %s.", cutText(err.Error(), 120))
	case h.MaxAge == 0:
		return failText(shown, "max-age is 0, which tells browsers to forget that the site asks for https; at least %d is good.", hstsWarnSeconds)
	case h.MaxAge < hstsFailSeconds:
		return failText(shown, "max-age is %d seconds; at least %d is good.", h.MaxAge, hstsWarnSeconds)
	case h.MaxAge < hstsWarnSeconds:
		return warnText(shown, "max-age is %d seconds; at least %d is good.", h.MaxAge, hstsWarnSeconds)
	}
	return passText("max-age is %d seconds.", h.MaxAge)
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
			return passText("frame-ancestors limits who may frame the page.")
		}
		declared = declared || has
	}
	if declared {
		return failText(nil, "frame-ancestors lets any site frame the page.")
	}
	lines := f.response.Header.Values("X-Frame-Options")
	value := strings.Join(lines, ", ")
	switch header.FrameOptions(lines) {
	case header.FramedByOwnOrigin:
		return passText("X-Frame-Options lets only the site itself frame the page.")
	case header.FramedByNobody:
		if strings.EqualFold(strings.TrimSpace(value), "deny") {
			return passText("X-Frame-Options lets nobody frame the page.")
		}
		return passText("X-Frame-Options has several values, so that browsers let nobody frame the page.")
	}
	if len(lines) > 0 {
		return failText(headerEvidence("X-Frame-Options", value), "Browsers ignore X-Frame-Options, which is neither DENY nor SAMEORIGIN.")
	}
	return failText(nil, "Neither X-Frame-Options nor frame-ancestors limits who may frame the page.")
}

func checkNosniff(f *facts) finding {
	lines := f.response.Header.Values("X-Content-Type-Options")
	switch {
	case header.Nosniff(lines):
		return passText("X-Content-Type-Options is nosniff.")
	case len(lines) == 0:
		return failText(nil, "The header is missing.")
	}
	return failText(headerEvidence("X-Content-Type-Options", strings.Join(lines, ", ")), "The first value of X-Content-Type-Options is not nosniff.")
}

// leakyReferrers are the policies that tell other sites, or listeners on the way, more than browsers do by themselves, with what they
// tell (MDN).
var leakyReferrers = map[string]string{
	"no-referrer-when-downgrade": "sends the full URL to every https site",
	"origin":                     "sends the site's name over http too",
	"origin-when-cross-origin":   "sends the site's name over http too",
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
		return failText(nil, "Browsers know none of the values of the referrer policy.")
	case policy == "":
		return failText(nil, "Neither a header nor a meta element sets a referrer policy.")
	case policy == "unsafe-url":
		return failText(nil, "The policy unsafe-url sends the full URL to every site.")
	case leaky:
		return warnText(nil, "The policy %s %s.", policy, told)
	}
	return passText("The policy is %s.", policy)
}

func checkPermissionsPolicy(f *facts) finding {
	lines := f.response.Header.Values("Permissions-Policy")
	features, ok := header.PermissionsPolicy(lines)
	switch {
	case len(lines) == 0:
		return failText(nil, "The header is missing.")
	case !ok:
		return failText(headerEvidence("Permissions-Policy", strings.Join(lines, ", ")),
			"Browsers ignore the header, which is not written as name=(), name=(self), ....")
	case len(features) == 0:
		return failText(nil, "The header names no feature.")
	}
	return passText("The header decides on %s.", plural(len(features), "feature", "features"))
}

// checkOpenerPolicy takes unsafe-none for what it is: the same as no header.
func checkOpenerPolicy(f *facts) finding {
	lines := f.response.Header.Values("Cross-Origin-Opener-Policy")
	policy, value := header.OpenerPolicy(lines), strings.Join(lines, ", ")
	switch {
	case policy != "":
		return passText("The policy is %s.", policy)
	case len(lines) == 0:
		return failText(nil, "The header is missing.")
	case strings.HasPrefix(strings.TrimSpace(value), "unsafe-none"):
		return failText(headerEvidence("Cross-Origin-Opener-Policy", value), "The policy unsafe-none does not isolate the page.")
	}
	return failText(headerEvidence("Cross-Origin-Opener-Policy", value), "Browsers ignore the header: it has to be one known word in lower case, once.")
}

// checkCrossOriginAccess judges the response to a request with an Origin, which shows whether the server lets in whoever asks.
func checkCrossOriginAccess(f *facts) finding {
	answer := f.site.foreign
	if answer == nil || answer.Failure != nil {
		return notApplicableText("The page was not asked for in the name of another site, or did not answer.")
	}
	origin := strings.Join(answer.Header.Values("Access-Control-Allow-Origin"), ", ")
	credentials := strings.Join(answer.Header.Values("Access-Control-Allow-Credentials"), ", ") == "true"
	shown := headerEvidence("Access-Control-Allow-Origin", origin)
	switch {
	case origin == "":
		return notApplicableText("No other origin may read the page.")
	case origin == "*" && credentials:
		return failText(shown, "The page lets in any origin with the visitor's cookies; browsers refuse that pair, but others may not.")
	case origin == foreignOrigin && credentials:
		return failText(shown, "Any origin may read the page with the visitor's cookies: the server names whichever origin asks.")
	case origin == "null" && credentials:
		return failText(shown, "Any site may read the page with the visitor's cookies, from a sandboxed frame whose origin is null.")
	case origin == "*" || origin == foreignOrigin:
		return passText("Any origin may read the page, but without the visitor's cookies.")
	case strings.Contains(origin, ","):
		return passText("Access-Control-Allow-Origin has several values, so that browsers let no other origin read the page.")
	case credentials:
		return passText("%s may read the page with the visitor's cookies.", cutText(origin, 200))
	}
	return passText("%s may read the page without the visitor's cookies.", cutText(origin, 200))
}
