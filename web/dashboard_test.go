package web

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// allReports asks for the first reports of an account.
var allReports = sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 100, Page: 1}

func TestCreateOne(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	to := v.must(http.StatusSeeOther, v.use("/new", "/new", "url", s.site.URL+"/bread", "project", "Bakery", "privacy", "2", "password", "rye")).Header.Get("Location")
	id := uuid.MustParse(strings.TrimPrefix(to, "/reports/"))
	r := s.finished(id)
	if r.Project.Name != "Bakery" || r.Privacy != db.Password || r.Status != db.Done {
		t.Errorf("made %+v", r)
	}
	contains(t, v.page(to), s.site.URL+"/bread", "Bakery", s.HTTP.URL+"/r/"+r.Share, "who has link and password", "What to fix")
}

func TestCreateSeveral(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	to := v.must(http.StatusSeeOther, v.use("/new", "/new", "url", s.site.URL+"/a\r\n\r\n "+s.site.URL+"/b ", "sitemap", s.site.URL+"/sitemap.xml")).Header.Get("Location")
	if !strings.HasPrefix(to, "/?batch=") || !strings.HasSuffix(to, ".5") {
		t.Fatalf("sent to %q", to)
	}
	contains(t, v.page(to), "of 5 reports made", `<progress max="5"`, s.site.URL+"/a", s.site.URL+"/b", s.site.URL+"/one", s.site.URL+"/two", s.site.URL+"/three")
}

func TestCreateSaysWhatIsWrong(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	for _, test := range []struct {
		fields []string
		want   string
	}{
		{nil, "at least one address"},
		{[]string{"url", " \n "}, "at least one address"},
		{[]string{"url", "ftp://example.com/"}, "http"},
		{[]string{"url", s.site.URL + "\nhttp://user:x@example.com/"}, "Line 2: <code>http://user:x@example.com/</code> "},
		{[]string{"url", s.site.URL, "privacy", "2"}, "Give the password that opens the page."},
		{[]string{"url", s.site.URL, "privacy", "7"}, "Who may see it: must be"},
		{[]string{"url", s.site.URL, "project", "a/b"}, "Project: "},
		{[]string{"url", strings.Repeat(s.site.URL+"\n", maxCreated+1)}, "more than 1,000"},
		{[]string{"url", "http://0xa000001/"}, "http://0xa000001/</code> must not be an address in a network"},
		{[]string{"sitemap", s.site.URL + "/image"}, "Sitemap: "},
		{[]string{"sitemap", "http://192.0.2.1/sitemap.xml"}, "Sitemap: "},
	} {
		answer := v.must(http.StatusUnprocessableEntity, v.use("/new", "/new", test.fields...))
		contains(t, answer.body, test.want)
		if test.want != "Give the password that opens the page." { // which stands at its field
			contains(t, answer.body, `role="alert"`)
		}
	}
	if page, err := s.Store.Reports(t.Context(), "default", allReports); err != nil || page.Total != 0 {
		t.Errorf("%d reports were made, %v", page.Total, err)
	}
}

func TestBadForms(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	v.must(http.StatusBadRequest, v.do(http.MethodPost, "/new", "url=a&url=b"))
	v.must(http.StatusBadRequest, v.do(http.MethodPost, "/new", "url=%zz"))
	v.must(http.StatusRequestEntityTooLarge, v.do(http.MethodPost, "/new", "url="+strings.Repeat("x", maxForm)))
	v.header.Set("Content-Type", "application/json")
	v.must(http.StatusUnsupportedMediaType, v.do(http.MethodPost, "/new", `{"url": "a"}`))
	v.must(http.StatusMethodNotAllowed, v.do(http.MethodPut, "/new", ""))
}

func TestListIsTheAPIsList(t *testing.T) {
	s := newServer(t, Options{})
	for i := range 12 {
		s.create(db.NewReport{URL: fmt.Sprintf("%s/page-%02d", s.site.URL, i)})
	}
	v := s.signedIn(s.reader)
	first := v.page("/?search=PAGE&sort_by=url&sort=asc&per_page=10")
	contains(t, first, "1–10 of 12 reports", "page-00", "page-09", `href="/?search=PAGE&amp;sort_by=url&amp;sort=asc&amp;per_page=10&amp;page=2"`, `value="PAGE"`, `aria-current="true">Address`)
	lacks(t, first, "page-10")
	contains(t, v.page("/?search=PAGE&sort_by=url&sort=asc&per_page=10&page=2"), "11–12 of 12 reports", "page-11")
	contains(t, v.page("/?result=bad"), "No report matches")
	contains(t, v.page("/?page=9"), "There is no such page")
	contains(t, v.page("/?project="+strings.TrimPrefix(s.site.URL, "http://")), "12 reports", "Project: 127.0.0.1")
	contains(t, v.must(http.StatusUnprocessableEntity, v.get("/?sort_by=size&per_page=11")).body, "sort_by: must be", "per_page: must be")
	contains(t, v.must(http.StatusBadRequest, v.get("/?search=%zz")).body, "search: has a %")
	contains(t, v.page("/projects"), "12 reports", "12 good")
	contains(t, v.page("/projects?search=nothing"), "No project matches")
}

func TestOtherAccountsAreUnknown(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	secret, _ := s.StoreKey(auth.Key{Account: "other", Scopes: auth.AllScopes})
	v := s.signedIn(secret)
	contains(t, v.page("/"), "No reports yet")
	for _, id := range []string{r.ID.String(), strings.ToUpper(r.ID.String()), uuid.NewString(), "x"} {
		for _, path := range []string{"", "/events", "/delete"} {
			v.must(http.StatusNotFound, v.get("/reports/"+id+path))
		}
		for _, path := range []string{"/delete", "/privacy", "/regenerate"} {
			v.must(http.StatusNotFound, v.use("/new", "/reports/"+id+path, "privacy", "1"))
		}
	}
	v.must(http.StatusNotFound, v.get("/projects/"+r.Project.ID.String()+"/delete"))
	v.must(http.StatusNotFound, v.use("/new", "/projects/"+r.Project.ID.String()+"/delete"))
}

func TestChangePrivacy(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	path := "/reports/" + r.ID.String()
	v, guest := s.signedIn(s.key), s.visitor()
	guest.page("/r/" + r.Share)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path+"/privacy", "privacy", "2")).body,
		"<details open>", `<option value="2" selected>`, `aria-invalid="true" aria-describedby="password-wrong" autofocus>`, `id="password-wrong">Give the password`)
	v.must(http.StatusSeeOther, v.use(path, path+"/privacy", "privacy", "1", "password", "filled in by a browser"))
	guest.must(http.StatusNotFound, guest.get("/r/"+r.Share))
	v.must(http.StatusSeeOther, v.use(path, path+"/privacy", "privacy", "2", "password", "rye"))
	contains(t, guest.page("/r/"+r.Share), `name="password"`)
	v.must(http.StatusSeeOther, v.use(path, path+"/privacy", "privacy", "0"))
	contains(t, guest.page("/r/"+r.Share), "What to fix")
}

func TestRegenerateAndDelete(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	path := "/reports/" + r.ID.String()
	v := s.signedIn(s.key)
	v.must(http.StatusSeeOther, v.use(path, path+"/regenerate"))
	if again := s.finished(r.ID); !again.GeneratedAt.After(r.GeneratedAt) {
		t.Errorf("generated at %v, before at %v", again.GeneratedAt, r.GeneratedAt)
	}
	contains(t, v.page(path+"/delete"), "Delete this report?", r.URL)
	v.page(path)
	if to := v.must(http.StatusSeeOther, v.use(path+"/delete", path+"/delete")).Header.Get("Location"); to != "/?done=deleted" {
		t.Errorf("sent to %q", to)
	}
	v.must(http.StatusNotFound, v.get(path))

	other := s.create(db.NewReport{URL: s.site.URL + "/rye"})
	project := "/projects/" + other.Project.ID.String() + "/delete"
	contains(t, v.page(project), " and its report ")
	v.must(http.StatusSeeOther, v.use(project, project))
	contains(t, v.page("/projects"), "No projects yet")
}

func TestFailedReportSaysWhy(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/image"})
	if r.Failure == nil || r.Failure.Code != audit.CodeNotHTML {
		t.Fatalf("the failure is %v", r.Failure)
	}
	v := s.signedIn(s.key)
	contains(t, v.page("/reports/"+r.ID.String()), "The last audit failed", r.Failure.Detail, "not_html", "Enter the address of a web page")
	contains(t, v.page("/"), "Failed")
	contains(t, s.visitor().page("/r/"+r.Share), r.Failure.Detail)
}

func TestExports(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/?a=1,2", Project: "=HYPERLINK(\"http:\",1)"})
	s.create(db.NewReport{URL: s.site.URL + "/other", Project: "@x", Privacy: db.Private})
	s.create(db.NewReport{URL: s.site.URL + "/left-out"})
	v := s.signedIn(s.reader)
	answer := v.must(http.StatusOK, v.get("/reports.csv?search=%2Fo&sort_by=url&sort=asc"))
	contains(t, answer.Header.Get("Content-Type"), "text/csv")
	contains(t, answer.Header.Get("Content-Disposition"), "attachment")
	link := regexp.MustCompile(`href="(/reports\.csv[^"]*)"`).FindStringSubmatch(v.page("/?search=%2Fo&sort_by=url&sort=asc&per_page=25"))
	if followed := v.page(html.UnescapeString(link[1])); followed != answer.body {
		t.Errorf("the link to download the list gives another one:\n%s", followed)
	}
	rows := readCSV(t, answer.body)
	if len(rows) != 2 || rows[1][1] != s.site.URL+"/other" || rows[1][2] != "'@x" || rows[1][7] != "" {
		t.Errorf("rows %q", rows)
	}
	if rows := readCSV(t, v.page("/reports.csv")); len(rows) != 4 || rows[3][2] != `'=HYPERLINK("http:",1)` || rows[3][1] != s.site.URL+"/?a=1,2" {
		t.Errorf("rows %q", rows)
	}
	var reports []struct {
		URL     string
		Project struct{ Name string }
		Score   *int
	}
	if err := json.Unmarshal([]byte(v.page("/reports.json?search=a%3D1")), &reports); err != nil || len(reports) != 1 || reports[0].Project.Name != `=HYPERLINK("http:",1)` || reports[0].Score == nil {
		t.Errorf("%+v, %v", reports, err)
	}
	v.must(http.StatusUnprocessableEntity, v.get("/reports.csv?sort=up"))
	if body := v.must(http.StatusOK, v.do(http.MethodHead, "/reports.json", "")).body; body != "" {
		t.Errorf("HEAD gets %q", body)
	}
}

var exportLink = regexp.MustCompile(`<a href="([^"]+)" download>`)

// TestExportLinksKeepTheFilter follows the links of a filtered page.
func TestExportLinksKeepTheFilter(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/a?b=1&c=%22", Project: "R & D + 100%"})
	s.create(db.NewReport{URL: s.site.URL + "/a?b=1&c=%22", Project: "another"})
	s.create(db.NewReport{URL: s.site.URL + "/other", Project: "R & D + 100%"})
	v := s.signedIn(s.reader)
	page := v.page("/?" + url.Values{"search": {`?b=1&c=%22`}, "project": {"R & D + 100%"}, "sort_by": {"url"}, "sort": {"asc"}}.Encode())
	links := exportLink.FindAllStringSubmatch(page, -1)
	if len(links) != 2 {
		t.Fatalf("the links are %q", links)
	}
	for _, link := range links {
		export := v.page(html.UnescapeString(link[1]))
		contains(t, export, "/a?b=1")
		lacks(t, export, "another", "/other")
	}
}

func readCSV(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestExportReadsEveryChunk(t *testing.T) {
	const reports = 2010 // read in chunks of 1,000
	s := newServer(t, Options{})
	var lines strings.Builder
	for i := range reports {
		fmt.Fprintf(&lines, `{"kind":"report","url":"https://example.com/%d","status":"done","result":"good","score":90}`+"\n", i)
	}
	if _, err := s.Store.Import(t.Context(), "default", strings.NewReader(lines.String()), nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range readCSV(t, s.signedIn(s.reader).page("/reports.csv"))[1:] {
		seen[row[1]] = true
	}
	if len(seen) != reports {
		t.Errorf("%d reports are in the export", len(seen))
	}
}

func TestEvents(t *testing.T) {
	s := newServer(t, Options{})
	r, err := s.Store.CreateReport(t.Context(), "default", db.NewReport{URL: s.site.URL + "/slow"})
	if err != nil {
		t.Fatal(err)
	}
	v := s.signedIn(s.reader)
	contains(t, v.page("/reports/"+r.ID.String()), `data-events="/reports/`+r.ID.String()+`/events"`, `http-equiv="refresh"`)
	close(s.site.gate)
	answer := v.must(http.StatusOK, v.get("/reports/"+r.ID.String()+"/events"))
	contains(t, answer.Header.Get("Content-Type"), "text/event-stream")
	contains(t, answer.body, "event: done\ndata: done\n\n")
	lacks(t, v.page("/reports/"+r.ID.String()), "data-events", `http-equiv="refresh"`)
}

func TestStreamsAreBounded(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	v := s.signedIn(s.reader)
	for range maxStreams {
		s.web.streams <- struct{}{}
	}
	refused := v.must(http.StatusServiceUnavailable, v.get("/reports/"+r.ID.String()+"/events"))
	if refused.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
}
