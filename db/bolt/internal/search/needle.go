package search

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Needle is what a search looks for, folded, with the bits that a block's signature must have.
type Needle struct {
	text []byte
	bits []uint32
	// The places of the two bytes that urls have least often, which are looked for first, and each of these eight times.
	rarest, second           int
	rarestEight, secondEight uint64
	sparse                   bool // so few urls have the rarest that it is looked for alone
}

// NewNeedle returns what looks for a folded text, which is not empty.
func NewNeedle(folded string) Needle {
	n := Needle{text: []byte(folded)}
	for i := 2; i < len(n.text); i++ {
		n.bits = append(n.bits, trigramBit(n.text[i-2], n.text[i-1], n.text[i]))
	}
	slices.Sort(n.bits)
	n.bits = slices.Compact(n.bits)
	least, next := math.MaxInt, math.MaxInt // the frequencies of the rarest and of the second
	for i, c := range n.text {
		switch f := frequency(c); {
		case f < least:
			n.second, next = n.rarest, least
			n.rarest, least = i, f
		case f < next:
			n.second, next = i, f
		}
	}
	n.rarestEight, n.secondEight = eightOnes*uint64(n.text[n.rarest]), eightOnes*uint64(n.text[n.second])
	n.sparse = len(n.text) == 1 || least <= sparseFrequency
	return n
}

// commonBytes are the bytes of folded urls, the most frequent first, as counted over a million urls of made-up shops, blogs and documentation.
const commonBytes = "-esatoirnp/cldmhugw.:btfykv0123456789x=jqz_%?&+~@!"

// sparseFrequency is the rank up to which looking for a byte alone is faster: it stands in urls every 120 bytes or less often.
const sparseFrequency = 22

// frequency ranks a byte by how often urls have it.
func frequency(c byte) int {
	if i := bytes.IndexByte([]byte(commonBytes), c); i >= 0 {
		return len(commonBytes) - i
	}
	return 0
}

// MayBeIn reports whether a stored block may have a match.
func (n *Needle) MayBeIn(stored []byte) bool {
	if len(stored) < BlockHeader {
		return false
	}
	signature := stored[2:BlockHeader]
	for _, bit := range n.bits {
		if signature[bit/8]&(1<<(bit%8)) == 0 {
			return false
		}
	}
	return true
}

// Matches calls visit for each row of a block that has the needle, in order.
func (n *Needle) Matches(b Block, visit func(row int)) {
	row, start := 0, 0
	for row < b.rows {
		at := n.In(b.texts[start:])
		if at < 0 {
			return
		}
		for at += start; b.end(row) <= at; {
			row++
		}
		visit(row)
		start = b.end(row)
		row++
	}
}

// Count returns how many of the texts of a block have the needle; each has a 0 behind it.
func (n *Needle) Count(texts []byte) (rows int) {
	for {
		at := n.In(texts)
		if at < 0 {
			return rows
		}
		rows++
		end := bytes.IndexByte(texts[at:], 0)
		if end < 0 {
			return rows
		}
		texts = texts[at+end+1:]
	}
}

// In returns the place of the needle in text, or -1. It looks for the places at which the two rarest bytes stand as they do in the needle,
// eight at a time, and compares there.
func (n *Needle) In(text []byte) int {
	last := len(text) - len(n.text) // the last place that the needle may have
	if n.sparse || last < 7 {
		return n.inSparse(text)
	}
	rarest, second := text[n.rarest:n.rarest+last+1], text[n.second:n.second+last+1]
	for place := 0; ; {
		for place+16 <= len(rarest) && place+16 <= len(second) {
			x := (binary.LittleEndian.Uint64(rarest[place:place+8]) ^ n.rarestEight) | (binary.LittleEndian.Uint64(second[place:place+8]) ^ n.secondEight)
			y := (binary.LittleEndian.Uint64(rarest[place+8:place+16]) ^ n.rarestEight) | (binary.LittleEndian.Uint64(second[place+8:place+16]) ^ n.secondEight)
			if ((x-eightOnes)&^x|(y-eightOnes)&^y)&eightHighs != 0 {
				break
			}
			place += 16
		}
		place = min(place, last-7)
		x := (binary.LittleEndian.Uint64(rarest[place:]) ^ n.rarestEight) | (binary.LittleEndian.Uint64(second[place:]) ^ n.secondEight)
		// The lowest bit that is left stands for the first byte of x that is 0; those above it may be wrong.
		for zeros := (x - eightOnes) & ^x & eightHighs; zeros != 0; zeros &= zeros - 1 {
			at := place + bits.TrailingZeros64(zeros)/8
			if string(text[at:at+len(n.text)]) == string(n.text) {
				return at
			}
		}
		if place == last-7 {
			return -1
		}
		place += 8
	}
}

// Eight bytes that are 1, and the highest bits of eight bytes.
const (
	eightOnes  = 0x0101010101010101
	eightHighs = 0x8080808080808080
)

// inSparse is in for needles with a byte that few urls have: the machine looks for that 32 bytes at a time.
func (n *Needle) inSparse(text []byte) int {
	rare := n.text[n.rarest]
	for from := n.rarest; from < len(text); {
		i := bytes.IndexByte(text[from:], rare)
		if i < 0 {
			return -1
		}
		at := from + i - n.rarest
		if len(text)-at < len(n.text) {
			return -1
		}
		if string(text[at:at+len(n.text)]) == string(n.text) {
			return at
		}
		from += i + 1
	}
	return -1
}
