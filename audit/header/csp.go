package header

import "strings"

// A Policy is one Content-Security-Policy: its directives in lower case with their sources as written. All policies of a page
// apply together; the strictest wins.
type Policy struct {
	Directives map[string][]string
}

// ParseCSPHeader reads the lines of Content-Security-Policy headers; a comma separates policies within a line.
func ParseCSPHeader(lines []string) []Policy {
	var policies []Policy
	for _, line := range lines {
		for policy := range strings.SplitSeq(line, ",") {
			if p := ParseCSP(policy); len(p.Directives) > 0 {
				policies = append(policies, p)
			}
		}
	}
	return policies
}

// ParseCSP reads one policy. Of a directive given twice the first counts (CSP 3, section 2.2.1).
func ParseCSP(policy string) Policy {
	p := Policy{Directives: map[string][]string{}}
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		name := strings.ToLower(words[0])
		if _, twice := p.Directives[name]; !twice {
			p.Directives[name] = words[1:]
		}
	}
	return p
}

// Sources returns the sources of the first of these directives that the policy has: script-src-elem falls back to script-src
// and that to default-src.
func (p Policy) Sources(directives ...string) ([]string, bool) {
	for _, d := range directives {
		if sources, ok := p.Directives[d]; ok {
			return sources, true
		}
	}
	return nil, false
}

// Framing reports whether a policy of a header has frame-ancestors, and whether that keeps any site out.
func (p Policy) Framing() (declared, limited bool) {
	sources, declared := p.Directives["frame-ancestors"]
	return declared, declared && !HasSource(sources, "*") && !HasSource(sources, "https:") && !HasSource(sources, "http:")
}

// Upgrades reports whether browsers turn http: subresources into https: ones by themselves.
func (p Policy) Upgrades() bool {
	_, ok := p.Directives["upgrade-insecure-requests"]
	return ok
}

// HasSource reports whether a source is among these, in whatever case.
func HasSource(sources []string, wanted string) bool {
	for _, s := range sources {
		if strings.EqualFold(s, wanted) {
			return true
		}
	}
	return false
}

// HasNonceOrHash reports whether browsers ignore 'unsafe-inline' in these sources.
func HasNonceOrHash(sources []string) bool {
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
