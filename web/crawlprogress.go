package web

import (
	"context"
	"encoding/json"
	"time"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/view"
)

// streamCrawl tells a page how far its crawl has come, as server-sent events: "progress" with the numbers as they change, and "done" at the end.
func (w *Web) streamCrawl(v *visit, p crawlPlace) error {
	return w.stream(v, func(ctx context.Context) { w.followCrawl(ctx, v, p) })
}

// crawlProgress is what an event of progress says.
type crawlProgress struct {
	db.CrawlProgress
	State string `json:"state"`
	Most  int    `json:"most"` // addresses that will be asked for at most
}

// followCrawl sends events until the crawl has ended or ctx ends.
func (w *Web) followCrawl(ctx context.Context, v *visit, p crawlPlace) {
	tick := time.NewTicker(streamInterval)
	defer tick.Stop()
	ended := make(chan struct{}, 1)
	defer w.store.Subscribe(func(n db.News) {
		if n.Crawls && n.Account == p.account {
			select {
			case ended <- struct{}{}:
			default:
			}
		}
	})()
	var said crawlProgress
	for {
		c, err := w.store.Crawl(ctx, p.account, p.ID)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil, !c.Status.Unfinished(): // also a deleted one: the page then says so
			_ = v.event("done", string(c.Status))
			return
		}
		if now := (crawlProgress{c.Progress, view.RunningText(v.words, c), c.MaxPages}); now != said {
			said = now
			text, err := json.Marshal(now)
			if err != nil || v.event("progress", string(text)) != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ended:
		case <-tick.C:
		}
	}
}

// Doing says what the crawl is doing.
func (p crawlPlace) Doing(words *locale.Catalogue) string { return view.RunningText(words, p.Crawl) }

// Most returns how many addresses there will be at most, as far as that is known.
func (p crawlPlace) Most() int { return max(1, min(p.Progress.Found, p.MaxPages)) }

// Asked returns how many addresses were asked for.
func (p crawlPlace) Asked() int { return p.Progress.Done + p.Progress.Failed }
