package auth

import (
	"testing"
	"time"
)

func TestUsable(t *testing.T) {
	now := time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		key  Key
		want bool
	}{
		{"for ever", Key{}, true},
		{"expires later", Key{ExpiresAt: now.Add(time.Second)}, true},
		{"expires now", Key{ExpiresAt: now}, false},
		{"expired", Key{ExpiresAt: now.Add(-time.Second)}, false},
		{"revoked", Key{RevokedAt: now.Add(-time.Hour)}, false},
		{"revoked by a clock that was ahead", Key{RevokedAt: now.Add(time.Hour)}, false},
		{"revoked before it expires", Key{RevokedAt: now, ExpiresAt: now.Add(time.Hour)}, false},
	}
	for _, test := range tests {
		if got := test.key.Usable(now); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestScopes(t *testing.T) {
	tests := []struct {
		text      string
		want      Scope
		canonical string
	}{
		{"read", Read, "read"},
		{"write", Write, "write"},
		{"read,write", Read | Write, "read,write"},
		{" write , read ", Read | Write, "read,write"},
		{"admin,write,read", AllScopes, "read,write,admin"},
		{"read,read", Read, "read"},
	}
	for _, test := range tests {
		got, err := ParseScopes(test.text)
		if err != nil || got != test.want || got.String() != test.canonical {
			t.Errorf("ParseScopes(%q) = %v, %v; want %v", test.text, got, err, test.want)
		}
	}
	for text, want := range map[string]string{
		"":           "no scope is given: give read, write, admin or several of them, separated by commas",
		" ":          "no scope is given: give read, write, admin or several of them, separated by commas",
		"root":       `unknown scope "root": the scopes are read, write and admin, separated by commas`,
		"read,":      `unknown scope "": the scopes are read, write and admin, separated by commas`,
		"Read":       `unknown scope "Read": the scopes are read, write and admin, separated by commas`,
		"read write": `unknown scope "read write": the scopes are read, write and admin, separated by commas`,
	} {
		if got, err := ParseScopes(text); err == nil || err.Error() != want {
			t.Errorf("ParseScopes(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestGrant(t *testing.T) {
	now := time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		by      Key
		scopes  Scope
		expires time.Time
		may     bool
	}{
		{"all of its own", Key{Scopes: AllScopes}, AllScopes, time.Time{}, true},
		{"fewer scopes", Key{Scopes: AllScopes}, Read, now, true},
		{"a scope that it lacks", Key{Scopes: Read | Admin}, Read | Write, time.Time{}, false},
		{"as long as itself", Key{Scopes: AllScopes, ExpiresAt: now}, Read, now, true},
		{"longer than itself", Key{Scopes: AllScopes, ExpiresAt: now}, Read, now.Add(time.Second), false},
		{"for ever, though it ends", Key{Scopes: AllScopes, ExpiresAt: now}, Read, time.Time{}, false},
	} {
		if err := test.by.Grant(test.scopes, test.expires); (err == nil) != test.may {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestHas(t *testing.T) {
	tests := []struct {
		scopes, wanted Scope
		want           bool
	}{
		{Read, Read, true}, {Read, Write, false}, {Write, Read, false}, {AllScopes, Write, true}, {Read, AllScopes, false}, {0, Read, false},
	}
	for _, test := range tests {
		if got := test.scopes.Has(test.wanted); got != test.want {
			t.Errorf("%q has %q: %v", test.scopes, test.wanted, got)
		}
	}
}

func TestScopeText(t *testing.T) {
	for _, scopes := range []Scope{Read, Write, AllScopes} {
		text, err := scopes.MarshalText()
		var again Scope
		if err != nil || again.UnmarshalText(text) != nil || again != scopes {
			t.Errorf("%v becomes %s, which is %v", scopes, text, again)
		}
	}
}

func TestParseExpiry(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600))
	tests := []struct {
		text string
		want time.Time
	}{
		{"", time.Time{}},
		{"90d", time.Date(2027, 2, 18, 11, 0, 0, 0, time.UTC)},
		{"12h", time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)},
		{"36500d", time.Date(2126, 10, 27, 11, 0, 0, 0, time.UTC)},
		{"2027-01-02", time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)},
		{"2027-01-02T03:04:05+02:00", time.Date(2027, 1, 2, 1, 4, 5, 0, time.UTC)},
	}
	for _, test := range tests {
		got, err := ParseExpiry(test.text, now)
		if err != nil || !got.Equal(test.want) || !got.IsZero() && got.Location() != time.UTC {
			t.Errorf("ParseExpiry(%q) = %v, %v; want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{
		"0d", "0h", "-1d", "+1d", "1.5d", "d", "90", "90m", "1w", "90 d", "36501d", "876001h", "99999999999d", "2026-11-20", "2026-11-19", "2027-13-01",
		"2027-02-30", "2026-11-20T10:59:59Z", "tomorrow", "never",
	} {
		if got, err := ParseExpiry(text, now); err == nil {
			t.Errorf("ParseExpiry(%q) = %v", text, got)
		}
	}
}
