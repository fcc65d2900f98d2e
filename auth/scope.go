package auth

import (
	"errors"
	"fmt"
	"strings"
)

// Scope is a set of permissions. Its text form is their names separated by commas.
type Scope uint8

// The scopes of an API key. No scope includes another.
const (
	Read Scope = 1 << iota
	Write
	Admin // makes and revokes the keys of its account
)

// AllScopes may do everything.
const AllScopes = Read | Write | Admin

// scopeNames has the name of each scope, in the order of the text form.
var scopeNames = []struct {
	scope Scope
	name  string
}{{Read, "read"}, {Write, "write"}, {Admin, "admin"}}

// ParseScopes reads scopes separated by commas, such as "read" or "read,write". Order and spaces around a name do not matter.
func ParseScopes(text string) (Scope, error) {
	if strings.TrimSpace(text) == "" {
		return 0, errors.New("no scope is given: give read, write, admin or several of them, separated by commas")
	}
	var scopes Scope
	for name := range strings.SplitSeq(text, ",") {
		scope, err := parseScope(strings.TrimSpace(name))
		if err != nil {
			return 0, err
		}
		scopes |= scope
	}
	return scopes, nil
}

func parseScope(name string) (Scope, error) {
	for _, s := range scopeNames {
		if s.name == name {
			return s.scope, nil
		}
	}
	return 0, fmt.Errorf("unknown scope %q: the scopes are read, write and admin, separated by commas", name)
}

// Has reports whether all of wanted is in s.
func (s Scope) Has(wanted Scope) bool { return s&wanted == wanted }

// String returns what ParseScopes reads; "" for no scope at all.
func (s Scope) String() string { return strings.Join(s.Names(), ",") }

// Names returns the name of each scope that is in s.
func (s Scope) Names() []string {
	var names []string
	for _, n := range scopeNames {
		if s.Has(n.scope) {
			names = append(names, n.name)
		}
	}
	return names
}

// MarshalText returns the text form.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Scope) UnmarshalText(text []byte) (err error) {
	*s, err = ParseScopes(string(text))
	return err
}
