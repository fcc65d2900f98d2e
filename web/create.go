package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/web/templates"
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
}

func (w *Web) newReports(v *visit) error {
	w.sendPage(v, http.StatusOK, "new", newPage{
		frame: v.frame("New report", "new"), PrivacyField: view.PrivacyField{Privacy: db.Public}, Sitemaps: w.Auditor != nil, Most: maxCreated,
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

// invalidFields returns a sentence for each field that the database refused; nil when that is not what went wrong.
func invalidFields(err error) []string {
	var invalid *db.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	return fieldTexts(invalid)
}

// passwordFault parts what the database refused: the fault of a password, which pages show beside its field, and a sentence for each other field.
func passwordFault(err error) (fault string, others []string) {
	var invalid *db.InvalidError
	if !errors.As(err, &invalid) {
		return "", nil
	}
	for _, f := range invalid.Fields {
		switch {
		case f.Field == "password" && strings.HasPrefix(f.Detail, "is required"):
			fault = "Give the password that opens the page."
		case f.Field == "password":
			fault = "The password " + f.Detail + "."
		default:
			others = append(others, f.Field+": "+f.Detail)
		}
	}
	return fault, others
}

// createReports makes a report of each address that is given or that a sitemap lists: of all, or when one is not valid of none.
func (w *Web) createReports(v *visit) error {
	privacy, password := postedPrivacy(v.posted)
	wanted := db.NewReport{Privacy: privacy, Password: password, Project: strings.TrimSpace(v.posted.Get("project"))}
	if v.posted.Get("sitemap") != "" { // which is fetched now
		if wait := w.Limits.Calls(v.key.ID, 1, w.Now()); wait > 0 {
			return w.askToWait(v, wait)
		}
	}
	addresses, wrong := w.postedAddresses(v)
	if wrong == nil {
		wrong = w.invalidReports(wanted, addresses)
	}
	if wrong != nil {
		return w.sendFormAgain(v, http.StatusUnprocessableEntity, wrong)
	}
	if wait := w.Limits.Calls(v.key.ID, len(addresses), w.Now()); wait > 0 {
		return w.askToWait(v, wait)
	}
	made, err := w.store.CreateReports(v.r.Context(), v.key.Account, wanted, addresses...)
	if err != nil {
		return err
	}
	if len(made) == 1 {
		return v.see("/reports/" + made[0].ID.String())
	}
	return v.see("/?queued=" + strconv.Itoa(len(made)))
}

// askToWait sends the form with what was filled in, for another attempt in so many seconds.
func (w *Web) askToWait(v *visit, seconds int) error {
	v.Header().Set("Retry-After", strconv.Itoa(seconds))
	return w.sendFormAgain(v, http.StatusTooManyRequests,
		[]string{askedToWait(seconds)})
}

func askedToWait(seconds int) string {
	return "So much was done with your API key just now that this server asks you to wait " + templates.Count(seconds, "second") + "."
}

// sendFormAgain sends the form with what was filled in, and why no report was made.
func (w *Web) sendFormAgain(v *visit, status int, wrong []string) error {
	privacy, _ := postedPrivacy(v.posted)
	w.sendPage(v, status, "new", newPage{
		frame: v.frame("New report", "new"), URLs: v.posted.Get("url"), Sitemap: v.posted.Get("sitemap"), Project: v.posted.Get("project"),
		PrivacyField: view.PrivacyField{Privacy: min(privacy, db.Password)}, Sitemaps: w.Auditor != nil, Most: maxCreated, Wrong: wrong,
	})
	return nil
}

// postedAddresses returns the addresses of the form, and those of its sitemap. Otherwise it says what is wrong.
func (w *Web) postedAddresses(v *visit) (addresses, wrong []string) {
	for line := range strings.Lines(v.posted.Get("url")) {
		if line = strings.TrimSpace(line); line != "" {
			addresses = append(addresses, weburl.Complete(line))
		}
	}
	if sitemap := strings.TrimSpace(v.posted.Get("sitemap")); sitemap != "" && w.Auditor != nil {
		u, err := weburl.Parse(weburl.Complete(sitemap))
		if err != nil {
			return nil, []string{"sitemap: " + err.Error()}
		}
		listed, err := w.Auditor.SitemapAddresses(v.r.Context(), u, maxCreated+1)
		if err != nil {
			return nil, []string{"sitemap: " + sitemapTrouble(err)}
		}
		addresses = append(addresses, listed...)
	}
	switch {
	case len(addresses) == 0:
		return nil, []string{"url: give at least one address, such as https://example.com/"}
	case len(addresses) > maxCreated:
		return nil, []string{fmt.Sprintf("url: these are more than %s addresses; give them in several parts", templates.Grouped(maxCreated))}
	}
	return addresses, nil
}

// sitemapTrouble says why a sitemap could not be had.
func sitemapTrouble(err error) string {
	var failure *audit.Failure
	if errors.As(err, &failure) {
		return failure.Detail
	}
	return err.Error()
}

// maxNamed is how many wrong addresses are named at once.
const maxNamed = 20

// invalidReports says which reports may not be created, each fault once; nil when all may.
func (w *Web) invalidReports(wanted db.NewReport, addresses []string) []string {
	var wrong []string
	named := map[string]bool{}
	for _, address := range addresses {
		wanted.URL = address
		for _, f := range w.invalidReport(wanted) {
			text := f.Field + ": " + f.Detail
			if f.Field == "url" {
				text = templates.Shorten(100, address) + ": " + f.Detail
			}
			if !named[text] && len(wrong) < maxNamed {
				named[text] = true
				wrong = append(wrong, text)
			}
		}
	}
	return wrong
}

// invalidReport returns what is wrong with a report that shall be created.
func (w *Web) invalidReport(wanted db.NewReport) []db.FieldError {
	var invalid *db.InvalidError
	switch {
	case errors.As(wanted.Validate(), &invalid):
		return invalid.Fields
	case w.isForbidden(wanted.URL):
		return []db.FieldError{{Field: "url", Detail: audit.ForbiddenDetail}}
	}
	return nil
}

// isForbidden reports whether the auditor will not contact what an address names.
func (w *Web) isForbidden(address string) bool {
	u, err := weburl.Parse(address)
	return err == nil && w.Auditor != nil && w.Auditor.Forbidden(u)
}
