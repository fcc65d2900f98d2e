package db

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
)

// ResponseLife is how long the response to a create with an idempotency key is kept, from the create on.
const ResponseLife = 24 * time.Hour

// KeptResponse is the response to a create with an idempotency key.
type KeptResponse struct {
	ReportID uuid.UUID
	Status   int    // of HTTP; 0 when the server died before it responded
	Response []byte // as given to KeepResponse
}

// Asked is what a create asked for, in a form in which a repetition is recognised and that tells nothing of a password: whoever has the
// file must guess at argon2id, as with the report itself.
type Asked struct {
	Sum          [32]byte // SHA-256 of everything but the password, which the report shows anyway
	PasswordHash string   // argon2id, in its usual text form; "" without a password
}

// Asked returns what n asks for. passwordHash is that of n's password.
func (n NewReport) Asked(passwordHash string) (Asked, error) {
	text, err := json.Marshal(NewReport{URL: n.URL, Privacy: n.Privacy, Project: n.Project})
	if err != nil {
		return Asked{}, fmt.Errorf("telling creates apart: %w", err)
	}
	return Asked{sha256.Sum256(text), passwordHash}, nil
}

// Matches returns nil when n asks for the same, and otherwise ErrIdempotencyMismatch. Where there is a password, that takes as long as every
// look at one.
func (a Asked) Matches(ctx context.Context, n NewReport) error {
	again, err := n.Asked("")
	if err != nil {
		return err
	}
	if again.Sum != a.Sum || (n.Password == "") != (a.PasswordHash == "") {
		return ErrIdempotencyMismatch
	}
	if a.PasswordHash == "" {
		return nil
	}
	same, err := auth.VerifyPassword(ctx, a.PasswordHash, n.Password)
	if err == nil && !same {
		err = ErrIdempotencyMismatch
	}
	return err
}
