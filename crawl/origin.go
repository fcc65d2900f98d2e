package crawl

import (
	"net/http"
	"time"

	"sitegrade/audit/robots"
	"sitegrade/weburl"
)

// token is the name by which robots.txt addresses us.
const token = "Sitegrade"

// origin is what the robots.txt of an origin says.
type origin struct {
	url     *weburl.URL // of the file
	rules   robots.Rules
	known   bool
	taken   bool // it is asked for
	out     bool // the file could not be read, which forbids everything (RFC 9309, section 2.3.1.4)
	tries   int
	waiting []id
}

// originOf returns what is known of an address's origin. The robots.txt of one that was not met is asked for next.
func (f *Frontier) originOf(u *weburl.URL) *origin {
	o := f.origins[u.Origin()]
	if o == nil {
		o = &origin{url: u.WithPath("/robots.txt")}
		f.origins[u.Origin()] = o
		f.asking = append(f.asking, o)
	}
	return o
}

// allows reports whether an address may be asked for.
func (o *origin) allows(u *weburl.URL) bool { return !o.out && o.rules.Allow(u) }

// hasRobots reports whether a robots.txt can be asked for now.
func (f *Frontier) hasRobots() bool {
	for _, o := range f.asking {
		if !o.taken {
			return true
		}
	}
	return false
}

func (f *Frontier) takeRobots() (*weburl.URL, bool) {
	for _, o := range f.asking {
		if !o.taken {
			o.taken = true
			return o.url, true
		}
	}
	return nil, false
}

// robotsDone notes what a robots.txt says, and admits what waited for it.
func (f *Frontier) robotsDone(v *Visit) {
	u := weburl.Restore(v.URL)
	o := f.originOf(u)
	if o.known {
		return
	}
	o.taken = false
	if o.tries++; v.isTryAgain() && o.tries < mostTries {
		f.rest(v)
		return
	}
	o.known = true
	o.out = v.saysNothing()
	for i := range f.asking {
		if f.asking[i] == o {
			f.asking = append(f.asking[:i:i], f.asking[i+1:]...)
			break
		}
	}
	if v.Robots != "" {
		file := robots.Parse([]byte(v.Robots))
		o.rules = file.RulesFor(token)
		f.delay = max(f.delay, min(file.Delay(token), mostDelay))
		f.addDeclared(file.Sitemaps)
	}
	f.addUsualSitemap()
	for _, n := range o.waiting {
		if f.addresses[n].state == waiting {
			f.admit(n, o, weburl.Restore(f.addresses[n].url))
		}
	}
	o.waiting = nil
}

// saysNothing reports whether the server could not say what is at an address, not even that nothing is.
func (v *Visit) saysNothing() bool {
	return v.Status == 0 || v.Status >= 500 || v.Status == http.StatusTooManyRequests
}

// rest has the host rest as long as a visit says.
func (f *Frontier) rest(v *Visit) { f.restTill = later(f.restTill, v.At.Add(v.rest())) }

// Delay returns how long the site asks to wait between two requests (Crawl-delay), at most 10 s.
func (f *Frontier) Delay() time.Duration { return f.delay }
