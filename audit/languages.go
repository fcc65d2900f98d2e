package audit

import (
	"strings"

	"sitegrade/locale"
)

// knownLanguage is one that texts are recognised by.
type knownLanguage struct {
	code   string // ISO 639-1
	script script
	words  string // frequent ones, in lower case; none for a script that only this language is written in
}

// said returns the name of the language for a sentence. The catalogues have it among the details of the check that names languages.
func (l *knownLanguage) said() locale.Arg { return locale.Phrase("lang-matches-text." + l.code) }

// languages are the languages that texts are recognised by. Words are those that every text of some length has and that other languages
// mostly lack: articles, prepositions, conjunctions, pronouns, auxiliary verbs.
var languages = []knownLanguage{
	{"en", latin, `the of and to in is that for it with as was on are be this by at from or have not but which you an they we can
		will has their if when more about your how all its our must may also should been than into only`},
	{"de", latin, `der die das und ist nicht mit ein eine einen einem einer von zu auf für den dem des im sich auch es als wird
		werden sind oder bei aus nach wie über nur kann wenn haben zum zur durch noch sie wir ich können diese dieser`},
	{"fr", latin, `le la les des et est une un du dans que pour qui pas sur avec par plus ce cette vous nous sont ou au aux être il
		elle mais comme leur ses peut votre de en qu cet ces si aussi doit`},
	{"es", latin, `el la los las de que y en un una por con para es del se no lo como más su al este esta pero son sus también puede
		ser entre cuando muy sobre desde todo hay si esto ha está`},
	{"it", latin, `il la di che e è un una per non in del della dei delle con sono si da le gli lo al alla anche come più questo
		questa nel nella ma su può essere dal dalla ai ed quando alle`},
	{"pt", latin, `os as de que e do da dos das em um uma para com não é por no na mais como ao se ou são pelo pela também você
		seu sua este esta nos nas mas quando pode ser foi isso à está`},
	{"nl", latin, `de het een en van is in op te dat die voor met zijn niet aan er om ook als bij naar uit worden wordt door kan maar
		over dit deze wij je ze heeft hebben tot meer of moet`},
	{"pl", latin, `na do się nie jest to że jak po od przez dla oraz są lub za może być który która które tym tego ten ale co tak już
		tylko można ich przy pod jako jeśli aby jego te czy`},
	{"sv", latin, `och att det som en på är av för med den till inte om ett har de kan man från eller så när var vi du ska vid också
		men efter alla även måste denna detta om finns`},
	{"da", latin, `og at det som en på er af for med den til ikke om et har de kan man fra eller så når var vi du skal ved også men
		efter hvis denne dette bliver blev mellem nogle være alle`},
	{"nb", latin, `og å det som en på er av for med den til ikke om et har de kan man fra eller så når var vi du skal ved også men
		etter hvis denne dette blir ble mellom noen være alle`},
	{"fi", latin, `ja on ei se että oli mutta ovat kun tai joka myös hän voi niin kuin ole sen mukaan sekä vain jos ne jotka tämä
		tämän siitä mitä ennen kanssa voidaan olla sitä niiden tässä`},
	{"cs", latin, `se na je že to ve pro jako za by od po který která které nebo jsou aby ale není být tak jeho při pokud již jen lze
		může také až má do ke si jste jsem podle ještě`},
	{"sk", latin, `sa na je že to vo pre ako za by od po ktorý ktorá ktoré alebo sú aby ale nie byť tak jeho pri ak už len možno
		môže tiež až má do ku si ste som podľa ešte`},
	{"hu", latin, `az és hogy nem is egy ez van meg de csak már mint vagy kell ha még ki volt lehet amely ezt azt ezek után
		szerint minden között be pedig fel el`},
	{"ro", latin, `de și şi în la cu pe din este un care nu pentru mai sau ca se că fi sunt prin dar după ale lui fost acest
		această poate între când al sa vor`},
	{"tr", latin, `ve bir bu için ile de da olarak olan daha çok gibi en kadar ne ya veya olduğu ancak sonra her değil ama var ise
		diye içinde göre tüm`},
	{"id", latin, `yang dan di ini dengan untuk dari dalam tidak pada adalah ke akan atau juga itu dapat oleh anda sebagai kami
		mereka bisa ada telah lebih karena jika saat tersebut`},
	{"hr", latin, `je na se da za su od ne koji koja koje kao što ili ali iz to do može biti sve samo kako ako bi nije te ovaj
		također više`},
	{"ca", latin, `el la els les de que en per amb un una del dels és no es al als més com però aquest aquesta són seva seu també
		ser pot entre quan si sobre cal`},
	{"vi", latin, `của và là các có được cho không trong một với những người này để khi từ như đã trên bạn về thể hoặc phải nếu
		tại sẽ`},

	{"ru", cyrillic, `и в не на я что он с как это по но из у к за от так для бы все или при если быть может также то только его до
		их вы вам мы они который которые можно этот эта эти этого после будет был через чтобы уже нет есть`},
	{"uk", cyrillic, `і в не на що з як це до та але від у за для або при якщо може також є його які який про ви ми й із
		їх вам ці цей ця цього після буде був через щоб вже немає є`},
	{"bg", cyrillic, `и в на не да за от с се по но е са това което или като към този може със ще до при
		ви този тази тези след бъде през само че си`},
	{"sr", cyrillic, `и у је на се да за су од не који која као или али из то до може са`},

	{"ar", arabic, `في من على إلى أن هذا التي الذي عن مع ما لا كان أو هذه هو ذلك لم قد و هي كل`},
	{"fa", arabic, `در به از که این را با است برای یک آن های شود می و تا خود نیز بر کرد هر شما`},
	{"ur", arabic, `کے میں ہے کی اور سے کا کو ہیں پر یہ ایک نے کر اس لئے`},

	{"el", greek, ""},
	{"he", hebrew, ""},
	{"ko", hangul, ""},
	{"ja", kana, ""},
	{"zh", han, ""},
	{"th", thai, ""},
}

// languageAliases are tags for a language that has another code above, or none of its own that tells it from its nearest kin.
var languageAliases = map[string]string{"no": "nb", "nn": "nb", "iw": "he", "in": "id", "cmn": "zh", "yue": "zh"}

// frequentWords has a bit for each language that has the word.
var frequentWords = func() map[string]uint64 {
	in := map[string]uint64{}
	for i, l := range languages {
		for w := range strings.FieldsSeq(l.words) {
			in[w] |= 1 << i
		}
	}
	return in
}()
