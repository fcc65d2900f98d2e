package crawl

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"

	"sitegrade/audit"
)

// Folder is a part of a site: the pages whose addresses begin with its own.
type Folder struct {
	URL    string // ends with a slash
	Level  int    // how many folders it lies in
	Pages  int    // in it and in the folders below it
	Score  int    // the mean of the scores of its pages, rounded
	Good   int    // its pages by their result
	Decent int    //
	Bad    int    //
	total  int    // of the scores
}

// What Folders bounds: how deep folders lie, and how many there are.
const (
	mostLevels  = 6
	mostFolders = 100
)

// Folders returns the folders of the site that have most pages, at most 100, each behind the one that it lies in.
func (s *Findings) Folders() []Folder {
	all := map[string]*Folder{}
	for _, n := range s.g.pages {
		score := int(s.g.found(n).score)
		for level, address := range foldersOf(s.g.url(n)) {
			f := all[address]
			if f == nil {
				f = &Folder{URL: address, Level: level}
				all[address] = f
			}
			f.add(score)
		}
	}
	largest := make([]Folder, 0, len(all))
	for _, f := range all {
		f.Score = int(math.Round(float64(f.total) / float64(f.Pages)))
		largest = append(largest, *f)
	}
	// A folder has at least as many pages as one in it, so that what is cut off leaves a tree.
	slices.SortFunc(largest, func(a, b Folder) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Level, b.Level), cmp.Compare(a.URL, b.URL))
	})
	largest = largest[:min(len(largest), mostFolders)]
	slices.SortFunc(largest, func(a, b Folder) int { return cmp.Compare(a.URL, b.URL) })
	return largest
}

func (f *Folder) add(score int) {
	f.Pages++
	f.total += score
	switch audit.ResultOf(score) {
	case audit.Good:
		f.Good++
	case audit.Decent:
		f.Decent++
	default:
		f.Bad++
	}
}

// foldersOf returns the addresses of the folders that a page lies in, the whole site first.
func foldersOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	origin := u.Scheme + "://" + u.Host
	folders := []string{origin + "/"}
	steps := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	for i := range min(len(steps)-1, mostLevels) {
		folders = append(folders, folders[i]+steps[i]+"/")
	}
	return folders
}
