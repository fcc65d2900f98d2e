package header

// referrerPolicies are the values that browsers know.
var referrerPolicies = map[string]bool{
	"no-referrer": true, "no-referrer-when-downgrade": true, "same-origin": true, "origin": true, "strict-origin": true,
	"origin-when-cross-origin": true, "strict-origin-when-cross-origin": true, "unsafe-url": true,
}

// legacyReferrers are the values that only meta elements may have.
var legacyReferrers = map[string]string{
	"never": "no-referrer", "default": "strict-origin-when-cross-origin", "always": "unsafe-url",
	"origin-when-crossorigin": "origin-when-cross-origin",
}

// ReferrerPolicy returns the policy of the lines of Referrer-Policy, or "": of a list the last value that is known counts, so that a
// newer one can have a fallback before it (Referrer Policy, section 8.1).
func ReferrerPolicy(lines []string) string {
	policy := ""
	for _, value := range split(lines) {
		if value = lower(value); referrerPolicies[value] {
			policy = value
		}
	}
	return policy
}

// MetaReferrerPolicy returns the policy of the content of a meta element named referrer, or "": one value, and no list (HTML, "meta
// referrer").
func MetaReferrerPolicy(content string) string {
	value := lower(trimSpace(content))
	if modern, ok := legacyReferrers[value]; ok {
		return modern
	}
	if referrerPolicies[value] {
		return value
	}
	return ""
}
