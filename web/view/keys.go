package view

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// KeyRow is an API key as the list shows it.
type KeyRow struct {
	ID, Name, Scopes            string
	Created, Expires, Used, End Instant
	Class, State                string // the colour and the word for where it stands
	Expired                     bool
	Own                         bool // it is the visitor's
	Revocable                   bool
}

// NewKeyRow returns the row of a key for a visitor who is signed in with the key own.
func NewKeyRow(words *locale.Catalogue, k auth.Key, own uuid.UUID, now time.Time) KeyRow {
	row := KeyRow{
		ID: k.ID.String(), Name: k.Name, Scopes: strings.Join(k.Scopes.Names(), ", "), Created: Day(k.CreatedAt), Expires: Day(k.ExpiresAt),
		Used: Moment(k.LastUsed), End: Day(k.RevokedAt), Own: k.ID == own, Class: "good", State: templates.Say(words, "keys.state-used"), Revocable: k.RevokedAt.IsZero(),
	}
	if row.Name == "" {
		row.Name = templates.Say(words, "keys.unnamed", row.ID[len(row.ID)-8:])
	}
	switch {
	case !k.RevokedAt.IsZero():
		row.Class, row.State = "", templates.Say(words, "keys.state-revoked")
	case !k.Usable(now):
		row.Class, row.State, row.Expired = "decent", templates.Say(words, "keys.state-expired"), true
	case k.LastUsed.IsZero():
		row.Class, row.State = "", templates.Say(words, "keys.state-unused")
	}
	return row
}
