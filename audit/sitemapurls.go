package audit

import (
	"context"
	"net/http"
	"time"

	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// sitemapFiles is how many files of a sitemap index are read for its addresses.
const sitemapFiles = 20

// sitemapListTimeout bounds the reading of a sitemap and of the files of an index together.
const sitemapListTimeout = 30 * time.Second

// SitemapAddresses returns the addresses that the sitemap at u lists, as written there and in its order, at most limit; of an
// index, those of its first files. It goes out through the same guard as an audit. The error is a *Failure, whose detail says what
// is wrong with the sitemap.
func (a *Auditor) SitemapAddresses(ctx context.Context, u *weburl.URL, limit int) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, sitemapListTimeout)
	defer cancel()
	kind, listed, err := a.readAddresses(ctx, u, limit)
	if err != nil || kind != sitemap.Index {
		return listed, err
	}
	var addresses []string
	for _, file := range listed[:min(len(listed), sitemapFiles)] {
		u, err := weburl.Parse(file)
		if err != nil {
			return nil, fetch.NewFailure(fetch.CodeUnreachable, "The sitemap index names a file whose address is not valid.")
		}
		_, ofFile, err := a.readAddresses(ctx, u, limit-len(addresses))
		if err != nil {
			return nil, err
		}
		if addresses = append(addresses, ofFile...); len(addresses) >= limit {
			break
		}
	}
	return addresses, nil
}

// readAddresses reads one file.
func (a *Auditor) readAddresses(ctx context.Context, u *weburl.URL, limit int) (sitemap.Kind, []string, error) {
	e, failure := a.client.Open(ctx, fetch.Request{Method: http.MethodGet, URL: u, Accept: acceptAnything, Redirects: a.MaxRedirects})
	if failure != nil {
		return sitemap.None, nil, failure
	}
	defer e.Close()
	if e.Status != http.StatusOK {
		e.Discard()
		return sitemap.None, nil, fetch.NewFailure(fetch.CodeUnreachable, "There is no sitemap at this address.")
	}
	body, err := e.Stream(sitemap.MaxSize + 1<<20) // a little beyond the limit, which the reader of the sitemap watches itself
	if err != nil {
		return sitemap.None, nil, fetch.BodyFailure(ctx, err, sitemap.MaxSize)
	}
	defer body.Close()
	var listed []string
	contents, err := sitemap.List(body, nil, func(address string) {
		if len(listed) < limit {
			listed = append(listed, address)
		}
	})
	switch {
	case err != nil:
		return sitemap.None, nil, fetch.BodyFailure(ctx, err, sitemap.MaxSize)
	case contents.Problem != "":
		return sitemap.None, nil, fetch.NewFailure(fetch.CodeNotHTML, "The sitemap cannot be read: "+contents.Problem+".")
	}
	return contents.Kind, listed, nil
}
