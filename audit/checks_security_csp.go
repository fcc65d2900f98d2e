package audit

import (
	"strings"

	"sitegrade/audit/header"
)

const (
	// maxMetaPolicies is how many policies of meta elements count, and maxMetaPolicy how many bytes one may have: as many as
	// all headers of an answer.
	maxMetaPolicies = 10
	maxMetaPolicy   = 64 << 10
)

// policies returns what the headers and the head of a page declare.
func (f *facts) policies() []header.Policy {
	policies := header.ParseCSPHeader(f.response.header.Values("Content-Security-Policy"))
	limit := len(policies) + maxMetaPolicies
	for _, m := range f.doc.Metas {
		if m.InBody || m.HTTPEquiv != "content-security-policy" || len(m.Content) > maxMetaPolicy || len(policies) == limit {
			continue
		}
		if p := header.ParseCSP(m.Content); len(p.Directives) > 0 {
			policies = append(policies, p)
		}
	}
	return policies
}

// policyWeakness says what makes a policy let foreign code or plain http in; "" for a strict one.
func policyWeakness(p header.Policy) string {
	scripts, limited := p.Sources("script-src", "default-src")
	if !limited {
		return "neither script-src nor default-src limits scripts"
	}
	if header.HasSource(scripts, "'unsafe-inline'") && !header.HasNonceOrHash(scripts) {
		return "scripts may be inline ('unsafe-inline' without a nonce or hash)"
	}
	if header.HasSource(scripts, "'unsafe-eval'") {
		return "scripts may use eval ('unsafe-eval')"
	}
	styles, _ := p.Sources("style-src", "default-src")
	if header.HasSource(styles, "'unsafe-inline'") && !header.HasNonceOrHash(styles) {
		return "styles may be inline ('unsafe-inline' without a nonce or hash)"
	}
	return plainSource(p)
}

// plainSource names the first source that allows unencrypted http, or "".
func plainSource(p header.Policy) string {
	for _, directive := range []string{"default-src", "script-src", "style-src", "img-src", "font-src", "connect-src", "frame-src",
		"child-src", "object-src", "media-src", "worker-src", "manifest-src", "form-action"} {
		for _, source := range p.Directives[directive] {
			if s := strings.ToLower(source); s == "http:" || strings.HasPrefix(s, "http://") {
				return directive + " allows " + cutText(source, 80)
			}
		}
	}
	return ""
}
