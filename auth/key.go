// Package auth makes, parses and verifies API keys, their scopes, and report passwords. It is the only place that handles secrets.
package auth

import (
	"time"

	"github.com/google/uuid"
)

// Scope is a set of permissions.
type Scope uint8

// The scopes of an API key.
const (
	Read Scope = 1 << iota
	Write
)

// Key is an API key as it is stored: its secret only as a hash.
type Key struct {
	ID        uuid.UUID
	Account   string
	Name      string
	Hash      [32]byte // SHA-256 of the secret
	Scopes    Scope
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	LastUsed  time.Time // zero: never; minute grain
	RevokedAt time.Time // zero: not revoked
}
