package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"sitegrade/db"
)

// cookieSecretName is the file in the data directory with what the server signs cookies with, and from which the key is derived that headers of
// crawls are encrypted with. It is not in the database, and so not in its backups: whoever finds one can neither make sessions from it nor read
// those headers.
const cookieSecretName = "cookie-secret"

// cookieSecretLength is how many random bytes the secret has. The file has them in hexadecimal digits.
const cookieSecretLength = 32

// cookieSecret returns what cookies are signed with, so that sessions outlive a restart. It is made where there is none; without its file,
// everybody signs in again.
func cookieSecret(data string) ([]byte, error) {
	path := filepath.Join(data, cookieSecretName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the secret of the sessions cannot be read: %w", err)
	}
	if secret, err := hex.DecodeString(strings.TrimSpace(string(text))); err == nil && len(secret) == cookieSecretLength {
		return secret, nil
	}
	secret := make([]byte, cookieSecretLength)
	_, _ = rand.Read(secret) // never fails (crypto/rand)
	if err := writeWhole(path, 0o600, func(w io.Writer) error {
		_, err := io.WriteString(w, hex.EncodeToString(secret)+"\n")
		return err
	}); err != nil {
		return nil, fmt.Errorf("the secret of the sessions cannot be written: %w", err)
	}
	return secret, nil
}

// warnOfSecret warns where other servers of the database have another secret: each asks people anew to sign in that come from another.
func warnOfSecret(ctx context.Context, store db.Store, log *slog.Logger) error {
	shared, ok := store.(interface {
		SecretDiffers(ctx context.Context) (bool, error)
	})
	if !ok {
		return nil
	}
	differs, err := shared.SecretDiffers(ctx)
	if differs {
		log.Warn("another server of this database has another " + cookieSecretName + ": copy the file of the first server into the data directories of all, or people have to sign in at each server, and crawls with headers fail")
	}
	return err
}
