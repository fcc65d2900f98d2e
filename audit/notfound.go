package audit

import (
	"strings"
	"unicode"
)

// mostNotFoundWords is how many words a page may have that only says it was not found. A longer one may be about such pages.
const mostNotFoundWords = 300

// notFoundTexts are titles and headings of pages that were not found, in lower case and without punctuation.
var notFoundTexts = phrases("404|404 not found|404 page not found|404 error|error 404|error 404 not found|http 404|http 404 not found|404 file not found|" +
	"not found|page not found|file not found|document not found|nothing found|this page could not be found|this page cannot be found|" +
	"this page can t be found|that page can t be found|page cannot be found|page could not be found|page can t be found|" +
	"the page cannot be found|the page could not be found|the page can t be found|page does not exist|page doesn t exist|this page does not exist|" +
	"this page doesn t exist|the page you are looking for could not be found|the page you requested could not be found|" +
	"we can t find that page|we couldn t find that page|we can t find the page you re looking for|" +
	"seite nicht gefunden|nicht gefunden|die seite wurde nicht gefunden|diese seite wurde nicht gefunden|seite existiert nicht|" +
	"die seite konnte nicht gefunden werden|page non trouvée|page introuvable|cette page est introuvable|page inexistante|cette page n existe pas|" +
	"página no encontrada|página no existe|esta página no existe|no encontrado|pagina non trovata|pagina inesistente|" +
	"página não encontrada|não encontrado|esta página não existe|pagina niet gevonden|deze pagina bestaat niet|niet gevonden|" +
	"nie znaleziono strony|strona nie została znaleziona|strona nie istnieje|sidan hittades inte|sidan kunde inte hittas|sidan finns inte|" +
	"siden blev ikke fundet|siden findes ikke|siden ble ikke funnet|siden finnes ikke|fant ikke siden|sivua ei löytynyt|sivua ei löydy|" +
	"stránka nenalezena|stránka nebyla nalezena|az oldal nem található|oldal nem található|pagina nu a fost găsită|sayfa bulunamadı|" +
	"страница не найдена|такой страницы не существует|сторінку не знайдено|η σελίδα δεν βρέθηκε|ページが見つかりません|ページが見つかりませんでした|" +
	"お探しのページは見つかりませんでした|페이지를 찾을 수 없습니다|页面未找到|找不到页面|未找到页面|您访问的页面不存在|找不到網頁|頁面不存在")

// notFoundFillers are words around such a text that change nothing.
var notFoundFillers = wordSet("404 error fehler erreur oops ooops whoops ups uh oh sorry http hmm")

// saysNotFound reports whether the page says in its title or its first heading, and in little more, that it was not found.
func (f *facts) saysNotFound() bool {
	if f.doc.Words > mostNotFoundWords {
		return false
	}
	if isNotFoundText(f.doc.FirstH1()) {
		return true
	}
	for part := range strings.FieldsFuncSeq(f.doc.Title(), func(r rune) bool { return strings.ContainsRune("|–—·•»«", r) }) {
		for piece := range strings.SplitSeq(part, " - ") {
			if isNotFoundText(piece) {
				return true
			}
		}
	}
	return false
}

// isNotFoundText reports whether a text says nothing but that a page was not found.
func isNotFoundText(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if notFoundTexts[strings.Join(words, " ")] {
		return true
	}
	start, end := 0, len(words)
	for start < end && notFoundFillers[words[start]] {
		start++
	}
	for start < end && notFoundFillers[words[end-1]] {
		end--
	}
	return notFoundTexts[strings.Join(words[start:end], " ")]
}
