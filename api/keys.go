package api

import (
	"net/http"
	"strings"
	"unicode"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/sortfilter"
)

func (a *API) listKeys(x *request) error {
	return serveList(x, "/keys", sortfilter.KeyParameters, a.store.ListKeys, appendKey)
}

// createKey makes a key that may not do more than the one that asks for it. Only this response has the secret: of a repetition the server
// does not know it any more.
func (a *API) createKey(x *request) error {
	n, err := a.readNewKey(x)
	if err != nil {
		return err
	}
	if n.IdempotencyKey, err = idempotencyKey(x.r.Header); err != nil {
		return err
	}
	if _, err := n.Validate(x.key.Account, a.Now()); err != nil {
		return err
	}
	if err := x.key.Grant(n.Scopes, n.ExpiresAt); err != nil {
		return beyondKey.with("%s.", sentence(err))
	}
	secret := auth.NewSecret()
	n.Hash = auth.HashSecret(secret)
	made, again, err := a.store.IssueKey(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	document := appendKey(made, []byte(`{"data":`))
	if !again {
		document = append(document[:len(document)-1], `,"secret":`...)
		document = append(jsonappend.String(document, secret), '}')
	}
	x.sendJSON(http.StatusCreated, append(document, "}\n"...))
	return nil
}

// sentence returns the text of an error with a capital.
func sentence(err error) string {
	text := []rune(err.Error())
	text[0] = unicode.ToUpper(text[0])
	return string(text)
}

func (a *API) readNewKey(x *request) (db.NewKey, error) {
	b, err := x.readBody()
	if err != nil {
		return db.NewKey{}, err
	}
	n := db.NewKey{Name: b.text("name")}
	if names := b.list("scopes"); len(names) > 0 {
		if n.Scopes, err = auth.ParseScopes(strings.Join(names, ",")); err != nil {
			b.refuse("scopes", err.Error())
		}
	}
	n.ExpiresAt = b.time("expires_at")
	if wrong := b.finish(); wrong != nil {
		_, err := n.Validate(x.key.Account, a.Now())
		return db.NewKey{}, invalidFields(withOthers(wrong, err))
	}
	return n, nil
}

// revokeKey ends a key of the account, perhaps the one that asks for it.
func (a *API) revokeKey(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	if _, err := a.store.RevokeKeyOf(x.r.Context(), x.key.Account, id); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}

// appendKey appends a key as lists show it: without anything from which its secret could be guessed.
func appendKey(k auth.Key, b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, k.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, k.Name)
	b = append(b, `,"scopes":[`...)
	for i, name := range k.Scopes.Names() {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonappend.String(b, name)
	}
	b = append(b, `],"created_at":`...)
	b = jsonappend.Time(b, k.CreatedAt)
	b = append(b, `,"expires_at":`...)
	b = jsonappend.Time(b, k.ExpiresAt)
	b = append(b, `,"last_used_at":`...)
	b = jsonappend.Time(b, k.LastUsed)
	b = append(b, `,"revoked_at":`...)
	b = jsonappend.Time(b, k.RevokedAt)
	return append(b, '}')
}
