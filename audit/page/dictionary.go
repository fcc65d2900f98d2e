package page

// maxDictionaries is how deep dictionaries nest. Deeper ones take the place of the innermost, so that a page in which each element
// declares something costs no more than others.
const maxDictionaries = 16

// dictionary is what words stand for in a part of a page: its own words, and those that it has from around. The nil dictionary has
// not one.
type dictionary[T any] struct {
	words map[string]T
	outer *dictionary[T]
	depth int
}

// inner returns an empty dictionary inside another.
func (d *dictionary[T]) inner() *dictionary[T] {
	switch {
	case d == nil:
		return &dictionary[T]{words: map[string]T{}, depth: 1}
	case d.depth >= maxDictionaries:
		return &dictionary[T]{words: map[string]T{}, outer: d.outer, depth: d.depth}
	}
	return &dictionary[T]{words: map[string]T{}, outer: d, depth: d.depth + 1}
}

// find returns what a word stands for, and whether it stands for anything.
func (d *dictionary[T]) find(word string) (meaning T, ok bool) {
	for ; d != nil && !ok; d = d.outer {
		meaning, ok = d.words[word]
	}
	return meaning, ok
}
