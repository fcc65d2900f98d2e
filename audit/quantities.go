package audit

import "sitegrade/locale"

// FormatBytes returns a number of bytes for people, in English: "812 bytes", "120.5 kB", "2.1 MB"; decimal, as the thresholds are.
func FormatBytes(n int64) string { return locale.For(locale.English).Bytes(n) }

// FormatMilliseconds returns a duration for people, in English: "0.2 ms", "240 ms", "2.40 s".
func FormatMilliseconds(ms float64) string { return locale.For(locale.English).Milliseconds(ms) }
