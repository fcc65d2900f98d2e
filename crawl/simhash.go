package crawl

import (
	"math/bits"
	"strings"
)

const (
	// runLength is how many words in a row are a feature of a text.
	runLength = 3
	// leastWords is how long texts are at least that are compared.
	leastWords = 100
	// mostApart is in how many of the 64 bits two texts differ at most that are nearly the same.
	mostApart = 6
)

// SimHash returns a hash of a text that is similar for similar texts: 64 bits, each of which says whether more of the text's runs of three
// words, in lower case, have it set in their FNV-1a hash than not. It is 0 for a text of fewer words.
func SimHash(text string) uint64 {
	words := strings.Fields(strings.ToLower(text))
	var bytes [8][256]int32 // how often each byte of a hash had each value, which is counted faster than bits
	runs := max(0, len(words)-runLength+1)
	for i := range runs {
		sum := hashOfRun(words[i : i+runLength])
		for j := range bytes {
			bytes[j][byte(sum>>(8*j))]++
		}
	}
	var hash uint64
	for bit := range 64 {
		set := int32(0)
		for value, n := range bytes[bit/8] {
			set += n * int32(value>>(bit%8)&1)
		}
		if int(2*set) > runs {
			hash |= 1 << bit
		}
	}
	return hash
}

// FNV-1a with 64 bits.
const (
	fnvBasis = 0xcbf29ce484222325
	fnvPrime = 0x100000001b3
)

// hashOfRun returns the hash of words with one space between each two.
func hashOfRun(words []string) uint64 {
	sum := uint64(fnvBasis)
	for i, word := range words {
		if i > 0 {
			sum = (sum ^ ' ') * fnvPrime
		}
		for j := range len(word) {
			sum = (sum ^ uint64(word[j])) * fnvPrime
		}
	}
	return sum
}

// bands is into how many parts the bits are cut to find hashes that are near each other. Two hashes that differ in fewer bits than there
// are bands have one band in common.
const bands = mostApart + 1

// band returns the bits of a hash in one of its bands, which have 9 or 10.
func band(hash uint64, n int) uint64 {
	from, to := n*64/bands, (n+1)*64/bands
	return hash >> from & (1<<(to-from) - 1)
}

// near calls found for each pair of hashes at most mostApart bits apart, by their places in the list, which has each hash once. A pair that
// has several bands in common is met at the first of them alone.
func near(hashes []uint64, found func(i, j int)) {
	for n := range bands {
		rooms := map[uint64][]int32{}
		for i, hash := range hashes {
			room := rooms[band(hash, n)]
			for _, j := range room {
				if other := hashes[j]; bits.OnesCount64(hash^other) <= mostApart && !metBefore(hash, other, n) {
					found(int(j), i)
				}
			}
			rooms[band(hash, n)] = append(room, int32(i))
		}
	}
}

// metBefore reports whether two hashes have a band in common before this one.
func metBefore(a, b uint64, n int) bool {
	for earlier := range n {
		if band(a, earlier) == band(b, earlier) {
			return true
		}
	}
	return false
}
