package export

import "testing"

func TestHarmlessCells(t *testing.T) {
	for cell, want := range map[string]string{"": "", "a=b": "a=b", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\t=1": "'\t=1", "\r=1": "'\r=1", "＝1": "'＝1", "ä": "ä"} {
		if got := harmless(cell); got != want {
			t.Errorf("%q becomes %q, not %q", cell, got, want)
		}
	}
}
