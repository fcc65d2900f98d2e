package audit

import (
	"slices"
	"strings"
	"time"

	"sitegrade/audit/header"
)

// assetChecks are the checks of the section performance that look at sampled stylesheets, scripts and images.
var assetChecks = []check{
	{
		id: "asset-compression", severity: Medium,
		source: "sitespeed.io coach",
		needs:  needsAssets,
		run:    checkAssetCompression,
	},
	{
		id: "cache-static", severity: Medium,
		source: "Lighthouse uses-long-cache-ttl; sitespeed.io coach",
		needs:  needsAssets,
		run:    checkCacheStatic,
	},
	{
		id: "page-weight", severity: Medium,
		source: "Lighthouse total-byte-weight",
		needs:  needsAssets,
		run:    checkPageWeight,
	},
	{
		id: "css-weight", severity: Low,
		source: "sitespeed.io coach",
		needs:  needsSheets,
		run:    checkCSSWeight,
	},
	{
		id: "js-weight", severity: Low,
		source: "sitespeed.io coach",
		needs:  needsScripts,
		run:    checkJSWeight,
	},
	{
		id: "unminified", severity: Low,
		source: "Lighthouse unminified-css, unminified-javascript",
		needs:  needsCode,
		run:    checkUnminified,
	},
	{
		id: "image-format", severity: Low,
		source: "Lighthouse modern-image-formats",
		needs:  needsImages,
		run:    checkImageFormat,
	},
	{
		id: "image-weight", severity: Medium,
		source: "SEOnaut",
		needs:  needsImages,
		run:    checkImageWeight,
	},
	{
		id: "resource-errors", severity: High,
		source: "Yellow Lab Tools",
		needs:  needsCode,
		run:    checkResourceErrors,
	},
	{
		id: "font-display", severity: Low,
		source: "Lighthouse font-display",
		needs:  needsWholeSheets,
		run:    checkFontDisplay,
	},
	{
		id: "css-import", severity: Low,
		source: "Yellow Lab Tools",
		needs:  needsSheets,
		run:    checkCSSImport,
	},
}

const (
	pageWeightFailKiB  = 2667
	pageWeightHighKiB  = 4000
	maxKindBytes       = 120_000 // of all stylesheets, of all scripts
	staticFreshness    = 30 * 24 * time.Hour
	legacyFormatBytes  = 50_000
	maxImageBytes      = 200_000
	minifyGainShare    = 0.10
	minifyGainBytes    = 2000
	minifyBudgetBytes  = 2 << 20   // of sources that are minified for one page
	minifySourceBytes  = 320 << 10 // of one source: minifying a hostile one takes 160 times its size in memory
	notSampledAssets   = "No stylesheet, script or image was fetched."
	notSampledSheets   = "No stylesheet was fetched."
	notSampledPictures = "No image was fetched."
)

func checkAssetCompression(f *facts) finding {
	var plain tally
	looked := 0
	for _, r := range f.sampledAssets() {
		if !isCompressible(header.MIMEType(r.Header)) || r.weight() == 0 {
			continue
		}
		looked++
		if compressionOf(r.Encoding) == "" && r.weight() >= minCompressible {
			plain.add(r.place())
		}
	}
	switch {
	case looked == 0:
		return notApplicableText("No text resource was fetched.")
	case plain.count > 0:
		return failText(plain.evidence, "%s.", share(plain.count, looked, "text resource", "text resources", "came uncompressed"))
	}
	return passText("%s.", every(looked, "text resource", "text resources", "is compressed or too small to need it"))
}

// isCompressible reports whether content of this type is text that compresses well.
func isCompressible(mime string) bool {
	return mime == "text/css" || mime == "image/svg+xml" || mime == "application/json" || strings.HasSuffix(mime, "+json") ||
		mime != "" && isJavaScript(mime)
}

func checkCacheStatic(f *facts) finding {
	assets := f.sampledAssets()
	var stale tally
	for _, r := range assets {
		if fresh, ok := header.Freshness(r.Header, f.now); !ok || fresh < staticFreshness {
			stale.add(r.place())
		}
	}
	switch {
	case len(assets) == 0:
		return notApplicableText(notSampledAssets)
	case stale.count > 0:
		return failText(stale.evidence, "%s.", share(stale.count, len(assets), "static file", "static files",
			"does not allow caching for 30 days or more"))
	}
	return passText("%s.", every(len(assets), "static file", "static files", "may be cached for at least 30 days"))
}

func checkPageWeight(f *facts) finding {
	assets := f.sampledAssets()
	if len(assets) == 0 && slices.ContainsFunc(f.linked(), linked.isAsset) {
		return notApplicableText(notSampledAssets)
	}
	total := f.response.Wire + totalWeight(assets)
	detail := "The page and %s weigh %d KiB"
	sampled, kib := plural(len(assets), "sampled resource", "sampled resources"), total>>10
	if total <= pageWeightFailKiB<<10 {
		return passText(detail+".", sampled, kib)
	}
	var heavy tally
	for _, r := range heaviest(assets) {
		heavy.add(r.place())
	}
	found := failText(heavy.evidence, detail+"; up to %d KiB is good.", sampled, kib, pageWeightFailKiB)
	if total > pageWeightHighKiB<<10 {
		found.severity = High
	}
	return found
}

func checkCSSWeight(f *facts) finding {
	return kindWeight(answered(f.sampled(stylesheetResource)), "stylesheet", "stylesheets")
}

func checkJSWeight(f *facts) finding {
	return kindWeight(answered(f.sampled(scriptResource)), "script", "scripts")
}

// kindWeight judges the resources of one kind together.
func kindWeight(resources []*resource, one, many string) finding {
	if len(resources) == 0 {
		return notApplicableText("No %s was fetched.", one)
	}
	total := totalWeight(resources)
	sentence := counted(len(resources), "sampled "+one, "sampled "+many, "weighs "+FormatBytes(total)+" on the wire")
	if total <= maxKindBytes {
		return passText("%s.", sentence)
	}
	var heavy tally
	for _, r := range heaviest(resources) {
		heavy.add(r.place())
	}
	return failText(heavy.evidence, "%s; up to %s is good.", sentence, FormatBytes(maxKindBytes))
}

func checkUnminified(f *facts) finding {
	var loose tally
	looked, budget := 0, minifyBudgetBytes
	var unseen Unseen
	for _, r := range answered(f.sampled(stylesheetResource, scriptResource)) {
		if len(r.Body) == 0 {
			continue
		}
		if r.truncated || len(r.Body) > min(budget, minifySourceBytes) {
			unseen = UnseenSize
			continue
		}
		budget -= len(r.Body)
		looked++
		if r.minifyGain() > minifyGainBytes {
			loose.add(r.place())
		}
	}
	switch {
	case looked == 0:
		return notApplicableText("No stylesheet or script was fetched.").without(unseen)
	case loose.count > 0:
		return failText(loose.evidence, "%s.", share(loose.count, looked, "stylesheet or script", "stylesheets and scripts",
			"would lose more than 10 % and 2 kB if minified"))
	}
	return passText("Minifying %s would save little.", plural(looked, "stylesheet or script", "stylesheets and scripts")).without(unseen)
}

// minifyGain returns the bytes on the wire that minifying a stylesheet or script saves, or 0 where that is within
// minifyGainShare. As in Lighthouse, what compression saves anyway is not counted.
func (r *resource) minifyGain() int {
	mime := "text/css"
	if r.kind == scriptResource {
		mime = "text/javascript"
	}
	size, ok := minifiedSize(mime, r.Body)
	if !ok || size >= len(r.Body) {
		return 0
	}
	share := 1 - float64(size)/float64(len(r.Body))
	if share <= minifyGainShare {
		return 0
	}
	return int(share * float64(r.weight()))
}

func checkImageFormat(f *facts) finding {
	modern := f.imagesOfferedModern()
	images := answered(f.sampled(imageResource))
	var old tally
	for _, r := range images {
		switch header.MIMEType(r.Header) {
		case "image/jpeg", "image/jpg", "image/png", "image/gif":
			if r.weight() > legacyFormatBytes && !modern[r.asked()] {
				old.add(r.place())
			}
		}
	}
	switch {
	case len(images) == 0:
		return notApplicableText(notSampledPictures)
	case old.count > 0:
		return failText(old.evidence, "%s.", share(old.count, len(images), "image", "images",
			"is over "+FormatBytes(legacyFormatBytes)+" as JPEG, PNG or GIF, with no AVIF or WebP version"))
	}
	return passText("No image over %s comes as JPEG, PNG or GIF alone.", FormatBytes(legacyFormatBytes))
}

// asked returns the URL as the page has it, before redirects.
func (r *resource) asked() string {
	if len(r.Redirects) > 0 {
		return r.Redirects[0]
	}
	return r.URL.WithoutFragment().String()
}

// imagesOfferedModern returns the URLs of images that the page offers as AVIF or WebP, too.
func (f *facts) imagesOfferedModern() map[string]bool {
	offered := map[string]bool{}
	for _, i := range f.doc.Images {
		if i.URL != nil && (offersModernFormat(i.Sources) || offersModernFormat([]string{i.Srcset})) {
			offered[i.URL.WithoutFragment().String()] = true
		}
	}
	return offered
}

func offersModernFormat(sources []string) bool {
	for _, s := range sources {
		for _, sign := range []string{"image/avif", "image/webp", ".avif", ".webp"} {
			if strings.Contains(strings.ToLower(s), sign) {
				return true
			}
		}
	}
	return false
}

func checkImageWeight(f *facts) finding {
	images := answered(f.sampled(imageResource))
	var heavy tally
	for _, r := range heaviest(images) {
		if r.weight() > maxImageBytes {
			heavy.add(r.place())
		}
	}
	switch {
	case len(images) == 0:
		return notApplicableText(notSampledPictures)
	case heavy.count > 0:
		return failText(heavy.evidence, "%s; the heaviest is %s.", share(heavy.count, len(images), "image", "images", "is over "+FormatBytes(maxImageBytes)),
			FormatBytes(heaviest(images)[0].weight()))
	}
	return passText("No image is over %s.", FormatBytes(maxImageBytes))
}

func checkResourceErrors(f *facts) finding {
	resources := f.reached(f.sampled(stylesheetResource, scriptResource))
	var broken tally
	own := false
	for _, r := range resources {
		if r.isBroken() {
			broken.add(r.place())
			own = own || !f.isForeign(r)
		}
	}
	switch {
	case len(resources) == 0:
		return f.notReached(f.sampled(stylesheetResource, scriptResource), "No stylesheet or script was fetched.")
	case broken.count > 0:
		found := failText(broken.evidence, "%s.", share(broken.count, len(resources), "stylesheet or script", "stylesheets and scripts",
			"could not be loaded"))
		if !own { // fonts and widgets of others, without which the page still looks like itself
			found.severity = Medium
		}
		return found
	}
	return passText("%s.", every(len(resources), "stylesheet or script", "stylesheets and scripts", "loads"))
}

func checkFontDisplay(f *facts) finding {
	var hidden tally
	fonts := 0
	for _, r := range answered(f.sampled(stylesheetResource)) {
		sheet := readStylesheet(r.Body)
		fonts += sheet.fonts
		if sheet.fontsHidden > 0 {
			hidden.add(r.place())
		}
	}
	switch {
	case fonts == 0:
		return notApplicableText("No fetched stylesheet has an @font-face rule.")
	case hidden.count > 0:
		return failText(hidden.evidence, "%s.", counted(hidden.count, "stylesheet", "stylesheets", "has @font-face rules without font-display"))
	}
	return passText("%s.", every(fonts, "@font-face rule", "@font-face rules", "has font-display"))
}

func checkCSSImport(f *facts) finding {
	sheets := answered(f.sampled(stylesheetResource))
	var importing tally
	imports := 0
	for _, r := range sheets {
		if n := readStylesheet(r.Body).imports; n > 0 {
			imports += n
			importing.add(r.place())
		}
	}
	switch {
	case len(sheets) == 0:
		return notApplicableText(notSampledSheets)
	case imports > 0:
		return failText(importing.evidence, "%s in %s.", plural(imports, "import", "imports"), plural(importing.count, "stylesheet", "stylesheets"))
	}
	return passText("No stylesheet imports another.")
}
