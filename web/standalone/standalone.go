// Package standalone writes reports as one HTML file, which shows them without a server.
package standalone

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/assets"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// Report is what came of one URL, for a file that shows it without a server.
type Report struct {
	URL     string
	Found   *audit.Report  // nil when there is a failure
	Failure *audit.Failure // nil when there is a report
}

// page is the data of a file with reports.
type page struct {
	Title   string
	Policy  string // the content security policy
	Style   template.CSS
	Brand   *view.Brand // nil: ours
	Reports []view.Report
}

// standalone are the template of a file with reports and what it needs of the assets in each language, made when they are first used.
var standalone = func() map[locale.Language]func() parts {
	all := map[locale.Language]func() parts{}
	for _, l := range locale.Languages() {
		all[l] = sync.OnceValue(func() parts {
			a := assets.Load()
			style := string(a.Contents("style.css"))
			return parts{templates.Standalone(a, l), template.CSS(style), policyOf(style)}
		})
	}
	return all
}()

// policyOf returns a content security policy that allows one style sheet.
func policyOf(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// parts are the template, the style sheet, and the content security policy that allows nothing but that.
type parts struct {
	page   *template.Template
	style  template.CSS
	policy string
}

// Write writes an HTML page with reports, in the language of the words, that loads nothing, neither from a server nor from beside it, and runs no script. Its
// policy, which stands in it, forbids both. The error is that of w.
func Write(w io.Writer, words *locale.Catalogue, reports []Report) error {
	return WriteBranded(w, words, nil, "", reports)
}

// WriteBranded is Write with the brand of an account in the place of ours, and the style sheet of its colours (view.FileBrand). Its logo is
// in the file, and the policy allows pictures of that kind.
func WriteBranded(w io.Writer, words *locale.Catalogue, brand *view.Brand, sheet string, reports []Report) error {
	parts := standalone[words.Language()]()
	file := page{Title: templates.Say(words, "standalone.title"), Policy: parts.policy, Style: parts.style, Brand: brand}
	if sheet != "" {
		file.Style += "\n" + template.CSS(sheet)
		file.Policy = policyOf(string(file.Style))
	}
	if brand != nil && brand.Logo != "" {
		file.Policy += "; img-src data:"
	}
	for _, r := range reports {
		shown := db.Report{URL: r.URL, Status: db.Failed, Score: db.NoScore, Failure: r.Failure}
		if r.Found != nil {
			shown.Status, shown.Score, shown.Result, shown.GeneratedAt = db.Done, r.Found.Score, r.Found.Result, r.Found.GeneratedAt
		}
		file.Reports = append(file.Reports, view.NewReport(words, shown, r.Found))
		if len(reports) == 1 {
			file.Title = view.ReportTitle(words, shown)
		}
	}
	return parts.page.ExecuteTemplate(w, "standalone", file)
}
