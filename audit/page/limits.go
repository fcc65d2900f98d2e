package page

import "bytes"

// How much of a page is parsed into its tree, which takes some 300 bytes of memory for each tag. The limits are far above what real
// pages have, and bound those that are made to do harm.
const (
	maxTags       = 100_000 // tags, comments and stray "<" together
	maxAttributes = 1000    // of one element; counted only in pages over safeSize
	maxJSONLD     = 1 << 20 // bytes of JSON-LD, all blocks together

	safeSize    = 1 << 20 // a smaller page cannot have enough attributes to do harm
	safeTagSize = 64 << 10
)

// endOfMarkup returns the end of the part of a page that is parsed into its tree.
func endOfMarkup(source []byte) int {
	if bytes.Count(source, []byte{'<'}) <= maxTags {
		return len(source)
	}
	end := 0
	for range maxTags {
		end += bytes.IndexByte(source[end:], '<') + 1
	}
	return end - 1
}

// withoutExcess returns a page without the attributes that an element has beyond maxAttributes, and without a last tag that has no
// end.
func withoutExcess(source []byte) []byte {
	if len(source) < safeSize {
		return source
	}
	var kept []byte
	copied := 0
	s := tagScanner{source: source}
	tag, ok := s.next()
	for ; ok; tag, ok = s.next() {
		if tag.end-tag.start < safeTagSize {
			continue
		}
		if end := s.endOfAttributes(tag, maxAttributes); end < tag.end-1 {
			kept = append(append(kept, source[copied:end]...), '>')
			copied = tag.end
		}
	}
	end := len(source)
	if tag.name != nil { // the last tag has no end
		end = tag.start
	}
	if copied == 0 {
		return source[:end]
	}
	return append(kept, source[copied:end]...)
}

// endOfAttributes returns where the attributes of a tag end, or the first most of them.
func (s *tagScanner) endOfAttributes(tag sourceTag, most int) int {
	i := tag.start + 1 + len(tag.name)
	for n := 0; ; n++ {
		for i < tag.end-1 && (isSpace(s.source[i]) || s.source[i] == '/') {
			i++
		}
		if i >= tag.end-1 || n == most {
			return i
		}
		i = s.endOfAttribute(i, tag.end-1)
	}
}

// endOfAttribute returns where the attribute at i ends, at most at end.
func (s *tagScanner) endOfAttribute(i, end int) int {
	for i++; i < end && !isSpace(s.source[i]) && s.source[i] != '/' && s.source[i] != '='; i++ {
	}
	value := i
	for value < end && isSpace(s.source[value]) {
		value++
	}
	if value < end && s.source[value] == '=' {
		return min(s.endOfValue(value+1), end)
	}
	return i
}

// countRest counts the elements after the part that was parsed, so that the totals are those of the whole page.
func (d *Document) countRest(rest []byte) {
	s := tagScanner{source: rest}
	for tag, ok := s.next(); ok; tag, ok = s.next() {
		if tag.closing {
			continue
		}
		d.Elements++
		switch string(tag.name) {
		case "a":
			if indexFold(rest[tag.start:tag.end], "href") >= 0 {
				d.Total.Links++
			}
		case "iframe", "frame":
			d.Total.Frames++
		}
	}
}
