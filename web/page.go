package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"sync"

	"sitegrade/web/assets"
	"sitegrade/web/view"
)

// frame is what the layout needs to know.
type frame struct {
	Title       string // without the name of the product
	Description string // "" for that of the product
	Canonical   string // absolute; "" for none
	Index       bool   // search engines may list the page
	Refresh     int    // seconds until a browser without scripts loads the page again; 0: not
	Here        string // the entry of the navigation that is marked
	SignedIn    bool
	MayChange   bool
	// MayAdminister tells that the visitor may change the account, its keys and its forms.
	MayAdminister bool
	Account       string
	Token         string
	Card          *card       // for search engines and social networks; nil for none
	Brand         *view.Brand // in the place of ours; nil for ours
	Asking        string      // what links to other pages end with so that these are in the language that the address asks for
	Tongues       *tongues    // that visitors may choose from; nil for no choice
}

// card is what search engines and social networks are told of a page.
type card struct {
	Image      string // an address
	Structured structured
}

// structured says in schema.org's words what the page is.
type structured struct {
	Context     string `json:"@context"`
	Type        string `json:"@type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Modified    string `json:"dateModified,omitempty"`
	Language    string `json:"inLanguage"`
}

// addCard fills in the card of a page with a description and a canonical address. modified is a time of RFC 3339; "" for none.
func (f *frame) addCard(a assets.Files, v *visit, modified string) {
	image, err := a.Path("card.png")
	if err != nil {
		return
	}
	f.Card = &card{v.Base + image, structured{
		Context: "https://schema.org", Type: "WebPage", Name: f.Title, Description: f.Description, URL: f.Canonical, Modified: modified, Language: string(v.words.Language()),
	}}
}

// frame returns a page's frame for this visitor. here marks an entry of the navigation.
func (v *visit) frame(title, here string) frame {
	return frame{
		Title: title, Here: here, SignedIn: v.signedIn(), MayChange: v.mayChange(), MayAdminister: v.key.Scopes.Has(administer), Account: v.key.Account, Token: v.token(),
	}
}

// plainFrame is a frame that is the same for everybody.
func plainFrame(title string) frame { return frame{Title: title} }

// buffers are used again for pages, which are written whole before they are sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// sendPage renders a page and sends it, compressed where the browser takes that.
func (w *Web) sendPage(v *visit, status int, name string, data any) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := w.pages.Page(v.words.Language(), name).ExecuteTemplate(b, "layout", data); err != nil {
		w.Log.Error("a page cannot be rendered", slog.String("page", name), slog.Any("cause", err), slog.String("request_id", v.ID))
		http.Error(v, v.say("failed.internal", v.ID), http.StatusInternalServerError)
		return
	}
	body, coding := assets.Compressed(v.r.Header.Get("Accept-Encoding"), b.Bytes())
	h := v.Header()
	h.Set("Vary", "Accept-Encoding, Accept-Language")
	h.Set("Content-Language", string(v.words.Language()))
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	v.send(status, "text/html; charset=utf-8", body)
}
