package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/locale"
)

const (
	// maxMetaPolicies is how many policies of meta elements count, and maxMetaPolicy how many bytes one may have: as many as
	// all headers of a response.
	maxMetaPolicies = 10
	maxMetaPolicy   = 64 << 10
	// maxPolicyFaults is how many faults of a policy are told.
	maxPolicyFaults = 6
	// minNonce is how many characters make a nonce hard to guess (CSP Evaluator).
	minNonce = 8
)

// policies returns what the headers and the head of a page declare.
func (f *facts) policies() []header.Policy {
	policies := header.ParseCSP(f.response.Header.Values("Content-Security-Policy"))
	limit := len(policies) + maxMetaPolicies
	for _, m := range f.doc.Metas {
		if m.InBody || m.HTTPEquiv != "content-security-policy" || len(m.Content) > maxMetaPolicy || len(policies) == limit {
			continue
		}
		if p := header.ParseMetaCSP(m.Content); len(p.Directives) > 0 {
			policies = append(policies, p)
		}
	}
	return policies
}

// checkContentSecurity judges the policies together: what one of them forbids is forbidden.
func checkContentSecurity(f *facts) finding {
	policies := f.policies()
	if len(policies) == 0 {
		if f.response.Header.Get("Content-Security-Policy-Report-Only") != "" {
			return fail(nil, "csp.report-only")
		}
		return fail(nil, "csp.missing")
	}
	holes, mistakes := holesOf(policies), mistakesOf(policies)
	switch {
	case len(holes) > 0:
		return warn(nil, "csp.weak", listFaults(append(holes, mistakes...)))
	case len(mistakes) > 0:
		return warn(nil, "csp.mistaken", listFaults(mistakes))
	}
	return pass("csp.good")
}

// listFaults returns the first faults as people read them. The words of each are among the details of this check in the catalogues.
func listFaults(faults []string) locale.Arg {
	var shown []locale.Arg
	for _, fault := range faults[:min(len(faults), maxPolicyFaults)] {
		shown = append(shown, locale.Worded(fault))
	}
	if n := len(faults) - maxPolicyFaults; n > 0 {
		shown = append(shown, locale.Phrase("csp.more", locale.Count(n)))
	}
	return locale.SeriesOf(shown)
}

// holesOf returns what the policies of a page let through, each hole once, the worst first.
func holesOf(policies []header.Policy) []string {
	var holes []string
	add := func(words string) {
		if words != "" && !slices.Contains(holes, words) {
			holes = append(holes, words)
		}
	}
	for _, hole := range policyHoles {
		add(throughAll(policies, hole))
	}
	for _, way := range bypasses {
		add(throughAll(policies, way.through))
	}
	for _, directive := range sourceDirectives(policies) {
		add(throughAll(policies, plainThrough(directive)))
	}
	return holes
}

// mistakesOf returns what the policies say that browsers do not read as it was meant, each mistake once.
func mistakesOf(policies []header.Policy) []string {
	var mistakes []string
	for _, p := range policies {
		for _, mistake := range policyMistakes(p) {
			if !slices.Contains(mistakes, mistake) {
				mistakes = append(mistakes, mistake)
			}
		}
	}
	return mistakes
}

// A hole is something that a policy may let through: open when it does, with words where it says so itself and is not just silent.
type hole func(header.Policy) (open bool, words string)

// throughAll returns the words for a hole that all the policies have, or "".
func throughAll(policies []header.Policy, h hole) string {
	first := ""
	for _, p := range policies {
		open, words := h(p)
		if !open {
			return ""
		}
		if first == "" {
			first = words
		}
	}
	return first
}

var policyHoles = []hole{anyScript, inlineThrough("script-src-elem"), inlineThrough("script-src-attr"), evalThrough, strangersThrough,
	pluginsThrough, baseThrough}

// anyScript is a policy that says nothing of scripts.
func anyScript(p header.Policy) (bool, string) {
	if _, _, ok := p.Governing("script-src-elem"); !ok {
		return true, "neither script-src nor default-src limits scripts"
	}
	if _, _, ok := p.Governing("script-src"); !ok {
		return true, "script-src is missing, which limits event handlers and eval"
	}
	return false, ""
}

func inlineThrough(directive string) hole {
	return func(p header.Policy) (bool, string) {
		name, sources, ok := p.Governing(directive)
		if !ok {
			return true, ""
		}
		return sources.AllowInline(), name + " allows inline code ('unsafe-inline' without a nonce or hash)"
	}
}

func evalThrough(p header.Policy) (bool, string) {
	name, sources, ok := p.Governing("script-src")
	if styles := p.Directives["style-src"]; styles.Has("'unsafe-eval'") {
		name, sources = "style-src", styles
	}
	return !ok || sources.Has("'unsafe-eval'"), words(name, " allows eval ('unsafe-eval')")
}

// words returns a name with what is said of it, or "" without a name.
func words(name, said string) string {
	if name == "" {
		return ""
	}
	return name + said
}

func strangersThrough(p header.Policy) (bool, string) {
	name, sources, ok := p.Governing("script-src-elem")
	if !ok {
		return true, ""
	}
	if sources.Has("'strict-dynamic'") {
		return false, ""
	}
	return broadThrough(name, sources)
}

func pluginsThrough(p header.Policy) (bool, string) {
	name, sources, ok := p.Governing("object-src")
	if !ok {
		return true, "object-src is missing, so that plugins may come from anywhere"
	}
	return broadThrough(name, sources)
}

// baseThrough looks at base-uri, which default-src does not stand in for. It matters most where a nonce or hash trusts scripts by
// relative addresses.
func baseThrough(p header.Policy) (bool, string) {
	if sources, ok := p.Directives["base-uri"]; ok {
		return broadThrough("base-uri", sources)
	}
	_, scripts, _ := p.Governing("script-src-elem")
	if len(scripts.Nonces()) > 0 || scripts.HasHash() && scripts.Has("'strict-dynamic'") {
		return true, "base-uri is missing, so that a <base> can send trusted scripts elsewhere"
	}
	return true, "base-uri is missing, so that a <base> can send relative addresses elsewhere"
}

func broadThrough(name string, sources header.Sources) (bool, string) {
	broad := sources.Broad()
	return broad != "", fmt.Sprintf("%s allows any host (%s)", name, cutText(broad, 80))
}

// plainThrough is a directive that allows unencrypted http.
func plainThrough(directive string) hole {
	return func(p header.Policy) (bool, string) {
		name, sources, ok := p.Governing(directive)
		if !ok {
			return true, ""
		}
		plain := sources.Plain()
		if strings.HasPrefix(name, "script-src") && sources.Has("'strict-dynamic'") {
			plain = ""
		}
		return plain != "", fmt.Sprintf("%s allows unencrypted %s", name, cutText(plain, 80))
	}
}

// sourceDirectives returns the directives of policies that have sources.
func sourceDirectives(policies []header.Policy) []string {
	found := map[string]bool{}
	for _, p := range policies {
		for name := range p.Directives {
			found[name] = found[name] || header.HasSources(name)
		}
	}
	maps.DeleteFunc(found, func(_ string, sources bool) bool { return !sources })
	return slices.Sorted(maps.Keys(found))
}

// A bypass is an address through which anybody runs scripts of their own.
type bypass struct{ host, path, serves string }

const (
	servesAngular  = "AngularJS, which runs code out of markup"
	servesAnything = "whatever anybody publishes there"
	servesCallback = "any callback that an address asks for"
)

// bypasses are well-known ones (Weichselbaum and others, "CSP Is Dead, Long Live CSP!", and CSP Evaluator).
var bypasses = []bypass{
	{"ajax.googleapis.com", "/ajax/libs/angularjs/1.8.3/angular.min.js", servesAngular},
	{"cdnjs.cloudflare.com", "/ajax/libs/angular.js/1.8.3/angular.min.js", servesAngular},
	{"code.angularjs.org", "/1.8.3/angular.min.js", servesAngular},
	{"www.gstatic.com", "/fsn/angular_js-bundle1.js", servesAngular},
	{"gstatic.com", "/fsn/angular_js-bundle1.js", servesAngular},
	{"yastatic.net", "/angularjs/1.3.16/angular.min.js", servesAngular},
	{"yandex.st", "/angularjs/1.2.16/angular.min.js", servesAngular},
	{"cdn.jsdelivr.net", "/npm/angular@1.8.3/angular.min.js", servesAnything},
	{"unpkg.com", "/angular@1.8.3/angular.min.js", servesAnything},
	{"esm.sh", "/angular@1.8.3", servesAnything},
	{"cdn.skypack.dev", "/angular@1.8.3", servesAnything},
	{"cdn.statically.io", "/gh/angular/bower-angular/v1.8.3/angular.min.js", servesAnything},
	{"cdn.bootcss.com", "/angular.js/1.8.3/angular.min.js", servesAngular},
	{"cdn.bootcdn.net", "/ajax/libs/angular.js/1.8.3/angular.min.js", servesAngular},
	{"accounts.google.com", "/o/oauth2/revoke", servesCallback},
	{"www.google.com", "/complete/search", servesCallback},
	{"google.com", "/complete/search", servesCallback},
	{"clients1.google.com", "/complete/search", servesCallback},
	{"www.googleapis.com", "/customsearch/v1", servesCallback},
	{"maps.googleapis.com", "/maps/api/js", servesCallback},
	{"googleads.g.doubleclick.net", "/pagead/conversion/1036918760/wcm", servesCallback},
	{"www.googleadservices.com", "/pagead/conversion/1070110417/wcm", servesCallback},
	{"cse.google.com", "/api/partner", servesCallback},
	{"translate.google.com", "/translate_a/element.js", servesCallback},
	{"www.youtube.com", "/oembed", servesCallback},
	{"graph.facebook.com", "/", servesCallback},
	{"api.twitter.com", "/1/statuses/oembed.json", servesCallback},
	{"vimeo.com", "/api/oembed.json", servesCallback},
	{"api.github.com", "/", servesCallback},
	{"api.flickr.com", "/services/feeds/photos_public.gne", servesCallback},
	{"syndication.twitter.com", "/widgets/timelines/profile", servesCallback},
	{"cdn.syndication.twimg.com", "/widgets/followbutton/info.json", servesCallback},
	{"www.linkedin.com", "/countserv/count/share", servesCallback},
	{"public-api.wordpress.com", "/rest/v1/sites", servesCallback},
	{"api.tumblr.com", "/v2/blog", servesCallback},
	{"api.vk.com", "/method/users.get", servesCallback},
	{"api.instagram.com", "/v1/media/popular", servesCallback},
	{"www.reddit.com", "/.json", servesCallback},
	{"query.yahooapis.com", "/v1/public/yql", servesCallback},
	{"api.map.baidu.com", "/api", servesCallback},
	{"mc.yandex.ru", "/watch/1", servesCallback},
}

// through is the hole of a policy that trusts the host.
func (b bypass) through(p header.Policy) (bool, string) {
	name, sources, ok := p.Governing("script-src-elem")
	switch {
	case !ok:
		return true, ""
	case sources.Has("'strict-dynamic'"):
		return false, ""
	case sources.Broad() != "":
		return true, "" // said already
	}
	source := sources.Covers(b.host, b.path)
	return source != "", fmt.Sprintf("%s allows %s, which serves %s", name, cutText(source, 80), b.serves)
}

// lapsedDirectives do nothing in browsers any more, with what does it instead.
var lapsedDirectives = map[string]string{
	"reflected-xss":           "browsers have no such filter any more",
	"referrer":                "the header Referrer-Policy says it now",
	"disown-opener":           "Cross-Origin-Opener-Policy says it now",
	"prefetch-src":            "default-src governs it now",
	"block-all-mixed-content": "browsers block or upgrade mixed content by themselves",
	"plugin-types":            "browsers have no plugins any more",
	"require-sri-for":         "browsers dropped it",
	"navigate-to":             "browsers never had it",
}

// policyMistakes returns what a policy says that browsers do not read as it was meant.
func policyMistakes(p header.Policy) []string {
	var mistakes []string
	for _, name := range p.Repeated {
		mistakes = append(mistakes, fmt.Sprintf("%s is given twice, and only the first counts", cutText(name, 80)))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Directives)) {
		sources := p.Directives[name]
		switch instead, lapsed := lapsedDirectives[name]; {
		case lapsed:
			mistakes = append(mistakes, fmt.Sprintf("%s does nothing: %s", name, instead))
		case !header.IsDirective(name):
			mistakes = append(mistakes, fmt.Sprintf("%s is no directive that browsers know", cutText(name, 80)))
		case header.HasSources(name):
			mistakes = append(mistakes, sourceMistakes(name, sources)...)
		}
	}
	return mistakes
}

func sourceMistakes(name string, sources header.Sources) []string {
	var mistakes []string
	if wrong := sources.Misread(); header.IsDirective(wrong) {
		mistakes = append(mistakes, fmt.Sprintf("a semicolon is missing in %s before %s", name, wrong))
	} else if wrong != "" {
		mistakes = append(mistakes, fmt.Sprintf("browsers do not understand %s in %s", cutText(wrong, 80), name))
	}
	if sources.Has("'none'") && len(sources) > 1 {
		mistakes = append(mistakes, fmt.Sprintf("'none' in %s counts for nothing beside other sources", name))
	}
	for _, nonce := range sources.Nonces() {
		if len(nonce) < minNonce {
			mistakes = append(mistakes, locale.For(locale.English).Text("csp.short-nonce", locale.Count(len(nonce)), locale.Text(name)))
		}
	}
	if sources.Has("'strict-dynamic'") && len(sources.Nonces()) == 0 && !sources.HasHash() {
		mistakes = append(mistakes, fmt.Sprintf("'strict-dynamic' in %s lets no script run without a nonce or hash", name))
	}
	return mistakes
}
