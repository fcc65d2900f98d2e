package header

// Nosniff reports whether the lines of X-Content-Type-Options keep browsers from guessing types: their first value decides (Fetch,
// "determine nosniff").
func Nosniff(lines []string) bool {
	values := split(lines)
	return len(values) > 0 && lower(values[0]) == "nosniff"
}
