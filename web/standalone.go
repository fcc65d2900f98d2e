package web

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/web/assets"
)

// StandaloneReport is what came of one URL, for a file that shows it without a server.
type StandaloneReport struct {
	URL     string
	Found   *audit.Report  // nil when there is a failure
	Failure *audit.Failure // nil when there is a report
}

// standalonePage is the data of a file with reports.
type standalonePage struct {
	Title   string
	Policy  string // the content security policy
	Style   template.CSS
	Reports []reportView
}

// standalone is the template of a file with reports and what it needs of the assets, made when it is first used.
var standalone = sync.OnceValue(func() standaloneParts {
	a := assets.Load()
	page := template.Must(loadPages(a)["shared"].Clone())
	// There is no server behind a file whose pages about checks a link could lead to.
	page.Funcs(template.FuncMap{"explained": func(string) bool { return false }})
	template.Must(page.ParseFS(templateFiles, "templates/standalone.html", "templates/standalonesite.html"))
	style := a.Contents("style.css")
	sum := sha256.Sum256(style)
	return standaloneParts{page, template.CSS(style),
		"default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"}
})

type standaloneParts struct {
	page   *template.Template
	style  template.CSS
	policy string
}

// WriteStandalone writes an HTML page with reports that loads nothing, neither from a server nor from beside it, and runs no script. Its
// policy, which stands in it, forbids both. The error is that of w.
func WriteStandalone(w io.Writer, reports []StandaloneReport) error {
	parts := standalone()
	page := standalonePage{Title: "Reports", Policy: parts.policy, Style: parts.style}
	for _, r := range reports {
		shown := db.Report{URL: r.URL, Status: db.Failed, Score: db.NoScore, Failure: r.Failure}
		if r.Found != nil {
			shown.Status, shown.Score, shown.Result, shown.GeneratedAt = db.Done, r.Found.Score, r.Found.Result, r.Found.GeneratedAt
		}
		page.Reports = append(page.Reports, newReportView(shown, r.Found))
		if len(reports) == 1 {
			page.Title = reportTitle(shown)
		}
	}
	return parts.page.ExecuteTemplate(w, "standalone", page)
}
