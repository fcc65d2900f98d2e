package db

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitegrade/locale"
	"sitegrade/weburl"
)

// Account is how a tenant is set up: what holds where nothing else is said, and how it shows itself to those whom it shares reports with.
type Account struct {
	Name      string
	Lang      string  // of locale.Codes; "" for none
	Privacy   Privacy // of new reports; Public or Private
	Brand     Brand
	Logo      uuid.UUID // another for each picture; zero without one
	LogoShare string    // what the path of the logo ends with, 26 lower-case letters and digits; "" without one
	SignedOut time.Time // sign-ins to the pages that began before it have ended; zero until that was asked for
	UpdatedAt time.Time // zero until something was changed
	Revision  uint64    // 0 until then
}

// Brand is what stands on shared pages and in mails in the place of ours. What is "" is not said.
type Brand struct {
	Name   string `json:"name,omitempty"`
	Footer string `json:"footer,omitempty"` // may have several lines
	Color  string `json:"color,omitempty"`  // #rgb or #rrggbb
	URL    string `json:"url,omitempty"`    // http or https
}

// Bounds of what an account says of itself.
const (
	maxBrandName   = 100 // characters
	maxBrandFooter = 500
	maxLogo        = 1 << 20 // bytes, as it is stored
)

// Logo is the picture of a brand, made by us from the one that was sent.
type Logo struct {
	ID        uuid.UUID `json:"id"`
	MediaType string    `json:"type"` // image/png or image/jpeg
	Data      []byte    `json:"data"`
}

// BrandChange is what a client may change of a brand. A nil field stays as it is; "" takes it away.
type BrandChange struct{ Name, Footer, Color, URL *string }

// AccountChange is what a client may change of an account. A nil field stays as it is.
type AccountChange struct {
	Lang    *string // "": none
	Privacy *Privacy
	Brand   BrandChange
	NoBrand bool // takes all of the brand but the logo away, before Brand
	Logo    *Logo
	NoLogo  bool
	SignOut bool // ends all sign-ins to the pages
}

// Apply changes an account. The error is *InvalidError, and then nothing has changed.
func (c AccountChange) Apply(a *Account, now time.Time) error {
	changed := *a
	var wrong []FieldError
	refuse := func(field, detail string) {
		if detail != "" {
			wrong = append(wrong, FieldError{Field: field, Detail: detail})
		}
	}
	if c.Lang != nil {
		changed.Lang = *c.Lang
		refuse("lang", langDetail(changed.Lang))
	}
	if c.Privacy != nil {
		if changed.Privacy = *c.Privacy; changed.Privacy > Private {
			refuse("default_privacy", "must be 0 (public) or 1 (private): a password belongs to one report")
		}
	}
	if c.NoBrand {
		changed.Brand = Brand{}
	}
	c.Brand.apply(&changed.Brand, refuse)
	if c.NoLogo {
		changed.Logo = uuid.Nil
	}
	if c.Logo != nil {
		changed.Logo = c.Logo.ID
		refuse("logo", c.Logo.detail())
	}
	if c.SignOut {
		changed.SignedOut = now
	}
	if changed != *a {
		changed.UpdatedAt = now
		changed.Revision++
	}
	if err := invalid(wrong); err != nil {
		return err
	}
	*a = changed
	return nil
}

// langDetail says what would be right where a language is wrong.
func langDetail(lang string) string {
	if _, known := locale.Parse(lang); known || lang == "" {
		return ""
	}
	return "must be one of " + strings.Join(locale.Codes(), ", ") + ", or null for none"
}

var colorPattern = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

// apply changes a brand, and calls refuse for what is wrong.
func (c BrandChange) apply(b *Brand, refuse func(field, detail string)) {
	set := func(field, stored *string, name, detail string) {
		if field != nil && *field != "" && detail != "" {
			refuse("brand."+name, detail)
		} else if field != nil {
			*stored = *field
		}
	}
	set(c.Name, &b.Name, "name", brandTextDetail(c.Name, maxBrandName, printable))
	set(c.Footer, &b.Footer, "footer", brandTextDetail(c.Footer, maxBrandFooter, printableLines))
	color := ""
	if c.Color != nil && !colorPattern.MatchString(*c.Color) {
		color = "must be a colour as #rgb or #rrggbb, or null for none"
	}
	set(c.Color, &b.Color, "color", color)
	if c.URL == nil || *c.URL == "" {
		set(c.URL, &b.URL, "url", "")
	} else if u, err := weburl.Parse(*c.URL); err != nil {
		refuse("brand.url", err.Error())
	} else {
		b.URL = u.String()
	}
}

func brandTextDetail(text *string, most int, allowed func(string) bool) string {
	switch {
	case text == nil:
		return ""
	case utf8.RuneCountInString(*text) > most:
		return fmt.Sprintf("must be at most %d characters", most)
	case !allowed(*text):
		return "must not have control characters"
	}
	return ""
}

// printableLines is printable for a text of several lines.
func printableLines(s string) bool {
	return printable(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(s))
}

// detail says what is wrong with a logo. Who makes one decodes the picture before; this looks at its beginning alone.
func (l Logo) detail() string {
	starts := map[string]string{"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff"}[l.MediaType]
	if starts == "" || !bytes.HasPrefix(l.Data, []byte(starts)) || len(l.Data) > maxLogo || l.ID == uuid.Nil {
		return "must be a PNG or a JPEG with an id of its own"
	}
	return ""
}

// accounts are the methods of a Store for how accounts are set up.
type accounts interface {
	// Account returns how an account is set up. One that has nothing yet is like a new one.
	Account(ctx context.Context, name string) (Account, error)
	// UpdateAccount changes an account and returns it as it is then. check sees it as it was. The error is *InvalidError, or that of check.
	UpdateAccount(ctx context.Context, name string, c AccountChange, check func(Account) error) (Account, error)
	// LogoByShare returns the logo that has this address (Account.LogoShare). The error is ErrNotFound, also for one that was replaced.
	LogoByShare(ctx context.Context, share string) (Logo, error)
}
