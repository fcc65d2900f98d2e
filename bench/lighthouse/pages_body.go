package main

import (
	"fmt"
	"strings"
)

// article is a text with a navigation before it.
func (m *maker) article() {
	m.navigation()
	m.main(func() {
		m.write("<article><h1>%s</h1>", m.topic())
		m.some(2, 5, m.section)
		m.image()
		m.write("</article>")
		m.some(1, 3, m.link)
	})
	m.write("<footer><p>© 1892 %s</p>", m.topic())
	m.some(1, 3, m.link)
	m.write("</footer>")
}

// shop lists goods.
func (m *maker) shop() {
	m.navigation()
	m.main(func() {
		m.write("<h1>%s</h1>\n<ul class=goods>", m.topic())
		m.some(3, 6, func() {
			m.write("<li><h2>%s</h2>", m.topic())
			m.image()
			m.write("<p>%s</p>", m.text())
			m.link()
			m.button()
			m.write("</li>")
		})
		m.write("</ul>")
		m.control()
	})
}

// tableLayout is a page as of old.
func (m *maker) tableLayout() {
	m.write(`<table width=100%% cellpadding=0><tr><td bgcolor=#ccc><font size=+2>%s</font><td>`, m.topic())
	m.some(2, 4, m.link)
	m.write(`<tr><td colspan=2><center><b>%s</b></center>`, m.topic())
	m.some(2, 4, func() { m.write("<p>%s<br>", m.text()) })
	m.some(1, 3, m.image)
	m.write("<a name=top></a><a href=#top>%s</a></table>", m.topic())
	m.list()
}

// app is what a framework would fill in.
func (m *maker) app() {
	m.write(`<div id="root"><div class="css-1a2b3c" data-v-7ba5bd90><header><a href="/" class="logo"><svg viewBox="0 0 9 9" width="9" height="9">%s<path d="M0 0h9v9z"/></svg></a></header>`,
		m.pick([]string{"<title>" + m.topic() + "</title>"}, []string{"", "<desc>x</desc>"}))
	m.write(`<main role="main" class="container">`)
	m.write("<h1><span>%s</span></h1>", m.topic())
	m.some(1, 3, m.section)
	m.some(1, 3, m.button)
	m.some(1, 3, m.link)
	m.write(`</main></div></div><template><li>%s</li><img src="/a.png"></template><noscript><p>Please switch scripts on. <a href="/help">here</a><img src="/b.png"></noscript>`, m.topic())
	m.write(`<script type="application/json">{"page": "<h4>"}</script><script>var state = 1;</script>`)
}

// docs is a manual with many headings and lists.
func (m *maker) docs() {
	m.write(`<a href="#content" class="skip">%s</a>`, m.topic())
	m.navigation()
	m.main(func() {
		m.write(`<h1 id="content">%s</h1>`, m.topic())
		m.some(3, 7, m.heading)
		m.some(2, 3, m.list)
		m.write("<pre><code>&lt;h1&gt; &lt;img&gt;</code></pre>")
		m.some(2, 4, m.link)
	})
}

// landing is a page of large images and calls to do something.
func (m *maker) landing() {
	m.main(func() {
		m.write(`<section class="hero"><h1>%s</h1><p>%s</p>`, m.topic(), m.text())
		m.some(1, 2, m.button)
		m.some(1, 2, m.link)
		m.write("</section>")
		m.some(3, 6, m.image)
		m.some(1, 3, m.section)
		m.frame()
	})
}

// formPage asks people for something.
func (m *maker) formPage() {
	m.navigation()
	m.main(func() {
		m.write(`<h1>%s</h1><form action="/send" method="post">`, m.topic())
		m.some(3, 7, m.control)
		m.button()
		m.write("</form>")
		m.link()
	})
}

// media shows videos, frames and images.
func (m *maker) media() {
	m.main(func() {
		m.write("<h1>%s</h1>", m.topic())
		m.some(1, 2, m.video)
		m.some(1, 3, m.frame)
		m.some(2, 4, m.image)
		m.link()
	})
}

// forum is a list of what people wrote.
func (m *maker) forum() {
	m.navigation()
	m.main(func() {
		m.write("<h1>%s</h1><ol>", m.topic())
		m.some(3, 6, func() {
			m.write(`<li id="%s"><h3>%s</h3><p>%s</p>`, m.id(), m.topic(), m.text())
			m.image()
			m.link()
			m.write("</li>")
		})
		m.write("</ol>")
		m.control()
		m.button()
	})
}

// wild is everything in any order.
func (m *maker) wild() {
	m.some(8, 16, func() {
		m.shuffled(m.heading)
		[]func(){m.link, m.image, m.list, m.button, m.control, m.frame, m.video, m.section, m.heading, m.focus}[m.IntN(10)]()
	})
}

// main writes the main part of the page.
func (m *maker) main(inside func()) {
	start, end, _ := strings.Cut(m.pick([]string{"<main>|</main>", `<div role="main">|</div>`},
		[]string{`<div class="main">|</div>`, `<main hidden></main><div>|</div>`, "<main>|", `<div role=" MAIN ">|</div>`, `<main role="presentation">|</main>`, "<main>x</main><main>|</main>"}), "|")
	m.write("%s", start)
	inside()
	m.focus()
	m.write("%s", end)
}

func (m *maker) navigation() {
	m.write("<nav><ul>")
	m.some(2, 5, func() {
		m.write("<li>")
		m.link()
	})
	m.write("</ul></nav>")
}

func (m *maker) section() {
	m.heading()
	m.some(1, 3, func() { m.write("<p>%s</p>", m.text()) })
	if m.coin() {
		m.list()
	}
}

func (m *maker) heading() {
	topic := m.topic()
	m.write("%s", m.pick([]string{"<h2>" + topic + "</h2>", "<h2><a href=/topic>" + topic + "</a></h2>", `<h2><img src="/a.png" width=9 height=9 alt="` + topic + `"></h2>`}, []string{
		"<h4>" + topic + "</h4>", "<h3>" + topic + "</h3>", "<h2></h2>", "<h2>&nbsp;</h2>", `<h2><img src="/a.png" alt=""></h2>`, `<h5 style="display:none">` + topic + "</h5>",
		`<div role="heading" aria-level="4">` + topic + "</div>", `<h2 aria-label="` + topic + `"></h2>`, `<h6 aria-hidden="true">` + topic + "</h6>", "<h1>" + topic + "</h1>",
		`<h3 role="presentation">` + topic + "</h3>", `<h2><span hidden>` + topic + `</span></h2>`, `<h2><span aria-hidden="true">*</span></h2>`, `<h4 aria-level="2" role="heading">` + topic + `</h4>`,
		`<h2 title="` + topic + `"></h2>`, `<div role="heading">` + topic + `</div>`, `<h2 aria-labelledby="nowhere"></h2>`, `<h2><svg width=9 height=9><title>` + topic + `</title></svg></h2>`,
		`<h2 aria-hidden="true"></h2>`, `<h3><br></h3>`, `<div role="heading" aria-level="2"></div>`,
	}))
}

func (m *maker) link() {
	topic, generic := m.topic(), m.one(m.generic...)
	m.write("%s", m.pick([]string{
		`<a href="/visit">` + topic + "</a>", `<a href="https://localhost/` + m.id() + `">` + topic + "</a>", `<a href="#part"><b>` + topic + "</b></a>",
		`<a href="mailto:info@example.org">` + topic + "</a>", `<a href="/img"><img src="/a.png" width="30" height="20" alt="` + topic + `"></a>`, `<a href="tel:+43123456">` + topic + "</a>",
		`<a id="` + m.id() + `"></a>`,
	}, []string{
		`<a href="/visit">` + generic + "</a>", `<a href="/visit"> ` + strings.ToUpper(generic) + "\n</a>", `<a href="/visit" rel="nofollow">` + generic + "</a>", `<a href="#x">` + generic + "</a>",
		`<a href="/visit">` + generic + "<span style=\"display:none\"> " + topic + "</span></a>", `<a href="/visit" lang="en">Read more</a>`, `<div lang="de"><a href="/visit">weiterlesen</a></div>`,
		`<a href="/visit"><span>` + generic + "</span></a>", `<a href="/visit">` + generic + "!</a>", `<a href="/visit" style="display:none">` + generic + "</a>",
		`<a href="/visit" aria-label="` + topic + `">` + generic + "</a>", `<a href="/empty"></a>`, `<a href="/icon"><i class="icon"></i></a>`, `<a href="/icon"><img src="/a.png" alt=""></a>`,
		`<a href="/icon" title="` + topic + `"></a>`, `<a href="/icon"><svg viewBox="0 0 9 9" width="9" height="9"></svg></a>`, `<a href="/icon"><svg width="9" height="9" aria-label="` + topic + `" role="img"></svg></a>`,
		`<a href="javascript:void(0)">` + topic + "</a>", `<a href="javascript:open()">` + topic + "</a>", `<a onclick="go()">` + topic + "</a>", `<a href="#" onclick="go()">` + topic + "</a>",
		`<a href="">` + topic + "</a>", `<a>` + topic + "</a>", `<a href="http://">` + topic + "</a>", `<a rel="next">` + topic + "</a>", `<a role="button" onclick="go()">` + topic + "</a>",
		`<a href="javascript: void(0)" role="button">` + topic + "</a>", `<a href="file:///home/x">` + topic + "</a>", `<a name="x" href="javascript:void(0)">` + topic + "</a>",
		`<a href="/hidden" aria-hidden="true"></a>`, `<a href="/visit" tabindex="-1"></a>`, `<a href="/icon"><span aria-hidden="true">→</span></a>`, `<a href="/b"><span aria-label="` + topic + `"></span></a>`,
		`<a href="/visit" hidden></a>`, `<a href="/visit">https://localhost/visit</a>`, `<a href="/visit" role="none"></a>`, `<a href="/visit" aria-labelledby="nowhere"></a>`, `<a href="/visit" title=" "> </a>`,
		`<a href="JavaScript:void(0);">` + topic + "</a>", `<a href="/icon"><input type="image" src="/a.png" alt="` + topic + `"></a>`, `<a href="/visit"><style>.x{}</style></a>`,
		`<a href="/visit"><object data="/a.png" type="image/png">` + topic + `</object></a>`, `<a href="/visit">&nbsp;</a>`, `<a href="https://exa mple.org/">` + topic + "</a>", `<a href="javascript:;">` + topic + "</a>",
	}))
}

func (m *maker) image() {
	topic := m.topic()
	m.write("%s", m.pick([]string{
		`<img src="/a.png" alt="` + topic + `" width="300" height="200">`, `<img src="/a.png" alt="" width=300 height=200 loading=lazy>`,
		`<figure><img src="/a.png" alt="` + topic + `" style="width:300px;aspect-ratio:3/2"><figcaption>` + topic + "</figcaption></figure>",
		`<picture><source srcset="/a.webp" type="image/webp"><img src="/a.png" alt="` + topic + `" width="300" height="200"></picture>`,
	}, []string{
		`<img src="/a.png">`, `<img src="/a.png" alt>`, `<img src="/a.png" title="` + topic + `">`, `<img src="/a.png" alt=" ">`, `<img src="/a.png" alt="` + topic + `">`,
		`<img src="/a.png" alt="` + topic + `" width="300">`, `<img src="/a.png" width="300" height="200">`, `<img src="/a.png" aria-hidden="true">`, `<img src="/a.png" role="presentation">`,
		`<img src="/a.png" aria-label="` + topic + `">`, `<div style="display:none"><img src="/a.png"></div>`, `<img src="/b.png" alt="x" height="auto" width="auto">`,
		`<img src="/a.png" alt="" style="position:absolute">`, `<img src="/a.png" alt="" width="100%" height="50%">`, `<img src="/a.png" alt="" style="width:100%;height:auto">`,
		`<img alt="" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E">`, `<img src="/a.png" alt="" style="aspect-ratio:3/2">`, `<img src="/a.png" aria-labelledby="nowhere">`,
		`<img src="/a.png" alt="" height="200" style="aspect-ratio:3/2">`, `<img src="/a.png" role="none" tabindex="0">`, `<img src="/a.png" title="">`, `<img src="/a.png" alt="" width="+300" height="x">`,
		`<img src="/a.png" alt="" width="0" height="0">`, `<img srcset="/a.png 2x" alt="">`, `<img src="/a.png" hidden>`, `<img src="/a.png" role="img">`,
	}))
}

func (m *maker) list() {
	a, b := m.topic(), m.topic()
	m.write("%s", m.pick([]string{
		"<ul><li>" + a + "<li>" + b + "</ul>", "<ol><li>" + a + "</li><li>" + b + "</li></ol>", "<dl><dt>" + a + "<dd>" + b + "</dl>", "<dl><div><dt>" + a + "</dt><dd>" + b + "</dd></div></dl>",
		"<menu><li>" + a + "</menu>",
	}, []string{
		"<div><li>" + a + "</li></div>", "<ul><div><li>" + a + "</li></div></ul>", "<div><dt>" + a + "</dt></div>", `<ul role="menu"><li role="menuitem">` + a + "</li></ul>",
		`<ul role="presentation"><li>` + a + "</li></ul>", `<div role="list"><li>` + a + "</li></div>", `<div hidden><li>` + a + "</li></div>", "<dl><p><dt>" + a + "</dt></p></dl>", "<ul><p>" + b + "</p><li>" + a + "</ul>",
		`<div><li role="presentation">` + a + "</li></div>", `<ul role="list"><li>` + a + "</li></ul>", `<dl role="list"><dt>` + a + "</dt></dl>", "<dl><div><div><dd>" + a + "</dd></div></div></dl>", `<div><li role="listitem">` + a + "</li></div>",
		`<ul role="tablist"><li>` + a + "</li></ul>", `<ul role="group"><li>` + a + "</li></ul>",
	}))
}

func (m *maker) button() {
	topic := m.topic()
	m.write("%s", m.pick([]string{
		"<button>" + topic + "</button>", `<button type="button" aria-label="` + topic + `">×</button>`, `<input type="submit" value="` + topic + `">`, `<input type="submit">`,
	}, []string{
		"<button></button>", `<button><i class="icon"></i></button>`, `<button><svg width="9" height="9"></svg></button>`, `<button title="` + topic + `"></button>`, `<input type="button">`, `<input type="button" value="` + topic + `">`,
		`<input type="image" src="/a.png">`, `<input type="image" src="/a.png" alt="` + topic + `">`, `<button><img src="/a.png" width=9 height=9 alt="` + topic + `"></button>`, `<button><span aria-hidden="true">×</span></button>`,
		`<button aria-labelledby="nowhere"></button>`, `<button hidden></button>`, `<button value="` + topic + `"></button>`, `<div role="button"></div>`, `<button disabled></button>`, `<button role="presentation"></button>`,
		`<input type="reset" value="">`, `<input type="submit" value="">`, `<button><img src="/a.png" width=9 height=9 alt=""></button>`, `<button role="switch" aria-checked="true"></button>`, `<input type="button" title="` + topic + `">`,
		`<button placeholder="` + topic + `"></button>`, `<label>` + topic + `<button></button></label>`,
	}))
}

func (m *maker) control() {
	topic, id := m.topic(), m.id()
	m.write("%s", m.pick([]string{
		fmt.Sprintf(`<label for="%s">%s</label><input id="%s">`, id, topic, id), "<label>" + topic + ` <input type="text" name="a"></label>`, `<input type="search" aria-label="` + topic + `">`, `<input type="hidden" name="t">`,
		fmt.Sprintf(`<label for="%s">%s</label><select id="%s"><option>%s</option></select>`, id, topic, id, topic), "<label>" + topic + " <textarea></textarea></label>",
	}, []string{
		"<input>", `<input type="email" placeholder="` + topic + `">`, `<input type="text" title="` + topic + `">`, "<select><option>" + topic + "</option></select>", "<textarea></textarea>", `<label for="` + id + `"></label><input id="` + id + `">`,
		`<label><input type="checkbox"></label>`, `<input type="radio">` + topic, "<label>" + topic + "</label><input>", `<input style="display:none">`, `<input aria-hidden="true">`, `<input disabled>`, `<label><select><option>` + topic + `</option></select></label>`,
		fmt.Sprintf(`<label for="%s"><img src="/a.png" width=9 height=9 alt="%s"></label><input id="%s">`, id, topic, id), fmt.Sprintf(`<label for="%s" hidden>%s</label><input id="%s">`, id, topic, id), `<input aria-labelledby="nowhere">`,
		`<input type="file">`, `<input type="range">`, `<input type="checkbox" role="switch">`, `<select multiple><option>` + topic + `</option></select>`, `<input readonly value="` + topic + `">`, `<select title="` + topic + `"><option>1</option></select>`,
		`<input type="text" aria-placeholder="` + topic + `">`, `<input type="">`, `<input type="color">`, `<fieldset><legend>` + topic + `</legend><input type="radio" name="r"></fieldset>`, `<label aria-label="` + topic + `"><input></label>`,
	}))
}

func (m *maker) frame() {
	topic := m.topic()
	m.write("%s", m.pick([]string{`<iframe src="/frame" title="` + topic + `"></iframe>`, `<iframe srcdoc="<p>x" title="` + topic + `" loading="lazy"></iframe>`},
		[]string{`<iframe src="/frame"></iframe>`, `<iframe src="/frame" title=""></iframe>`, `<iframe src="/frame" aria-hidden="true"></iframe>`, `<iframe src="about:blank" style="display:none"></iframe>`, `<iframe src="/frame" aria-label="` + topic + `"></iframe>`,
			`<iframe src="/frame" tabindex="-1"></iframe>`, `<iframe src="/frame" role="presentation"></iframe>`, `<iframe src="/frame" name="` + topic + `"></iframe>`, `<iframe src="/frame" width="0" height="0"></iframe>`, `<iframe src="/frame" aria-labelledby="nowhere"></iframe>`,
			`<iframe></iframe>`, `<iframe src="/frame" title="` + topic + `"></iframe><iframe src="/frame" title="` + topic + `"></iframe>`}))
}

func (m *maker) video() {
	m.write("%s", m.pick([]string{`<video controls><source src="/v.mp4"><track kind="captions" src="/v.vtt" srclang="en"></video>`, `<video src="/v.mp4" muted autoplay loop></video>`},
		[]string{`<video src="/v.mp4" controls></video>`, `<video controls><track kind="subtitles" src="/v.vtt"></video>`, `<video controls><track src="/v.vtt"></video>`, `<video src="/v.mp4" hidden></video>`, `<video src="/v.mp4" aria-hidden="true"></video>`,
			`<video></video>`, `<video controls><track kind="CAPTIONS" src="/v.vtt"></video>`, `<video src="/v.mp4" autoplay></video>`, `<div style="display:none"><video src="/v.mp4"></video></div>`, `<video role="presentation" src="/v.mp4"></video>`}))
}

// focus writes something that people reach with the keyboard.
func (m *maker) focus() {
	m.write("%s", m.pick([]string{"", `<div tabindex="0">` + m.topic() + "</div>", `<div tabindex="-1">` + m.topic() + "</div>"},
		[]string{`<div tabindex="1">` + m.topic() + "</div>", `<div tabindex="5" hidden>` + m.topic() + "</div>", `<div tabindex="x">` + m.topic() + "</div>", `<div tabindex=" 2">` + m.topic() + "</div>", `<div tabindex="3" style="display:none">x</div>`,
			`<input type="hidden" tabindex="4">`, `<div tabindex="99999999999">` + m.topic() + `</div>`, `<div tabindex="1.5">` + m.topic() + `</div>`, `<div tabindex="+1">` + m.topic() + `</div>`, `<div tabindex="1" aria-hidden="true">x</div>`}))
}
