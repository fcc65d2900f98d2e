package main

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sitegrade/sortfilter"
)

const (
	reportsPath  = "/api/v1/reports"
	projectsPath = "/api/v1/projects"
)

// apiPath returns the request of Sitegrade's API for a list.
func apiPath(k kind) string {
	q, values := k.query, url.Values{}
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("search", q.Search)
	set("project", q.Project)
	set("result", q.Result)
	if q.SortBy != sortfilter.ByID && q.SortBy != sortfilter.ByCreated { // the defaults
		set("sort_by", string(q.SortBy))
	}
	if q.Ascending {
		set("sort", "asc")
	}
	if q.PerPage != 10 {
		set("per_page", strconv.Itoa(q.PerPage))
	}
	if q.Page != 1 {
		set("page", strconv.Itoa(q.Page))
	}
	path := reportsPath
	if k.projects {
		path = projectsPath
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// thinHandler answers lists from an SQL engine with the JSON of Sitegrade's API and nothing else: no keys, no limits, no log.
type thinHandler struct{ store *sqlStore }

func (h *thinHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k, err := kindOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	body, err := h.page(k, "http://"+r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client is gone where this fails
}

// kindOf reads what apiPath wrote.
func kindOf(r *http.Request) (k kind, err error) {
	if r.URL.Path == projectsPath {
		k.projects = true
		k.query, err = sortfilter.ParseProjects(r.URL.RawQuery)
		return k, err
	}
	k.query, err = sortfilter.ParseReports(r.URL.RawQuery)
	return k, err
}

func (h *thinHandler) page(k kind, base string) ([]byte, error) {
	b := append(make([]byte, 0, 8<<10), `{"data":[`...)
	total, shown := 0, 0
	if k.projects {
		rows, n, err := h.store.projects(k)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			b = append(appendProject(b, &rows[i]), ',')
		}
		total, shown = n, len(rows)
	} else {
		rows, n, err := h.store.reports(k)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			b = append(appendReport(b, &rows[i], base), ',')
		}
		total, shown = n, len(rows)
	}
	if shown > 0 {
		b = b[:len(b)-1]
	}
	return appendEnvelope(b, k, base, total, shown), nil
}

// appendEnvelope ends a list with its links and numbers.
func appendEnvelope(b []byte, k kind, base string, total, shown int) []byte {
	q, last := k.query, lastPage(total, k.query.PerPage)
	link := func(name string, page int) {
		b = append(b, '"')
		b = append(append(b, name...), `":`...)
		if page < 1 || page > last {
			b = append(b, "null,"...)
			return
		}
		k.query.Page = page
		b = append(appendText(b, base+apiPath(k)), ',')
	}
	b = append(b, `],"links":{`...)
	link("first", 1)
	link("last", last)
	link("prev", q.Page-1)
	link("next", q.Page+1)
	b = append(b[:len(b)-1], `},"meta":{"current_page":`...)
	b = strconv.AppendInt(b, int64(q.Page), 10)
	if shown > 0 {
		b = append(b, `,"from":`...)
		b = strconv.AppendInt(b, int64((q.Page-1)*q.PerPage+1), 10)
		b = append(b, `,"to":`...)
		b = strconv.AppendInt(b, int64((q.Page-1)*q.PerPage+shown), 10)
	} else {
		b = append(b, `,"from":null,"to":null`...)
	}
	b = append(b, `,"last_page":`...)
	b = strconv.AppendInt(b, int64(last), 10)
	b = append(b, `,"per_page":`...)
	b = strconv.AppendInt(b, int64(q.PerPage), 10)
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	b = append(b, `,"path":`...)
	k.query = newest()
	b = appendText(b, base+apiPath(k))
	return append(b, "}}\n"...)
}

func appendReport(b []byte, r *row, base string) []byte {
	b = append(append(append(b, `{"id":"`...), r.id.String()...), `","url":`...)
	b = append(appendText(b, r.url), `,"project":{"id":"`...)
	b = append(append(b, r.projectID.String()...), `","name":`...)
	b = append(appendText(b, r.project), `},"status":`...)
	b = appendText(b, r.status)
	if r.result == 0 {
		b = append(b, `,"result":null,"score":null`...)
	} else {
		b = append(append(append(b, `,"result":"`...), rankNames[r.result]...), `","score":`...)
		b = strconv.AppendInt(b, int64(r.score), 10)
	}
	b = append(b, `,"privacy":`...)
	b = append(strconv.AppendInt(b, int64(r.privacy), 10), `,"share_url":`...)
	if r.share == "" {
		b = append(b, "null"...)
	} else {
		b = appendText(b, base+"/r/"+r.share)
	}
	b = appendTime(append(b, `,"generated_at":`...), r.generated)
	b = appendTime(append(b, `,"created_at":`...), r.created)
	b = appendTime(append(b, `,"updated_at":`...), r.updated)
	if r.errorCode == "" {
		return append(b, `,"error":null}`...)
	}
	b = appendText(append(b, `,"error":{"code":`...), r.errorCode)
	b = appendText(append(b, `,"detail":`...), r.errorDetail)
	return append(b, "}}"...)
}

func appendProject(b []byte, p *projectRow) []byte {
	b = append(append(append(b, `{"id":"`...), p.id.String()...), `","name":`...)
	b = appendText(b, p.name)
	b = appendTime(append(b, `,"created_at":`...), p.created)
	b = append(b, `,"reports":{"total":`...)
	b = strconv.AppendInt(b, int64(p.none+p.bad+p.decent+p.good), 10)
	b = append(b, `,"good":`...)
	b = strconv.AppendInt(b, int64(p.good), 10)
	b = append(b, `,"decent":`...)
	b = strconv.AppendInt(b, int64(p.decent), 10)
	b = append(b, `,"bad":`...)
	return append(strconv.AppendInt(b, int64(p.bad), 10), "}}"...)
}

// appendText writes a JSON string. The generated texts need no other escapes than these.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

func appendTime(b []byte, ms int64) []byte {
	if ms == 0 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	return append(time.UnixMilli(ms).UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z07:00"), '"')
}
