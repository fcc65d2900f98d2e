package robots

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sitegrade/weburl"
)

// knownDifferences are the cases that are decided otherwise here, with the reason. Google's library compares octets as they
// come and leaves normalising to its caller; RFC 9309 section 2.2.2 asks for both sides to be normalised before they are
// compared, and its table lists each of these pairs as a match. So here the Allow line matches where the case says it does not.
var knownDifferences = map[string]string{
	"ID_Encoding#3": "a raw ツ in both is the same octets: both are encoded, and match",
	"ID_Encoding#5": "a pattern with %E3%83%84 matches a raw ツ",
	"ID_Encoding#6": "an encoded unreserved character (%62%61%7A) is decoded, and matches baz",
}

// TestCases runs the cases of Google's robots.txt library; testdata/robots-cases.json names its version.
func TestCases(t *testing.T) {
	for _, c := range readRobotsCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			want := c.Allowed
			if _, differs := knownDifferences[c.ID]; differs {
				want = !want
			}
			u, err := url.Parse(caseText(t, c.URL))
			if err != nil {
				t.Fatal(err)
			}
			rules := Parse([]byte(caseText(t, c.RobotsTxt))).RulesFor(c.UserAgent)
			if got := u.Path == "/robots.txt" || rules.allowTarget(u.RequestURI()); got != want {
				t.Errorf("%s may fetch %.80s: %v, want %v", c.UserAgent, u, got, want)
			}
		})
	}
}

type robotsCase struct {
	ID        string
	Kind      string
	RobotsTxt json.RawMessage `json:"robots_txt"`
	UserAgent string          `json:"user_agent"`
	URL       json.RawMessage
	Allowed   bool
}

func readRobotsCases(t *testing.T) []robotsCase {
	t.Helper()
	b, err := os.ReadFile("testdata/robots-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []robotsCase }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range file.Cases {
		if c.Kind != "match" {
			t.Fatalf("%s: unknown kind %q", c.ID, c.Kind)
		}
	}
	return file.Cases
}

// caseText returns the text of a case: a string, {"repeat": [[text, count], ...]} or {"base64": ...}.
func caseText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		return plain
	}
	var coded struct {
		Repeat [][2]json.RawMessage
		Base64 string
	}
	if err := json.Unmarshal(raw, &coded); err != nil {
		t.Fatal(err)
	}
	if coded.Base64 != "" {
		b, err := base64.StdEncoding.DecodeString(coded.Base64)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var all strings.Builder
	for _, part := range coded.Repeat {
		var s string
		var count int
		if json.Unmarshal(part[0], &s) != nil || json.Unmarshal(part[1], &count) != nil {
			t.Fatalf("bad repeat %s", raw)
		}
		all.WriteString(strings.Repeat(s, count))
	}
	return all.String()
}

func TestAllowed(t *testing.T) {
	tests := []struct {
		name, robots, agent, path string
		want                      bool
	}{
		{"own group before *", "User-agent: *\nDisallow: /\nUser-agent: Bot\nAllow: /", "Bot", "/a", true},
		{"own group without rules", "User-agent: Bot\n\nUser-agent: x\nAllow: /x\nUser-agent: *\nDisallow: /", "Bot", "/a", true},
		{"groups of one crawler are merged", "User-agent: bot\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: BOT\nDisallow: /b", "Bot", "/b", false},
		{"longest pattern", "User-agent: *\nDisallow: /a\nAllow: /a/b", "Bot", "/a/b/c", true},
		{"allow wins ties", "User-agent: *\nDisallow: /a\nAllow: /a", "Bot", "/a", true},
		{"allow wins ties in any order", "User-agent: *\nAllow: /a\nDisallow: /a", "Bot", "/a", true},
		{"a token with a dot", "User-agent: archive.org_bot\nDisallow: /", "archive.org_bot", "/", false},
		{"a version after the token", "User-agent: Googlebot/2.1\nDisallow: /", "Googlebot", "/", false},
		{"a longer token is another crawler", "User-agent: Googlebot-Image\nDisallow: /", "Googlebot", "/", true},
		{"robots.txt itself", "User-agent: *\nDisallow: /", "Bot", "/robots.txt", true},
		{"a byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /", "Bot", "/", false},
		{"line ends CR", "User-agent: *\rDisallow: /", "Bot", "/", false},
		{"line ends CRLF", "User-agent: *\r\nDisallow: /\r\n", "Bot", "/", false},
		{"a comment after the rule", "User-agent: * # all\nDisallow: / # everything", "Bot", "/", false},
		{"no path", "User-agent: *\nDisallow: /", "Bot", "", false},
		{"a question mark without a query", "User-agent: *\nDisallow: /*?$", "Bot", "/a?", false},
		{"lower case digits of an encoding", "User-agent: *\nDisallow: /%e3%83%84", "Bot", "/%E3%83%84", false},
		{"an encoded reserved character is another one", "User-agent: *\nDisallow: /a/b", "Bot", "/a%2Fb", true},
		{"the address in a query of RFC 9309's table", "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar", "Bot",
			"/foo/bar?baz=https%3A%2F%2Ffoo.bar", false},
		{"an encoded pattern without a question mark", "User-agent: *\nDisallow: /*%2F%2F", "Bot", "/foo?baz=https%3A%2F%2Ffoo.bar", false},
		{"stars at the end", "User-agent: *\nDisallow: /a***", "Bot", "/ab", false},
		{"a star before the end mark", "User-agent: *\nDisallow: /a*$", "Bot", "/abc", false},
		{"the last piece must end the path", "User-agent: *\nDisallow: /*a$", "Bot", "/aba", false},
		{"the last piece may not overlap the first", "User-agent: *\nDisallow: /ab*b$", "Bot", "/ab", true},
		{"an encoded star is a star", "User-agent: *\nDisallow: /a%2ab", "Bot", "/a*b", false},
		{"and is no wildcard", "User-agent: *\nDisallow: /a%2Ab", "Bot", "/axb", true},
		{"an encoded star matches one that is encoded", "User-agent: *\nDisallow: /a%2Ab", "Bot", "/a%2ab", false},
		{"an encoded dollar is a dollar", "User-agent: *\nDisallow: /a%24", "Bot", "/a$b", false},
		{"and is no end", "User-agent: *\nDisallow: /a%24", "Bot", "/a", true},
		{"a dollar in the middle is one", "User-agent: *\nDisallow: /a$b", "Bot", "/a$bc", false},
		{"a star of the address is one", "User-agent: *\nDisallow: /a*b$", "Bot", "/a*b", false},
		{"a space before the colon, and around all", "  User-agent : *  \n\tDisallow\t:  /a  ", "Bot", "/a", false},
		{"no colon", "User-agent *\nDisallow /a", "Bot", "/a", false},
		{"three words without a colon", "User-agent: *\nDisallow /a b", "Bot", "/a", true},
		{"misspelt as Google accepts it", "useragent: *\nDissalow: /a", "Bot", "/a", false},
		{"misspelt as nobody accepts it", "User-agent: *\nBlock: /a", "Bot", "/a", true},
		{"several agents in one group", "User-agent: a\nUser-agent: b\n\nUser-agent: c\nDisallow: /", "b", "/a", false},
		{"a sitemap does not end the agents", "User-agent: a\nSitemap: https://example.com/s.xml\nUser-agent: b\nDisallow: /", "a", "/x", false},
		{"nor does a delay", "User-agent: a\nCrawl-delay: 3\nUser-agent: b\nDisallow: /", "a", "/x", false},
		{"an empty Disallow does not lift other rules", "User-agent: *\nDisallow: /a\nDisallow:", "Bot", "/a", false},
		{"an empty Disallow is a group's rule", "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /", "a", "/x", true},
		{"rules before all groups", "Disallow: /\nUser-agent: x\nDisallow: /x", "Bot", "/a", true},
		{"the case of a token", "User-agent: GOOGLEBOT\nDisallow: /", "googlebot", "/", false},
		{"the case of a path", "User-agent: *\nDisallow: /A", "Bot", "/a", true},
		{"a star after the token", "User-agent: Googlebot*\nDisallow: /", "Googlebot", "/", false},
		{"a token that begins another", "User-agent: Google\nDisallow: /", "Googlebot", "/", true},
		{"the crawler's own version", "User-agent: Bot\nDisallow: /", "Bot/2.0", "/", false},
		{"a raw space", "User-agent: *\nDisallow: /a b", "Bot", "/a%20b", false},
		{"an encoded space", "User-agent: *\nDisallow: /a%20b", "Bot", "/a b", false},
		{"characters that URLs have encoded", "User-agent: *\nDisallow: /{a}|", "Bot", "/%7Ba%7D%7C", false},
		{"raw Unicode against encoded", "User-agent: *\nDisallow: /bücher", "Bot", "/b%C3%BCcher", false},
		{"encoded Unicode against raw", "User-agent: *\nDisallow: /b%c3%bccher", "Bot", "/bücher", false},
		{"an end mark with a query", "User-agent: *\nDisallow: /*.php$", "Bot", "/a.php?b", true},
		{"UTF-16, low bytes first", "\xff\xfe" + wide("User-agent: *\nDisallow: /a", 0), "Bot", "/a", false},
		{"UTF-16, high bytes first", "\xfe\xff" + wide("User-agent: *\nDisallow: /a", 1), "Bot", "/a", false},
		{"the beginning of a mark", "\xef\xbbUser-agent: *\nDisallow: /a", "Bot", "/a", false},
		{"rules in a page", "<html><body>\nUser-agent: *<br>\nDisallow: /a<br>\n</body></html>", "Bot", "/a", false},
		{"a page in place of the file", "<!doctype html><title>Disallow: /</title><p>Not here: all", "Bot", "/a", true},
		{"angle brackets in a file that is no page", "User-agent: *\nDisallow: /a<b>", "Bot", "/a", true},
		{"a broken escape", "User-agent: *\nDisallow: /a%zz%4", "Bot", "/a", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Parse([]byte(test.robots)).Allowed(test.agent, onSite(test.path)); got != test.want {
				t.Errorf("allowed = %v, want %v", got, test.want)
			}
		})
	}
}

// wide returns ASCII text in UTF-16, its characters at the even bytes or, with 1, at the odd ones.
func wide(text string, odd int) string {
	b := make([]byte, 2*len(text))
	for i := range len(text) {
		b[2*i+odd] = text[i]
	}
	return string(b)
}

// onSite returns the URL of a path and query.
func onSite(target string) *weburl.URL {
	return weburl.Resolve(nil, "https://example.com"+target)
}

func TestNil(t *testing.T) {
	var r *File
	if !r.Allowed("Bot", onSite("/")) {
		t.Error("a nil file must allow everything")
	}
}

func TestBeyondLimit(t *testing.T) {
	body := "User-agent: *\nDisallow: /a\n" + strings.Repeat("#", MaxSize-30) + "\nDisallow: /b\n"
	r := Parse([]byte(body))
	if r.Allowed("Bot", onSite("/a")) {
		t.Error("a rule within the limit must count")
	}
	if !r.Allowed("Bot", onSite("/b")) {
		t.Error("a rule beyond the limit must not count")
	}
}

// TestManyWildcards holds that the patterns after too many with "*" count if they have none themselves.
func TestManyWildcards(t *testing.T) {
	body := "User-agent: *\n" + strings.Repeat("Disallow: /*x\n", maxWildcards) + "Disallow: /*b\nDisallow: /a\n"
	r := Parse([]byte(body))
	for path, want := range map[string]bool{"/cx": false, "/cb": true, "/a": false} {
		if got := r.Allowed("Bot", onSite(path)); got != want {
			t.Errorf("%s is allowed: %v, want %v", path, got, want)
		}
	}
}

func TestSitemaps(t *testing.T) {
	r := Parse([]byte("Sitemap: https://example.com/a.xml\nUser-agent: *\nsite-map:https://example.com/b.xml # second\nDisallow:\nSitemap:"))
	if got := strings.Join(r.Sitemaps, " "); got != "https://example.com/a.xml https://example.com/b.xml" {
		t.Errorf("sitemaps = %s", got)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, robots string
		lines        []int
	}{
		{"nothing wrong", "# all\nUser-agent: *\nDisallow:\nAllow: /*.css$\nCrawl-delay: 3\nSitemap: https://example.com/s.xml\n", nil},
		{"what is said to crawlers of language models",
			"License: https://example.com/l.xml\nUser-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n", nil},
		{"rule before a user-agent", "Disallow: /\nUser-agent: *\n", []int{1}},
		{"unknown directive", "User-agent: *\r\nDisalow: /a\r\n", []int{2}},
		{"no colon", "User-agent *\rDisallow /\r", []int{1, 2}},
		{"pattern without a slash", "User-agent: *\nAllow: a\nAllow: https://example.com/\nAllow: *a", []int{2, 3}},
		{"$ in the middle", "User-agent: *\n\nAllow: /a$b\nAllow: /a$", []int{3}},
		{"relative sitemap", "Sitemap: /s.xml\nSitemap:\nSitemap: ftp://example.com/s.xml", []int{1, 2}},
		{"no user-agent", "User-agent:\nDisallow: /", []int{1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var lines []int
			for _, p := range Parse([]byte(test.robots)).Problems {
				lines = append(lines, p.Line)
			}
			if !slices.Equal(lines, test.lines) {
				t.Errorf("lines = %v, want %v", lines, test.lines)
			}
		})
	}
}

func TestDelay(t *testing.T) {
	file := Parse([]byte("Crawl-delay: 9\nUser-agent: a\nUser-agent: b\nCrawl-delay: 0.5\nDisallow: /x\nUser-agent: *\nCrawl-delay: 3\nAllow: /\nUser-agent: a\ncrawl-delay: 2\nAllow: /\nUser-agent: c\nCrawl-delay: -1\n"))
	for token, want := range map[string]time.Duration{"a": 2 * time.Second, "B/1.0": time.Second / 2, "c": 0, "d": 3 * time.Second} {
		if got := file.Delay(token); got != want {
			t.Errorf("%s waits %v, want %v", token, got, want)
		}
	}
}

// Fuzz holds that no file and no address break the parser, and that what it finds does not depend on a byte order mark.
func Fuzz(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a*b$\nAllow: /%E3"), "/ab?c=%2F")
	f.Add([]byte("\xef\xbb\xbfuser agent: x\r\rallow: /index.html\r\nsitemap: x"), "/")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		u := onSite("/" + path + "?" + path)
		if u == nil {
			return // too long
		}
		r := Parse(body)
		got := r.Allowed("Bot", u)
		if len(body) < MaxSize-3 && !strings.HasPrefix(string(body), "\xef\xbb\xbf") {
			if marked := Parse(append([]byte("\xef\xbb\xbf"), body...)).Allowed("Bot", u); marked != got {
				t.Errorf("allowed = %v, and %v with a byte order mark", got, marked)
			}
		}
		for _, p := range r.Problems {
			if p.Line < 1 || p.Detail == "" || utf8.RuneCountInString(p.Text) > 200 {
				t.Errorf("bad problem %+v", p)
			}
		}
	})
}

// The bounds themselves count, and nothing beyond them.
func TestBounds(t *testing.T) {
	const rule = "Disallow: /b"
	start := "User-agent: *\n#"
	for size, want := range map[int]bool{500 << 10: false, 500<<10 + 1: true} {
		body := start + strings.Repeat("#", size-len(start)-len(rule)-1) + "\n" + rule
		if got := Parse([]byte(body)).Allowed("Bot", onSite("/b")); got != want {
			t.Errorf("a rule that ends at byte %d: allowed %v", size, got)
		}
	}
	for stars, want := range map[int]bool{1999: false, 2000: true} {
		body := "User-agent: *\n" + strings.Repeat("Disallow: /*x\n", stars) + "Disallow: /*b\n"
		if got := Parse([]byte(body)).Allowed("Bot", onSite("/b")); got != want {
			t.Errorf("a pattern after %d with stars: allowed %v", stars, got)
		}
	}
	if n := len(Parse([]byte(strings.Repeat("x\n", 101))).Problems); n != 100 {
		t.Errorf("%d problems", n)
	}
}
