// Package auth makes, parses and verifies API keys, their scopes, and report passwords. It is the only place that handles secrets.
package auth

import (
	"fmt"
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

// Grant returns why the key may not make another with these scopes and that end, zero for never, or nil if it may: nobody gets by a new key
// what the first one does not give, nor keeps it for longer.
func (k Key) Grant(scopes Scope, expires time.Time) error {
	if lacking := scopes &^ k.Scopes; lacking != 0 {
		return fmt.Errorf("this key lacks the scope %s, and so cannot give it to another", lacking)
	}
	if !k.ExpiresAt.IsZero() && (expires.IsZero() || expires.After(k.ExpiresAt)) {
		return fmt.Errorf("this key ends at %s, and so cannot make another that ends later", k.ExpiresAt.UTC().Format(time.RFC3339))
	}
	return nil
}
