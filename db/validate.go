package db

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"sitegrade/auth"
	"sitegrade/weburl"
)

// MaxAccountName is how many bytes the name of an account may have.
const MaxAccountName = 100

// MaxProjectName is how many characters the name of a project may have.
const MaxProjectName = 100

// MaxPassword is how many characters the password of a report may have.
const MaxPassword = 128

// invalid returns nil where there are no wrong fields.
func invalid(fields []FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return &InvalidError{fields}
}

// Validate reports whether a report may be created so. The error is *InvalidError with every wrong field.
func (n NewReport) Validate() error {
	_, err := n.normalised()
	return err
}

// normalised returns n with its address as it is stored and its project named.
func (n NewReport) normalised() (NewReport, error) {
	var fields []FieldError
	site := ""
	wrong := func(field, detail string) { fields = append(fields, FieldError{Field: field, Detail: detail}) }
	if n.URL == "" {
		wrong("url", "is required: the absolute http or https address of a page")
	} else if u, err := weburl.Parse(n.URL); err != nil {
		wrong("url", err.Error())
	} else {
		n.URL, site = u.String(), u.Site()
	}
	if n.Privacy > Password {
		wrong("privacy", privacyDetail)
	} else if detail := passwordDetail(n.Privacy, n.Password, n.Password != ""); detail != "" {
		wrong("password", detail)
	}
	if n.Project == "" {
		n.Project = site
	} else if detail := projectNameDetail(n.Project); detail != "" {
		wrong("project", detail)
	}
	return n, invalid(fields)
}

// ForEach returns n for each of these addresses, normalised, with its project named. The error is *InvalidError.
func (n NewReport) ForEach(addresses []string) ([]NewReport, error) {
	all := make([]NewReport, len(addresses))
	for i, address := range addresses {
		n := n
		n.URL = address
		var err error
		if all[i], err = n.normalised(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// privacyDetail says what would be right where a privacy is wrong.
const privacyDetail = "must be 0 (public), 1 (private) or 2 (password)"

// passwordDetail says what is wrong with a password for that privacy, or nothing. has tells whether there is one at all.
func passwordDetail(p Privacy, password string, has bool) string {
	switch n := utf8.RuneCountInString(password); {
	case p == Password && !has:
		return "is required with privacy 2"
	case p != Password && password != "":
		return "is only possible with privacy 2"
	case n > MaxPassword:
		return fmt.Sprintf("must be 1 to %d characters", MaxPassword)
	}
	return ""
}

// HashPassword returns the hash of the new password, or "" without one. Hashing takes long, so it comes before the transaction. The
// error is *InvalidError where the privacy or the password is not valid.
func (c Change) HashPassword(ctx context.Context) (string, error) {
	if c.Privacy != nil && *c.Privacy > Password {
		return "", &InvalidError{[]FieldError{{Field: "privacy", Detail: privacyDetail}}}
	}
	if c.Password == nil || *c.Password == "" {
		return "", nil
	}
	if utf8.RuneCountInString(*c.Password) > MaxPassword {
		return "", &InvalidError{[]FieldError{{Field: "password", Detail: passwordDetail(Password, *c.Password, true)}}}
	}
	return auth.HashPassword(ctx, *c.Password)
}

// ApplyPrivacy returns the privacy and the password hash that a report gets which had these two, with newHash from HashPassword. Privacy 2
// keeps the old password where no new one comes; leaving it forgets the password. The error is *InvalidError.
func (c Change) ApplyPrivacy(old Privacy, oldHash, newHash string) (Privacy, string, error) {
	privacy := old
	if c.Privacy != nil {
		privacy = *c.Privacy
	}
	hash := newHash
	if hash == "" && privacy == Password {
		hash = oldHash
	}
	password := ""
	if c.Password != nil {
		password = *c.Password
	}
	if detail := passwordDetail(privacy, password, hash != ""); detail != "" {
		return old, oldHash, &InvalidError{[]FieldError{{Field: "password", Detail: detail}}}
	}
	return privacy, hash, nil
}

// projectNameDetail says what would be right, or nothing.
func projectNameDetail(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case n < 1 || n > MaxProjectName || !utf8.ValidString(name):
		return fmt.Sprintf("must be 1 to %d characters", MaxProjectName)
	case !printable(name):
		return "must not have control characters"
	case strings.Contains(name, "/"):
		return "must not have a /"
	}
	return ""
}

// printable reports whether a text is UTF-8 without control characters.
func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

// ValidateAccountName reports whether an account may have that name. The error is *InvalidError.
func ValidateAccountName(name string) error {
	if name == "" || len(name) > MaxAccountName || !printable(name) {
		return &InvalidError{[]FieldError{{Field: "account", Detail: fmt.Sprintf("must be 1 to %d bytes without control characters", MaxAccountName)}}}
	}
	return nil
}
