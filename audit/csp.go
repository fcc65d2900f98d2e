package audit

import "strings"

// cspPolicy is one Content-Security-Policy: its directives in lower case with their sources as written. All policies of a page
// apply together; the strictest wins.
type cspPolicy struct {
	directives map[string][]string
}

// parseCSPHeader reads the lines of Content-Security-Policy headers; a comma separates policies within a line.
func parseCSPHeader(lines []string) []cspPolicy {
	var policies []cspPolicy
	for _, line := range lines {
		for policy := range strings.SplitSeq(line, ",") {
			if p := parseCSP(policy); len(p.directives) > 0 {
				policies = append(policies, p)
			}
		}
	}
	return policies
}

// parseCSP reads one policy. Of a directive given twice the first counts (CSP 3, section 2.2.1).
func parseCSP(policy string) cspPolicy {
	p := cspPolicy{directives: map[string][]string{}}
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		name := strings.ToLower(words[0])
		if _, twice := p.directives[name]; !twice {
			p.directives[name] = words[1:]
		}
	}
	return p
}

const (
	// maxMetaPolicies is how many policies of meta elements count, and maxMetaPolicy how many bytes one may have: as many as
	// all headers of an answer.
	maxMetaPolicies = 10
	maxMetaPolicy   = 64 << 10
)

// policies returns what the headers and the head of a page declare.
func (f *facts) policies() []cspPolicy {
	policies := parseCSPHeader(f.response.header.Values("Content-Security-Policy"))
	limit := len(policies) + maxMetaPolicies
	for _, m := range f.doc.metas {
		if m.inBody || m.httpEquiv != "content-security-policy" || len(m.content) > maxMetaPolicy || len(policies) == limit {
			continue
		}
		if p := parseCSP(m.content); len(p.directives) > 0 {
			policies = append(policies, p)
		}
	}
	return policies
}

// sources returns the sources of the first of these directives that the policy has: script-src-elem falls back to script-src
// and that to default-src.
func (p cspPolicy) sources(directives ...string) ([]string, bool) {
	for _, d := range directives {
		if sources, ok := p.directives[d]; ok {
			return sources, true
		}
	}
	return nil, false
}

// weakness says what makes a policy let foreign code or plain http in; "" for a strict one.
func (p cspPolicy) weakness() string {
	scripts, limited := p.sources("script-src", "default-src")
	if !limited {
		return "neither script-src nor default-src limits scripts"
	}
	if hasSource(scripts, "'unsafe-inline'") && !hasNonceOrHash(scripts) {
		return "scripts may be inline ('unsafe-inline' without a nonce or hash)"
	}
	if hasSource(scripts, "'unsafe-eval'") {
		return "scripts may use eval ('unsafe-eval')"
	}
	styles, _ := p.sources("style-src", "default-src")
	if hasSource(styles, "'unsafe-inline'") && !hasNonceOrHash(styles) {
		return "styles may be inline ('unsafe-inline' without a nonce or hash)"
	}
	return p.plainSource()
}

// plainSource names the first source that allows unencrypted http, or "".
func (p cspPolicy) plainSource() string {
	for _, directive := range []string{"default-src", "script-src", "style-src", "img-src", "font-src", "connect-src", "frame-src",
		"child-src", "object-src", "media-src", "worker-src", "manifest-src", "form-action"} {
		for _, source := range p.directives[directive] {
			if s := strings.ToLower(source); s == "http:" || strings.HasPrefix(s, "http://") {
				return directive + " allows " + cutText(source, 80)
			}
		}
	}
	return ""
}

// framing reports whether a policy of a header has frame-ancestors, and whether that keeps any site out.
func (p cspPolicy) framing() (declared, limited bool) {
	sources, declared := p.directives["frame-ancestors"]
	return declared, declared && !hasSource(sources, "*") && !hasSource(sources, "https:") && !hasSource(sources, "http:")
}

// upgrades reports whether browsers turn http: subresources into https: ones by themselves.
func (p cspPolicy) upgrades() bool {
	_, ok := p.directives["upgrade-insecure-requests"]
	return ok
}

func hasSource(sources []string, wanted string) bool {
	for _, s := range sources {
		if strings.EqualFold(s, wanted) {
			return true
		}
	}
	return false
}

// hasNonceOrHash reports whether browsers ignore 'unsafe-inline' in these sources.
func hasNonceOrHash(sources []string) bool {
	for _, s := range sources {
		s = strings.ToLower(s)
		for _, prefix := range []string{"'nonce-", "'sha256-", "'sha384-", "'sha512-"} {
			if strings.HasPrefix(s, prefix) && strings.HasSuffix(s, "'") && len(s) > len(prefix)+1 {
				return true
			}
		}
	}
	return false
}
