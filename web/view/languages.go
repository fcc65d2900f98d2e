package view

import (
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Languages are the languages that an account or a project may have, by what they call themselves, before them not one of them.
func Languages(words *locale.Catalogue, selected string) []Choice {
	codes, names := []string{""}, map[string]string{"": templates.Say(words, "languages.none")}
	for _, l := range locale.Languages() {
		codes = append(codes, string(l))
		names[string(l)] = l.Name()
	}
	return Choices(codes, selected, names)
}
