package audit

import (
	"path"
	"regexp"
	"strings"

	"sitegrade/locale"
	"sitegrade/weburl"
)

// seoAltText is the check of alternative texts that describe nothing.
var seoAltText = []check{{
	id: "image-alt-text", severity: Low,
	source: "Screaming Frog; WCAG 1.1.1 (F30)",
	run:    checkImageAltText,
}}

// placeholderAlts are alternative texts that fit every image, in lower case and without a number at the end.
var placeholderAlts = phrases("image|img|picture|pic|photo|photograph|graphic|alt|alt text|alt tag|image alt|image alt text|alternative text|" +
	"image description|description of image|description of the image|image here|your image|your image here|insert alt text here|placeholder|" +
	"placeholder image|image placeholder|untitled|untitled image|spacer|null|undefined|screenshot image|bild|foto|grafik|imagen|immagine|imagem|" +
	"afbeelding|obraz|zdjęcie|kuva|billede|bilde|obrázek|kép|imagine|resim|изображение|картинка|фото|зображення|画像|写真|이미지|사진|图片|圖片|图像")

var (
	imageFile   = regexp.MustCompile(`(?i)^[^\s?#]+( [^\s?#.]+){0,4}\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|ico|heic|jxl)$`)
	cameraFile  = regexp.MustCompile(`(?i)^(?:img|dsc|dscn|dscf|dcim|pict?|image|photo|screenshot|unnamed|untitled|pxl|mvimg|wp)[-_]?[-_\d]{3,}[a-z]?$`)
	numberAtEnd = regexp.MustCompile(`[\s_#-]*\d{1,4}$`)
)

func checkImageAltText(f *facts) finding {
	var empty tally
	asked := 0
	for _, i := range f.doc.ExposedImages {
		alt, _ := i.Attribute("alt")
		if alt = strings.TrimSpace(alt); alt == "" {
			continue
		}
		asked++
		if src, _ := i.Attribute("src"); saysNothingOfImage(alt, src) {
			empty.addElement(f.doc, i.Element, f.doc.AddressOf(i.Element))
		}
	}
	switch {
	case asked == 0:
		return notApplicable("common.no-alt-texts")
	case empty.count > 0:
		return fail(empty.evidence, "image-alt-text.empty", locale.Count(empty.count), locale.Count(asked))
	}
	return pass("image-alt-text.all", locale.Count(asked))
}

// saysNothingOfImage reports whether an alternative text is the name or path of a file, or would fit every image.
func saysNothingOfImage(alt, src string) bool {
	lower := strings.ToLower(strings.Trim(alt, " .:!*[]()<>\"'"))
	if lower == "" || placeholderAlts[lower] || placeholderAlts[numberAtEnd.ReplaceAllString(lower, "")] {
		return true
	}
	if alt == src || imageFile.MatchString(alt) || cameraFile.MatchString(alt) {
		return true
	}
	u := weburl.Resolve(nil, alt)
	return u.IsWeb() && path.Ext(u.Path()) != ""
}
