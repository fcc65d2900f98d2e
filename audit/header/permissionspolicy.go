package header

import "strings"

// PermissionsPolicy returns the names of the features that the lines of Permissions-Policy decide on (Permissions Policy, section 5.2).
// ok is false where they are no structured dictionary, as with the syntax of the older Feature-Policy: browsers then ignore them all.
func PermissionsPolicy(lines []string) (features []string, ok bool) {
	p := structured{strings.Join(lines, ", ")}
	return p.dictionary()
}
