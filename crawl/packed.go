package crawl

import (
	"encoding/binary"
	"iter"
	"strings"
)

// link is a link of a page, by the numbers of its target and its text.
type link struct {
	target  id
	text    uint32
	unnamed bool
	line    int
}

// packer writes the links of a page behind each other: what differs from the link before, in a few bytes. A site of 100,000 pages has
// millions of links, most of them in the same order on each page.
type packer struct {
	buf  []byte
	last link
}

func (p *packer) add(l link) {
	p.buf = binary.AppendVarint(p.buf, int64(l.target)-int64(p.last.target))
	text := uint64(l.text) << 1
	if l.unnamed {
		text |= 1
	}
	p.buf = binary.AppendUvarint(p.buf, text)
	p.buf = binary.AppendVarint(p.buf, int64(l.line)-int64(p.last.line))
	p.last = l
}

// bytes returns what was written, in as much memory as it takes.
func (p *packer) bytes() []byte { return append(make([]byte, 0, len(p.buf)), p.buf...) }

// eachLink returns the links of a page in their order.
func (s *found) eachLink() iter.Seq[link] {
	return func(yield func(link) bool) {
		var last link
		for rest := s.links; len(rest) > 0; {
			target, n := binary.Varint(rest)
			rest = rest[n:]
			text, n := binary.Uvarint(rest)
			rest = rest[n:]
			line, n := binary.Varint(rest)
			rest = rest[n:]
			last = link{id(int64(last.target) + target), uint32(text >> 1), text&1 == 1, last.line + int(line)}
			if !yield(last) {
				return
			}
		}
	}
}

// mostTexts bounds how many different texts of links are kept.
const mostTexts = 500_000

// texts are the texts of links, each once.
type texts struct {
	ids map[string]uint32
	all []string
}

// intern returns the number of a text, 0 of one beyond the bound.
func (t *texts) intern(text string) uint32 {
	if n, ok := t.ids[text]; ok {
		return n
	}
	if len(t.all) >= mostTexts {
		return 0
	}
	text = strings.Clone(text)
	n := uint32(len(t.all))
	t.all = append(t.all, text)
	t.ids[text] = n
	return n
}
