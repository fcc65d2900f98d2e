package view

import "sitegrade/locale"

// Languages are the languages that an account or a project may have, by what they call themselves, before them not one of them.
func Languages(selected string) []Choice {
	codes, names := []string{""}, map[string]string{"": "That of the reader's browser"}
	for _, l := range locale.Languages() {
		codes = append(codes, string(l))
		names[string(l)] = l.Name()
	}
	return Choices(codes, selected, names)
}
