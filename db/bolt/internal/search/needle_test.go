package search

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestNeedleFindsWhatIsThere(t *testing.T) {
	pick := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		text := make([]byte, pick.IntN(80))
		for i := range text {
			text[i] = "abcz"[pick.IntN(1+pick.IntN(4))]
		}
		part := make([]byte, 1+pick.IntN(6))
		for i := range part {
			part[i] = "abcz"[pick.IntN(4)]
		}
		n := NewNeedle(string(part))
		if got, want := n.In(text), bytes.Index(text, part); got != want {
			t.Fatalf("%q is in %q at %d, not %d", part, text, want, got)
		}
	}
}
