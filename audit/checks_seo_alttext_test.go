package audit

import "testing"

func TestAltTextChecks(t *testing.T) {
	var cases []checkCase
	add := func(want Status, alts ...string) {
		for _, alt := range alts {
			cases = append(cases, checkCase{id: "image-alt-text", name: alt, html: `<img src="/img/hero-2.png" alt="` + alt + `">`, want: want})
		}
	}
	add(Passed, "A wooden train", "Image of a train", "Photo by Ada", "Train 2", "How to save a file as .png", "train", "Node.js", "Logo", "24", "image-2 of our set",
		"Pictures", "GIF", "Figure 3")
	add(Failed, "hero-2.png", "IMG_1234.JPG", "/img/hero-2.png", "train set 2.jpeg", "image", "Photo1", "Picture 12", "alt text", "[image]", "Bild", "画像", "IMG_20240102",
		"DSC00012", "https://example.com/img/a.png", "placeholder", "***")
	add(NotApplicable, "")
	cases = append(cases,
		checkCase{id: "image-alt-text", name: "its own path without an ending", html: `<img src="media/4711" alt="media/4711">`, want: Failed},
		checkCase{id: "image-alt-text", name: "nobody hears it", html: `<img src=a.png alt=image aria-hidden=true>`, want: NotApplicable},
		checkCase{id: "image-alt-text", name: "counts", html: `<img src=a alt=image><img src=b alt=b.gif><img src=c alt="A cat">`, want: Failed,
			detail: "2 of 3 alternative texts are a file name"})
	runCheckCases(t, seoAltText, cases, nil, nil)
}
