package page

import "strings"

// quirksPublic are prefixes of the public identifiers that put browsers into quirks mode (WHATWG HTML, section "The initial
// insertion mode"), shortened as far as they still match no other identifier.
var quirksPublic = []string{
	"+//silmaril//", "-//advasoft ltd//", "-//as//", "-//ietf//dtd html", "-//metrius//", "-//microsoft//dtd internet explorer",
	"-//netscape comm. corp.//", "-//o'reilly and associates//", "-//softquad", "-//spyglass//", "-//sq//",
	"-//sun microsystems corp.//", "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental", "-//w3c//dtd w3 html", "-//w3o//dtd w3 html", "-//webtechs//dtd mozilla html",
}

// IsQuirks reports whether browsers render the page in quirks mode, as browsers of the nineties did.
func (t Doctype) IsQuirks() bool {
	public, system := strings.ToLower(t.public), strings.ToLower(t.system)
	switch {
	case !strings.EqualFold(t.name, "html"):
		return true
	case public == "html" || public == "-/w3c/dtd html 4.0 transitional/en":
		return true
	case system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd":
		return true
	case isHTML401Loose(public):
		return !t.hasSystem
	}
	return hasAnyPrefix(public, quirksPublic)
}

// IsLimitedQuirks reports whether browsers render the page in limited quirks mode, which lays out tables as in the past.
func (t Doctype) IsLimitedQuirks() bool {
	public := strings.ToLower(t.public)
	return isHTML401Loose(public) && t.hasSystem ||
		hasAnyPrefix(public, []string{"-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//"})
}

func isHTML401Loose(public string) bool {
	return hasAnyPrefix(public, []string{"-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"})
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// String returns the declaration as it is written in a page.
func (t Doctype) String() string {
	s := "<!DOCTYPE " + t.name
	if t.public != "" {
		s += ` PUBLIC "` + t.public + `"`
	} else if t.hasSystem {
		s += " SYSTEM"
	}
	if t.hasSystem {
		s += ` "` + t.system + `"`
	}
	return s + ">"
}
