package dbtest

import (
	"errors"
	"testing"
	"time"

	"sitegrade/db"
)

// testSessions ends sign-ins one by one and all at once. What was ended stays so when the store is opened again.
func (s suite) testSessions(t *testing.T) {
	now := time.Now().Truncate(time.Second)
	o := Options{Dir: t.TempDir(), Now: func() time.Time { return now }}
	d, err := s.engine(o)
	if err != nil {
		t.Fatal(err)
	}
	Create(t, d, "https://example.com/")
	session := func(id byte) db.Session { return db.Session{ID: [16]byte{id}, Began: now, Ends: now.Add(time.Hour)} }
	hold := func(of db.Session, want bool) {
		t.Helper()
		if holds, err := d.SessionHolds(t.Context(), "a", of); err != nil || holds != want {
			t.Errorf("session %d holds: %t, %v", of.ID[0], holds, err)
		}
	}
	first, second := session(1), session(2)
	hold(first, true)
	for range 2 {
		if err := d.EndSession(t.Context(), "a", first); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.EndSession(t.Context(), "b", second); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("in an account that does not exist it ends: %v", err)
	}
	hold(first, false)
	hold(second, true)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = s.open(t, o)
	hold(first, false)
	hold(second, true)

	now = now.Add(2 * time.Hour)
	third := session(3)
	if err := d.EndSession(t.Context(), "a", third); err != nil {
		t.Fatal(err)
	}
	hold(first, true) // forgotten, since its time has come
	hold(third, false)
	if _, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{SignOut: true}, nil); err != nil {
		t.Fatal(err)
	}
	hold(second, false)
	hold(session(4), false) // of the very moment
	now = now.Add(time.Second)
	hold(session(5), true)
}
