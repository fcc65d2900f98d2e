package header

import (
	"slices"
	"strings"
)

// A Policy is one Content-Security-Policy: its directives, their names in lower case. All policies of a page apply together, so that
// only what each of them allows is allowed.
type Policy struct {
	Directives map[string]Sources
	Repeated   []string // directives that are given again, which browsers pass over
}

// ParseCSP reads the lines of Content-Security-Policy headers (CSP 3, section 2.2.2); a comma separates policies within a line. Policies
// without a directive are left out.
func ParseCSP(lines []string) []Policy {
	var policies []Policy
	for _, line := range lines {
		for policy := range strings.SplitSeq(line, ",") {
			if p := parsePolicy(policy); len(p.Directives) > 0 {
				policies = append(policies, p)
			}
		}
	}
	return policies
}

// ParseMetaCSP reads the content of a meta element, which is one policy, and in which some directives count for nothing (HTML,
// "content security policy state").
func ParseMetaCSP(content string) Policy {
	p := parsePolicy(content)
	for _, name := range []string{"frame-ancestors", "report-uri", "sandbox"} {
		delete(p.Directives, name)
	}
	return p
}

// parsePolicy reads one policy (CSP 3, section 2.2.1). Of a directive given twice the first counts; one with letters beyond ASCII is
// passed over.
func parsePolicy(policy string) Policy {
	p := Policy{Directives: map[string]Sources{}}
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.FieldsFunc(directive, func(r rune) bool { return strings.ContainsRune(space, r) })
		if len(words) == 0 || !only(directive, func(c byte) bool { return c < 0x80 }) {
			continue
		}
		name := lower(words[0])
		if _, twice := p.Directives[name]; twice {
			p.Repeated = append(p.Repeated, name)
			continue
		}
		p.Directives[name] = words[1:]
	}
	return p
}

// Governing returns the directive that decides in place of one which may be missing, with its sources (CSP 3, section 6.8.3, "get fetch
// directive fallback list"): script-src-elem falls back to script-src, and that to default-src. ok is false where nothing decides.
func (p Policy) Governing(directive string) (name string, sources Sources, ok bool) {
	for _, name := range fallbacks(directive) {
		if sources, ok := p.Directives[name]; ok {
			return name, sources, true
		}
	}
	return "", nil, false
}

func fallbacks(directive string) []string {
	switch directive {
	case "script-src-elem", "script-src-attr", "style-src-elem", "style-src-attr":
		return []string{directive, directive[:len(directive)-len("-elem")], "default-src"}
	case "worker-src":
		return []string{directive, "child-src", "script-src", "default-src"}
	case "frame-src":
		return []string{directive, "child-src", "default-src"}
	}
	if strings.HasSuffix(directive, "-src") && directive != "default-src" {
		return []string{directive, "default-src"}
	}
	return []string{directive}
}

// Framing reports whether a policy of a header has frame-ancestors, and whether that keeps any site out.
func (p Policy) Framing() (declared, limited bool) {
	sources, declared := p.Directives["frame-ancestors"]
	return declared, declared && sources.Broad() == ""
}

// Upgrades reports whether browsers turn http: subresources into https: ones by themselves.
func (p Policy) Upgrades() bool {
	_, ok := p.Directives["upgrade-insecure-requests"]
	return ok
}

// directiveNames are the directives that browsers know or knew.
var directiveNames = []string{
	"base-uri", "block-all-mixed-content", "child-src", "connect-src", "default-src", "disown-opener", "fenced-frame-src", "font-src",
	"form-action", "frame-ancestors", "frame-src", "img-src", "manifest-src", "media-src", "navigate-to", "object-src", "plugin-types",
	"prefetch-src", "referrer", "reflected-xss", "report-to", "report-uri", "require-sri-for", "require-trusted-types-for", "sandbox",
	"script-src", "script-src-attr", "script-src-elem", "style-src", "style-src-attr", "style-src-elem", "trusted-types",
	"upgrade-insecure-requests", "webrtc", "worker-src",
}

// IsDirective reports whether browsers know, or once knew, a directive of this name.
func IsDirective(name string) bool { return slices.Contains(directiveNames, lower(name)) }

// HasSources reports whether the values of a directive are sources.
func HasSources(directive string) bool {
	switch directive {
	case "base-uri", "form-action", "frame-ancestors", "navigate-to":
		return true
	}
	return strings.Contains(directive, "-src") && IsDirective(directive)
}
