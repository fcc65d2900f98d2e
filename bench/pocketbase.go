package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations" // its own tables
	"github.com/pocketbase/pocketbase/tools/types"

	"sitegrade/sortfilter"
)

// pocketBase is PocketBase with two open collections, its own REST lists and an index for every combination of filter and order.
// Its log of requests is off, and its commits are synced as the others' are. Its lists of projects are without counts of reports.
type pocketBase struct {
	app    *core.BaseApp
	routes http.Handler
	file   string
}

func (p *pocketBase) name() string { return "pocketbase" }

func (p *pocketBase) open(dir string) error {
	dir = filepath.Join(dir, "pocketbase")
	p.file = filepath.Join(dir, "data.db")
	p.app = core.NewBaseApp(core.BaseAppConfig{DataDir: dir, DBConnect: connectDurably})
	if err := p.app.Bootstrap(); err != nil {
		return err
	}
	if err := p.app.RunAllMigrations(); err != nil {
		return err
	}
	p.app.Settings().Logs.MaxDays = 0
	if err := p.makeCollections(); err != nil {
		return err
	}
	router, err := apis.NewRouter(p.app)
	if err != nil {
		return err
	}
	p.routes, err = router.BuildMux()
	return err
}

// connectDurably is PocketBase's own connection but for synchronous, which it has at NORMAL.
func connectDurably(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

func (p *pocketBase) makeCollections() error {
	if _, err := p.app.FindCollectionByNameOrId("reports"); err == nil {
		return nil
	}
	projects := openCollection("projects", &core.TextField{Name: "name"}, &core.DateField{Name: "created_at"})
	projects.AddIndex("projects_name", true, "name", "")
	projects.AddIndex("projects_created", false, "created_at, id", "")
	reports := openCollection("reports",
		&core.TextField{Name: "url"}, &core.TextField{Name: "project"}, &core.TextField{Name: "status"}, &core.NumberField{Name: "result"},
		&core.NumberField{Name: "score"}, &core.NumberField{Name: "privacy"}, &core.TextField{Name: "share"},
		&core.TextField{Name: "error_code"}, &core.TextField{Name: "error_detail"},
		&core.DateField{Name: "generated_at"}, &core.DateField{Name: "created_at"}, &core.DateField{Name: "updated_at"})
	for _, columns := range []string{
		"url, id", "generated_at, id", "result, id", "result, url, id", "result, generated_at, id", "project, id", "project, url, id",
		"project, generated_at, id", "project, result, id", "project, result, url, id", "project, result, generated_at, id",
	} {
		reports.AddIndex("reports_"+strings.ReplaceAll(columns, ", ", "_"), false, columns, "")
	}
	for _, collection := range []*core.Collection{projects, reports} {
		if err := p.app.Save(collection); err != nil {
			return err
		}
	}
	return nil
}

// openCollection returns a collection that everyone may read and add to, with ids of 32 hexadecimal digits.
func openCollection(name string, fields ...core.Field) *core.Collection {
	c := core.NewBaseCollection(name)
	c.ListRule, c.ViewRule, c.CreateRule = types.Pointer(""), types.Pointer(""), types.Pointer("")
	id := c.Fields.GetByName("id").(*core.TextField)
	id.Min, id.Max, id.AutogeneratePattern = 32, 32, "[a-f0-9]{32}"
	c.Fields.Add(fields...)
	return c
}

// load writes the rows under PocketBase's feet, straight into its tables.
func (p *pocketBase) load(path string) error {
	database := p.app.NonconcurrentDB().(*dbx.DB).DB()
	tx, err := database.Begin()
	if err != nil {
		return err
	}
	const rowsPerTransaction = 10_000
	rows := 0
	err = readLines(path, func(line *reportLine) (err error) {
		if line.Kind == "project" {
			_, err = tx.Exec("INSERT INTO projects (id, name, created_at) VALUES (?, ?, ?)", pocketID(line.ID), line.Name, pocketTime(line.Created.UnixMilli()))
			return err
		}
		if _, err := tx.Exec(insertReports(1), pocketValues(line)...); err != nil {
			return err
		}
		if rows++; rows%rowsPerTransaction != 0 {
			return nil
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		tx, err = database.Begin()
		return err
	})
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = database.Exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// pocketValues are the values of insertColumns as PocketBase stores them.
func pocketValues(line *reportLine) []any {
	values := reportValues(make([]any, 0, insertedColumns), line, 0)
	values[0], values[1] = pocketID(line.ID), line.Project
	for i := len(values) - 3; i < len(values); i++ {
		values[i] = pocketTime(values[i].(int64))
	}
	return values
}

func pocketID(id uuid.UUID) string { return hex.EncodeToString(id[:]) }

func pocketTime(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(types.DefaultDateLayout)
}

func (p *pocketBase) close() error { return p.app.ResetBootstrapState() }

func (p *pocketBase) size() (int64, error) { return filesSize(p.file, p.file+"-wal") }

func (p *pocketBase) handler() (http.Handler, error) { return p.routes, nil }

func (p *pocketBase) target(k kind) (path, header string) {
	q := k.query
	var filters []string
	collection, searched := "reports", "url"
	if k.projects {
		collection, searched = "projects", "name"
	}
	if q.Search != "" {
		filters = append(filters, fmt.Sprintf("%s ~ %q", searched, q.Search))
	}
	if q.Project != "" {
		filters = append(filters, fmt.Sprintf("project = %q", q.Project))
	}
	if q.Result != "" {
		filters = append(filters, fmt.Sprintf("result = %d", ranks[q.Result]))
	}
	values := url.Values{"page": {strconv.Itoa(q.Page)}, "perPage": {strconv.Itoa(q.PerPage)}, "sort": {pocketSort(q)}}
	if filters != nil {
		values.Set("filter", strings.Join(filters, " && "))
	}
	return "/api/collections/" + collection + "/records?" + values.Encode(), ""
}

func pocketSort(q sortfilter.Query) string {
	sign := "-"
	if q.Ascending {
		sign = ""
	}
	switch q.SortBy {
	case sortfilter.ByID:
		return sign + "id"
	case sortfilter.ByProject:
		return sign + "name"
	}
	return sign + string(q.SortBy) + "," + sign + "id"
}

func (p *pocketBase) create(address string) error {
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	now := pocketTime(time.Now().UnixMilli())
	body, err := json.Marshal(map[string]any{
		"url": address, "project": strings.TrimPrefix(parsed.Host, "www."), "status": "queued", "created_at": now, "updated_at": now,
	})
	if err != nil {
		return err
	}
	r := httptest.NewRequest(http.MethodPost, "/api/collections/reports/records", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return p.answer(r)
}

func (p *pocketBase) show(id uuid.UUID) error {
	return p.answer(httptest.NewRequest(http.MethodGet, "/api/collections/reports/records/"+pocketID(id), nil))
}

// answer lets the REST API answer within the process: PocketBase has no cheaper way in that still checks its rules.
func (p *pocketBase) answer(r *http.Request) error {
	w := httptest.NewRecorder()
	p.routes.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", r.Method, r.URL, w.Code, w.Body)
	}
	return nil
}
