package assets

import "testing"

func TestPreferredCoding(t *testing.T) {
	for accept, want := range map[string]string{
		"": "", "identity": "", "gzip": "gzip", "gzip, deflate, br, zstd": "br", "br;q=0, gzip": "gzip", "*": "br", "*;q=0": "", "br;q=0, *": "gzip",
		"BR": "br", "gzip;q=0.001": "gzip", "gzip;q=0, br;q=0.0": "", "gzip;q=x": "",
	} {
		if got := PreferredCoding(accept); got != want {
			t.Errorf("%q gets %q, not %q", accept, got, want)
		}
	}
}
