package audit

import (
	"testing"

	"sitegrade/fetch"
)

func TestLinkedPageChecks(t *testing.T) {
	runCheckCases(t, linkedPageChecks, append(linkCases(), alternateCases()...), nil, nil)
}

const linkedPage = "https://example.com/other"

// moved returns an answer that came after a redirect.
func moved(status int) fetch.Result {
	got := answer(linkedPage, status, "", "")
	got.Redirects = []string{"https://example.com/old"}
	return got
}

func linkCases() []checkCase {
	link := func(got fetch.Result) func(*facts) { return fetchedResource(internalLink, got) }
	foreign := func(status int) func(*facts) {
		return fetchedResource(externalLink, answer("https://a.example/", status, "", ""))
	}
	image := func(got fetch.Result) func(*facts) { return fetchedResource(imageResource, got) }
	failed := func(code fetch.Code) fetch.Result {
		got := noAnswer()
		got.Failure.Code = code
		return got
	}
	ok, gone := answer(linkedPage, 200, "", ""), answer(linkedPage, 404, "", "")
	return []checkCase{
		{id: "broken-links", name: "answered", change: all(link(ok), link(moved(200))), want: Passed},
		{id: "broken-links", name: "404", change: all(link(ok), link(gone)), want: Failed, detail: "1 of 2"},
		{id: "broken-links", name: "no such host", change: link(failed(fetch.CodeDNS)), want: Failed},
		{id: "broken-links", name: "slow", change: link(failed(fetch.CodeTimeout)), want: Passed},
		{id: "broken-links", name: "too many requests", change: link(answer(linkedPage, 429, "", "")), want: Passed},
		{id: "broken-links", name: "another site turns away", change: foreign(403), want: Passed},
		{id: "broken-links", name: "another site has it no more", change: foreign(410), want: Failed},
		{id: "broken-links", name: "another site is out of reach", change: fetchedResource(externalLink, noAnswerFrom("https://example.org/")), want: NotApplicable},
		{id: "broken-links", name: "many", change: all(link(gone), link(gone), link(gone), link(gone), link(gone)), want: Failed, severity: High},
		{id: "broken-links", name: "nothing fetched", change: image(ok), want: NotApplicable},
		{id: "links-to-redirect", name: "direct", change: link(ok), want: Passed},
		{id: "links-to-redirect", name: "redirected", change: link(moved(200)), want: Failed},
		{id: "links-to-redirect", name: "a redirect not followed", change: link(answer(linkedPage, 301, "", "")), want: Failed},
		{id: "links-to-redirect", name: "other sites only", change: foreign(301), want: NotApplicable},
		{id: "image-broken", name: "answered", change: image(ok), want: Passed},
		{id: "image-broken", name: "404", change: image(gone), want: Failed},
		{id: "image-broken", name: "nothing fetched", change: link(gone), want: NotApplicable},
	}
}

func alternateCases() []checkCase {
	target := func(got fetch.Result) func(*facts) { return fetchedResource(canonicalTarget, got) }
	alternate := func(got fetch.Result) func(*facts) { return fetchedResource(hreflangTarget, got) }
	const back = `<head><link rel=alternate hreflang=en href="https://example.com/shop/page">`
	return []checkCase{
		{id: "canonical-target", name: "fine", change: target(answer(linkedPage, 200, "", "<p>")), want: Passed},
		{id: "canonical-target", name: "noindex for another crawler", want: Passed,
			change: target(answer(linkedPage, 200, "X-Robots-Tag: otherbot: noindex", "<p>"))},
		{id: "canonical-target", name: "404", change: target(answer(linkedPage, 404, "", "")), want: Failed, detail: "status 404"},
		{id: "canonical-target", name: "redirects", change: target(moved(200)), want: Failed, detail: "redirects to " + linkedPage},
		{id: "canonical-target", name: "noindex in the page", want: Failed,
			change: target(answer(linkedPage, 200, "", "<head><meta name=robots content='follow, NOINDEX'>"))},
		{id: "canonical-target", name: "noindex in a header", change: target(answer(linkedPage, 200, "X-Robots-Tag: none", "")), want: Failed},
		{id: "canonical-target", name: "no answer", change: target(noAnswer()), want: Failed},
		{id: "canonical-target", name: "out of reach", change: target(noAnswerFrom("https://example.org/")), want: NotApplicable},
		{id: "canonical-target", name: "not fetched", want: NotApplicable},
		{id: "hreflang-return", name: "links back", change: alternate(answer(linkedPage, 200, "", back)), want: Passed},
		{id: "hreflang-return", name: "relative", want: Passed,
			change: alternate(answer(linkedPage, 200, "", `<head><link rel=alternate hreflang=en href="/shop/page">`))},
		{id: "hreflang-return", name: "in a header", want: Passed,
			change: alternate(answer(linkedPage, 200, `Link: </x>; rel=next, </shop/page>; rel="alternate"; hreflang="en"`, "<p>"))},
		{id: "hreflang-return", name: "to the canonical address", want: Passed,
			html:   `<head><link rel=canonical href="https://example.com/shop">`,
			change: alternate(answer(linkedPage, 200, "", `<head><link rel=alternate hreflang=en href="/shop">`))},
		{id: "hreflang-return", name: "does not", change: all(alternate(answer(linkedPage, 200, "", back)), alternate(answer(linkedPage, 200, "", "<p>"))),
			want: Failed, detail: "1 of 2 alternates fails: it does not link back"},
		{id: "hreflang-return", name: "noindex", change: alternate(answer(linkedPage, 200, "", back+"<meta name=robots content=noindex>")), want: Failed},
		{id: "hreflang-return", name: "redirects", change: alternate(moved(200)), want: Failed},
		{id: "hreflang-return", name: "not fetched", want: NotApplicable},
	}
}
