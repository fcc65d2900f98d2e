package view

import "sitegrade/db"

// languageNames are what the languages call themselves.
var languageNames = map[string]string{
	"": "That of the reader's browser", "en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "it": "Italiano", "pt": "Português",
}

// Languages are the languages that an account or a project may have, before them not one of them.
func Languages(selected string) []Choice {
	return Choices(append([]string{""}, db.Languages...), selected, languageNames)
}
