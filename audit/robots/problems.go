package robots

import (
	"fmt"
	"net/url"
	"strings"
)

// Problem is a line of a robots.txt that crawlers may read otherwise than its author.
type Problem struct {
	Line   int // 1-based
	Text   string
	Detail string
}

// MaxProblems bounds the list: nobody reads more, and a hostile file has a hundred thousand of them.
const MaxProblems = 100

// knownKeys are the directives that some crawler documents. Beside RFC 9309: crawl-delay (Bing, Yandex), clean-param
// and host (Yandex), request-rate and visit-time (older crawlers), noindex (formerly Google), content-signal (Cloudflare),
// content-usage (IETF AI preferences) and license (Really Simple Licensing).
var knownKeys = map[string]bool{
	"user-agent": true, "allow": true, "disallow": true, "sitemap": true, "crawl-delay": true, "clean-param": true, "host": true,
	"request-rate": true, "visit-time": true, "noindex": true, "content-signal": true, "content-usage": true, "license": true,
}

// report adds what is wrong with a line, if anything.
func (p *reader) report(number int, line, key, value string, separated bool) {
	if len(p.file.Problems) >= MaxProblems {
		return
	}
	if detail := p.lineProblem(strings.ToLower(key), value, separated); detail != "" {
		p.file.Problems = append(p.file.Problems, Problem{number, fmt.Sprintf("%.200s", line), detail})
	}
}

func (p *reader) lineProblem(key, value string, separated bool) string {
	switch {
	case !separated:
		return "not a directive followed by a colon"
	case !knownKeys[key]:
		return "unknown directive"
	case key == "user-agent" && value == "":
		return "no user-agent named"
	case key == "sitemap" && !isAbsoluteSitemap(value):
		return "the address of a sitemap must be absolute"
	case key != "allow" && key != "disallow":
		return ""
	case !p.sawAgents:
		return "a rule before the first user-agent belongs to no crawler"
	}
	return patternProblem(value)
}

func patternProblem(pattern string) string {
	if pattern == "" {
		return ""
	}
	if pattern[0] != '/' && pattern[0] != '*' {
		return `a pattern must begin with "/" or "*"`
	}
	if i := strings.IndexByte(pattern, '$'); i >= 0 && i != len(pattern)-1 {
		return `"$" means the end and must come last`
	}
	return ""
}

func isAbsoluteSitemap(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp"
}
