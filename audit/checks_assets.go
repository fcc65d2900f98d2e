package audit

import (
	"slices"
	"strings"
	"time"

	"sitegrade/audit/header"
	"sitegrade/locale"
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
	pageWeightFailKiB = 2667
	pageWeightHighKiB = 4000
	maxKindBytes      = 120_000 // of all stylesheets, of all scripts
	staticFreshness   = 30 * 24 * time.Hour
	legacyFormatBytes = 50_000
	maxImageBytes     = 200_000
	minifyGainShare   = 0.10
	minifyGainBytes   = 2000
	minifyBudgetBytes = 2 << 20   // of sources that are minified for one page
	minifySourceBytes = 320 << 10 // of one source: minifying a hostile one takes 160 times its size in memory
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
		return notApplicable("asset-compression.none")
	case plain.count > 0:
		return fail(plain.evidence, "asset-compression.plain", locale.Count(plain.count), locale.Count(looked))
	}
	return pass("asset-compression.all", locale.Count(looked))
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
		return notApplicable("common.no-assets-fetched")
	case stale.count > 0:
		return fail(stale.evidence, "cache-static.stale", locale.Count(stale.count), locale.Count(len(assets)))
	}
	return pass("cache-static.all", locale.Count(len(assets)))
}

func checkPageWeight(f *facts) finding {
	assets := f.sampledAssets()
	if len(assets) == 0 && slices.ContainsFunc(f.linked(), linked.isAsset) {
		return notApplicable("common.no-assets-fetched")
	}
	total := f.response.Wire + totalWeight(assets)
	sampled, weight := locale.Count(len(assets)), locale.KiB(total>>10)
	if total <= pageWeightFailKiB<<10 {
		return pass("page-weight.light", sampled, weight)
	}
	var heavy tally
	for _, r := range heaviest(assets) {
		heavy.add(r.place())
	}
	found := fail(heavy.evidence, "page-weight.heavy", sampled, weight, locale.KiB(pageWeightFailKiB))
	if total > pageWeightHighKiB<<10 {
		found.severity = High
	}
	return found
}

func checkCSSWeight(f *facts) finding {
	return kindWeight(answered(f.sampled(stylesheetResource)), "css-weight", "common.no-stylesheet-fetched")
}

func checkJSWeight(f *facts) finding {
	return kindWeight(answered(f.sampled(scriptResource)), "js-weight", "js-weight.none")
}

// kindWeight judges the resources of one kind together, for the check with that id. missing is the sentence that says that there are none.
func kindWeight(resources []*resource, id, missing string) finding {
	if len(resources) == 0 {
		return notApplicable(missing)
	}
	n, total := locale.Count(len(resources)), totalWeight(resources)
	if total <= maxKindBytes {
		return pass(id+".light", n, locale.Bytes(total))
	}
	var heavy tally
	for _, r := range heaviest(resources) {
		heavy.add(r.place())
	}
	return fail(heavy.evidence, id+".heavy", n, locale.Bytes(total), locale.Bytes(maxKindBytes))
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
		return notApplicable("common.no-code-fetched").without(unseen)
	case loose.count > 0:
		return fail(loose.evidence, "unminified.loose", locale.Count(loose.count), locale.Count(looked))
	}
	return pass("unminified.minified", locale.Count(looked)).without(unseen)
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
		return notApplicable("common.no-images-fetched")
	case old.count > 0:
		return fail(old.evidence, "image-format.old", locale.Count(old.count), locale.Count(len(images)), locale.Bytes(legacyFormatBytes))
	}
	return pass("image-format.modern", locale.Bytes(legacyFormatBytes))
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
		return notApplicable("common.no-images-fetched")
	case heavy.count > 0:
		return fail(heavy.evidence, "image-weight.heavy", locale.Count(heavy.count), locale.Count(len(images)), locale.Bytes(maxImageBytes), locale.Bytes(heaviest(images)[0].weight()))
	}
	return pass("image-weight.light", locale.Bytes(maxImageBytes))
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
		return f.notReached(f.sampled(stylesheetResource, scriptResource), "common.no-code-fetched")
	case broken.count > 0:
		found := fail(broken.evidence, "resource-errors.broken", locale.Count(broken.count), locale.Count(len(resources)))
		if !own { // fonts and widgets of others, without which the page still looks like itself
			found.severity = Medium
		}
		return found
	}
	return pass("resource-errors.all", locale.Count(len(resources)))
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
		return notApplicable("font-display.no-fonts")
	case hidden.count > 0:
		return fail(hidden.evidence, "font-display.hidden", locale.Count(hidden.count))
	}
	return pass("font-display.all", locale.Count(fonts))
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
		return notApplicable("common.no-stylesheet-fetched")
	case imports > 0:
		return fail(importing.evidence, "css-import.some", locale.Count(imports), locale.Phrase("css-import.where", locale.Count(importing.count)))
	}
	return pass("css-import.none")
}
