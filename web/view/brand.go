package view

import (
	"cmp"
	"encoding/base64"
	"html/template"
	"strings"

	"sitegrade/brand"
	"sitegrade/db"
)

// Brand is how an account shows itself on a page, in the place of ours.
type Brand struct {
	Label  string // its name, or ours where it has none
	Footer string // may have several lines; "" for ours
	URL    string // http or https; "" for none
	Logo   template.URL
	Sheet  string // the path of the style sheet with its colours; "" for ours
}

// SheetPath is what the path of a style sheet with the colours of a brand begins with; six hexadecimal digits and ".css" follow.
const SheetPath = "/brand/"

// NewBrand returns how an account shows itself; nil where it does not.
func NewBrand(a db.Account) *Brand {
	b := brandOf(a)
	if a.Brand == (db.Brand{}) && a.LogoShare == "" {
		return nil
	}
	if a.LogoShare != "" {
		b.Logo = template.URL(db.LogoPath + a.LogoShare)
	}
	if c, ok := brand.ParseColor(a.Brand.Color); ok {
		b.Sheet = SheetPath + strings.TrimPrefix(c.String(), "#") + ".css"
	}
	return b
}

// FileBrand is NewBrand for a file that has everything in itself, with the CSS of its colours. logo is nil where there is not one.
func FileBrand(a db.Account, logo *db.Logo) (b *Brand, sheet string) {
	if b = NewBrand(a); b == nil {
		return nil, ""
	}
	b.Sheet, b.Logo = "", ""
	if logo != nil {
		b.Logo = template.URL("data:" + logo.MediaType + ";base64," + base64.StdEncoding.EncodeToString(logo.Data))
	}
	if c, ok := brand.ParseColor(a.Brand.Color); ok {
		sheet = brand.StyleSheet(c)
	}
	return b, sheet
}

func brandOf(a db.Account) *Brand {
	return &Brand{Label: cmp.Or(a.Brand.Name, "Sitegrade"), Footer: a.Brand.Footer, URL: a.Brand.URL}
}
