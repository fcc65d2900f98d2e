package main

// language is what a page is written with.
type language struct {
	code      string
	rtl       bool
	sentences []string
	topics    []string // what titles, headings and links are about
	generic   []string // link texts that say nothing; some stand in Lighthouse's lists, some do not
}

var languages = []language{
	{"en", false,
		[]string{
			"The workshop opens at nine and closes when the last guest has left.", "Every loaf rests for a day before it goes into the oven.",
			"We keep the records of the village since 1892.", "Bring warm clothes, since the hall is not heated in autumn.",
			"Prices hold until the end of the season.", "A bus leaves from the station every twenty minutes.",
		},
		[]string{"Bread from our own oven", "Opening hours", "How the mill was built", "Walks along the river", "Prices and tickets", "Contact and directions"},
		[]string{"click here", "Read more", "Learn More", "more", "here", "this", "Start", "Details", "Continue", "link", "read  more", "More…"},
	},
	{"de", false,
		[]string{
			"Die Werkstatt öffnet um neun und schließt, wenn der letzte Gast gegangen ist.", "Jedes Brot ruht einen Tag, bevor es in den Ofen kommt.",
			"Wir führen das Archiv des Dorfes seit 1892.", "Im Herbst ist die Halle nicht geheizt.", "Die Preise gelten bis zum Ende der Saison.",
		},
		[]string{"Brot aus dem eigenen Ofen", "Öffnungszeiten", "Wie die Mühle gebaut wurde", "Wege am Fluss", "Preise und Karten", "Anfahrt"},
		[]string{"hier", "Mehr", "weiterlesen", "klicke hier", "mehr erfahren", "siehe", "Weiter", "click here"},
	},
	{"fr", false,
		[]string{
			"L’atelier ouvre à neuf heures et ferme quand le dernier visiteur est parti.", "Chaque pain repose un jour avant d’aller au four.",
			"Nous gardons les archives du village depuis 1892.", "Le bus part de la gare toutes les vingt minutes.",
		},
		[]string{"Le pain de notre four", "Horaires d’ouverture", "Promenades au bord de la rivière", "Tarifs et billets", "Contact et accès"},
		[]string{"ici", "cliquez ici", "lire la suite", "en savoir plus", "click here"},
	},
	{"es", false,
		[]string{
			"El taller abre a las nueve y cierra cuando se va el último visitante.", "Cada pan reposa un día antes de entrar en el horno.",
			"Guardamos el archivo del pueblo desde 1892.", "En otoño la sala no tiene calefacción.",
		},
		[]string{"Pan de nuestro horno", "Horario de apertura", "Paseos por el río", "Precios y entradas", "Cómo llegar"},
		[]string{"aquí", "Más información", "click aquí", "este enlace", "leer más", "más"},
	},
	{"pt", false,
		[]string{"A oficina abre às nove e fecha quando o último visitante sai.", "Cada pão descansa um dia antes de ir ao forno.", "Guardamos o arquivo da aldeia desde 1892."},
		[]string{"Pão do nosso forno", "Horário de abertura", "Passeios junto ao rio", "Preços e bilhetes"},
		[]string{"clique aqui", "mais", "Veja mais", "saiba mais", "ir"},
	},
	{"ja", false,
		[]string{"工房は九時に開き、最後のお客様が帰られると閉まります。", "パンは窯に入れる前に一日寝かせます。", "村の記録は1892年から残っています。", "秋はホールに暖房がありません。"},
		[]string{"自家製のパン", "営業時間", "川沿いの散歩道", "料金と切符", "お問い合わせ"},
		[]string{"こちらをクリック", "続きを読む", "リンク", "詳しくはこちら"},
	},
	{"ko", false,
		[]string{"공방은 아홉 시에 열고 마지막 손님이 떠나면 닫습니다.", "모든 빵은 오븐에 넣기 전에 하루 동안 숙성합니다.", "마을의 기록은 1892년부터 남아 있습니다."},
		[]string{"우리 오븐에서 구운 빵", "영업 시간", "강변 산책로", "요금과 표"},
		[]string{"여기", "자세히 보기", "더 보기", "링크"},
	},
	{"sv", false,
		[]string{"Verkstaden öppnar klockan nio och stänger när den sista gästen har gått.", "Varje bröd vilar en dag innan det går in i ugnen.", "Vi har byns arkiv sedan 1892."},
		[]string{"Bröd från vår egen ugn", "Öppettider", "Vandringar längs ån", "Priser och biljetter"},
		[]string{"Läs mer", "klicka här", "här", "mer", "fortsätt"},
	},
	{"fa", true,
		[]string{"کارگاه ساعت نه باز می\u200cشود و وقتی آخرین مهمان رفت بسته می\u200cشود.", "هر نان یک روز پیش از رفتن به تنور استراحت می\u200cکند.", "بایگانی روستا از سال ۱۸۹۲ نگهداری می\u200cشود."},
		[]string{"نان از تنور خودمان", "ساعت\u200cهای کار", "راه\u200cهای کنار رود", "بها و بلیت"},
		[]string{"اینجا", "بیشتر بخوانید", "ادامه"},
	},
	{"ru", false,
		[]string{"Мастерская открывается в девять и закрывается, когда уходит последний гость.", "Каждый хлеб отдыхает день перед печью.", "Мы храним архив деревни с 1892 года."},
		[]string{"Хлеб из нашей печи", "Часы работы", "Прогулки вдоль реки", "Цены и билеты"},
		[]string{"здесь", "подробнее", "читать далее", "click here"},
	},
	{"ar", true,
		[]string{"تفتح الورشة في التاسعة وتغلق عندما يغادر آخر زائر.", "يرتاح كل رغيف يوما قبل أن يدخل الفرن."},
		[]string{"خبز من فرننا", "ساعات العمل", "نزهات على ضفة النهر"},
		[]string{"هنا", "اقرأ المزيد", "المزيد"},
	},
}
