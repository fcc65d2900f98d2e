package db

import (
	"strconv"

	"sitegrade/jsonappend"
)

// LogoPath is what the path of every logo begins with; what the account has as LogoShare follows.
const LogoPath = "/logo/"

// EmbedPath is what the path of the page of every form begins with; what the form has as Share follows.
const EmbedPath = "/embed/"

// LogoURL returns the address of the account's logo; "" without one. base is what it begins with, scheme and host.
func (a Account) LogoURL(base string) string {
	if a.LogoShare == "" {
		return ""
	}
	return base + LogoPath + a.LogoShare
}

// AppendJSON appends the account as it is shown: a JSON object. base is what the address of its logo begins with.
func (a Account) AppendJSON(b []byte, base string) []byte {
	b = append(b, `{"name":`...)
	b = jsonappend.String(b, a.Name)
	b = append(b, `,"lang":`...)
	b = jsonappend.Optional(b, a.Lang)
	b = append(b, `,"default_privacy":`...)
	b = strconv.AppendUint(b, uint64(a.Privacy), 10)
	b = append(b, `,"brand":{"name":`...)
	b = jsonappend.Optional(b, a.Brand.Name)
	b = append(b, `,"footer":`...)
	b = jsonappend.Optional(b, a.Brand.Footer)
	b = append(b, `,"color":`...)
	b = jsonappend.Optional(b, a.Brand.Color)
	b = append(b, `,"url":`...)
	b = jsonappend.Optional(b, a.Brand.URL)
	b = append(b, `},"logo_url":`...)
	b = jsonappend.Optional(b, a.LogoURL(base))
	b = append(b, `,"updated_at":`...)
	return append(jsonappend.Time(b, a.UpdatedAt), '}')
}

// AppendJSON appends the form as lists show it, and as it is shown alone: a JSON object. base is what the address of its page begins with.
func (f Form) AppendJSON(b []byte, base string) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, f.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, f.Name)
	b = append(b, `,"project":`...)
	b = f.Project.appendJSON(b)
	b = append(b, `,"enabled":`...)
	b = strconv.AppendBool(b, f.Enabled)
	b = append(b, `,"embed_url":`...)
	b = jsonappend.String(b, base+EmbedPath+f.Share)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, f.CreatedAt)
	b = append(b, `,"updated_at":`...)
	return append(jsonappend.Time(b, f.UpdatedAt), '}')
}

// AppendJSON appends what webhooks are told of a lead, without braces around it: the members form and lead.
func (l Lead) AppendJSON(b []byte) []byte {
	b = append(b, `"form":{"id":`...)
	b = jsonappend.UUID(b, l.Form.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, l.Form.Name)
	b = append(b, `},"lead":{"email":`...)
	b = jsonappend.String(b, l.Email)
	b = append(b, `,"name":`...)
	b = jsonappend.Optional(b, l.Name)
	b = append(b, `,"message":`...)
	return append(jsonappend.Optional(b, l.Message), '}')
}
