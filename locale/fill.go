package locale

import (
	"reflect"
	"time"
)

// Fill is Text for plain values: each becomes what its placeholder is in the catalogue, a whole number for {n}, {size:bytes} and the like, a
// float64 for {mean:decimal}, a time.Time for {day:date}, texts for {names:list}, and a text for everything else. A value that does not fit is
// left out, and an id that no catalogue has is returned as it is; a test holds that pages ask for no such things.
func (c *Catalogue) Fill(id string, values ...any) string {
	w, in, ok := c.words(id)
	switch {
	case !ok:
		return id
	case len(w.params.kinds) == 0:
		return w.forms[formOther].plain()
	}
	args := make([]Arg, 0, 4)
	for i, value := range values[:min(len(values), len(w.params.kinds))] {
		args = append(args, argOf(w.params.kinds[i], value))
	}
	return string(w.append(make([]byte, 0, 128), in, scopeOf(id), args))
}

// argOf returns a value as what fills a placeholder of a kind.
func argOf(kind Kind, value any) Arg {
	switch value := value.(type) {
	case string:
		if kind == kindQuoted {
			return Quoted(value)
		}
		return Text(value)
	case int:
		return Arg{kind: kind, number: float64(value)}
	case float64:
		return Arg{kind: kind, number: value}
	case time.Time:
		return Date(value)
	case []string:
		return List(value)
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return Arg{kind: kind, number: float64(v.Int())}
	case v.CanUint():
		return Arg{kind: kind, number: float64(v.Uint())}
	case v.Kind() == reflect.String:
		return argOf(kind, v.String())
	}
	return Text("")
}

// Placeholders returns how many values Fill wants for an id, or false for an id that no catalogue has.
func (c *Catalogue) Placeholders(id string) (int, bool) {
	w, _, ok := c.words(id)
	if !ok {
		return 0, false
	}
	return len(w.params.kinds), true
}
