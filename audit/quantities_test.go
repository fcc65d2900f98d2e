package audit

import "testing"

func TestFormat(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{FormatBytes(0), "0 bytes"},
		{FormatBytes(1), "1 byte"},
		{FormatBytes(999), "999 bytes"},
		{FormatBytes(1_500), "1.5 kB"},
		{FormatBytes(2_340_000), "2.3 MB"},
		{FormatBytes(1_000_000_000), "1.0 GB"},
		{FormatMilliseconds(0.24), "0.2 ms"},
		{FormatMilliseconds(240.4), "240 ms"},
		{FormatMilliseconds(2400), "2.40 s"},
	} {
		if test.got != test.want {
			t.Errorf("%q, not %q", test.got, test.want)
		}
	}
}
