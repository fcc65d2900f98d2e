package audit

import "fmt"

// FormatBytes returns a number of bytes for people: "812 bytes", "120.5 kB", "2.1 MB"; decimal, as the thresholds are.
func FormatBytes(n int64) string {
	switch {
	case n < 1000:
		return plural(int(n), "byte", "bytes")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1_000_000_000)
}

// FormatMilliseconds returns a duration for people: "0.2 ms", "240 ms", "2.40 s".
func FormatMilliseconds(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", ms/1000)
}
