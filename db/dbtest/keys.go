package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (s suite) testAPIKeys(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	k, err := d.CreateKey(t.Context(), auth.Key{Account: "a", Name: "ci", Hash: auth.HashSecret("s"), Scopes: auth.Read | auth.Write, ExpiresAt: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateKey(t.Context(), auth.Key{Account: "b", Hash: auth.HashSecret("s"), Scopes: auth.Read}); err == nil {
		t.Error("one secret opens two accounts")
	}
	for _, wrong := range []auth.Key{{Account: "", Scopes: auth.Read}, {Account: "a"}, {Account: "a", Name: "x\n", Scopes: auth.Read}} {
		if _, err := d.CreateKey(t.Context(), wrong); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if err := d.TouchKeys(t.Context(), map[uuid.UUID]time.Time{k.ID: now.Add(90 * time.Second), uuid.Max: now}); err != nil {
		t.Fatal(err)
	}
	got, err := d.KeyByHash(t.Context(), auth.HashSecret("s"))
	if err != nil || got.ID != k.ID || !got.LastUsed.Equal(now.Add(59*time.Second)) || !got.Usable(now) {
		t.Fatalf("by hash: %+v, %v", got, err)
	}
	if _, err := d.RevokeKey(t.Context(), k.ID); err != nil {
		t.Fatal(err)
	}
	if got, _ = d.KeyByHash(t.Context(), auth.HashSecret("s")); got.Usable(now) {
		t.Error("a revoked key is usable")
	}
	if _, err := d.RevokeKey(t.Context(), uuid.Max); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("revoking an unknown key gives %v", err)
	}
	if _, err := d.KeyByHash(t.Context(), auth.HashSecret("other")); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("an unknown secret gives %v", err)
	}
	if keys, _ := d.Keys(t.Context(), "b"); len(keys) != 0 {
		t.Errorf("account b has %v", keys)
	}
}

// testKeysAreComparedWhole asks for hashes that differ from a key's in one bit.
func (s suite) testKeysAreComparedWhole(t *testing.T) {
	d := s.open(t, Options{})
	k, err := d.CreateKey(t.Context(), auth.Key{Account: "a", Hash: auth.HashSecret("s"), Scopes: auth.Read})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time what was asked for before may be remembered
		for i := range k.Hash {
			other := k.Hash
			other[i] ^= 1
			if _, err := d.KeyByHash(t.Context(), other); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("a hash that differs in byte %d gives %v", i, err)
			}
		}
		if got, err := d.KeyByHash(t.Context(), k.Hash); err != nil || got.ID != k.ID {
			t.Fatalf("by its hash: %+v, %v", got, err)
		}
	}
}

func (s suite) testKeysOfAnAccount(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	issue := func(account, name string, scopes auth.Scope) auth.Key {
		t.Helper()
		k, again, err := d.IssueKey(t.Context(), account, db.NewKey{Name: name, Scopes: scopes, Hash: auth.HashSecret(account + name), IdempotencyKey: name})
		if err != nil || again {
			t.Fatal(err, again)
		}
		return k
	}
	first, second, other := issue("a", "first", auth.AllScopes), issue("a", "second", auth.Admin), issue("b", "third", auth.AllScopes)
	same, again, err := d.IssueKey(t.Context(), "a", db.NewKey{Name: "first", Scopes: auth.AllScopes, Hash: auth.HashSecret("new"), IdempotencyKey: "first"})
	if err != nil || !again || same != first {
		t.Errorf("again: %+v, %v, %v", same, again, err)
	}
	if _, _, err := d.IssueKey(t.Context(), "a", db.NewKey{Scopes: auth.Read, Hash: auth.HashSecret("new"), IdempotencyKey: "first"}); !errors.Is(err, db.ErrIdempotencyMismatch) {
		t.Errorf("another key with the same idempotency key gives %v", err)
	}
	if _, _, err := d.IssueKey(t.Context(), "a", db.NewKey{Scopes: auth.Read, ExpiresAt: now, Hash: auth.HashSecret("new")}); !errors.As(err, new(*db.InvalidError)) {
		t.Errorf("a key that has expired gives %v", err)
	}
	q := sortfilter.Query{SortBy: sortfilter.ByCreated, Search: "SECOND", PerPage: 10, Page: 1}
	if page, err := d.ListKeys(t.Context(), "a", q); err != nil || page.Total != 1 || page.Rows[0].ID != second.ID {
		t.Errorf("listed: %+v, %v", page, err)
	}
	if _, err := d.RevokeKeyOf(t.Context(), "a", other.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("revoking another account's key gives %v", err)
	}
	if _, err := d.RevokeKeyOf(t.Context(), "a", first.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.RevokeKeyOf(t.Context(), "a", second.ID); !errors.Is(err, db.ErrLastAdmin) {
		t.Errorf("revoking the last key with admin gives %v", err)
	}
	if k, err := d.RevokeKey(t.Context(), second.ID); err != nil || k.Usable(now) {
		t.Errorf("the command line cannot revoke it: %v", err)
	}
}
