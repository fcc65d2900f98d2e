package page

import (
	"strings"
)

// jsonldContext is what the contexts around an object say. Contexts elsewhere are not fetched; that of schema.org is known.
type jsonldContext struct {
	present    bool   // there is any
	vocabulary string // of names that are not terms; "" when it is not known
	open       bool   // a context elsewhere may define further terms
	terms      *dictionary[jsonldTerm]
}

// jsonldTerm is a term or prefix that a context defines.
type jsonldTerm struct {
	url    string // or a keyword, or a name with a prefix; "" when the term means nothing
	opaque bool   // values are not items
}

// with returns the context inside an object with this @context.
func (c jsonldContext) with(value any) jsonldContext {
	switch v := value.(type) {
	case string:
		return c.named(strings.TrimSpace(v))
	case []any:
		for _, one := range v {
			c = c.with(one)
		}
	case *jsonObject:
		c.present = true
		c.terms = c.terms.inner()
		for _, m := range v.members {
			c.define(m)
		}
	}
	return c
}

// named returns the context with that at a URL.
func (c jsonldContext) named(url string) jsonldContext {
	switch {
	case isOfSchema(url):
		c.vocabulary = url
	case url != "":
		c.open = true
	}
	c.present = c.present || url != ""
	return c
}

// define takes one member of a context.
func (c *jsonldContext) define(m jsonMember) {
	switch value := m.value.(type) {
	case string:
		if m.key == "@vocab" {
			c.vocabulary = value
			return
		}
		c.terms.words[m.key] = jsonldTerm{url: value}
	case nil:
		if m.key == "@vocab" {
			c.vocabulary = ""
			return
		}
		c.terms.words[m.key] = jsonldTerm{}
	case *jsonObject:
		var term jsonldTerm
		if c.vocabulary != "" {
			term.url = c.vocabulary + "/" + m.key
		}
		for _, part := range value.members {
			text, _ := part.value.(string)
			switch {
			case part.key == "@id":
				term.url = text
			case part.key == "@container" && text != "@list" && text != "@set", part.key == "@type" && text == "@json":
				term.opaque = true
			}
		}
		c.terms.words[m.key] = term
	}
}

// keyword returns the keyword that a key stands for, "" when it is the name of a property.
func (c jsonldContext) keyword(key string) string {
	if strings.HasPrefix(key, "@") {
		return key
	}
	if term, ok := c.terms.find(key); ok {
		if strings.HasPrefix(term.url, "@") {
			return term.url
		}
		return ""
	}
	if (key == "type" || key == "id") && (c.open || c.vocabulary != "") { // so the context of schema.org has it, and most others
		return "@" + key
	}
	return ""
}

// expand reads the name of a type or property. isKnown tells the names of schema.org, which are that even where other contexts
// define names as well.
func (c jsonldContext) expand(name string, isKnown func(string) bool) Name {
	if term, ok := c.terms.find(name); ok {
		if term.url == "" {
			return Name{Local: name}
		}
		return c.expandURL(term.url)
	}
	if strings.Contains(name, ":") {
		return c.expandURL(name)
	}
	if c.open && !isKnown(name) {
		return Name{Local: name}
	}
	return Name{Vocabulary: c.vocabulary, Local: name}
}

// expandURL reads a URL or a name with a prefix.
func (c jsonldContext) expandURL(url string) Name {
	prefix, _, ok := strings.Cut(url, ":")
	if !ok {
		return Name{Vocabulary: c.vocabulary, Local: url}
	}
	if term, ok := c.terms.find(prefix); ok && !strings.Contains(url, "//") {
		return absoluteName(term.url + strings.TrimPrefix(url, prefix+":"))
	}
	return expandName(url, nil)
}
