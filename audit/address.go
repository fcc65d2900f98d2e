package audit

import "errors"

// MaxAddress is how many bytes a normalised address may have.
const MaxAddress = 2048

// ParseAddress gives the address of a page as browsers would write it (WHATWG URL): scheme and host in lower case, an
// international host in its ASCII form, the default port and the fragment left out, a path that is at least "/". The error is one
// sentence that says what would be right: it must be absolute, http or https, at most MaxAddress bytes, without user
// information, with a real host.
func ParseAddress(s string) (string, error) { return "", errors.New("not written yet") }

// HostName gives the host of a normalised address for people: in Unicode, without a leading "www.", with the port where it is
// not the scheme's.
func HostName(address string) string { return "" }
