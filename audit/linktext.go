package audit

import "strings"

// genericTexts are link texts that do not say where the link leads, by language. The list is Lighthouse's
// (core/audits/seo/link-text.js, Apache-2.0), so that both find the same.
var genericTexts = map[string]map[string]bool{
	"en": phrases("click here|click this|go|here|information|learn more|more|more info|more information|right here|read more|see more|start|this"),
	"ja": phrases("ここをクリック|こちらをクリック|リンク|続きを読む|続く|全文表示"),
	"es": phrases("click aquí|click aqui|clicka aquí|clicka aqui|pincha aquí|pincha aqui|aquí|aqui|más|mas|más información|" +
		"más informacion|mas información|mas informacion|este|enlace|este enlace|empezar"),
	"pt": phrases("clique aqui|ir|mais informação|mais informações|mais|veja mais"),
	"ko": phrases("여기|여기를 클릭|클릭|링크|자세히|자세히 보기|계속|이동|전체 보기"),
	"sv": phrases("här|klicka här|läs mer|mer|mer info|mer information"),
	"de": phrases("klicke hier|hier klicken|hier|mehr|siehe|dies|das|weiterlesen"),
	"ta": phrases("அடுத்த பக்கம்|மறுபக்கம்|முந்தைய பக்கம்|முன்பக்கம்|மேலும் அறிக|மேலும் தகவலுக்கு|மேலும் தரவுகளுக்கு|" +
		"தயவுசெய்து இங்கே அழுத்தவும்|இங்கே கிளிக் செய்யவும்"),
	"fa": phrases("اطلاعات بیشتر|اطلاعات|این|اینجا بزنید|اینجا کلیک کنید|اینجا|برو|بیشتر بخوانید|بیشتر بدانید|بیشتر|شروع"),
}

func phrases(list string) map[string]bool {
	set := map[string]bool{}
	for _, p := range strings.Split(list, "|") {
		set[p] = true
	}
	return set
}

// isGenericText reports whether a link text would fit any link, in its language or, if that is unknown, in any language.
func isGenericText(text, lang string) bool {
	text = strings.ToLower(text)
	if lang != "" {
		primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
		return genericTexts[primary][text]
	}
	for _, texts := range genericTexts {
		if texts[text] {
			return true
		}
	}
	return false
}
