package session

import (
	"encoding/base64"
	"slices"
	"testing"
	"time"

	"sitegrade/auth"
)

func TestForgedSessions(t *testing.T) {
	now := time.Now()
	s := New(NewSigner(nil))
	opened, cookie := s.Begin(auth.Hash{1, 2, 3}, now)
	if found, ok := s.Find(cookie, now); !ok || found != opened {
		t.Fatalf("%+v is found as %+v, %v", opened, found, ok)
	}
	b, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		forged := slices.Clone(b)
		forged[i] ^= 1
		if _, ok := s.Find(base64.RawURLEncoding.EncodeToString(forged), now); ok {
			t.Errorf("a cookie with another byte %d is good", i)
		}
	}
	for _, cut := range []int{0, 1, saidLength, len(b) - 1} {
		if _, ok := s.Find(base64.RawURLEncoding.EncodeToString(b[:cut]), now); ok {
			t.Errorf("%d bytes of a cookie are good", cut)
		}
	}
}
