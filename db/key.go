package db

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/sortfilter"
)

// NewKey is what a client may say of an API key that it makes.
type NewKey struct {
	Name      string
	Scopes    auth.Scope
	ExpiresAt time.Time // zero: never
	// Hash is that of the secret. The caller makes it, and has seen to it that whoever asks may grant this (auth.Key.Grant).
	Hash           auth.Hash `json:"-"`
	IdempotencyKey string    `json:"-"`
}

// Validate returns the key that n asks for, without its id and the time of its creation. The error is *InvalidError.
func (n NewKey) Validate(account string, now time.Time) (auth.Key, error) {
	k := auth.Key{Account: account, Name: n.Name, Hash: n.Hash, Scopes: n.Scopes, ExpiresAt: n.ExpiresAt}
	fields := wrongInKey(k)
	if !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(now) {
		fields = append(fields, FieldError{Field: "expires_at", Detail: expiredDetail})
	}
	return k, invalid(fields)
}

// expiredDetail says what would be right for an end that has passed.
const expiredDetail = "has passed: give a time that is yet to come, or null for never"

// ValidateKey reports whether a key may be stored. The error is *InvalidError.
func ValidateKey(k auth.Key) error { return invalid(wrongInKey(k)) }

func wrongInKey(k auth.Key) []FieldError {
	var fields []FieldError
	if len(k.Name) > MaxProjectName || !printable(k.Name) {
		fields = append(fields, FieldError{Field: "name", Detail: fmt.Sprintf("must be at most %d bytes without control characters", MaxProjectName)})
	}
	if k.Scopes == 0 {
		fields = append(fields, FieldError{Field: "scopes", Detail: "is required: read, write, admin or several of them"})
	}
	return fields
}

// LastAdminDetail says what to do about ErrLastAdmin.
const LastAdminDetail = "No other key of this account that can be used has the scope admin. Make another first, or revoke this one on the server with \"sitegrade keys revoke\"."

// keys are the methods of a Store for API keys.
type keys interface {
	// CreateKey stores an API key, makes its account if need be, and returns the key with its id and time of creation, which it fills in where
	// they are zero. The error is *InvalidError if the account, the name or the scopes are not valid, or if another key has the same secret.
	CreateKey(ctx context.Context, k auth.Key) (auth.Key, error)
	// IssueKey stores an API key that a client of the account asks for. If the idempotency key of n has made one before, it returns that one as
	// it is now, and again is true: the secret of n is not its secret. The error is *InvalidError, or ErrIdempotencyMismatch.
	IssueKey(ctx context.Context, account string, n NewKey) (made auth.Key, again bool, err error)
	// KeyByHash returns the API key whose secret has this SHA-256, even if it has expired or was revoked. The error is ErrNotFound.
	KeyByHash(ctx context.Context, hash auth.Hash) (auth.Key, error)
	// Keys returns the API keys of an account, or of all accounts if account is "", sorted by account and creation.
	Keys(ctx context.Context, account string) ([]auth.Key, error)
	// ListKeys returns one page of the API keys of an account, the expired and revoked ones among them, by creation. A search looks at names.
	ListKeys(ctx context.Context, account string, q sortfilter.Query) (Page[auth.Key], error)
	// RevokeKey makes a key useless from now on and returns it. A key that was revoked before stays as it is. The error is ErrNotFound.
	RevokeKey(ctx context.Context, id uuid.UUID) (auth.Key, error)
	// RevokeKeyOf is RevokeKey for clients of an account. The error is ErrNotFound if the key is another's, and ErrLastAdmin if it can be used,
	// has the scope admin, and is the only such key of the account.
	RevokeKeyOf(ctx context.Context, account string, id uuid.UUID) (auth.Key, error)
	// TouchKeys notes when keys were last used, to the minute. It passes over keys that do not exist and those that were used later.
	TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error
}
