// Package transfer moves a store's contents out and in, line by line: it writes the accounts of an export piece by piece, and reads an import in
// batches that are parsed on all cores. An engine gives it the lines, and stores those that it reads.
package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/google/uuid"
)

// WriteAccount writes the lines of one account to w. head gives those before the reports. reports gives the next ones whose ids are greater
// than after, and returns the id of the last one and whether there may be more. Neither waits for w, so that who reads slowly keeps no
// transaction open.
func WriteAccount(ctx context.Context, w io.Writer, head func(*json.Encoder) error,
	reports func(after uuid.UUID, out *json.Encoder) (last uuid.UUID, more bool, err error)) error {
	begun, last := false, uuid.Nil
	return Write(ctx, w, func(out *json.Encoder) (more bool, err error) {
		if !begun {
			begun = true
			return true, head(out)
		}
		last, more, err = reports(last, out)
		return more, err
	})
}

// Write writes lines to w piece by piece: next gives the lines of the next piece, and returns whether there may be more. It does not wait for w.
func Write(ctx context.Context, w io.Writer, next func(*json.Encoder) (more bool, err error)) error {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	for more := true; more; {
		var err error
		if more, err = next(out); err != nil {
			return err
		}
		if _, err := text.WriteTo(w); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
