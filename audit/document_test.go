package audit

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"sitegrade/weburl"
)

// read parses a page at https://example.com/shop/page.
func read(t *testing.T, source string) *document {
	t.Helper()
	return parseDocument([]byte(source), weburl.Resolve(nil, "https://example.com/shop/page"))
}

// shop returns a page as shops have them.
func shop(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("testdata/shop.html")
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

func TestBase(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"none", "", "https://example.com/shop/a"},
		{"absolute", `<base href="https://other.example/x/">`, "https://other.example/x/a"},
		{"relative", `<base href="/y/">`, "https://example.com/y/a"},
		{"first with an address", `<base target=_top><base href="/y/"><base href="/z/">`, "https://example.com/y/a"},
		{"after links", `<link rel=canonical href="x"><base href="/y/">`, "https://example.com/y/a"},
		{"in body", `</head><body><base href="/y/">`, "https://example.com/shop/a"},
		{"no place", `<base href="data:,x">`, "https://example.com/shop/a"},
	} {
		d := read(t, "<head>"+c.head+"<body><a href=a>a</a><img src=a>")
		if got := d.anchors[0].url.String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := d.images[0].url.String(); got != c.want {
			t.Errorf("%s: image %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTemplatesAndNoscriptHoldNoFacts(t *testing.T) {
	d := read(t, `<head><template><title>a</title><meta name=description content=b></template><noscript><meta name=robots content=noindex></noscript>
		<body><template><h1 id=x>a</h1><a href=a>a</a><img src=a><form><input></form></template><noscript><img src=b><a href=b>b</a></noscript>`)
	if d.title() != "" || len(d.metas)+len(d.headings)+len(d.anchors)+len(d.images)+len(d.forms)+len(d.controls)+d.total.ids != 0 {
		t.Errorf("facts from templates or noscript: %+v", d)
	}
}

func TestMetasAndLinksInBodyAreTold(t *testing.T) {
	d := read(t, `<head><meta name=A content=1><div></div><meta name=b content=2><link rel=canonical href=/>`)
	if d.metas[0].inBody || d.metas[0].name != "a" || !d.metas[1].inBody || !d.links[0].inBody {
		t.Errorf("metas %+v, links %+v", d.metas, d.links)
	}
}

func TestScriptsAndStyles(t *testing.T) {
	d := read(t, `<head><script src=/a.js async integrity=x></script><script type=Module>12345</script><style>123</style>
		<link rel="Stylesheet" href=/a.css media=print><link rel="alternate stylesheet" href=/b.css>
		<body style="color:red"><script defer src="http://[">x</script><script type="application/ld+json">{}</script>`)
	if len(d.scripts) != 3 || d.total.scripts != 3 {
		t.Fatalf("%d scripts", len(d.scripts))
	}
	a, b, c := d.scripts[0], d.scripts[1], d.scripts[2]
	if !a.async || !a.inHead || !a.integrity || a.url.Path() != "/a.js" || !b.module || b.size != 5 || !c.deferred || c.inHead || c.url != nil {
		t.Errorf("scripts %+v", d.scripts)
	}
	if len(d.stylesheets) != 2 || d.stylesheets[0].disabled || d.stylesheets[0].media != "print" || !d.stylesheets[1].disabled {
		t.Errorf("stylesheets %+v", d.stylesheets)
	}
	if d.inlineStyle != (inlineStyle{1, len("color:red") + 3}) {
		t.Errorf("inline style %+v", d.inlineStyle)
	}
}

func TestImagesFramesAndMedia(t *testing.T) {
	d := read(t, `<picture><source type="Image/AVIF" srcset="a.avif 2x"><img src=a.jpg width=1 height=2 loading=lazy></picture>
		<img src=b.jpg style="Width: 10px; aspect-ratio: 1"><iframe src=/f title=F></iframe>
		<video src=v.mp4><source src=w.webm><track src=t.vtt></video><object data=o.svg></object><embed src=e.swf>`)
	if got := fmt.Sprint(d.images[0].sources); got != "[image/avif a.avif 2x]" {
		t.Errorf("sources %s", got)
	}
	for i, m := range d.images {
		if !m.isSized() || m.lazy != (i == 0) {
			t.Errorf("image %+v", m)
		}
	}
	var others []string
	for _, o := range d.others {
		others = append(others, o.node.Data+" "+o.attr+" "+o.src)
	}
	if got := strings.Join(others, ", "); got != "video src v.mp4, source src w.webm, track src t.vtt, object data o.svg, embed src e.swf" {
		t.Errorf("others: %s", got)
	}
	if len(d.frames) != 1 || d.frames[0].url.Path() != "/f" || !d.frames[0].hasTitle {
		t.Errorf("frames %+v", d.frames)
	}
}

func TestForms(t *testing.T) {
	d := read(t, `<form method=POST action=" http://other.example/in "><p><input type=PASSWORD></form><form><input></form><input type=password>`)
	if len(d.forms) != 2 || d.passwords != 2 {
		t.Fatalf("%d forms, %d passwords", len(d.forms), d.passwords)
	}
	if f := d.forms[0]; f.method != "post" || f.url.String() != "http://other.example/in" || !f.password {
		t.Errorf("first form %+v", f)
	}
	if f := d.forms[1]; f.method != "get" || f.url != d.address || f.password {
		t.Errorf("second form %+v", f)
	}
}

func TestCountsStayExactBeyondWhatIsKept(t *testing.T) {
	n := maxStored + 321
	d := read(t, strings.Repeat(`<a href=/x><img src=y alt=z></a><script></script><h2 id=i>h</h2><font>f</font>`, n))
	if len(d.anchors) != maxStored || d.total.links != n || len(d.images) != maxStored || d.total.images != n ||
		len(d.scripts) != maxStored || d.total.scripts != n || d.total.headings != n || d.total.duplicates != n-1 {
		t.Errorf("kept %d anchors, total %+v", len(d.anchors), d.total)
	}
}

func TestCountsStayExactBeyondWhatIsRead(t *testing.T) {
	n := maxTags
	d := read(t, "<!DOCTYPE html><html><head><title>x</title></head><body>"+strings.Repeat("<a href=/x>a</a><img src=y>", n))
	if !d.cut || d.total.links != n || d.total.images != n || d.elements < 2*n || d.elements > 2*n+5 || len(d.anchors) != maxStored {
		t.Errorf("cut %v, elements %d, total %+v", d.cut, d.elements, d.total)
	}
}

func TestExcessAttributesAreLeftOut(t *testing.T) {
	var b strings.Builder
	b.WriteString("<title>x</title><p ")
	for i := range 200_000 {
		fmt.Fprintf(&b, "a%d = 'b > c' ", i)
	}
	b.WriteString(`>text<a href=/ data-page="` + strings.Repeat("{ }", 50_000) + `">link</a>`)
	for name, tail := range map[string]string{"ended": "", "endless": "<p " + strings.Repeat("x ", 100_000)} {
		d := read(t, b.String()+tail)
		if d.title() != "x" || d.text != "text link" && d.text != "textlink" || len(d.anchors) != 1 || len(d.anchors[0].node.Attr) != 2 {
			t.Fatalf("%s: title %q, text %q, %d anchors", name, d.title(), d.text, len(d.anchors))
		}
		if got := len(d.anchors[0].node.Parent.Attr); got != maxAttributes {
			t.Errorf("%s: %d attributes", name, got)
		}
	}
}

func TestLargeStructuredDataIsNotRead(t *testing.T) {
	block := `<script type="application/ld+json">[` + strings.Repeat("0,", maxJSONLD/4) + `0]</script>`
	d := read(t, block+block)
	if d.jsonLD[0].err != nil || d.jsonLD[1].err == nil {
		t.Errorf("errors %v and %v", d.jsonLD[0].err, d.jsonLD[1].err)
	}
}

func TestDeepPagesAreRead(t *testing.T) {
	for name, source := range map[string]string{
		"divs":        strings.Repeat("<div>", 5000) + `<a href="/deep">deep</a><h1>Toys</h1>`,
		"formatting":  strings.Repeat("<p><b id=x>", 3) + strings.Repeat("<font color=a><i>", 2000) + `<a href="/deep">deep</a><h1>Toys</h1>`,
		"different b": manyFormats(1500) + `<a href="/deep">deep</a>`,
		"svg":         "<svg>" + strings.Repeat("<g>", 3000) + `</svg><a href="/deep">deep</a>`,
		"tables":      strings.Repeat("<table><tr><td>", 2000) + `<a href="/deep">deep</a>`,
		"self-closed": strings.Repeat("<div/>", 3000) + `<a href="/deep">deep</a>`,
	} {
		d := read(t, "<!DOCTYPE html><html lang=en><title>Deep</title>"+source)
		if !d.cut || d.title() != "Deep" || d.lang != "en" && name != "different b" || !strings.Contains(d.text, "deep") {
			t.Errorf("%s: cut %v, title %q, lang %q, text %q", name, d.cut, d.title(), d.lang, d.text)
		}
	}
	if d := read(t, strings.Repeat("<p>", 3000)+strings.Repeat("<li>", 3000)); d.cut {
		t.Error("unclosed paragraphs and entries nest")
	}
}

// manyFormats returns unclosed formatting elements that differ, so that the parser opens all of them again in every block.
func manyFormats(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<b class=c%d><p>", i)
	}
	return b.String()
}

func TestBrokenBytesAreRead(t *testing.T) {
	for _, source := range []string{"", "\x00", "<", "<!", "</", "<a", "<a b", "<a b=", "\xff\xfe<\xc3>", "<title>\xc3", "<a href='\xff'>\xff", "<!DOCTYPE"} {
		if d := read(t, source); d.root == nil || !utf8.Valid(d.source) {
			t.Errorf("%q is read as %q", source, d.source)
		}
	}
	d := read(t, "<title>\xc3\x28</title>")
	if d.title() != "\ufffd(" {
		t.Errorf("title %q", d.title())
	}
}
