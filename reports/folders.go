package reports

import (
	"cmp"
	"slices"

	"sitegrade/crawl"
)

// mostPages returns at most n of some folders, in their order: those with the most pages, so that each stands below the ones it lies in. A
// folder that has nothing but another one in it is left out.
func mostPages(folders []crawl.Folder, n int) []crawl.Folder {
	var telling []crawl.Folder
	for i, f := range folders {
		if i+1 < len(folders) && folders[i+1].Pages == f.Pages && folders[i+1].Level > f.Level {
			continue
		}
		telling = append(telling, f)
	}
	byPages := slices.Clone(telling)
	slices.SortStableFunc(byPages, func(a, b crawl.Folder) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Level, b.Level))
	})
	byPages = byPages[:min(n, len(byPages))]
	slices.SortFunc(byPages, func(a, b crawl.Folder) int { return cmp.Compare(a.URL, b.URL) })
	return byPages
}
