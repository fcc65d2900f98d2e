package page

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"sitegrade/weburl"
)

// read parses a page at https://example.com/shop/page.
func read(t *testing.T, source string) *Document {
	t.Helper()
	return Parse([]byte(source), weburl.Resolve(nil, "https://example.com/shop/page"))
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
		if got := d.Anchors[0].URL.String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := d.Images[0].URL.String(); got != c.want {
			t.Errorf("%s: image %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTemplatesAndNoscriptHoldNoFacts(t *testing.T) {
	d := read(t, `<head><template><title>a</title><meta name=description content=b></template><noscript><meta name=robots content=noindex></noscript>
		<body><template><h1 id=x>a</h1><a href=a>a</a><img src=a><form><input></form></template><noscript><img src=b><a href=b>b</a></noscript>`)
	if d.Title() != "" || len(d.Metas)+len(d.Headings)+len(d.Anchors)+len(d.Images)+len(d.Forms)+len(d.Buttons)+len(d.Fields)+d.Total.IDs != 0 {
		t.Errorf("facts from templates or noscript: %+v", d)
	}
}

func TestMetasAndLinksInBodyAreTold(t *testing.T) {
	d := read(t, `<head><meta name=A content=1><div></div><meta name=b content=2><link rel=canonical href=/>`)
	if d.Metas[0].InBody || d.Metas[0].Name != "a" || !d.Metas[1].InBody || !d.Links[0].InBody {
		t.Errorf("metas %+v, links %+v", d.Metas, d.Links)
	}
}

func TestScriptsAndStyles(t *testing.T) {
	d := read(t, `<head><script src=/a.js async integrity=sha256-x></script><script type=Module>12345</script><style>123</style>
		<link rel="Stylesheet" href=/a.css media=print><link rel="alternate stylesheet" href=/b.css>
		<body style="color:red"><script defer src="http://[">x</script><script type="application/ld+json">{}</script>`)
	if len(d.Scripts) != 3 {
		t.Fatalf("%d scripts", len(d.Scripts))
	}
	a, b, c := d.Scripts[0], d.Scripts[1], d.Scripts[2]
	if !a.Async || !a.InHead || !a.Integrity || a.URL.Path() != "/a.js" || !b.Module || !c.Deferred || c.InHead || c.URL != nil {
		t.Errorf("scripts %+v", d.Scripts)
	}
	if len(d.Stylesheets) != 2 || d.Stylesheets[0].Disabled || !d.Stylesheets[1].Disabled {
		t.Errorf("stylesheets %+v", d.Stylesheets)
	}
	if d.InlineStyle != (InlineStyle{1, len("color:red") + 3}) {
		t.Errorf("inline style %+v", d.InlineStyle)
	}
}

func TestImagesFramesAndMedia(t *testing.T) {
	d := read(t, `<picture><source type="Image/AVIF" srcset="a.avif 2x"><img src=a.jpg width=1 height=2 loading=lazy></picture>
		<img src=b.jpg style="Width: 10px; aspect-ratio: 1"><iframe src=/f title=F></iframe>
		<video src=v.mp4><source src=w.webm><track src=t.vtt></video><object data=o.svg></object><embed src=e.swf>`)
	if got := fmt.Sprint(d.Images[0].Sources); got != "[image/avif a.avif 2x]" {
		t.Errorf("sources %s", got)
	}
	for i, m := range d.Images {
		if !m.IsSized() || m.Lazy != (i == 0) {
			t.Errorf("image %+v", m)
		}
	}
	var others []string
	for _, o := range d.Embeds {
		others = append(others, o.node.Data+" "+o.Src)
	}
	if got := strings.Join(others, ", "); got != "video v.mp4, source w.webm, track t.vtt, object o.svg, embed e.swf" {
		t.Errorf("others: %s", got)
	}
	if len(d.Frames) != 1 || d.Frames[0].URL.Path() != "/f" || !d.Frames[0].Named {
		t.Errorf("frames %+v", d.Frames)
	}
}

func TestForms(t *testing.T) {
	d := read(t, `<form method=POST action=" http://other.example/in "><p><input type=PASSWORD></form><form><input></form><input type=password>`)
	if len(d.Forms) != 2 {
		t.Fatalf("%d forms", len(d.Forms))
	}
	if f := d.Forms[0]; f.Method != "post" || f.URL.String() != "http://other.example/in" || !f.Password {
		t.Errorf("first form %+v", f)
	}
	if f := d.Forms[1]; f.Method != "get" || f.URL != d.address || f.Password {
		t.Errorf("second form %+v", f)
	}
}

func TestCountsStayExactBeyondWhatIsKept(t *testing.T) {
	n := MaxStored + 321
	d := read(t, strings.Repeat(`<a href=/x><img src=y alt=z></a><script></script><h2 id=i>h</h2><font>f</font>`, n))
	if len(d.Anchors) != MaxStored || d.Total.Links != n || len(d.Images) != MaxStored || len(d.Scripts) != MaxStored ||
		len(d.Headings) != MaxStored || d.Total.Duplicates != n-1 || d.Total.Deprecated != n {
		t.Errorf("kept %d anchors, total %+v", len(d.Anchors), d.Total)
	}
}

func TestCountsStayExactBeyondWhatIsRead(t *testing.T) {
	n := maxTags
	d := read(t, "<!DOCTYPE html><html><head><title>x</title></head><body>"+strings.Repeat("<a href=/x>a</a><img src=y>", n))
	if d.Total.Links != n || d.Elements < 2*n || d.Elements > 2*n+5 || len(d.Anchors) != MaxStored {
		t.Errorf("elements %d, total %+v", d.Elements, d.Total)
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
		if d.Title() != "x" || d.Text != "text link" && d.Text != "textlink" || len(d.Anchors) != 1 || len(d.Anchors[0].node.Attr) != 2 {
			t.Fatalf("%s: title %q, text %q, %d anchors", name, d.Title(), d.Text, len(d.Anchors))
		}
		if got := len(d.Anchors[0].node.Parent.Attr); got != maxAttributes {
			t.Errorf("%s: %d attributes", name, got)
		}
	}
}

func TestLargeStructuredDataIsNotRead(t *testing.T) {
	block := `<script type="application/ld+json">[` + strings.Repeat("0,", maxJSONLD/4) + `0]</script>`
	d := read(t, block+block)
	if d.JSONLD[0].Err != nil || d.JSONLD[1].Err == nil {
		t.Errorf("errors %v and %v", d.JSONLD[0].Err, d.JSONLD[1].Err)
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
		if d.Title() != "Deep" || d.Lang != "en" && name != "different b" || !strings.Contains(d.Text, "deep") {
			t.Errorf("%s: title %q, lang %q, text %q", name, d.Title(), d.Lang, d.Text)
		}
	}
	if d := read(t, strings.Repeat("<p>", 3000)+strings.Repeat("<li>", 3000)); d.Depth > 10 {
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
		if d := read(t, source); d.root == nil || !utf8.Valid(d.Source) {
			t.Errorf("%q is read as %q", source, d.Source)
		}
	}
	d := read(t, "<title>\xc3\x28</title>")
	if d.Title() != "\ufffd(" {
		t.Errorf("title %q", d.Title())
	}
}
