package web

import (
	"net/http"
	"time"

	"sitegrade/sortfilter"
	"sitegrade/web/export"
)

// exportReports sends the list as a file of that name.
func (w *Web) exportReports(name string) handler {
	return func(v *visit) error {
		q, err := sortfilter.ParseReports(v.r.URL.RawQuery)
		if err != nil {
			return err
		}
		w.sendFile(v, export.Reports(name, w.store, v.key.Account, q, v.Base))
		return nil
	}
}

// exportCrawl sends a list of a crawl as a file.
func (w *Web) exportCrawl(v *visit, p crawlPlace) error {
	file, ok := export.Crawl{Store: w.store, Account: p.account, ID: p.ID, Own: p.Own}.File(v.params.ByName("file"))
	if !ok {
		return notFound
	}
	w.sendFile(v, file)
	return nil
}

// sendFile sends a response that a browser keeps as a file, however long it takes. An error can only break it off, so that the client sees
// that it is not whole.
func (w *Web) sendFile(v *visit, f export.File) {
	_ = http.NewResponseController(v.ResponseWriter).SetWriteDeadline(time.Time{}) // not every connection has a deadline
	v.Header().Set("Content-Type", f.MediaType)
	v.Header().Set("Content-Disposition", `attachment; filename="`+f.Name+`"`)
	v.WriteHeader(http.StatusOK)
	if v.r.Method == http.MethodHead {
		return
	}
	if err := f.Write(v.r.Context(), v); err != nil && v.r.Context().Err() == nil {
		w.Log.Error("an export broke off", "error", err, "request_id", v.ID)
		panic(http.ErrAbortHandler)
	}
}
