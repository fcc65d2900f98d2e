package api

import (
	"context"
	"net/http"
	"strconv"
	"sync"

	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/sortfilter"
)

// bodies are buffers for the bodies of lists: the largest thing that a list allocates, and of no use once it is written.
var bodies = sync.Pool{New: func() any {
	b := make([]byte, 0, 8<<10)
	return &b
}}

// reader reads a page of a list of an account.
type reader[Row any] = func(ctx context.Context, account string, q sortfilter.Query) (db.Page[Row], error)

// of returns what reads the lists that belong to something, such as the deliveries of a webhook, for one of them.
func of[Key, Row any](read func(context.Context, string, Key, sortfilter.Query) (db.Page[Row], error), key Key) reader[Row] {
	return func(ctx context.Context, account string, q sortfilter.Query) (db.Page[Row], error) {
		return read(ctx, account, key, q)
	}
}

// serveList responds to a request for a list that has these parameters. path is that of the list below Base.
func serveList[Row any](x *request, path string, parameters []sortfilter.Parameter, read reader[Row], appendRow func(Row, []byte) []byte) error {
	q, err := sortfilter.Parse(x.r.URL.RawQuery, parameters)
	if err != nil {
		return err
	}
	page, err := read(x.r.Context(), x.key.Account, q)
	if err != nil {
		return err
	}
	sendList(x, path, q, page, appendRow)
	return nil
}

// sendList sends one page of a list. path is that of the list below Base, and the query must be well-formed.
func sendList[Row any](x *request, path string, q sortfilter.Query, page db.Page[Row], appendRow func(Row, []byte) []byte) {
	pages := q.Pages(page.Total)
	links := absolute(x.Base+Base+path, pages.Links(x.r.URL.RawQuery))
	buffer := bodies.Get().(*[]byte)
	b := append((*buffer)[:0], `{"data":[`...)
	for i, row := range page.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRow(row, b)
	}
	b = append(b, `],"links":`...)
	b = appendLinks(b, links)
	b = append(b, `,"meta":`...)
	b = appendMeta(b, pages, x.Base+Base+path)
	b = append(b, "}\n"...)
	if header := linkHeader(links); len(header) <= maxLinkHeader {
		x.Header().Set("Link", header)
	}
	x.sendJSON(http.StatusOK, b)
	*buffer = b
	bodies.Put(buffer)
}

// absolute returns links with their whole addresses.
func absolute(address string, l sortfilter.Links) sortfilter.Links {
	whole := func(query string) string {
		if query == "" {
			return ""
		}
		return address + "?" + query
	}
	return sortfilter.Links{First: whole(l.First), Last: whole(l.Last), Prev: whole(l.Prev), Next: whole(l.Next)}
}

func appendLinks(b []byte, l sortfilter.Links) []byte {
	b = append(b, `{"first":`...)
	b = jsonappend.String(b, l.First)
	b = append(b, `,"last":`...)
	b = jsonappend.String(b, l.Last)
	b = append(b, `,"prev":`...)
	b = jsonappend.Optional(b, l.Prev)
	b = append(b, `,"next":`...)
	b = jsonappend.Optional(b, l.Next)
	return append(b, '}')
}

func appendMeta(b []byte, p sortfilter.Pages, path string) []byte {
	b = append(b, `{"current_page":`...)
	b = strconv.AppendInt(b, int64(p.Current), 10)
	b = append(b, `,"from":`...)
	b = appendRowNumber(b, p.From)
	b = append(b, `,"to":`...)
	b = appendRowNumber(b, p.To)
	b = append(b, `,"last_page":`...)
	b = strconv.AppendInt(b, int64(p.Last), 10)
	b = append(b, `,"per_page":`...)
	b = strconv.AppendInt(b, int64(p.PerPage), 10)
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(p.Total), 10)
	b = append(b, `,"path":`...)
	b = jsonappend.String(b, path)
	return append(b, '}')
}

// appendRowNumber appends a number that counts from 1; null for none.
func appendRowNumber(b []byte, n int) []byte {
	if n == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// maxLinkHeader is how long the links may be as a header, which has the query of the request up to four times. Proxies commonly refuse
// responses whose headers are over 4 or 8 KiB; the body has the links in any case.
const maxLinkHeader = 2 << 10

// linkHeader returns the links as RFC 8288 writes them. Their queries are escaped, so that none has a ">".
func linkHeader(l sortfilter.Links) string {
	header := "<" + l.First + `>; rel="first", <` + l.Last + `>; rel="last"`
	if l.Prev != "" {
		header += ", <" + l.Prev + `>; rel="prev"`
	}
	if l.Next != "" {
		header += ", <" + l.Next + `>; rel="next"`
	}
	return header
}
