// Package robots reads what sites tell crawlers: robots.txt (RFC 9309, with the tolerance of Google's parser), and the directives of
// robots meta elements and X-Robots-Tag headers.
package robots

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/weburl"
)

const (
	// MaxSize is how many bytes of a robots.txt count: RFC 9309 section 2.5 asks for at least 500 KiB, Google stops there.
	MaxSize = 500 << 10
	// maxLine is where a line is cut, as Google's parser does.
	maxLine = 16663
	// maxWildcards is how many patterns with "*" count. A pattern without one is told apart at a glance; these are
	// searched for in every address, and a hostile file has room for fifty thousand.
	maxWildcards = 2000
)

// File is a parsed robots.txt (RFC 9309, with the tolerance of Google's parser).
type File struct {
	groups   []group
	Sitemaps []string  // values of the Sitemap lines, as written, in order
	Licenses []string  // values of the License lines (Really Simple Licensing), as written, in order
	Signals  []Signal  // in the order of their lines; at most MaxSignals
	Problems []Problem // in the order of their lines
}

// group is a run of user-agent lines and the rules that follow it.
type group struct {
	agents []string // as written
	rules  []rule
	delay  time.Duration // the longest Crawl-delay
}

// rule is one Allow or Disallow line whose pattern is not empty: an empty one matches nothing that matters.
type rule struct {
	allow   bool
	pattern target
}

// target is a path with its query, or a pattern for one, in the two spellings that are compared: percent-encoded as
// normalize says, and with the reserved characters of its query decoded as well. The two are the same string unless
// the query has such characters encoded.
type target struct {
	plain, decodedQuery string
}

// Rules are the rules that one crawler obeys.
type Rules []rule

// Parse reads a robots.txt. It never fails: what cannot be understood is skipped and listed in problems.
func Parse(body []byte) *File {
	body = decode(body)
	p := reader{file: &File{}, markup: beginsAsMarkup(body)}
	cut := len(body) > MaxSize
	if cut {
		body = body[:MaxSize]
	}
	for number := 1; len(body) > 0; number++ {
		line, rest, ended := cutLine(body)
		if cut && !ended {
			break // the limit fell inside this line
		}
		p.readLine(number, line)
		body = rest
	}
	return p.file
}

// cutLine returns the first line, what follows its end (LF, CR or CRLF), and whether it had an end.
func cutLine(body []byte) (line, rest []byte, ended bool) {
	i := bytes.IndexAny(body, "\r\n")
	if i < 0 {
		return body, nil, false
	}
	line, rest = body[:i], body[i+1:]
	if body[i] == '\r' && len(rest) > 0 && rest[0] == '\n' {
		rest = rest[1:]
	}
	return line, rest, true
}

type reader struct {
	file      *File
	inRules   bool // the last group has a rule line: the next user-agent opens another group
	sawAgents bool
	wildcards int  // patterns with "*" so far
	addressed int  // how many user-agents of the last group come before those that the next signal is for
	signalled bool // a signal came since the last user-agent
	markup    bool // the file is an HTML page, whose tags are no part of its lines
}

func (p *reader) readLine(number int, raw []byte) {
	if len(raw) > maxLine {
		raw = raw[:maxLine]
	}
	line := string(raw)
	if i := strings.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	if p.markup {
		line = withoutTags(line)
	}
	line = strings.TrimSpace(line)
	if line == "" {
		return
	}
	key, value, separated := splitLine(line)
	p.report(number, line, key, value, separated)
	switch directiveOf(key) {
	case "user-agent":
		p.openGroup(value)
	case "allow":
		p.addRule(true, value)
	case "disallow":
		p.addRule(false, value)
	case "sitemap":
		if value != "" {
			p.file.Sitemaps = append(p.file.Sitemaps, value)
		}
	case "license":
		if value != "" {
			p.file.Licenses = append(p.file.Licenses, value)
		}
	case "content-signal":
		p.addSignal(number, line, value)
	case "crawl-delay":
		p.addDelay(value)
	}
}

// maxDelay bounds what a Crawl-delay can mean, in seconds.
const maxDelay = 24 * 60 * 60

// addDelay keeps a Crawl-delay, which is a number of seconds. It does not end the user-agent lines of a group.
func (p *reader) addDelay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0) || len(p.file.groups) == 0 {
		return
	}
	last := &p.file.groups[len(p.file.groups)-1]
	last.delay = max(last.delay, time.Duration(min(seconds, maxDelay)*float64(time.Second)))
}

// splitLine splits a line at its colon. Without a colon, two words are key and value, as Google reads them; separated
// says whether there was a colon.
func splitLine(line string) (key, value string, separated bool) {
	if key, value, ok := strings.Cut(line, ":"); ok {
		return strings.TrimSpace(key), strings.TrimSpace(value), true
	}
	if words := strings.Fields(line); len(words) == 2 {
		return words[0], words[1], false
	}
	return "", "", false
}

// spellings are the keys that Google obeys, in lower case; a key that only begins with one counts too.
var spellings = []struct{ prefix, directive string }{
	{"user-agent", "user-agent"}, {"useragent", "user-agent"}, {"user agent", "user-agent"},
	{"allow", "allow"},
	{"disallow", "disallow"}, {"dissallow", "disallow"}, {"dissalow", "disallow"},
	{"disalow", "disallow"}, {"diasllow", "disallow"}, {"disallaw", "disallow"},
	{"sitemap", "sitemap"}, {"site-map", "sitemap"},
}

// directiveOf returns the directive that a key means, or "".
func directiveOf(key string) string {
	for _, s := range spellings {
		if len(key) >= len(s.prefix) && strings.EqualFold(key[:len(s.prefix)], s.prefix) {
			return s.directive
		}
	}
	switch lower := strings.ToLower(key); lower {
	case "license", "content-signal", "crawl-delay":
		return lower
	}
	return ""
}

func (p *reader) openGroup(agent string) {
	r := p.file
	if p.inRules || len(r.groups) == 0 {
		r.groups = append(r.groups, group{})
		p.inRules, p.signalled, p.addressed = false, false, 0
	}
	last := &r.groups[len(r.groups)-1]
	if p.signalled {
		p.signalled, p.addressed = false, len(last.agents)
	}
	last.agents = append(last.agents, agent)
	p.sawAgents = true
}

func (p *reader) addRule(allow bool, value string) {
	if len(p.file.groups) == 0 {
		return // a rule before any user-agent belongs to nobody
	}
	p.inRules = true
	if value == "" {
		return
	}
	if strings.Contains(value, "*") {
		if p.wildcards++; p.wildcards > maxWildcards {
			return
		}
	}
	last := &p.file.groups[len(p.file.groups)-1]
	last.rules = append(last.rules, rule{allow, newPattern(value)})
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i:], "/index.htm") {
		// Google: whoever allows a directory's index page allows the directory's own address.
		last.rules = append(last.rules, rule{true, newPattern(value[:i+1] + "$")})
	}
}

// RulesFor returns the rules for a crawler's product token: those of all groups that name it, else those of all groups for "*".
// A nil file has none.
func (r *File) RulesFor(token string) Rules {
	if r == nil {
		return nil
	}
	var rules Rules
	for _, g := range r.groupsFor(token) {
		rules = append(rules, g.rules...)
	}
	return rules
}

// Delay returns how long a crawler's product token is asked to wait between two requests (Crawl-delay): the longest of the groups that it
// obeys, 0 where they say nothing. A nil file says nothing.
func (r *File) Delay(token string) time.Duration {
	var longest time.Duration
	if r != nil {
		for _, g := range r.groupsFor(token) {
			longest = max(longest, g.delay)
		}
	}
	return longest
}

// groupsFor returns the groups that a crawler's product token obeys: all that name it, else all for "*".
func (r *File) groupsFor(token string) (own []group) {
	token, _, _ = strings.Cut(token, "/") // a version
	var general []group
	for _, g := range r.groups {
		if g.names(token) {
			own = append(own, g)
		}
		if g.isGeneral() {
			general = append(general, g)
		}
	}
	if own != nil {
		return own
	}
	return general
}

// Names reports whether a group of the file is for a crawler's product token, and not for all.
func (r *File) Names(token string) bool {
	return r != nil && slices.ContainsFunc(r.groups, func(g group) bool { return g.names(token) })
}

// Allowed reports whether a crawler may fetch an address of the site. A nil file allows everything.
func (r *File) Allowed(token string, u *weburl.URL) bool { return r.RulesFor(token).Allow(u) }

// names reports whether one of the group's user-agent lines is for the product token.
func (g group) names(token string) bool {
	if token == "" {
		return false
	}
	for _, agent := range g.agents {
		if strings.EqualFold(token, productToken(agent)) || strings.EqualFold(token, firstWord(agent)) {
			return true
		}
	}
	return false
}

func (g group) isGeneral() bool {
	for _, agent := range g.agents {
		if firstWord(agent) == "*" {
			return true
		}
	}
	return false
}

// productToken returns the leading letters, "-" and "_" of a user-agent value: RFC 9309 allows nothing else in a product token.
func productToken(agent string) string {
	i := strings.IndexFunc(agent, func(c rune) bool {
		return c != '-' && c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	if i < 0 {
		return agent
	}
	return agent[:i]
}

// firstWord returns a user-agent value up to its first space or version. Some crawlers (archive.org_bot) have tokens that
// productToken would cut short.
func firstWord(agent string) string {
	if i := strings.IndexAny(agent, " \t/"); i >= 0 {
		return agent[:i]
	}
	return agent
}

// Allow reports whether the rules let a URL be fetched: the longest pattern that matches decides, Allow wins among equals, and
// robots.txt itself is always allowed.
func (rules Rules) Allow(u *weburl.URL) bool {
	return u.Path() == "/robots.txt" || rules.allowTarget(u.Target())
}

// ForbidEverything reports whether the rules let nothing at all be fetched.
func (rules Rules) ForbidEverything() bool {
	forbidden := false
	for _, rule := range rules {
		if rule.allow {
			return false
		}
		forbidden = forbidden || strings.Trim(rule.pattern.plain, "*") == "/" || strings.Trim(rule.pattern.plain, "*") == ""
	}
	return forbidden
}

// Contradiction returns a pattern that the rules both allow and disallow, or "".
func (rules Rules) Contradiction() string {
	allowed := map[string]bool{}
	for _, rule := range rules {
		if before, seen := allowed[rule.pattern.plain]; seen && before != rule.allow {
			return rule.pattern.plain
		}
		allowed[rule.pattern.plain] = rule.allow
	}
	return ""
}

// allowTarget is allow of a path with its query, escaped.
func (rules Rules) allowTarget(raw string) bool {
	path := newTarget(raw)
	longest, allowed := 0, true
	for _, rule := range rules {
		length := len(rule.pattern.plain)
		decides := length > longest || length == longest && rule.allow && !allowed
		if decides && rule.pattern.matches(path) {
			longest, allowed = length, rule.allow
		}
	}
	return allowed
}

// matches reports whether a path begins as the pattern says, in either spelling.
func (pattern target) matches(path target) bool {
	if patternMatches(pattern.plain, path.plain) {
		return true
	}
	if pattern.plain == pattern.decodedQuery && path.plain == path.decodedQuery {
		return false
	}
	return patternMatches(pattern.decodedQuery, path.decodedQuery)
}

// patternMatches matches "*" (any characters) and a final "$" (the end). Each piece between stars is looked for once,
// at its leftmost place, so that no pattern costs more than a pass over the path.
func patternMatches(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	piece, rest, more := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, piece) {
		return false
	}
	path = path[len(piece):]
	for more {
		piece, rest, more = strings.Cut(rest, "*")
		if !more && anchored {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !anchored || path == ""
}
