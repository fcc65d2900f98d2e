package crawl

import (
	"fmt"
	"strings"
	"testing"

	"sitegrade/weburl"
)

func TestFolders(t *testing.T) {
	f := New(Options{Mode: Links, MaxPages: 1000}, weburl.Restore("https://a.example/"))
	visit := func(address string, score int) {
		f.Done(Visit{URL: address, Status: 200, IsPage: true, Score: score})
	}
	visit("https://a.example/", 100)
	visit("https://a.example/docs/one", 90)
	visit("https://a.example/docs/deep/two?x=/y/", 41)
	visit("https://a.example/docs-old/three", 50)
	var tree strings.Builder
	for _, folder := range f.Findings().Folders() {
		fmt.Fprintf(&tree, "%s%s %d pages %d: %d %d %d\n", strings.Repeat(" ", folder.Level), folder.URL, folder.Pages, folder.Score, folder.Good, folder.Decent, folder.Bad)
	}
	want := `https://a.example/ 4 pages 70: 2 1 1
 https://a.example/docs-old/ 1 pages 50: 0 1 0
 https://a.example/docs/ 2 pages 66: 1 0 1
  https://a.example/docs/deep/ 1 pages 41: 0 0 1
`
	if tree.String() != want {
		t.Errorf("the tree is\n%s, not\n%s", &tree, want)
	}
}

func TestFoldersAreBounded(t *testing.T) {
	f := New(Options{Mode: Links, MaxPages: 1000}, weburl.Restore("https://a.example/"))
	for i := range 150 {
		for j := range 1 + i%2 {
			f.Done(Visit{URL: fmt.Sprintf("https://a.example/%d/b/c/d/e/f/g/h/%d", i, j), Status: 200, IsPage: true})
		}
	}
	all := f.Findings().Folders()
	if len(all) != mostFolders || all[0].Pages != 225 || all[0].Level != 0 {
		t.Fatalf("%d folders, the first %+v", len(all), all[0])
	}
	known := map[string]bool{}
	for _, folder := range all {
		above := strings.TrimSuffix(folder.URL, "/")
		known[folder.URL] = true
		if above = above[:strings.LastIndex(above, "/")+1]; folder.Level > 0 && !known[above] {
			t.Errorf("%s comes before %s, which it lies in", folder.URL, above)
		}
		if folder.Level > mostLevels {
			t.Errorf("%s lies in %d folders", folder.URL, folder.Level)
		}
	}
}
