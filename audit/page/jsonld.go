package page

import (
	"encoding/json"
	"strings"

	"sitegrade/audit/schemaorg"
)

// jsonObject is an object of JSON with its members in order.
type jsonObject struct {
	members []jsonMember
	offset  int // where it begins in its text
}

type jsonMember struct {
	key   string
	value any // *jsonObject, []any, string, json.Number, bool or nil
}

// decodeJSON decodes a text into objects that know where they are.
func decodeJSON(text string) (any, error) {
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return decodeValue(decoder)
}

func decodeValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := decodeValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	case json.Delim('{'):
		return decodeObject(decoder)
	}
	return token, nil
}

func decodeObject(decoder *json.Decoder) (*jsonObject, error) {
	object := &jsonObject{offset: int(decoder.InputOffset()) - 1}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		value, err := decodeValue(decoder)
		if err != nil {
			return nil, err
		}
		object.members = append(object.members, jsonMember{key.(string), value})
	}
	_, err := decoder.Token()
	return object, err
}

// objectsOf returns the objects of a value: itself, or those of its list.
func objectsOf(value any) []*jsonObject {
	var objects []*jsonObject
	for _, v := range listOf(value) {
		if object, ok := v.(*jsonObject); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// readJSONLD reads the items of a block.
func readJSONLD(d *Document, block JSONLD) {
	r := jsonldReader{d: d, block: block.Element}
	for _, object := range objectsOf(block.value) {
		r.item(object, jsonldContext{}, false)
	}
}

// jsonldReader reads the items of one block.
type jsonldReader struct {
	d     *Document
	block Element
}

// item reads an object as an item. It returns nil when the document has no room for more.
func (r jsonldReader) item(object *jsonObject, in jsonldContext, nested bool) *Item {
	for _, m := range object.members {
		if m.key == "@context" {
			in = in.with(m.value)
		}
	}
	if len(r.d.Items) >= MaxStored {
		return nil
	}
	item := &Item{
		Element: r.block, Syntax: JSONLDSyntax, Nested: nested, offset: object.offset,
		Vocabulary: in.vocabulary, HasContext: in.present,
	}
	r.d.Items = append(r.d.Items, item)
	r.members(item, object, in)
	return item
}

func (r jsonldReader) members(item *Item, object *jsonObject, in jsonldContext) {
	for _, m := range object.members {
		switch keyword := in.keyword(m.key); keyword {
		case "":
			name := in.expand(m.key, schemaorg.IsProperty)
			term, _ := in.terms.find(m.key)
			item.add(name, r.values(m.value, in, term.opaque)...)
		case "@id":
			item.ID, _ = m.value.(string)
		case "@type":
			for _, t := range listOf(m.value) {
				if word, ok := t.(string); ok && !isBlank(word) {
					item.Types = append(item.Types, in.expand(word, schemaorg.IsType))
				}
			}
		default:
			r.structure(item, keyword, m.value, in)
		}
	}
}

// structure reads what is in an object beside its properties.
func (r jsonldReader) structure(item *Item, keyword string, value any, in jsonldContext) {
	switch keyword {
	case "@graph", "@included":
		item.Graph = item.Graph || keyword == "@graph"
		for _, object := range objectsOf(value) {
			r.item(object, in, false)
		}
	case "@nest":
		for _, object := range objectsOf(value) {
			r.members(item, object, in)
		}
	case "@reverse":
		for _, object := range objectsOf(value) {
			for _, m := range object.members {
				item.add(in.expand(m.key, schemaorg.IsProperty), r.values(m.value, in, false)...)
			}
		}
	}
}

// values reads the values of a property. An opaque one is taken as it is.
func (r jsonldReader) values(value any, in jsonldContext, opaque bool) []Value {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return []Value{{Text: v}}
	case []any:
		var values []Value
		for _, one := range v {
			values = append(values, r.values(one, in, opaque)...)
		}
		return values
	case *jsonObject:
		if !opaque {
			return r.objectValues(v, in)
		}
	}
	return []Value{{Text: "value"}} // a number, true or false, or what the context says is no item
}

func (r jsonldReader) objectValues(object *jsonObject, in jsonldContext) []Value {
	for _, m := range object.members {
		switch keyword := in.keyword(m.key); {
		case keyword == "@value":
			return r.values(m.value, in, true)
		case keyword == "@list" || keyword == "@set":
			return r.values(m.value, in, false)
		case keyword == "@id" && len(object.members) == 1:
			return r.values(m.value, in, true)
		}
	}
	item := r.item(object, in, true)
	if item == nil {
		return []Value{{Text: "value"}}
	}
	return []Value{{Item: item}}
}
