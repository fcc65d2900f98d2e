package audit

import (
	"strings"
	"testing"
)

// titled returns a page with this title and body.
func titled(title, body string) string { return pageOf("<title>"+title+"</title>", body) }

// described returns a page with this meta description.
func described(content string) string {
	return pageOf(`<meta name="description" content="`+content+`">`, "")
}

func TestTitleChecks(t *testing.T) {
	const good = "Hand-made wooden toys from Graz"
	runCheckCases(t, seoTitle, []checkCase{
		{id: "document-title", name: "there", html: titled(good, ""), want: Passed, detail: good},
		{id: "document-title", name: "absent", html: pageOf("", ""), want: Failed, detail: "no title"},
		{id: "document-title", name: "blank", html: titled(" \n\u00a0", ""), want: Failed, detail: "empty"},
		{id: "document-title", name: "svg", html: pageOf("", "<svg><title>Logo of the shop</title></svg>"), want: Failed},
		{id: "document-title", name: "in body", html: pageOf("", "<title>"+good+"</title>"), want: Passed},
		{id: "document-title", name: "in template", html: pageOf("<template><title>x</title></template>", ""), want: Failed},
		{id: "document-title", name: "the first of two", html: titled(good, "<title></title>"), want: Passed},
		{id: "document-title", name: "the first of two is empty", html: pageOf("<title></title><title>"+good+"</title>", ""), want: Failed, detail: "empty"},
		{id: "document-title", name: "of a frame", html: pageOf("", "<iframe title='"+good+"' srcdoc='<title>x</title>'></iframe>"), want: Failed},

		{id: "title-length", name: "20", html: titled(strings.Repeat("x", 20), ""), want: Passed},
		{id: "title-length", name: "19", html: titled(strings.Repeat("x", 19), ""), want: Failed, detail: "19 characters"},
		{id: "title-length", name: "60", html: titled(strings.Repeat("é", 60), ""), want: Passed},
		{id: "title-length", name: "61", html: titled(strings.Repeat("e\u0301", 61), ""), want: Failed, detail: "61 characters"},
		{id: "title-length", name: "none", want: NotApplicable},

		{id: "title-width", name: "narrow", html: titled(strings.Repeat("i", 100), ""), want: Passed, detail: "444 pixels"},
		{id: "title-width", name: "wide", html: titled(strings.Repeat("W", 30), ""), want: Failed, detail: "566 pixels"},
		{id: "title-width", name: "none", want: NotApplicable},

		{id: "title-unique", name: "one", html: titled(good, "<svg><title>Logo</title></svg>"), want: Passed},
		{id: "title-unique", name: "two", html: pageOf("<title>a</title><title>b</title>", ""), want: Failed, detail: "2 titles"},
		{id: "title-unique", name: "none", want: NotApplicable},

		{id: "title-differs-from-h1", name: "differ", html: titled(good, "<h1>Toys</h1>"), want: Passed},
		{id: "title-differs-from-h1", name: "same", html: titled(" Wooden  Toys", "<h1></h1><h1>wooden <b>toys</b></h1>"), want: Failed},
		{id: "title-differs-from-h1", name: "no h1", html: titled(good, ""), want: NotApplicable},

		{id: "title-words-in-text", name: "there", html: titled("The toys of Graz", "<p>We make TOYS.</p>"), want: Passed, detail: "1 of 2 words"},
		{id: "title-words-in-text", name: "stop words only there", html: titled("The toys of Graz", "<p>The end of it.</p>"), want: Failed},
		{id: "title-words-in-text", name: "no words", html: titled("The —", "<p>Text</p>"), want: NotApplicable},

		{id: "meta-description", name: "there", html: described("We make toys."), want: Passed},
		{id: "meta-description", name: "blank", html: described(" \t"), want: Failed, detail: "empty"},
		{id: "meta-description", name: "another name", html: pageOf(`<meta name=" description" content="x">`, ""), want: Failed, detail: "no meta description"},
		{id: "meta-description", name: "in body", html: pageOf("", `<meta name="description" content="x">`), want: Failed, detail: "no meta description"},

		{id: "description-length", name: "70", html: described(strings.Repeat("x", 70)), want: Passed},
		{id: "description-length", name: "69", html: described(strings.Repeat("x", 69)), want: Failed},
		{id: "description-length", name: "160", html: described(strings.Repeat("ü", 160)), want: Passed},
		{id: "description-length", name: "161", html: described(strings.Repeat("x", 161)), want: Failed, detail: "161"},
		{id: "description-length", name: "none", want: NotApplicable},

		{id: "description-unique", name: "one", html: described("x"), want: Passed},
		{id: "description-unique", name: "two", html: pageOf(`<meta name=description content=a><meta name=Description content=b>`, ""), want: Failed},
		{id: "description-unique", name: "none", want: NotApplicable},
	}, []string{"document-title", "meta-description"}, nil)
}

func TestCountCharacters(t *testing.T) {
	for s, want := range map[string]int{
		"":                                0,
		"abc":                             3,
		"e\u0301":                         1,
		"👩\u200d👩\u200d👧":                 1,
		"👍🏽":                              1,
		"🇦🇹🇩🇪":                            2,
		"a\ufe0f":                         1,
		"日本語":                             3,
		"คน\u0e34":                        2,
		strings.Repeat("\u200d", 3):       0,
		"🏴\U000E0067\U000E0062\U000E007F": 1,
	} {
		if got := countCharacters(s); got != want {
			t.Errorf("countCharacters(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTextWidthKnowsEveryLetter(t *testing.T) {
	for r := rune(0x20); r < 0x7f; r++ {
		if runeWidth(r) == 0 {
			t.Errorf("%q has no width", r)
		}
	}
	if narrow, wide := textWidth("illi"), textWidth("WMWM"); narrow*3 > wide {
		t.Errorf("illi is %d wide, WMWM %d", narrow, wide)
	}
	if got := textWidth("日本"); got != 2*titleSize {
		t.Errorf("two full-width characters are %d wide", got)
	}
}
