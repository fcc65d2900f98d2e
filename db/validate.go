package db

import (
	"context"
	"fmt"
	"unicode/utf8"

	"sitegrade/audit"
	"sitegrade/auth"
)

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
	wrong := func(field, detail string) { fields = append(fields, FieldError{field, detail}) }
	if n.URL == "" {
		wrong("url", "is required: the absolute http or https address of a page")
	} else if address, err := audit.ParseAddress(n.URL); err != nil {
		wrong("url", err.Error())
	} else {
		n.URL = address
	}
	if n.Privacy > Password {
		wrong("privacy", privacyDetail)
	} else if detail := passwordDetail(n.Privacy, n.Password, n.Password != ""); detail != "" {
		wrong("password", detail)
	}
	if n.Project == "" {
		n.Project = audit.HostName(n.URL)
	} else if detail := validProjectName(n.Project); detail != "" {
		wrong("project", detail)
	}
	return n, invalid(fields)
}

// forEach returns n for each of these addresses, normalised.
func (n NewReport) forEach(addresses []string) ([]NewReport, error) {
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

// passwordHash returns the hash of the new password, "" for none. Hashing takes long, so it comes before the transaction.
func (c Change) passwordHash(ctx context.Context) (string, error) {
	if c.Privacy != nil && *c.Privacy > Password {
		return "", &InvalidError{[]FieldError{{"privacy", privacyDetail}}}
	}
	if c.Password == nil || *c.Password == "" {
		return "", nil
	}
	if utf8.RuneCountInString(*c.Password) > MaxPassword {
		return "", &InvalidError{[]FieldError{{"password", passwordDetail(Password, *c.Password, true)}}}
	}
	return auth.HashPassword(ctx, *c.Password)
}

// applyPrivacy changes the privacy and the password of a record. Privacy 2 keeps the stored password where no new one comes; leaving it
// forgets the password.
func (c Change) applyPrivacy(r *record, passwordHash string) error {
	privacy := r.privacy
	if c.Privacy != nil {
		privacy = *c.Privacy
	}
	hash := passwordHash
	if hash == "" && privacy == Password {
		hash = r.passwordHash
	}
	password := ""
	if c.Password != nil {
		password = *c.Password
	}
	if detail := passwordDetail(privacy, password, hash != ""); detail != "" {
		return &InvalidError{[]FieldError{{"password", detail}}}
	}
	r.privacy, r.passwordHash = privacy, hash
	return nil
}
