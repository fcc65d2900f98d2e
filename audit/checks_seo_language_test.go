package audit

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitegrade/audit/page"
)

// spokenTexts are beginnings of texts by language.
var spokenTexts = map[string]string{
	"en": `The shop is open from Monday to Friday, and you can order what is not in stock. We will send it to you within a week, but if you
		have a question about the toys that are shown on this page, please write to us or give us a call before noon.`,
	"de": `Der Laden ist von Montag bis Freitag geöffnet, und was nicht auf Lager ist, können Sie bestellen. Wir schicken es Ihnen in einer
		Woche zu. Wenn Sie eine Frage zu den Spielsachen auf dieser Seite haben, schreiben Sie uns oder rufen Sie vor dem Mittag an.`,
	"fr": `Le magasin est ouvert du lundi au vendredi, et vous pouvez commander ce qui n'est pas en stock. Nous vous l'envoyons dans la
		semaine. Si vous avez une question sur les jouets qui sont présentés sur cette page, écrivez-nous ou appelez avant midi.`,
	"es": `La tienda está abierta de lunes a viernes, y lo que no hay se puede pedir. Se lo enviamos en una semana. Si tiene una pregunta
		sobre los juguetes que se muestran en esta página, escríbanos por correo o llame antes del mediodía, por favor.`,
	"it": `Il negozio è aperto dal lunedì al venerdì e quello che non è in magazzino si può ordinare. Lo spediamo in una settimana. Per una
		domanda sui giocattoli che sono in questa pagina, scriveteci o chiamate prima di mezzogiorno, anche per la consegna della merce.`,
	"pt": `A loja está aberta de segunda a sexta, e o que não está em estoque pode ser pedido. Enviamos em uma semana. Se você tem uma
		pergunta sobre os brinquedos que são mostrados nesta página, escreva para nós ou ligue antes do meio-dia, por favor.`,
	"nl": `De winkel is open van maandag tot en met vrijdag, en wat er niet op voorraad is, kan je bij ons bestellen. We sturen het dan op
		in een week. Als je een vraag over het speelgoed op deze pagina hebt, schrijf ons of bel voor de middag.`,
	"pl": `Sklep jest otwarty od poniedziałku do piątku, a to, czego nie ma na stanie, można zamówić. Wysyłamy je w ciągu tygodnia. Jeśli
		masz pytanie o zabawki, które są na tej stronie, napisz do nas lub zadzwoń przed południem, bo po tym czasie nie ma już nikogo.`,
	"sv": `Butiken är öppen från måndag till fredag, och det som inte finns i lager kan du beställa. Vi skickar det till dig inom en vecka.
		Om du har en fråga om de leksaker som finns på den här sidan, skriv till oss eller ring före lunch.`,
	"da": `Butikken er åben fra mandag til fredag, og det, der ikke er på lager, kan du bestille. Vi sender det til dig efter en uge. Hvis
		du har et spørgsmål om noget af det legetøj, der er på denne side, så skriv til os eller ring, bliver det hurtigt besvaret.`,
	"nb": `Butikken er åpen fra mandag til fredag, og det som ikke er på lager, kan du bestille. Vi sender det til deg etter en uke. Hvis du
		har et spørsmål om noen av lekene på denne siden, så skriv til oss eller ring, og det blir besvart av oss før dagen er over.`,
	"fi": `Kauppa on auki maanantaista perjantaihin, ja sen, mitä ei ole varastossa, voi tilata. Se lähetetään viikon kuluessa. Jos on
		kysyttävää leluista, joita tämän sivun kuvissa on, voit kirjoittaa tai soittaa ennen puoltapäivää. Kun kauppa ei ole auki, niin
		viestin voi myös jättää, ja siitä se vain luetaan, kun se ehditään. Ne, jotka ovat kanta-asiakkaita, saavat sen heti ja ilman kuluja.`,
	"cs": `Obchod je otevřen od pondělí do pátku a to, co není na skladě, si lze objednat. Pošleme je po týdnu. Pokud máte otázku na hračky,
		které jsou na této stránce, napište nebo zavolejte před polednem, aby se na ni již ten den může někdo podívat. Není to jen pro stálé zákazníky.`,
	"hu": `Az üzlet hétfőtől péntekig nyitva van, és ami nem kapható, az is megrendelhető. Egy hét után küldjük el. Ha kérdése van azokról a
		játékokról, amelyek ezen az oldalon vannak, írjon vagy hívjon minket, de csak dél előtt, mert a bolt már nincs nyitva, és nem vesszük fel.
		Ez még akkor is így volt, amikor a bolt nagy volt, mint egy ház.`,
	"ro": `Magazinul este deschis de luni până vineri, iar ce nu este în stoc se poate comanda. Trimitem după o săptămână. Dacă aveți o
		întrebare despre jucăriile care sunt pe această pagină, scrieți sau sunați la prânz, pentru că după aceea nu mai este nimeni în birou.`,
	"tr": `Dükkan pazartesi ile cuma arası açık ve stokta olmayan bir ürün için de sipariş verilir. Bu ürün bir hafta içinde gönderilir. Bu
		sayfada olan oyuncaklar için daha çok bilgi var ise bize yazın ya da öğlene kadar arayın. Ancak öğleden sonra her gün kimse yok,
		ne var ki bu böyle değil diye olarak bilinir.`,
	"ru": `Магазин открыт с понедельника по пятницу, и то, чего нет на складе, можно заказать. Мы пришлем это за неделю. Если у вас есть
		вопрос об игрушках, которые показаны на этой странице, напишите нам или позвоните до полудня, так как после этого никого уже не будет.`,
	"uk": `Магазин відкритий з понеділка до п'ятниці, і те, чого немає на складі, можна замовити. Ми надішлемо це за тиждень. Якщо у вас є
		питання про іграшки, які є на цій сторінці, напишіть або зателефонуйте нам до полудня, бо після цього вже нікого не буде.`,
	"el": strings.Repeat("Το κατάστημα είναι ανοιχτό από Δευτέρα έως Παρασκευή. ", 8),
	"ja": strings.Repeat("店は月曜日から金曜日まで開いています。在庫がないものは注文できます。", 8),
	"ko": strings.Repeat("가게는 월요일부터 금요일까지 열려 있습니다. ", 12),
	"zh": strings.Repeat("商店周一至周五营业。没有库存的商品可以订购。", 10),
}

// twice makes a text long enough to be judged.
func twice(text string) string { return text + " " + text }

// speaking returns a page that claims a language for a text.
func speaking(lang, text string) string { return `<!doctype html><html lang="` + lang + `"><p>` + text }

func TestLanguageChecks(t *testing.T) {
	const german = "de-AT"
	de, fr := twice(spokenTexts["de"]), twice(spokenTexts["fr"])
	runCheckCases(t, seoLanguage, []checkCase{
		{id: "lang-matches-text", name: "right", html: speaking(german, de), want: Passed, detail: "in German"},
		{id: "lang-matches-text", name: "wrong", html: speaking("en", de), want: Failed, detail: `in English (lang="en"), but its text seems to be in German`},
		{id: "lang-matches-text", name: "wrong script", html: speaking("en", spokenTexts["ja"]), want: Failed, detail: "Japanese"},
		{id: "lang-matches-text", name: "part in another language", html: speaking("de", de+"<p lang=fr>"+fr+fr+fr), want: Passed},
		{id: "lang-matches-text", name: "all in another language", html: speaking("de", "<b lang=fr>"+fr), want: NotApplicable},
		{id: "lang-matches-text", name: "code", html: speaking("de", de+"<pre>"+fr+fr+fr), want: Passed},
		{id: "lang-matches-text", name: "half and half", html: speaking("de", de+fr+fr), want: NotApplicable, detail: "not certain"},
		{id: "lang-matches-text", name: "nonsense", html: speaking("en", strings.Repeat("xyz qwr tnk ", 50)), want: NotApplicable},
		{id: "lang-matches-text", name: "few words", html: speaking("en", strings.Repeat("nicht und ", 24)), want: NotApplicable},
		{id: "lang-matches-text", name: "no lang", html: "<p>" + de, want: NotApplicable},
		{id: "lang-matches-text", name: "unknown language", html: speaking("eo", de), want: NotApplicable, detail: `"eo"`},
		{id: "lang-matches-text", name: "hreflang of itself", want: Failed, detail: "hreflang",
			html: `<html lang=de><head><link rel=alternate hreflang=fr href=/shop/page></head><p>` + de},
		{id: "lang-matches-text", name: "hreflang of another", want: Passed,
			html: `<html lang=de><head><link rel=alternate hreflang=fr href=/fr><link rel=alternate hreflang=de href=/shop/page></head><p>` + de},
	}, nil, nil)
}

// TestEveryLanguage holds that a text passes with its own language alone.
func TestEveryLanguage(t *testing.T) {
	for spoken, text := range spokenTexts {
		for claimed := range spokenTexts {
			got := checkLangMatchesText(exampleFacts(t, speaking(claimed, twice(text))))
			if want := map[bool]Status{true: Passed, false: Failed}[spoken == claimed]; got.status != want && !isKin(spoken, claimed) {
				t.Errorf("%s called %s: %s, %s", spoken, claimed, got.status, got.detail())
			}
		}
	}
}

// isKin reports whether two languages are so close that a short text may be uncertain.
func isKin(a, b string) bool { return a+b == "danb" || a+b == "nbda" || a+b == "ptes" || a+b == "espt" }

// TestListen holds what is heard against what the words of a text are by the plainest means.
func TestListen(t *testing.T) {
	texts := slices.Collect(maps.Values(spokenTexts))
	texts = append(texts, "", "a", "é", "-", "—", "AND and\u0130 I\u0307 na\u00efve—THE x\xff the\xff\xc3", "the"+strings.Repeat("x", longestFrequent), "１２ 3d 4ü über ÜBER", "e\u0301t et\u0301 한글 漢字かな",
		strings.Repeat("the und ", maxDetectedWords))
	for _, text := range texts {
		want := spoken{heard: make([]int, len(languages)), scores: make([]float64, len(languages))}
		for _, word := range strings.FieldsFunc(text, isNoWordPart) {
			if want.words++; want.words <= maxDetectedWords {
				want.hearUnicode(word)
			}
		}
		want.words = min(want.words, maxDetectedWords+1)
		half := len(text) / 2
		for half > 0 && half < len(text) && text[half] != ' ' {
			half--
		}
		for _, passages := range [][]page.Passage{{{Text: text}}, {{Text: text[:half]}, {Text: "der die das", Foreign: true}, {Text: text[half:]}}} {
			if got := listen(passages); !reflect.DeepEqual(got, want) {
				t.Errorf("%.80q: %+v, not %+v", text, got, want)
			}
		}
	}
	for word := range frequentWords {
		if len(word) > longestFrequent {
			t.Errorf("%q is longer than longestFrequent", word)
		}
	}
	if s := listen([]page.Passage{{Text: strings.Repeat("漢", maxDetectedBytes)}}); s.letters[han] != unspacedWeight*maxDetectedBytes/3 {
		t.Errorf("%d letters of a text without spaces", s.letters[han])
	}
}
