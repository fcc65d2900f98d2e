// Package schemaorg knows the names of the vocabulary of schema.org: its types, what they are kinds of, and its properties, with those
// that are pending or superseded.
package schemaorg

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed vocabulary.txt
var source string

// names are the names of the vocabulary.
type names struct {
	types      map[string][]string // and what each is a kind of
	properties map[string]bool
}

var vocabulary = sync.OnceValue(func() names {
	n := names{types: make(map[string][]string, 1000), properties: make(map[string]bool, 1600)}
	for line := range strings.Lines(source) {
		switch words := strings.Fields(line); words[0] {
		case "type":
			n.types[words[1]] = words[2:]
		case "property":
			n.properties[words[1]] = true
		}
	}
	return n
})

// IsType reports whether schema.org has a type of this name, such as "Product".
func IsType(name string) bool {
	_, ok := vocabulary().types[name]
	return ok
}

// IsProperty reports whether schema.org has a property of this name, such as "offers". What an action takes or gives, such as
// "query-input", counts as the property.
func IsProperty(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "-input"), "-output")
	return vocabulary().properties[name]
}

// Kinds returns a type and all that it is a kind of, such as Restaurant, FoodEstablishment, LocalBusiness, Organization, Place and
// Thing. Of a name that is no type it returns the name alone.
func Kinds(name string) []string {
	kinds := []string{name}
	seen := map[string]bool{name: true}
	for i := 0; i < len(kinds); i++ {
		for _, parent := range vocabulary().types[kinds[i]] {
			if !seen[parent] {
				seen[parent] = true
				kinds = append(kinds, parent)
			}
		}
	}
	return kinds
}

// Is reports whether a URL is that of the vocabulary, as contexts, vocab attributes and types begin: http or https, with www or another
// host of schema.org, with or without a slash at the end.
func Is(url string) bool {
	host, path, ok := split(url)
	if !ok || host != "schema.org" && !strings.HasSuffix(host, ".schema.org") {
		return false
	}
	return path == "" || strings.HasPrefix(path, "docs/jsonldcontext.") || strings.HasPrefix(path, "version/")
}

// IsMisspelt reports whether somebody who wrote this URL has meant that of the vocabulary, but the URL is another.
func IsMisspelt(url string) bool {
	host, path, _ := split(url)
	if Is(url) || len(host) > len("www.schema.org")+2 {
		return false
	}
	host = strings.TrimPrefix(host, "www.")
	name, _, _ := strings.Cut(host, ".")
	another := name == "schema" && strings.Count(host, ".") == 1 // schema.com
	return host == "schema.org" || path == "" && (another || distance(host, "schema.org") <= 2)
}

// split returns the host of a URL in lower case and its path without slashes around, and whether it has a host. What is written
// without a scheme is split alike.
func split(url string) (host, path string, ok bool) {
	url = strings.TrimSpace(url)
	scheme, rest, hasHost := strings.Cut(url, "//")
	switch scheme = strings.ToLower(scheme); {
	case !hasHost:
		rest = url
	case scheme != "" && scheme != "http:" && scheme != "https:":
		return "", "", false
	}
	host, path, _ = strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "#")
	return strings.ToLower(host), strings.Trim(path, "/#"), hasHost
}
