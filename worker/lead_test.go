package worker

import (
	"encoding/base64"
	"strings"
	"testing"

	"sitegrade/db"
)

// TestLeadsAreTold has somebody write into a form of an account with a brand: a program gets what was written, a mail bears the brand, and the
// log says nothing of it.
func TestLeadsAreTold(t *testing.T) {
	server := newMailServer(t)
	r := newReceiver(t, nil)
	b := newTelling(t, loopback, "smtp://"+server.listener.Addr().String())
	b.hook("mailto:team@example.com", "lead.created")
	b.hook(r.URL, "lead.created")
	picture := append([]byte("\x89PNG\r\n\x1a\n"), "pixels"...)
	change := db.AccountChange{Brand: db.BrandChange{Name: new("Agency"), Footer: new("Agency Ltd")}, Logo: &db.Logo{MediaType: "image/png", Data: picture}}
	if _, err := b.store.UpdateAccount(b.ctx, "default", change, nil); err != nil {
		t.Fatal(err)
	}
	f, _, err := b.store.CreateForm(b.ctx, "default", db.NewForm{Name: "On our site", Project: "Leads"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.CreateLead(b.ctx, f.Share, db.NewLead{URL: "https://example.com/", Email: "ada@example.com", Message: "Call me"}); err != nil {
		t.Fatal(err)
	}
	b.round()
	mails := server.got()
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	for _, part := range []string{"Agency Ltd", "ada@example.com", "Call me", "Content-Id: <logo>", base64.StdEncoding.EncodeToString(picture)} {
		if !strings.Contains(strings.ReplaceAll(mails[0], "Content-ID", "Content-Id"), part) {
			t.Errorf("the mail lacks %s:\n%s", part, mails[0])
		}
	}
	want := `"form":{"id":"` + f.ID.String() + `","name":"On our site"},"lead":{"email":"ada@example.com","name":null,"message":"Call me"}`
	if got := r.bodies; len(got) != 1 || !strings.Contains(got[0], want) || !strings.Contains(got[0], `"report":{"id":`) {
		t.Errorf("told are %s", got)
	}
	if lines := b.log.String(); strings.Contains(lines, "ada@") || strings.Contains(lines, "Call me") {
		t.Errorf("the log has the lead:\n%s", lines)
	}
}
