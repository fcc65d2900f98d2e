package audit

import (
	"strings"

	"sitegrade/audit/header"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// maxTimedRefresh is 20 hours: whoever gets longer has time enough (WCAG 2.2.1).
const maxTimedRefresh = 20 * 60 * 60 // seconds

// A refresh is what makes a browser leave the page, or load it again.
type refresh struct {
	delay    int         // seconds
	target   *weburl.URL // resolved
	evidence Evidence
}

// refresh returns what browsers act on: the header Refresh, else the first meta element that is one.
func (f *facts) refresh() (refresh, bool) {
	if lines := f.response.Header.Values("Refresh"); len(lines) > 0 {
		value := strings.Join(lines, ", ")
		if r, ok := f.readRefresh(value); ok {
			r.evidence = headerEvidence("Refresh", value)[0]
			return r, true
		}
	}
	for _, m := range f.doc.Metas {
		if m.HTTPEquiv != "refresh" {
			continue
		}
		if r, ok := f.readRefresh(m.Content); ok {
			r.evidence = evidenceOf(f.doc, m.Element)
			return r, true
		}
	}
	return refresh{}, false
}

// readRefresh reads one of them; ok is false for what browsers ignore.
func (f *facts) readRefresh(value string) (r refresh, ok bool) {
	delay, target, ok := header.ParseRefresh(value)
	if !ok {
		return refresh{}, false
	}
	r = refresh{delay: delay, target: f.final}
	if target != "" {
		if r.target = weburl.Resolve(f.doc.Base, target); r.target == nil || r.target.Scheme() == "javascript" {
			return refresh{}, false
		}
	}
	return r, true
}

func checkMetaRefresh(f *facts) finding {
	r, ok := f.refresh()
	shown := []Evidence{r.evidence}
	switch {
	case !ok:
		return notApplicable("meta-refresh.none")
	case r.delay > maxTimedRefresh:
		return pass("meta-refresh.late")
	case !r.target.SamePage(f.final):
		shown[0].URL = shownAddress(r.target)
		if r.delay == 0 {
			return warn(shown, "meta-refresh.at-once")
		}
		return fail(shown, "meta-refresh.elsewhere", locale.Count(r.delay))
	case r.target.Fragment() != "":
		return pass("meta-refresh.within")
	case r.delay == 0:
		return fail(shown, "meta-refresh.endless")
	}
	return fail(shown, "meta-refresh.again", locale.Count(r.delay))
}
