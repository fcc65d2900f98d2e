// Package auth makes, parses and verifies API keys, their scopes, and report passwords. It is the only place that handles secrets.
package auth

import (
	"time"

	"github.com/google/uuid"
)

// Key is an API key as it is stored: its secret only as a hash.
type Key struct {
	ID        uuid.UUID
	Account   string
	Name      string
	Hash      Hash // of the secret
	Scopes    Scope
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	LastUsed  time.Time // zero: never; minute grain
	RevokedAt time.Time // zero: not revoked
}

// Usable reports whether the key opens anything at that moment: it is neither revoked nor expired.
func (k Key) Usable(now time.Time) bool {
	expired := !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt)
	return k.RevokedAt.IsZero() && !expired
}
