package view

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/brand"
	"sitegrade/cron"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/weburl"
)

// detailsOf returns what the code says is wrong, in English: what all of these errors are about.
func detailsOf(all ...error) (details []string) {
	for _, err := range all {
		invalid, isInvalid := errors.AsType[*db.InvalidError](err)
		query, isQuery := errors.AsType[*sortfilter.InvalidError](err)
		malformed, isMalformed := errors.AsType[*sortfilter.MalformedError](err)
		switch {
		case isInvalid:
			for _, f := range invalid.Fields {
				details = append(details, f.Detail)
			}
		case isQuery:
			for _, f := range query.Fields {
				details = append(details, f.Detail)
			}
		case isMalformed:
			details = append(details, malformed.Detail)
		case err != nil:
			details = append(details, err.Error())
		}
	}
	return details
}

// TestFaultsAreRecognised provokes what the code says is wrong with fields, and holds that no word of it is left in English on a page in German.
func TestFaultsAreRecognised(t *testing.T) {
	now := time.Date(2027, 1, 31, 9, 30, 0, 0, time.UTC)
	for name, details := range map[string][]string{
		"addresses": addressFaults(), "reports": reportFaults(), "accounts": accountFaults(now), "projects": projectFaults(now), "crawls": crawlFaults(),
		"schedules": scheduleFaults(now), "webhooks": webhookFaults(now), "keys": keyFaults(now), "lists": listFaults(), "logos": logoFaults(),
	} {
		if len(details) < 3 {
			t.Errorf("%s: only %q was provoked", name, details)
		}
		for _, detail := range details {
			if _, ok := locale.Recognise(detail, templates.Section+"faults"); !ok {
				t.Errorf("%s: %q is not in the catalogues", name, detail)
			} else if left := leftInEnglish(detail); left != "" {
				t.Errorf("%s: %q of %q stays in English", name, left, detail)
			}
		}
	}
}

// leftInEnglish returns three words that follow each other in a text and in its German words; "" where there are not any. What is a list of
// names, or an example, is the same in both.
func leftInEnglish(english string) string {
	german := Fault(locale.For(locale.German), english)
	words := strings.Fields(english)
	for i := range len(words) - 2 {
		three := strings.Join(words[i:i+3], " ")
		if strings.ContainsAny(three, ",@*\"0123456789") {
			continue
		}
		if strings.Contains(german, three) {
			return three
		}
	}
	return ""
}

func addressFaults() []string {
	var all []error
	for _, text := range []string{
		"", "\xff", "a\x00b", "example.com", "ftp://example.com/", "http://", "http://me:secret@example.com/", "https://example.com:0/",
		"https://example.com/" + strings.Repeat("a", weburl.MaxLength), "http://a..b/",
	} {
		_, err := weburl.Parse(text)
		all = append(all, err)
	}
	return append(detailsOf(all...), audit.ForbiddenDetail, "The address "+audit.ForbiddenDetail+".")
}

func reportFaults() []string {
	long := strings.Repeat("a", 2001)
	_, _, noLead := db.NewLead{Name: long, Message: long}.Validate()
	_, _, wrongLead := db.NewLead{URL: "x", Email: "x"}.Validate()
	strange := db.Privacy(7)
	_, hashed := db.Change{Privacy: &strange}.HashPassword(context.Background())
	_, _, applied := db.Change{}.ApplyPrivacy(db.Password, "", "")
	return detailsOf(
		db.NewReport{Privacy: 7, Project: long}.Validate(), db.NewReport{Privacy: db.Password, Project: "a/b"}.Validate(),
		db.NewReport{Password: "x", Project: "a\x01"}.Validate(), db.NewReport{Privacy: db.Password, Password: long}.Validate(), noLead, wrongLead, hashed, applied,
		db.ValidateAccountName(""),
	)
}

func accountFaults(now time.Time) []string {
	strange, text, long := db.Privacy(7), "x\x01", strings.Repeat("a", 501)
	var all []error
	for _, c := range []db.AccountChange{
		{Lang: &text, Privacy: &strange, Brand: db.BrandChange{Name: &text, Footer: &long, Color: &text, URL: &text}, Logo: &db.Logo{}}, {Brand: db.BrandChange{Name: &long}},
	} {
		all = append(all, c.Apply(&db.Account{}, now))
	}
	return detailsOf(all...)
}

func projectFaults(now time.Time) []string {
	_, empty := db.NewAccepted{ExpiresAt: now.Add(-time.Hour)}.Validate(now)
	_, wrong := db.NewAccepted{URL: "ftp*"}.Validate(now)
	_, long := db.NewAccepted{URL: "/" + strings.Repeat("a", 3000)}.Validate(now)
	many := 101
	name := "a/b"
	c := db.ProjectChange{Name: &name, Lang: &name, Budget: map[string]*int{"min_score": &many, "other": &many}}
	changed := db.Project{}
	_, form := db.NewForm{}.Validate(now)
	return append(detailsOf(empty, wrong, long, c.Apply(&changed, ""), form),
		"is the name of another project", "exists already", "is one too many: a project has at most 1000 accepted outcomes; delete one first",
		"is one too many: an account has at most 100 forms; delete one first", "is unknown: give the id or the name of a project",
		"must be a whole number", "must be a date such as 2027-01-31")
}

func crawlFaults() []string {
	none, strange := 0, db.Privacy(7)
	many := make([]string, db.MaxCrawlPatterns+1)
	headers := map[string]string{}
	for i := range db.MaxCrawlHeaders + 1 {
		headers[strings.Repeat("a", i+1)] = "b"
	}
	var all []error
	for _, n := range []db.NewCrawl{
		{}, {Mode: "x", URLs: []string{"https://example.com/"}}, {Mode: "list", URL: "https://example.com/"}, {Mode: "list"}, {Mode: "list", URLs: []string{"x"}},
		{MaxPages: &none, Privacy: &strange, Include: many, Exclude: []string{""}, Headers: headers},
		{Headers: map[string]string{"a b": ""}}, {Headers: map[string]string{"Host": "x"}}, {Headers: map[string]string{"X-Stage": ""}},
	} {
		_, _, err := n.Normalised()
		all = append(all, err)
	}
	for _, lines := range [][]string{{"nothing"}, {"A: 1", "a: 2"}, {"Host: x"}} {
		_, err := db.ParseCrawlHeaders(lines...)
		all = append(all, err)
	}
	return append(detailsOf(all...), "is one too many: at most 100 crawls of an account wait or run at once")
}

func scheduleFaults(now time.Time) []string {
	_, nothing := db.NewSchedule{What: "x"}.Validate(now)
	_, crawl := db.NewSchedule{What: "crawl", Report: uuid.NewString(), Zone: "Mars", Every: "6h"}.Validate(now)
	all := []error{nothing, crawl}
	for _, rule := range []string{
		"@never", "1 2 3", "60 * * * *", "* x * * *", "* * 0 * *", "* * * mai 1", "* * * * 8", "5-1 * * * *", "5/2 * * * *", "*/99 * * * *", "0 0 31 2 *", strings.Repeat("1,", 300),
	} {
		_, err := cron.Parse(rule)
		all = append(all, err)
	}
	for _, every := range []string{"x", "1m", "9000d", "6h1ms", "xd", strings.Repeat("1", 40)} {
		_, err := cron.ParseEvery(every)
		all = append(all, err)
	}
	return append(detailsOf(all...), "is never due", "is one too many: an account has at most 1000 schedules; delete one first",
		"is unknown: give the id or the name of one of your projects", "is unknown: give the id of one of your reports")
}

func webhookFaults(now time.Time) []string {
	none, wrong, mail := "", "x", "mailto:x"
	email := string(db.FormatEmail)
	var all []error
	for _, c := range []db.WebhookChange{
		{URL: &none, Format: &wrong, Signature: &wrong, Events: []string{}}, {URL: &wrong, Events: []string{"x"}, Test: true}, {URL: &mail}, {URL: &mail, Format: &email}, {Format: &email},
	} {
		all = append(all, c.Apply(&db.Webhook{URL: "https://example.com/"}, db.ProjectRef{}, now))
	}
	return append(detailsOf(all...), "is one too many: an account has at most 100 webhooks; delete one first",
		"is unknown: give the id or the name of one of your projects, or nothing for all",
		"This server sends no mail: smtp_url and smtp_from are not in its configuration.", // as notify says it
		"The address must be one mail address, such as mailto:team@example.com.", "The address must end in the name of a topic of ntfy, such as https://ntfy.sh/sitegrade.")
}

func keyFaults(now time.Time) []string {
	_, err := db.NewKey{Name: "a\x01", ExpiresAt: now}.Validate("default", now)
	all := []error{err}
	for _, text := range []string{"soon", "90000d", "2020-01-01"} {
		_, err := auth.ParseExpiry(text, now)
		all = append(all, err)
	}
	k := auth.Key{Scopes: auth.Read, ExpiresAt: now}
	return detailsOf(append(all, k.Grant(auth.Write, now), k.Grant(auth.Read, time.Time{}))...)
}

func listFaults() []string {
	var all []error
	for _, query := range []string{"sort=x", "page=0", "per_page=3", "since=x", "search=" + strings.Repeat("a", 5000), "page=1&page=2", "search=%zz", "search=%ff"} {
		_, err := sortfilter.ParseReports(query)
		all = append(all, err)
	}
	return append(detailsOf(all...), "must be the number of a generation, 1 to 3", "there are no two successful generations to compare", "must come before to, which is 3")
}

func logoFaults() []string {
	var large bytes.Buffer
	if err := png.Encode(&large, image.NewGray(image.Rect(0, 0, brand.MaxLogoSide+1, 1))); err != nil {
		return []string{err.Error()}
	}
	var all []error
	for _, sent := range [][]byte{nil, make([]byte, brand.MaxLogo+1), []byte(url.PathEscape("x")), []byte("\x89PNG\r\n\x1a\n"), large.Bytes(), large.Bytes()[:60]} {
		_, _, err := brand.Logo(sent, "")
		all = append(all, err)
	}
	_, _, err := brand.Logo(large.Bytes(), "image/gif")
	return detailsOf(append(all, err)...)
}
