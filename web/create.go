package web

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/view"
	"sitegrade/weburl"
)

// maxCreated is how many reports one form may make.
const maxCreated = 1000

// newPage is the data of the form for new reports.
type newPage struct {
	frame
	URLs    string
	Sitemap string
	Project string
	view.PrivacyField
	Sitemaps bool // sitemaps can be fetched
	Most     int
	Wrong    []string
	Bad      []badLine
	Good     int // addresses beside those
}

func (w *Web) newReports(v *visit) error {
	account, err := w.store.Account(v.r.Context(), v.key.Account)
	if err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "new", newPage{
		frame: v.frame(v.say("layout.new-report"), "new"), PrivacyField: view.PrivacyField{Privacy: account.Privacy}, Sitemaps: w.Auditor != nil, Most: maxCreated,
		Project: v.r.URL.Query().Get("project"),
	})
	return nil
}

// postedPrivacy returns the fields privacy and password of a form. What no privacy can be is left for the database to refuse. A
// password that a browser filled in beside another privacy is passed over.
func postedPrivacy(form url.Values) (db.Privacy, string) {
	text := form.Get("privacy")
	if text == "" {
		return db.Public, ""
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxUint8 {
		return math.MaxUint8, ""
	}
	privacy := db.Privacy(n)
	if privacy != db.Password {
		return privacy, ""
	}
	return privacy, form.Get("password")
}

// typed is an address as it was typed, or as a sitemap lists it.
type typed struct {
	Line int // of the field, from 1; 0 for one of a sitemap
	Text string
}

// anyAddress is one that is valid, to see what is wrong with a form beside its addresses.
const anyAddress = "https://example.com/"

// URL returns the address, completed.
func (t typed) URL() string { return weburl.Complete(t.Text) }

// badLine is an address of which no report can be made.
type badLine struct {
	typed
	Detail string
}

// createReports makes a report of each address that is given or that a sitemap lists. Where one is not valid it makes not one, and names them;
// the form then has a button that leaves them out.
func (w *Web) createReports(v *visit) error {
	privacy, password, err := w.postedPrivacy(v)
	if err != nil {
		return err
	}
	wanted := db.NewReport{URL: anyAddress, Privacy: privacy, Password: password, Project: strings.TrimSpace(v.posted.Get("project"))}
	if v.posted.Get("sitemap") != "" { // which is fetched now
		if wait := w.Limits.Calls(v.key.ID, 1, w.Now()); wait > 0 {
			return w.askToWait(v, wait)
		}
	}
	lines, wrong := w.postedAddresses(v)
	if wrong != nil {
		return w.sendFormAgain(v, http.StatusUnprocessableEntity, newPage{Wrong: wrong})
	}
	fault, wrong := view.PasswordFault(v.words, wanted.Validate())
	good, bad := w.sorted(v.words, lines)
	if fault != "" || wrong != nil || len(good) == 0 || len(bad) > 0 && v.posted.Get("skip") == "" {
		return w.sendFormAgain(v, http.StatusUnprocessableEntity, newPage{Wrong: wrong, Bad: bad, Good: len(good), PrivacyField: view.PrivacyField{PasswordFault: fault}})
	}
	if wait := w.Limits.Calls(v.key.ID, len(good), w.Now()); wait > 0 {
		return w.askToWait(v, wait)
	}
	made, err := w.store.CreateReports(v.r.Context(), v.key.Account, wanted, good...)
	if err != nil {
		return err
	}
	if len(made) == 1 {
		return v.see("/reports/" + made[0].ID.String())
	}
	return v.see("/?" + url.Values{"batch": {batchName(made)}}.Encode())
}

// askToWait sends the form with what was filled in, for another attempt in so many seconds.
func (w *Web) askToWait(v *visit, seconds int) error {
	v.Header().Set("Retry-After", strconv.Itoa(seconds))
	return w.sendFormAgain(v, http.StatusTooManyRequests, newPage{Wrong: []string{v.say("failed.wait", seconds)}})
}

// sendFormAgain sends the form with what was filled in, and why no report was made.
func (w *Web) sendFormAgain(v *visit, status int, p newPage) error {
	privacy, _ := postedPrivacy(v.posted)
	p.frame, p.Sitemaps, p.Most = v.frame(v.say("layout.new-report"), "new"), w.Auditor != nil, maxCreated
	p.URLs, p.Sitemap, p.Project, p.Privacy = v.posted.Get("url"), v.posted.Get("sitemap"), v.posted.Get("project"), min(privacy, db.Password)
	w.sendPage(v, status, "new", p)
	return nil
}

// postedAddresses returns the addresses of the form, and those of its sitemap. Otherwise it says what is wrong.
func (w *Web) postedAddresses(v *visit) (addresses []typed, wrong []string) {
	n := 0
	for line := range strings.Lines(v.posted.Get("url")) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			addresses = append(addresses, typed{n, line})
		}
	}
	if sitemap := strings.TrimSpace(v.posted.Get("sitemap")); sitemap != "" && w.Auditor != nil {
		u, err := weburl.Parse(weburl.Complete(sitemap))
		if err != nil {
			return nil, []string{view.FaultLine(v.words, "sitemap", err.Error())}
		}
		listed, err := w.Auditor.SitemapAddresses(v.r.Context(), u, maxCreated+1)
		if err != nil {
			return nil, []string{view.FaultLine(v.words, "sitemap", sitemapTrouble(v.words, err))}
		}
		for _, address := range listed {
			addresses = append(addresses, typed{0, address})
		}
	}
	switch {
	case len(addresses) == 0:
		return nil, []string{v.say("new.no-address")}
	case len(addresses) > maxCreated:
		return nil, []string{v.say("new.too-many", maxCreated)}
	}
	return addresses, nil
}

// sitemapTrouble says why a sitemap could not be had.
func sitemapTrouble(words *locale.Catalogue, err error) string {
	var failure *audit.Failure
	if errors.As(err, &failure) {
		return audit.FailureIn(words.Language(), failure).Detail
	}
	return err.Error()
}

// sorted parts addresses into those of which reports may be made, and the others.
func (w *Web) sorted(words *locale.Catalogue, addresses []typed) (good []string, bad []badLine) {
	for _, one := range addresses {
		address := one.URL()
		_, err := weburl.Parse(address)
		switch {
		case err != nil:
			bad = append(bad, badLine{one, view.Fault(words, err.Error())})
		case w.isForbidden(address):
			bad = append(bad, badLine{one, view.Fault(words, audit.ForbiddenDetail)})
		default:
			good = append(good, address)
		}
	}
	return good, bad
}

// isForbidden reports whether the auditor will not contact what an address names.
func (w *Web) isForbidden(address string) bool {
	u, err := weburl.Parse(address)
	return err == nil && w.Auditor != nil && w.Auditor.Forbidden(u)
}
