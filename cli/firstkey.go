package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
)

// keyVariable is the environment variable that may give the first key.
const keyVariable = "SITEGRADE_API_KEY"

// firstKeyName is the file in the data directory that keeps the first key.
const firstKeyName = "first-key"

// prepareKeys makes sure that somebody can use the server: the key of SITEGRADE_API_KEY is known, or, where there is no key at all,
// one is made and kept in a file. It returns how a shell reads a key that can be used, or "" when none is at hand.
func prepareKeys(ctx context.Context, store db.Store, data string, log *slog.Logger) (string, error) {
	path := filepath.Join(data, firstKeyName)
	if !filepath.IsAbs(path) && !strings.HasPrefix(path, ".") {
		path = "./" + path
	}
	if secret := os.Getenv(keyVariable); secret != "" {
		return "$" + keyVariable, knowGivenKey(ctx, store, secret, log)
	}
	keys, err := store.Keys(ctx, "")
	if err != nil {
		return "", err
	}
	if len(keys) == 0 {
		if err := makeFirstKey(ctx, store, path); err != nil {
			return "", err
		}
		log.Debug("made the first key", "file", path)
	}
	if usable, err := opensSomething(ctx, store, path); err != nil || !usable {
		return "", err
	}
	return readByShell(path), nil
}

// knowGivenKey stores the key that the environment gives, unless it is known.
func knowGivenKey(ctx context.Context, store db.Store, secret string, log *slog.Logger) error {
	if !auth.WellFormed(secret) {
		return fmt.Errorf("%s is not a key: \"sitegrade keys create\" makes one, with its checksum", keyVariable)
	}
	key, err := store.KeyByHash(ctx, auth.HashSecret(secret))
	if errors.Is(err, db.ErrNotFound) {
		_, err := storeKey(ctx, store, keyVariable, secret, "the key "+secret)
		return err
	}
	if err != nil {
		return err
	}
	if !key.Usable(time.Now()) {
		log.Warn("the key of "+keyVariable+" was revoked or has expired", "key_id", key.ID)
	}
	return nil
}

// storeKey stores a key and reports whether the key of once is this one: of servers that start together, one stores it. No client can send what
// once has, since that has spaces.
func storeKey(ctx context.Context, store db.Store, name, secret, once string) (stored bool, err error) {
	hash := auth.HashSecret(secret)
	made, _, err := store.IssueKey(ctx, defaultAccount, db.NewKey{Name: name, Hash: hash, Scopes: auth.AllScopes, IdempotencyKey: once})
	return made.Hash == hash, err
}

// makeFirstKey writes the file before it stores the key, so that a crash in between leaves a file whose key the next start
// stores, and not a key that nobody knows. Where another server made one at the same moment, the file goes.
func makeFirstKey(ctx context.Context, store db.Store, path string) error {
	secret, err := readKeyFile(path)
	if err != nil {
		return err
	}
	found := auth.WellFormed(secret)
	if !found {
		secret = auth.NewSecret()
		if err := writeWhole(path, 0o600, func(w io.Writer) error {
			_, err := io.WriteString(w, secret+"\n")
			return err
		}); err != nil {
			return fmt.Errorf("the first key cannot be written: %w", err)
		}
	}
	stored, err := storeKey(ctx, store, "first key", secret, "the first key")
	if err == nil && !stored && !found {
		err = os.Remove(path)
	}
	return err
}

// readKeyFile returns the secret in the file, or "" where there is no file.
func readKeyFile(path string) (string, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("the first key cannot be read: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// opensSomething reports whether the file has a key that can be used.
func opensSomething(ctx context.Context, store db.Store, path string) (bool, error) {
	secret, err := readKeyFile(path)
	if err != nil || !auth.WellFormed(secret) {
		return false, err
	}
	key, err := store.KeyByHash(ctx, auth.HashSecret(secret))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil && key.Usable(time.Now()), err
}
