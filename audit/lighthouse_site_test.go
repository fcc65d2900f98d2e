package audit

import (
	"strings"
	"testing"
)

// siteInput is what cases say of requests beside the page.
type siteInput struct {
	RobotsStatus int      `json:"robots_txt_status"`
	Requests     []string // the page and what it loads
	URLs         struct {
		Requested string `json:"requestedUrl"`
		Final     string `json:"finalDisplayedUrl"`
	}
}

// addSite adds to the facts of a page what a case says of requests beside it.
func (c lighthouseCase) addSite(f *facts) {
	in := c.Input.siteInput
	if in.RobotsStatus != 0 {
		robotsAnswer(in.RobotsStatus, c.Input.RobotsTXT)(f)
	}
	if len(in.Requests) > 0 {
		var page strings.Builder
		for _, address := range in.Requests[1:] {
			page.WriteString(`<img src="` + address + `">`)
		}
		f.response.Body = []byte(page.String())
		at(in.Requests[0])(f)
	}
	if in.URLs.Final != "" {
		at(in.URLs.Final)(f)
	}
	if f.final.Scheme() == "https" && strings.HasPrefix(in.URLs.Requested, "http:") && !f.final.IsLoopback() {
		variant := answer(in.URLs.Final, 200, "", "")
		variant.Redirects = []string{in.URLs.Requested}
		f.site.insecure = &variant
	}
}

func TestLighthouseSite(t *testing.T) {
	for _, c := range []struct {
		audit, id   string
		differences map[string]string
	}{
		{"robots-txt", "robots-txt", nil},
		{"has-hsts", "hsts", map[string]string{
			"has-hsts#7": "unknown directives are skipped, as RFC 6797 section 6.1 asks of browsers",
			"has-hsts#8": "the same",
		}},
		{"is-on-https", "mixed-content", nil},
		{"redirects-http", "http-to-https", map[string]string{
			"redirects-http#1": "a page that is itself on http fails https; this check is about the http: variant of an https page",
		}},
		{"csp-xss", "csp", map[string]string{
			"csp-xss#1": "only what MDN judges counts: neither base-uri and object-src nor unknown directives",
		}},
	} {
		t.Run(c.audit, func(t *testing.T) { holdsLighthouse(t, c.audit, c.id, c.differences) })
	}
}
