package audit

import (
	"strings"
	"testing"
)

// viewport returns a page with this viewport.
func viewport(content string) string {
	return pageOf(`<meta name="viewport" content="`+content+`">`, "")
}

func TestDocumentChecks(t *testing.T) {
	untyped := with("Content-Type", "text/html")
	runCheckCases(t, htmlDocument, []checkCase{
		{id: "doctype", name: "html", html: "<!doctype HTML><p>", want: Passed},
		{id: "doctype", name: "about:legacy-compat", html: `<!DOCTYPE html SYSTEM "about:legacy-compat">`, want: Passed},
		{id: "doctype", name: "strict", html: `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`, want: Passed},
		{id: "doctype", name: "missing", html: "<html>", want: Failed, detail: "no doctype"},
		{id: "doctype", name: "quirks", html: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">`, want: Failed, detail: "into quirks"},
		{id: "doctype", name: "loose without address", html: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`, want: Failed, detail: "into quirks"},
		{id: "doctype", name: "limited", html: `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`, want: Failed, detail: "limited quirks"},
		{id: "doctype", name: "other name", html: `<!DOCTYPE xml>`, want: Failed},

		{id: "charset", name: "header", want: Passed, detail: "Content-Type header"},
		{id: "charset", name: "meta", html: pageOf(`<meta charset="UTF-8">`, ""), change: untyped, want: Passed, detail: "meta"},
		{id: "charset", name: "mark", html: "\ufeff<p>", change: untyped, want: Passed, detail: "byte order mark"},
		{id: "charset", name: "XML declaration", html: `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>`, change: untyped, want: Passed, detail: "XML"},
		{id: "charset", name: "none", html: pageOf("", ""), change: untyped, want: Failed},
		{id: "charset", name: "too late", html: pageOf("<!--"+strings.Repeat("x", 1024)+`--><meta charset="utf-8">`, ""), change: untyped, want: Failed},
		{id: "charset", name: "unknown in header", html: "<p>", change: with("Content-Type", "text/html; charset=x-nothing"), want: Failed},

		{id: "viewport", name: "width", html: viewport("width=device-width, initial-scale=1"), want: Passed},
		{id: "viewport", name: "scale", html: viewport("initial-scale=1.0"), want: Passed},
		{id: "viewport", name: "neither", html: viewport("user-scalable=yes"), want: Failed, detail: "neither"},
		{id: "viewport", name: "shrunken", html: viewport("width=device-width; initial-scale=.5"), want: Failed, detail: "shrinks"},
		{id: "viewport", name: "none", html: pageOf("", ""), want: Failed, detail: "no viewport"},
		{id: "viewport", name: "fixed", html: viewport("width=1024"), want: Failed, detail: "1,024 pixels"},
		{id: "viewport", name: "in body", html: inBody(`<meta name=viewport content="width=device-width">`), want: Passed},

		{id: "viewport-zoom", name: "free", html: viewport("width=device-width"), want: Passed},
		{id: "viewport-zoom", name: "no", html: viewport("width=device-width,User-Scalable = NO"), want: Failed},
		{id: "viewport-zoom", name: "0", html: viewport("user-scalable=0"), want: Failed},
		{id: "viewport-zoom", name: "maximum", html: viewport("maximum-scale=4.9"), want: Warning, detail: "at least 5"},
		{id: "viewport-zoom", name: "twice", html: viewport("maximum-scale=2.0"), want: Warning},
		{id: "viewport-zoom", name: "less than twice", html: viewport("maximum-scale=1.99"), want: Failed, detail: "twice"},
		{id: "viewport-zoom", name: "not at all", html: viewport("maximum-scale=0"), want: Failed},
		{id: "viewport-zoom", name: "a word", html: viewport("maximum-scale=none"), want: Failed},
		{id: "viewport-zoom", name: "separated by white space", html: viewport("width=device-width initial-scale=1 maximum-scale=1"), want: Failed},
		{id: "viewport-zoom", name: "white space around the sign", html: viewport("user-scalable \n= no"), want: Failed, detail: "user-scalable=no"},
		{id: "viewport-zoom", name: "names without values", html: viewport("maximum-scale=, user-scalable="), want: Passed},
		{id: "viewport-zoom", name: "between -1 and 1", html: viewport("user-scalable=-.5"), want: Failed},
		{id: "viewport-zoom", name: "-1", html: viewport("user-scalable=-1"), want: Passed},
		{id: "viewport-zoom", name: "the last of two", html: viewport("user-scalable=no, user-scalable=yes"), want: Passed},
		{id: "viewport-zoom", name: "enough", html: viewport("maximum-scale=5, user-scalable=yes"), want: Passed},
		{id: "viewport-zoom", name: "maximum of a word", html: viewport("maximum-scale=yes"), want: Failed},
		{id: "viewport-zoom", name: "maximum of the device", html: viewport("maximum-scale=device-width"), want: Passed},
		{id: "viewport-zoom", name: "no maximum", html: viewport("maximum-scale=-1"), want: Passed},
		{id: "viewport-zoom", name: "number with a unit", html: viewport("maximum-scale=5.0x, user-scalable=1px"), want: Passed},
		{id: "viewport-zoom", name: "unknown word", html: viewport("user-scalable=none"), want: Failed},
		{id: "viewport-zoom", name: "last one", html: pageOf(`<meta name=viewport content="width=device-width"><meta name=viewport content="user-scalable=no">`, ""), want: Failed},
		{id: "viewport-zoom", name: "none", want: NotApplicable},

		{id: "deprecated-html", name: "today's", html: inBody("<s>a</s><u>b</u>"), want: Passed},
		{id: "deprecated-html", name: "old", html: inBody("<center><font color=red>a</font></center><tt>b</tt>"), want: Failed, detail: "3 obsolete"},

		{id: "head-elements", name: "in place", html: pageOf("<title>a</title><noscript><style></style></noscript><template><div></div></template>", "<p>a"), want: Passed},
		{id: "head-elements", name: "ended early", html: pageOf("<title>a</title>\n<div>x</div><meta name=description content=b>", ""), want: Failed, detail: "ends it early"},
		{id: "head-elements", name: "in body", html: pageOf("", "<p>a<meta name=description content=b><title>c</title>"), want: Failed, detail: "2 head elements"},
		{id: "head-elements", name: "microdata in body", html: pageOf("", `<meta itemprop=price content=1><link rel=stylesheet href=a>`), want: Passed},
		{id: "head-elements", name: "no tags", html: "<title>a</title><p>b", want: Passed},
		{id: "head-elements", name: "text in head", html: "<html><head>a<title>b</title></head>", want: Failed},

		{id: "duplicate-id", name: "unique", html: inBody("<p id=a><p id=b>"), want: Passed, detail: "2 ids"},
		{id: "duplicate-id", name: "again", html: inBody("<p id=a><p id=a><p id=a>"), want: Failed, detail: "2 elements"},
		{id: "duplicate-id", name: "in template", html: inBody("<p id=a><template><p id=a></template>"), want: Passed},
		{id: "duplicate-id", name: "hidden", html: inBody("<p id=a hidden><svg id=a></svg>"), want: Failed, detail: "1 element"},
		{id: "duplicate-id", name: "another case", html: inBody("<p id=a><p id=A>"), want: Passed},
		{id: "duplicate-id", name: "blank", html: inBody("<p id=' '><p id=' '>"), want: NotApplicable},
		{id: "duplicate-id", name: "none", html: inBody("<p id=''>"), want: NotApplicable},

		{id: "mime-type", name: "html", want: Passed},
		{id: "mime-type", name: "xhtml", change: with("Content-Type", "application/xhtml+xml"), want: Passed},
		{id: "mime-type", name: "text", change: with("Content-Type", "text/plain"), want: Failed},
		{id: "mime-type", name: "none", change: with("Content-Type"), want: Failed},
		{id: "mime-type", name: "the last of two", change: with("Content-Type", "text/plain", "text/html"), want: Passed},
		{id: "mime-type", name: "a parameter that cannot be read", change: with("Content-Type", "text/html; ;="), want: Passed},
		{id: "mime-type", name: "unreadable", change: with("Content-Type", "html;;="), want: Failed},
	}, []string{"doctype", "charset", "viewport", "deprecated-html", "head-elements", "mime-type"}, nil)
}

func TestAccessibilityChecks(t *testing.T) {
	runCheckCases(t, htmlAccessibility, []checkCase{
		{id: "form-labels", name: "labels", want: Passed, detail: "6 form fields",
			html: inBody(`<label for=a>A</label><input id=a><label>B <select><option>x</select></label><textarea aria-label=C></textarea>` +
				`<input title=D><input placeholder=E><b id=f>F</b><input aria-labelledby="x f"><input type=hidden><input type=submit>`)},
		{id: "form-labels", name: "none", html: inBody(`<input><label><select><option>x</select></label><label for=a></label><textarea id=a>t</textarea>`), want: Failed, detail: "3 of 3"},
		{id: "form-labels", name: "roles", html: inBody(`<div role=textbox aria-label=A></div><div role=switch>B</div><label>C<div role=textbox></div></label>`), want: Failed, detail: "1 of 3"},
		{id: "form-labels", name: "off", html: inBody(`<input disabled>`), want: Failed},
		{id: "form-labels", name: "off and without a role", html: inBody(`<input disabled role=none><select role=presentation disabled></select>`), want: NotApplicable},
		{id: "form-labels", name: "a role that cannot be taken away", html: inBody(`<input role=none>`), want: Failed},
		{id: "form-labels", name: "hidden", html: inBody(`<input hidden><div aria-hidden=true><input></div><input style="display:none">`), want: NotApplicable},
		{id: "form-labels", name: "hidden label", html: inBody(`<label for=a hidden>A</label><input id=a>`), want: Failed},
		{id: "form-labels", name: "list with placeholder", html: inBody(`<select placeholder=Size><option>1</select>`), want: Failed},
		{id: "form-labels", name: "no fields", html: inBody(`<button>x</button>`), want: NotApplicable},

		{id: "button-name", name: "named", html: inBody(`<button>a</button><button><img alt=b></button><input type=button value=c><input type=image alt=d>`), want: Passed, detail: "4 buttons"},
		{id: "button-name", name: "nameless", html: inBody(`<button><i class=x></i></button><input type=button><input type=image>`), want: Failed, detail: "3 of 3"},
		{id: "button-name", name: "labelled", html: inBody(`<label>A<input type=image></label><label for=b>B</label><input type=button id=b>`), want: Passed, detail: "2 buttons"},
		{id: "button-name", name: "image with a value", html: inBody(`<input type=image value=Search>`), want: Failed},
		{id: "button-name", name: "title", html: inBody(`<button title=A></button><input type=image title=B>`), want: Passed},
		{id: "button-name", name: "role", html: inBody(`<div role=button tabindex=0></div>`), want: Failed},
		{id: "button-name", name: "hidden text", html: inBody(`<button><span aria-hidden=true>x</span></button>`), want: Failed},
		{id: "button-name", name: "off and without a role", html: inBody(`<button disabled role=none></button>`), want: NotApplicable},
		{id: "button-name", name: "placeholder", html: inBody(`<button placeholder=Send></button>`), want: Failed},
		{id: "button-name", name: "emptied", html: inBody(`<input type=submit value=""><input type=reset value=Reset><input type=submit>`), want: Failed, detail: "1 of 2"},
		{id: "button-name", name: "none", html: inBody(`<button hidden></button><input type=submit>`), want: NotApplicable},

		{id: "frame-title", name: "title", html: inBody(`<iframe src=a title=Map></iframe>`), want: Passed},
		{id: "frame-title", name: "none", html: inBody(`<iframe src=a title=" "></iframe>`), want: Failed},
		{id: "frame-title", name: "reference", html: inBody(`<b id=b>Map</b><iframe src=a aria-labelledby=b></iframe>`), want: Passed},
		{id: "frame-title", name: "reference to nothing", html: inBody(`<iframe src=a aria-labelledby=nowhere></iframe>`), want: Failed},
		{id: "frame-title", name: "out of reach", html: inBody(`<iframe src=a tabindex=-1></iframe>`), want: NotApplicable},
		{id: "frame-title", name: "no frames", html: inBody(`<iframe hidden></iframe>`), want: NotApplicable},

		{id: "landmark-main", name: "element", html: inBody("<main>a</main>"), want: Passed},
		{id: "landmark-main", name: "role", html: inBody("<div role=main>a</div>"), want: Passed},
		{id: "landmark-main", name: "two", html: inBody("<main>a</main><main>b</main>"), want: Passed, detail: "2 main"},
		{id: "landmark-main", name: "a role that nobody knows", html: inBody("<main role=content>a</main>"), want: Passed},
		{id: "landmark-main", name: "another role", html: inBody("<main role=region>a</main>"), want: Failed},
		{id: "landmark-main", name: "no role", html: inBody("<main role=presentation>a</main>"), want: Failed},
		{id: "landmark-main", name: "no role, but focusable", html: inBody("<main role=none tabindex=-1>a</main>"), want: Passed},
		{id: "landmark-main", name: "in what is hidden", html: inBody("<div aria-hidden=true><main>a</main></div>"), want: Failed},
		{id: "landmark-main", name: "none", html: inBody("<main hidden>a</main>"), want: Failed},

		{id: "tabindex", name: "0", html: inBody("<p tabindex=0><p tabindex=-1>"), want: Passed},
		{id: "tabindex", name: "1", html: inBody("<p tabindex=1>"), want: Failed},
		{id: "tabindex", name: "number and more", html: inBody(`<p tabindex=" +1.5">`), want: Failed},
		{id: "tabindex", name: "hidden", html: inBody("<p tabindex=1 hidden><p tabindex=2 style='display:none'><input tabindex=3 type=Hidden>"), want: NotApplicable},
		{id: "tabindex", name: "no number", html: inBody("<p tabindex=x><p tabindex=99999999999>"), want: Passed},
		{id: "tabindex", name: "of a thing that is off", html: inBody("<button tabindex=3 disabled>a</button>"), want: Failed},
		{id: "tabindex", name: "not one", html: inBody("<a href=/>a</a>"), want: NotApplicable},

		{id: "list-structure", name: "lists", html: inBody("<ul><li>a</ul><dl><div><dt>b<dd>c</div></dl><p role=list><span role=listitem>"), want: Passed},
		{id: "list-structure", name: "outside", html: inBody("<div><li>a</li></div><p><dd>b"), want: Failed, detail: "2 of 2"},
		{id: "list-structure", name: "other roles", html: inBody("<ul role=tablist><li>a</ul><dl role=tree><dt>b</dl>"), want: Failed, detail: "2 of 2"},
		{id: "list-structure", name: "list roles", html: inBody("<div role=list><li>a</div><ul role=none><li>b</ul><dl role=list><dt>c</dl>"), want: Passed},
		{id: "list-structure", name: "a role that nobody knows", html: inBody("<ul role=items><li>a</ul><div role=items><li>b</div>"), want: Failed, detail: "1 of 2 list items is"},
		{id: "list-structure", name: "items with roles", html: inBody("<div><li role=menuitem>a</div><p><dt role=term>b"), want: Passed},
		{id: "list-structure", name: "a group with a role", html: inBody("<dl><div role=group><dt>a<dd>b</div><div role=none><dt>c<dd>d</div></dl>"), want: Failed, detail: "2 of 4"},
		{id: "list-structure", name: "a group in a group", html: inBody("<dl><div><div><dt>a<dd>b</div></div></dl>"), want: Failed, detail: "2 of 2"},
		{id: "list-structure", name: "terms in an ordinary list", html: inBody("<ul><dt>a<dd>b</ul>"), want: Failed, detail: "2 of 2"},
		{id: "list-structure", name: "an item in a menu", html: inBody("<menu><li>a</menu>"), want: Passed},
		{id: "list-structure", name: "hidden item", html: inBody("<div hidden><li>a</div>"), want: NotApplicable},
		{id: "list-structure", name: "what nobody meets between items", want: Passed,
			html: inBody("<ul><script></script><li>a<template><p></template><p hidden>b</p><!-- c --><link itemprop=d href=e></ul>")},
		{id: "list-structure", name: "an element between items", html: inBody("<ul><li>a</li><p>b</p></ul>"), want: Failed, detail: "only list has more"},
		{id: "list-structure", name: "text between items", html: inBody("<ol><li>a</li>b</ol>"), want: Failed, detail: "has more"},
		{id: "list-structure", name: "items by their role", html: inBody("<ul><div role=listitem>a</div><li role=menuitem>b</ul>"), want: Passed},
		{id: "list-structure", name: "another role between items", html: inBody("<ul><li>a</li><div role=separator></div></ul>"), want: Failed},
		{id: "list-structure", name: "a list with a role", html: inBody("<ul role=group><p>a</p></ul><li role=none>"), want: Passed},
		{id: "list-structure", name: "an empty list", html: inBody("<ul></ul><dl></dl>"), want: NotApplicable},
		{id: "list-structure", name: "a description before its term", html: inBody("<dl><dd>a<dt>b</dl>"), want: Failed, detail: "terms without"},
		{id: "list-structure", name: "a term alone", html: inBody("<dl><dt>a</dl>"), want: Failed},
		{id: "list-structure", name: "two terms of a description", html: inBody("<dl><dt>a<dt>b<dd>c</dl>"), want: Passed},
		{id: "list-structure", name: "a paragraph among terms", html: inBody("<dl><dt>a<dd>b</dd><p>c</p></dl>"), want: Failed},
		{id: "list-structure", name: "a paragraph in a group", html: inBody("<dl><div><dt>a<dd>b</dd><p>c</p></div></dl>"), want: Failed},
		{id: "list-structure", name: "none", html: inBody("<p>"), want: NotApplicable},

		{id: "video-captions", name: "captions", html: inBody("<video src=a><track kind=Captions src=b></video>"), want: Passed},
		{id: "video-captions", name: "none", html: inBody("<video src=a><track kind=subtitles src=b></video>"), want: Failed},
		{id: "video-captions", name: "silent", html: inBody("<video src=a muted autoplay></video>"), want: NotApplicable},
		{id: "video-captions", name: "sound that people can turn on", html: inBody("<video src=a muted controls></video>"), want: Failed},
		{id: "video-captions", name: "hidden", html: inBody("<video src=a hidden></video><div aria-hidden=true><video src=b></video></div>"), want: NotApplicable},
		{id: "video-captions", name: "captions of another", html: inBody("<video src=a></video><video src=b><track kind=captions src=c></video>"), want: Failed, detail: "1 of 2"},
		{id: "video-captions", name: "descriptions", html: inBody("<video src=a><track kind=descriptions src=b><track src=c></video>"), want: Failed},
	}, []string{"landmark-main", "tabindex"}, nil)
}
