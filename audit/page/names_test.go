package page

import (
	"strings"
	"testing"
)

// Each case is an element that must have a name, beside what it refers to. The rules are those of accname 1.2, HTML-AAM 1.0 and
// WAI-ARIA 1.2.
func TestNames(t *testing.T) {
	const ids = `<b id=full>Toys</b><i id=blank> </i><b id=gone hidden>Toys</b><div hidden><b id=inside>Toys</b></div>
		<b id=partly><span hidden>Toys</span></b><b id=labelled aria-label=Toys></b><b id=chain aria-labelledby=full></b><p><img id=photo src=a alt=Toys></p>`
	kinds := map[string]func(*Document) []Exposed{
		"link":   func(d *Document) []Exposed { return d.ExposedLinks },
		"button": func(d *Document) []Exposed { return d.Buttons },
		"field":  func(d *Document) []Exposed { return d.Fields },
		"image":  func(d *Document) []Exposed { return d.ExposedImages },
	}
	const named, nameless, absent = "named", "nameless", "absent"
	tests := []struct{ kind, want, html string }{
		{"link", named, `<a href=/>Toys</a>`},
		{"link", nameless, `<a href=/></a>`},
		{"link", nameless, `<a href=/> &nbsp; </a>`},
		{"link", absent, `<a>Toys</a>`},
		{"link", named, `<a href=/ aria-label=Toys></a>`},
		{"link", nameless, `<a href=/ aria-label=" "></a>`},
		{"link", named, `<a href=/ title=Toys></a>`},
		{"link", named, `<a href=/ aria-labelledby=full></a>`},
		{"link", named, `<a href=/ aria-labelledby="nowhere full"></a>`},
		{"link", nameless, `<a href=/ aria-labelledby=blank></a>`},
		{"link", nameless, `<a href=/ aria-labelledby=nowhere></a>`},
		{"link", named, `<a href=/ aria-labelledby=blank>Toys</a>`},
		{"link", named, `<a href=/ aria-labelledby=gone></a>`},
		{"link", named, `<a href=/ aria-labelledby=inside></a>`},
		{"link", nameless, `<a href=/ aria-labelledby=partly></a>`},
		{"link", named, `<a href=/ aria-labelledby=labelled></a>`},
		{"link", nameless, `<a href=/ aria-labelledby=chain></a>`},
		{"link", named, `<a href=/ aria-labelledby=photo></a>`},
		{"link", named, `<a href=/ id=self aria-labelledby=self aria-label=Toys></a>`},
		{"link", named, `<a href=/><img src=a alt=Toys></a>`},
		{"link", nameless, `<a href=/><img src=a alt=""></a>`},
		{"link", nameless, `<a href=/><img src=a></a>`},
		{"link", named, `<a href=/><img src=a title=Toys></a>`},
		{"link", nameless, `<a href=/><img src=a alt=Toys role=presentation></a>`},
		{"link", named, `<a href=/><svg><title>Toys</title><path/></svg></a>`},
		{"link", nameless, `<a href=/><svg><path/></svg></a>`},
		{"link", named, `<a href=/><svg><text>Toys</text></svg></a>`},
		{"link", named, `<a href=/><svg aria-label=Toys></svg></a>`},
		{"link", nameless, `<a href=/><span aria-hidden=true>Toys</span></a>`},
		{"link", nameless, `<a href=/><span hidden>Toys</span></a>`},
		{"link", nameless, `<a href=/><span style="display: none">Toys</span></a>`},
		{"link", nameless, `<a href=/><span style="visibility:hidden">Toys</span></a>`},
		{"link", named, `<a href=/><span style="position:absolute;left:-999px">Toys</span></a>`},
		{"link", named, `<a href=/><i aria-label=Toys></i></a>`},
		{"link", named, `<a href=/><i title=Toys></i></a>`},
		{"link", named, `<a href=/><i aria-labelledby=full></i></a>`},
		{"link", nameless, `<a href=/><script>toys()</script><style>a{}</style><template>Toys</template><noscript>Toys</noscript></a>`},
		{"link", absent, `<a href=/ aria-hidden=true></a>`},
		{"link", absent, `<div style=display:none><a href=/></a></div>`},
		{"link", absent, `<div inert><a href=/></a></div>`},
		{"link", nameless, `<a href=/ role=none></a>`},
		{"link", absent, `<a href=/ role=button>x</a>`},
		{"link", named, `<span role=link tabindex=0>Toys</span>`},
		{"link", nameless, `<span role=link tabindex=0></span>`},
		{"link", nameless, `<span role="toy LINK"></span>`},
		{"link", named, `<map name=m><area href=/ alt=Toys></map>`},
		{"link", nameless, `<map name=m><area href=/></map>`},
		{"link", nameless, `<svg><a href="/"><path/></a></svg>`},
		{"link", named, `<svg><a xlink:href="/"><text>Toys</text></a></svg>`},

		{"button", named, `<button>Toys</button>`},
		{"button", nameless, `<button></button>`},
		{"button", nameless, `<button value=Toys></button>`},
		{"button", named, `<label>Toys <button></button></label>`},
		{"button", named, `<label for=b>Toys</label><button id=b></button>`},
		{"button", named, `<button><img src=a alt=Toys></button>`},
		{"button", named, `<button title=Toys></button>`},
		{"button", absent, `<input type=submit>`},
		{"button", absent, `<input type=reset>`},
		{"button", nameless, `<input type=submit value="">`},
		{"button", named, `<input type=button value=Toys>`},
		{"button", nameless, `<input type=button>`},
		{"button", named, `<input type=image src=a alt=Toys>`},
		{"button", nameless, `<input type=image src=a>`},
		{"button", nameless, `<input type=image src=a alt="">`},
		{"button", named, `<input type=image src=a title=Toys>`},
		{"button", named, `<input type=image src=a aria-labelledby=full>`},
		{"button", nameless, `<input type=image src=a aria-labelledby=blank>`},
		{"button", nameless, `<div role=button></div>`},
		{"button", named, `<div role=button>Toys</div>`},
		{"button", named, `<a href=/ role=button>Toys</a>`},
		{"button", nameless, `<a href=/ role=button></a>`},
		{"button", absent, `<button hidden></button>`},
		{"button", nameless, `<button role=none></button>`},
		{"button", absent, `<button role=none disabled></button>`},
		{"button", absent, `<button role=link>x</button>`},

		{"field", named, `<label>Toys <input></label>`},
		{"field", named, `<label for=f>Toys</label><input id=f>`},
		{"field", named, `<input id=f><label for=f>Toys</label>`},
		{"field", nameless, `<label for=f></label><input id=f>`},
		{"field", nameless, `<label for=f hidden>Toys</label><input id=f>`},
		{"field", named, `<label for=f><img src=a alt=Toys></label><input id=f>`},
		{"field", nameless, `<label for=other>Toys</label><input id=f>`},
		{"field", nameless, `<label><input value=Toys></label>`},
		{"field", nameless, `<label><select><option>Toys</select></label>`},
		{"field", named, `<input aria-label=Toys>`},
		{"field", named, `<input title=Toys>`},
		{"field", named, `<input placeholder=Toys>`},
		{"field", nameless, `<input type=checkbox placeholder=Toys>`},
		{"field", nameless, `<input value=Toys>`},
		{"field", nameless, `Toys <input type=checkbox>`},
		{"field", nameless, `<textarea>Toys</textarea>`},
		{"field", named, `<textarea placeholder=Toys></textarea>`},
		{"field", named, `<select aria-labelledby=full></select>`},
		{"field", nameless, `<select><option>Toys</select>`},
		{"field", absent, `<input type=hidden>`},
		{"field", absent, `<input aria-hidden=true>`},
		{"field", nameless, `<input disabled>`},
		{"field", absent, `<input disabled role=none>`},
		{"field", nameless, `<input role=none>`},
		{"field", nameless, `<div role=textbox contenteditable>Toys</div>`},
		{"field", nameless, `<label for=f>Toys</label><div role=textbox id=f></div>`},
		{"field", named, `<div role=checkbox>Toys</div>`},
		{"field", nameless, `<div role=checkbox></div>`},
		{"field", named, `<div role=switch aria-label=Toys></div>`},
		{"field", nameless, `<div role=combobox>Toys</div>`},
		{"field", nameless, `<div role=slider></div>`},

		{"image", named, `<img src=a alt=Toys>`},
		{"image", named, `<img src=a alt="">`},
		{"image", named, `<img src=a alt>`},
		{"image", nameless, `<img src=a>`},
		{"image", nameless, `<img src=a alt=" ">`},
		{"image", named, `<img src=a title=Toys>`},
		{"image", named, `<img src=a aria-labelledby=full>`},
		{"image", nameless, `<img src=a aria-labelledby=blank>`},
		{"image", absent, `<img src=a role=none>`},
		{"image", nameless, `<img src=a role=none tabindex=0>`},
		{"image", named, `<img src=a role=none aria-label=Toys>`},
		{"image", absent, `<img src=a hidden>`},
		{"image", nameless, `<div role=img></div>`},
		{"image", nameless, `<div role=img>Toys</div>`},
		{"image", named, `<div role=img aria-label=Toys></div>`},
		{"image", nameless, `<svg role=img><path/></svg>`},
		{"image", named, `<svg role=img><title>Toys</title></svg>`},
		{"image", nameless, `<svg role=img><title> </title></svg>`},
		{"image", absent, `<svg><path/></svg>`},
		{"image", nameless, `<svg><circle role=graphics-symbol></circle></svg>`},
		{"image", nameless, `<object data=a.png></object>`},
		{"image", named, `<object data=a.png title=Toys></object>`},
		{"image", nameless, `<object data=a.png>Toys</object>`},
		{"image", absent, `<object data=a.html></object>`},
		{"image", absent, `<object data=a.png role=none></object>`},
	}
	for _, test := range tests {
		t.Run(test.kind+" "+test.html, func(t *testing.T) {
			d := read(t, "<body><main>"+test.html+"</main>"+ids)
			got := absent
			for _, e := range kinds[test.kind](d) {
				if id, _ := e.Attribute("id"); id == "photo" {
					continue
				}
				if got = nameless; e.Named {
					got = named
				}
				break
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestHeadingAndFrameNames(t *testing.T) {
	const ids = `<b id=full>Toys</b><i id=blank></i>`
	for _, test := range []struct {
		html   string
		named  bool
		hidden bool
	}{
		{`<h2>Toys</h2>`, true, false},
		{`<h2></h2>`, false, false},
		{`<h2><br></h2>`, false, false},
		{`<h2><img src=a alt=""></h2>`, false, false},
		{`<h2><img src=a alt=Toys></h2>`, true, false},
		{`<h2><span aria-hidden=true>Toys</span></h2>`, false, false},
		{`<h2 aria-labelledby=full></h2>`, true, false},
		{`<h2 aria-labelledby=blank></h2>`, false, false},
		{`<h2 hidden>Toys</h2>`, false, true},
		{`<h2 role=none></h2>`, false, true},
		{`<h2 role=none aria-label=" "></h2>`, false, true},
		{`<h2 role=none aria-describedby=full></h2>`, false, false},
		{`<h2 role=tab>Toys</h2>`, true, true},
		{`<h2 role=toy>Toys</h2>`, true, false},
		{`<div role=heading aria-level=3></div>`, false, false},
		{`<div role=heading aria-level=3>Toys</div>`, true, false},
	} {
		d := read(t, "<body>"+test.html+ids)
		if len(d.Headings) != 1 || d.Headings[0].Named != test.named || d.Headings[0].Hidden != test.hidden {
			t.Errorf("%s: %+v", test.html, d.Headings)
		}
	}
	for _, test := range []struct {
		html          string
		named, hidden bool
	}{
		{`<iframe src=a title=Toys></iframe>`, true, false},
		{`<iframe src=a title=" "></iframe>`, false, false},
		{`<iframe src=a aria-labelledby=full></iframe>`, true, false},
		{`<iframe src=a aria-labelledby=blank></iframe>`, false, false},
		{`<iframe src=a role=presentation></iframe>`, false, true},
		{`<iframe src=a tabindex=-1></iframe>`, false, true},
		{`<iframe src=a aria-hidden=true></iframe>`, false, true},
	} {
		d := read(t, "<body>"+test.html+ids)
		if len(d.Frames) != 1 || d.Frames[0].Named != test.named || d.Frames[0].Hidden != test.hidden {
			t.Errorf("%s: %+v", test.html, d.Frames)
		}
	}
}

// A page in which everything refers to the same large element must not take long, and nothing is said of what was not looked at.
func TestNamesAreBounded(t *testing.T) {
	const nodes, links = 4000, 1000
	d := read(t, "<body><div id=x>"+strings.Repeat("<i></i>", nodes)+"</div>"+strings.Repeat("<a href=/ aria-labelledby=x></a>", links))
	if first, last := d.ExposedLinks[0], d.ExposedLinks[links-1]; first.Named || !last.Named {
		t.Errorf("first %v, last %v", first.Named, last.Named)
	}
}
