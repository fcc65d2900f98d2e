package main

import (
	"fmt"
	"strings"
)

var (
	goodDoctypes = []string{
		"<!DOCTYPE html>", "<!DOCTYPE html>", "<!doctype html>", `<!DOCTYPE html SYSTEM "about:legacy-compat">`, "<!-- made by hand -->\n<!DOCTYPE html>",
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`,
	}
	oddDoctypes = []string{
		"", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">", "<!DOCTYPE xhtml>", "Hello<!DOCTYPE html>",
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">`,
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`,
		`<?xml version="1.0" encoding="utf-8"?>` + "\n<!DOCTYPE html>", "<!DOCTYPE>",
	}
)

// htmlAttributes returns the attributes of the html element.
func (m *maker) htmlAttributes() string {
	lang := m.pick([]string{` lang="CODE"`, ` lang=CODE`, ` lang="CODE-001"`, ` LANG="CODE"`, ` lang="CODE" xml:lang="CODE"`},
		[]string{"", ` lang=""`, ` lang="  "`, ` lang="english"`, ` lang="xx"`, ` xml:lang="CODE"`, ` lang="CODE_XX"`, ` lang="zz-ZZ"`, ` lang="CODE-"`,
			` lang=" CODE "`, ` lang="CODE-Latn"`, ` lang="x-CODE"`})
	lang = strings.ReplaceAll(lang, "CODE", m.code)
	if m.rtl {
		lang += ` dir="rtl"`
	}
	return lang
}

// head writes the head, its parts in an order of chance, but with the charset early as most people do.
func (m *maker) head() {
	m.write("<head>")
	charset := func() {
		m.write("%s", m.pick([]string{`<meta charset="utf-8">`, `<meta http-equiv="Content-Type" content="text/html; charset=utf-8">`, `<meta charset=UTF-8 />`},
			[]string{"", `<meta charset="none">`, `<meta name="charset" content="utf-8">`}))
	}
	if m.isOdd() {
		m.write("<!-- %s -->", strings.Repeat(m.one("padding ", "comments of a theme "), 60+m.IntN(80)))
	}
	charset()
	m.shuffled(m.title, m.description, m.viewport, m.robots, m.canonical, m.hreflang, m.assets, m.refresh, m.endsHead)
	if !m.isOdd() {
		m.write("</head>")
	}
}

func (m *maker) title() {
	topic := m.topic()
	m.write("%s", m.pick([]string{"<title>" + topic + "</title>", "<title>\n  " + topic + " – " + m.topic() + "\n</title>"},
		[]string{"", "<title></title>", "<title>   </title>", "<title>&nbsp;</title>", "<title>" + topic + "</title><title>Again</title>", "<title></title><title>" + topic + "</title>"}))
}

func (m *maker) description() {
	text := m.text()
	m.write("%s", m.pick([]string{`<meta name="description" content="` + text + `">`, `<META NAME=Description CONTENT='` + text + `'>`},
		[]string{"", `<meta name="description" content="">`, `<meta name="description" content="  ">`, `<meta name="description">`,
			`<meta property="description" content="` + text + `">`, `<meta name="description" content=""><meta name="description" content="` + text + `">`,
			`<meta name=" description" content="` + text + `">`, `<meta name="twitter:description" content="` + text + `">`}))
}

func (m *maker) viewport() {
	m.write("%s", m.pick([]string{
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, `<meta name="viewport" content="width=device-width">`,
		`<meta name=viewport content="initial-scale=1.0; width=device-width">`, `<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">`,
	}, []string{
		"", `<meta name="viewport" content="">`, `<meta name="viewport" content="width=1024">`, `<meta name="viewport" content="width=device-width, user-scalable=no">`,
		`<meta name="viewport" content="width=device-width, maximum-scale=1">`, `<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=5">`,
		`<meta name="viewport" content="initial-scale=0.5">`, `<meta name="viewport" content="user-scalable=0, width=device-width">`, `<meta name="viewport" content="minimal-ui">`,
		`<meta name="viewport" content="width=device-width, user-scalable=yes, maximum-scale=2.5">`, `<meta name="viewport" content="width=device-width, maximum-scale=yes">`,
		`<meta name="viewport" content="width device-width">`, `<meta name="viewport" content="height=device-height">`,
		`<meta name="viewport" content="width=device-width"><meta name="viewport" content="width=device-width, user-scalable=no">`,
		`<meta name="viewport" content="width=device-width user-scalable=no">`, `<meta name="viewport" content="width=device-width, maximum-scale=0">`,
	}))
}

func (m *maker) robots() {
	m.write("%s", m.pick([]string{"", `<meta name="robots" content="index, follow">`, `<meta name="robots" content="max-image-preview:large">`}, []string{
		`<meta name="robots" content="noindex">`, `<meta name="robots" content="NOINDEX, nofollow">`, `<meta name="googlebot" content="noindex">`,
		`<meta name="ROBOTS" content="none">`, `<meta name="robots" content="nofollow">`, `<meta name="robots" content="unavailable_after: 2020-01-01">`,
		`<meta name="robots" content="noindex;nofollow">`, `<meta name="bingbot" content="noindex"><meta name="googlebot" content="noindex">`,
		`<meta name="robots" content="index"><meta name="robots" content="noindex">`, `<meta name="robots" content="noindexing">`,
	}))
}

func (m *maker) canonical() {
	m.write("%s", m.pick([]string{"", `<link rel="canonical" href="https://localhost/visit/tickets">`, `<LINK REL=Canonical HREF="https://localhost/oven">`}, []string{
		`<link rel="canonical" href="/visit">`, `<link rel="canonical" href="visit.html">`, `<link rel="canonical" href="">`, `<link rel="canonical">`,
		`<link rel="canonical" href="https://">`, `<link rel="canonical" href="//localhost/a">`, `<link rel="canonical" href="https://localhost/a"><link rel="canonical" href="https://localhost/b">`,
		`<link rel="canonical" href="https://localhost/a"><link rel="canonical" href="https://localhost/a">`, `<link rel="canonical alternate" href="/x">`,
		`<link rel="canonical" href="https://localhost/"><link rel="alternate" hreflang="de" href="https://localhost/">`, `<link rel="canonical" href="/">`,
		`<link rel="canonical" href="https://localhost/a?page=2#part">`,
	}))
}

func (m *maker) hreflang() {
	if m.coin() && !m.isOdd() {
		return
	}
	for _, code := range m.otherLanguages() {
		code = m.pick([]string{code, strings.ToUpper(code), code + "-CH", "x-default", "zh-Hant", "zh-Hans-CN"},
			[]string{code + "-XX", "xx", code + "_DE", "en-UK", "eng", code + "-419", "", " " + code, code + "-", "sr-Cyrl-RS", "x-Default", "en-EU", "iw", code + "-Zzzz", "cmn", "de-1996"})
		href := m.pick([]string{"https://localhost/" + strings.ToLower(strings.TrimSpace(code)) + "/"}, []string{"/" + code, "//localhost/" + code, "", "https://localhost/x"})
		m.write(`<link rel="alternate" hreflang="%s" href="%s">`, code, href)
	}
}

func (m *maker) assets() {
	m.write("%s", m.one("", `<link rel="stylesheet" href="/style.css">`, `<script src="/app.js" defer></script>`, `<script>window.dataLayer = [];</script>`,
		`<style>.hide { color: inherit }</style>`, `<noscript><link rel="stylesheet" href="/noscript.css"></noscript>`))
}

func (m *maker) refresh() {
	if m.isOdd() && m.IntN(3) == 0 {
		m.write("%s", m.one(`<meta http-equiv="refresh" content="600">`, `<meta http-equiv="Refresh" content="300; url=/elsewhere">`,
			`<meta http-equiv="refresh" content="">`, `<meta http-equiv="refresh" content="soon">`, `<meta http-equiv="refresh" content="90000">`))
	}
}

// endsHead writes an element that ends the head, before what other parts write.
func (m *maker) endsHead() {
	if m.isOdd() && m.IntN(3) == 0 {
		m.write("%s", m.one(`<div id="tracker"></div>`, `<img src="/pixel.png" alt="" width="1" height="1">`, `<noscript><img src="/pixel.png" alt=""></noscript>`,
			`<iframe src="about:blank" title="Tags" width="0" height="0"></iframe>`, `<p>`, `text of the head`, fmt.Sprintf(`<template><h1>%s</h1></template>`, m.topic())))
	}
}
