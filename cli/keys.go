package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/terminal"
)

// defaultAccount is the tenant of a server that has only one.
const defaultAccount = "default"

func keysCreate(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	account := fs.String("account", defaultAccount, "`account` that the key opens; a new name makes a new account (default "+defaultAccount+")")
	name := fs.String("name", "", "`text` that tells the key from others")
	scopes := fs.String("scopes", (auth.Read | auth.Write).String(), "`scopes` of the key: read, write, admin (makes and revokes keys) or several, with commas (default read,write)")
	expires := fs.String("expires", "", "`time` when the key ends: after days or hours (90d, 12h) or at a date (2027-01-31); empty: never")
	settings, err := c.configureAlone(fs, dataOptions, args)
	if err != nil {
		return err
	}
	parsed, err := auth.ParseScopes(*scopes)
	if err != nil {
		return c.usage("-scopes: %s", err)
	}
	end, err := auth.ParseExpiry(*expires, time.Now())
	if err != nil {
		return c.usage("-expires: %s", err)
	}
	return c.perform(ctx, settings, task{Do: "keys create", Account: *account, Name: *name, Scopes: parsed, Expires: end})
}

// createKey writes the secret alone to the output, where a script can take it from.
func createKey(ctx context.Context, t task, s surroundings) error {
	secret := auth.NewSecret()
	key, err := s.store.CreateKey(ctx, auth.Key{
		Account: t.Account, Name: t.Name, Hash: auth.HashSecret(secret), Scopes: t.Scopes, ExpiresAt: t.Expires,
	})
	if err != nil {
		return err
	}
	s.log.Info("key created", "key_id", key.ID, "account", key.Account, "scopes", key.Scopes.String(), "expires", key.ExpiresAt)
	fmt.Fprintf(s.stderr, "Key %s of the account %s. Its secret is shown only this once:\n", key.ID, key.Account)
	fmt.Fprintln(s.stdout, secret)
	return nil
}

func keysList(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	account := fs.String("account", "", "`account` whose keys are listed; empty: all")
	format := fs.String("format", "text", "`format`: text, or json with an object a line for each key (default text)")
	settings, err := c.configureAlone(fs, dataOptions, args)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "json" {
		return c.usage("-format: %q is not text or json", *format)
	}
	return c.perform(ctx, settings, task{Do: "keys list", Account: *account, Format: *format})
}

func listKeys(ctx context.Context, t task, s surroundings) error {
	keys, err := s.store.Keys(ctx, t.Account)
	if err != nil {
		return err
	}
	if t.Format == "json" {
		return writeKeysJSON(s.stdout, keys)
	}
	return writeKeysTable(s.stdout, keys)
}

func writeKeysTable(w io.Writer, keys []auth.Key) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tACCOUNT\tNAME\tSCOPES\tCREATED\tEXPIRES\tLAST USED\tREVOKED")
	for _, k := range keys {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, terminal.Clean(k.Account), terminal.Clean(k.Name), k.Scopes,
			moment(k.CreatedAt), moment(k.ExpiresAt), moment(k.LastUsed), moment(k.RevokedAt))
	}
	return table.Flush()
}

// moment writes a time for people, or "-" for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// listedKey is a key as -format json shows it: without the hash of its secret.
type listedKey struct {
	ID        uuid.UUID  `json:"id"`
	Account   string     `json:"account"`
	Name      string     `json:"name"`
	Scopes    auth.Scope `json:"scopes"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"`
	LastUsed  *time.Time `json:"last_used"`
	RevokedAt *time.Time `json:"revoked_at"`
}

func writeKeysJSON(w io.Writer, keys []auth.Key) error {
	encoder := json.NewEncoder(w)
	for _, k := range keys {
		if err := encoder.Encode(listedKey{k.ID, k.Account, k.Name, k.Scopes, k.CreatedAt,
			orNull(k.ExpiresAt), orNull(k.LastUsed), orNull(k.RevokedAt)}); err != nil {
			return err
		}
	}
	return nil
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func keysRevoke(ctx context.Context, c *console, args []string) error {
	settings, operands, err := c.configure(c.flags(), dataOptions, args)
	if err != nil {
		return err
	}
	operand, err := c.oneOperand(operands)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(operand)
	if err != nil {
		return c.usage("%q is not the id of a key: \"sitegrade keys list\" shows the ids", operand)
	}
	return c.perform(ctx, settings, task{Do: "keys revoke", ID: id})
}

func revokeKey(ctx context.Context, t task, s surroundings) error {
	key, err := s.store.RevokeKey(ctx, t.ID)
	if errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("there is no key %s: \"sitegrade keys list\" shows all", t.ID)
	}
	if err != nil {
		return err
	}
	s.log.Info("key revoked", "key_id", key.ID, "account", key.Account)
	fmt.Fprintf(s.stderr, "Key %s (%s) of the account %s is revoked.\n", key.ID, terminal.Clean(key.Name), terminal.Clean(key.Account))
	return nil
}
