package view

import (
	"errors"
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Fault returns what is wrong with a field in the words of a page. detail is what the API says of it: a sentence of the catalogue's section
// ui.faults, by whose English words it is recognised, and shown as it is where there is no such sentence.
func Fault(words *locale.Catalogue, detail string) string {
	return words.Translate(detail, templates.Section+"faults")
}

// FaultLine is Fault with the name of the field before it, as people see it on the form: "Project: must not have a /". One that no form has
// keeps the name that the API gives it.
func FaultLine(words *locale.Catalogue, field, detail string) string {
	name := field[strings.LastIndexByte(field, '.')+1:] // of budget.min_score
	if id := "fields." + name; words.Has(templates.Section + id) {
		field = templates.Say(words, id)
	}
	return templates.Say(words, "parts.fault", field, Fault(words, detail))
}

// Faults returns what is wrong with a form, by field; nil if the error is not *db.InvalidError.
func Faults(words *locale.Catalogue, err error) map[string]string {
	invalid, ok := errors.AsType[*db.InvalidError](err)
	if !ok {
		return nil
	}
	wrong := map[string]string{}
	for _, f := range invalid.Fields {
		wrong[f.Field] = Fault(words, f.Detail)
	}
	return wrong
}

// FaultLines returns a line for each field that is wrong; nil if the error is not *db.InvalidError.
func FaultLines(words *locale.Catalogue, err error) []string {
	invalid, ok := errors.AsType[*db.InvalidError](err)
	if !ok {
		return nil
	}
	var lines []string
	for _, f := range invalid.Fields {
		lines = append(lines, FaultLine(words, f.Field, f.Detail))
	}
	return lines
}

// PasswordFault parts what the database refused: the fault of a password, which pages show beside its field, and a line for each other field.
func PasswordFault(words *locale.Catalogue, err error) (fault string, others []string) {
	invalid, ok := errors.AsType[*db.InvalidError](err)
	if !ok {
		return "", nil
	}
	for _, f := range invalid.Fields {
		switch {
		case f.Field == "password" && strings.HasPrefix(f.Detail, "is required"):
			fault = templates.Say(words, "parts.password-missing")
		case f.Field == "password":
			fault = templates.Say(words, "parts.password-fault", Fault(words, f.Detail))
		default:
			others = append(others, FaultLine(words, f.Field, f.Detail))
		}
	}
	return fault, others
}
