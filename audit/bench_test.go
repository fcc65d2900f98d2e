package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"sitegrade/audit/page"
)

// shopPage returns a page as shops and magazines have them, of about 700 bytes a section: with faults of many kinds, so that
// checks have to point at them.
func shopPage(sections int) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Wooden toys made in Graz – Example Shop</title>
<meta name="description" content="We make wooden toys for small and large children in our workshop in Graz, and send them everywhere.">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="canonical" href="https://example.com/shop/page">
<link rel="stylesheet" href="/css/main.css?v=3"><link rel="icon" href="/favicon.ico"><script src="/js/app.js" defer></script>
<link rel="alternate" hreflang="de" href="https://example.com/de/shop"><meta property="og:title" content="Wooden toys">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Train","offers":{"price":"12.00"}}</script>
</head><body><header><nav class="nav nav--main"><ul>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<li class="nav__item"><a class="nav__link" href="/category/%d">Category %d</a></li>`, i, i)
	}
	b.WriteString(`</ul></nav></header><main><h1>Wooden toys</h1>`)
	for i := range sections {
		fmt.Fprintf(&b, `
<article class="card card--product" id="product-%d" data-id="%d"><h2 class="card__title"><a href="/shop/toy-%d?ref=list">Train number %d</a></h2>
<p class="card__text">The train has <strong>%d wagons</strong> of beech &amp; maple, oiled by hand. It runs on every track, and children
from three years on play with it for hours. <em>Made to order</em>, sent within a week.</p><img src="/img/toy-%d.jpg" width="320" height="240"
 loading="lazy"><ul class="tags"><li>wood</li><li>train</li></ul><div class="card__foot"><span class="price">€ %d.00</span>
<a class="more" href="/shop/toy-%d">Read more</a><button type="button" class="btn" onclick="add(%d)">Add</button></div></article>`,
			i, i, i, i, i%9, i, i%50, i, i)
	}
	b.WriteString(`</main><footer><a href="http://example.com/imprint">Imprint</a></footer></body></html>`)
	return b.String()
}

// hundredKilobytes is the number of sections that make a sample page of about 100 kB.
const hundredKilobytes = 145

// BenchmarkParse is what reading the page costs without any fact or check.
func BenchmarkParse(b *testing.B) {
	source := []byte(shopPage(hundredKilobytes))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := html.Parse(bytes.NewReader(source)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDocument is the whole: parsing, facts, all checks and the report.
func BenchmarkDocument(b *testing.B) {
	source := []byte(shopPage(hundredKilobytes))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		grade(benchmarkFacts(source))
	}
}

// BenchmarkFacts is parsing and gathering the facts, without checks.
func BenchmarkFacts(b *testing.B) {
	source := []byte(shopPage(hundredKilobytes))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		page.Parse(source, benchmarkFacts(nil).final)
	}
}

// benchmarkFacts returns the facts of a page that came well.
func benchmarkFacts(source []byte) *facts {
	f := answer("https://example.com/shop/page", 200, "Content-Type: text/html; charset=utf-8\nContent-Encoding: br", string(source))
	return &facts{
		now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), address: f.URL, final: f.URL, response: f.Response,
		doc: page.Parse(source, f.URL),
	}
}

// BenchmarkDocumentAgainstParse does both in turns, so that a busy machine slows both, and reports how often the time of the
// parser alone the whole report takes (the best of each).
func BenchmarkDocumentAgainstParse(b *testing.B) {
	source := []byte(shopPage(hundredKilobytes))
	parse, whole := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if _, err := html.Parse(bytes.NewReader(source)); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		grade(benchmarkFacts(source))
		parse, whole = min(parse, between.Sub(start)), min(whole, time.Since(between))
	}
	b.ReportMetric(float64(whole)/float64(parse), "x-parse")
}

// BenchmarkKept is reading a report from its stored form, uncompressed, with its English words.
func BenchmarkKept(b *testing.B) {
	stored, err := json.Marshal(Keep(grade(benchmarkFacts([]byte(shopPage(hundredKilobytes))))))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(stored)))
	b.ReportAllocs()
	for b.Loop() {
		var kept Kept
		if err := json.Unmarshal(stored, &kept); err != nil {
			b.Fatal(err)
		}
		if _, err := kept.Found(); err != nil {
			b.Fatal(err)
		}
	}
}
