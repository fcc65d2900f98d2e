package db

import (
	"strconv"

	"sitegrade/audit"
	"sitegrade/jsonappend"
)

// Rows of lists are written by hand, without reflection: they are most of what is written.

// AppendJSON appends the report as lists show it: a JSON object that is the same in every interface. base is what the addresses of
// shared pages begin with, such as "https://seo.example.com".
func (r Report) AppendJSON(b []byte, base string) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, r.ID)
	b = append(b, `,"url":`...)
	b = jsonappend.String(b, r.URL)
	b = append(b, `,"project":{"id":`...)
	b = jsonappend.UUID(b, r.Project.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, r.Project.Name)
	b = append(b, `},"status":`...)
	b = jsonappend.String(b, r.Status.String())
	b = append(b, `,"result":`...)
	b = appendRating(b, r)
	b = append(b, `,"privacy":`...)
	b = strconv.AppendUint(b, uint64(r.Privacy), 10)
	b = append(b, `,"share_url":`...)
	b = jsonappend.Optional(b, r.ShareURL(base))
	b = append(b, `,"generated_at":`...)
	b = jsonappend.Time(b, r.GeneratedAt)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, r.CreatedAt)
	b = append(b, `,"updated_at":`...)
	b = jsonappend.Time(b, r.UpdatedAt)
	b = append(b, `,"error":`...)
	b = appendFailure(b, r.Failure)
	return append(b, '}')
}

// SharePath is what the path of every shared page of a report begins with; what the report has as Share follows.
const SharePath = "/r/"

// ShareURL returns the address of the report's shared page; "" when it is private. base is what it begins with, scheme and host.
func (r Report) ShareURL(base string) string {
	if r.Share == "" {
		return ""
	}
	return base + SharePath + r.Share
}

// appendRating appends result and score, both null before the first success; an imported result may lack its score.
func appendRating(b []byte, r Report) []byte {
	if r.Result == audit.Unrated {
		return append(b, `null,"score":null`...)
	}
	b = jsonappend.String(b, r.Result.String())
	b = append(b, `,"score":`...)
	if r.Score == NoScore {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(r.Score), 10)
}

func appendFailure(b []byte, f *audit.Failure) []byte {
	if f == nil {
		return append(b, "null"...)
	}
	b = append(b, `{"code":`...)
	b = jsonappend.String(b, string(f.Code))
	b = append(b, `,"detail":`...)
	b = jsonappend.String(b, f.Detail)
	return append(b, '}')
}

// SitePath is what the path of every shared page of a site begins with; what the project has as Share follows.
const SitePath = "/s/"

// ShareURL returns the address of the page that shows the project's site; "" when it is private. base is what it begins with, scheme and host.
func (p Project) ShareURL(base string) string {
	if p.Share == "" {
		return ""
	}
	return base + SitePath + p.Share
}

// AppendJSON appends the project as lists show it, and as it is shown alone: a JSON object. base is what the addresses of shared pages begin
// with.
func (p Project) AppendJSON(b []byte, base string) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, p.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, p.Name)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, p.CreatedAt)
	b = append(b, `,"reports":{"total":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Total), 10)
	b = append(b, `,"good":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Good), 10)
	b = append(b, `,"decent":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Decent), 10)
	b = append(b, `,"bad":`...)
	b = strconv.AppendInt(b, int64(p.Reports.Bad), 10)
	b = append(b, `},"budget":`...)
	b = p.Budget.appendJSON(b)
	b = append(b, `,"budget_met":`...)
	if met := p.Standing.Met(); met != nil {
		b = strconv.AppendBool(b, *met)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"lang":`...)
	b = jsonappend.Optional(b, p.Lang)
	b = append(b, `,"privacy":`...)
	b = strconv.AppendUint(b, uint64(p.Privacy), 10)
	b = append(b, `,"share_url":`...)
	return append(jsonappend.Optional(b, p.ShareURL(base)), '}')
}

// appendJSON appends all fields of the budget; null if it promises nothing.
func (b Budget) appendJSON(to []byte) []byte {
	if !b.Promises() {
		return append(to, "null"...)
	}
	opening := byte('{')
	for _, t := range budgetTerms {
		to = append(to, opening)
		to = append(jsonappend.String(to, t.name), ':')
		if value := *t.field(&b); value != nil {
			to = strconv.AppendInt(to, int64(*value), 10)
		} else {
			to = append(to, "null"...)
		}
		opening = ','
	}
	return append(to, '}')
}

// AppendJSON appends the accepted outcome as lists show it, and as it is shown alone: a JSON object.
func (a Accepted) AppendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, a.ID)
	b = append(b, `,"check":`...)
	b = jsonappend.String(b, a.Check)
	b = append(b, `,"url":`...)
	b = jsonappend.String(b, a.URL)
	b = append(b, `,"reason":`...)
	b = jsonappend.String(b, a.Reason)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, a.CreatedAt)
	b = append(b, `,"expires_at":`...)
	return append(jsonappend.Time(b, a.ExpiresAt), '}')
}
