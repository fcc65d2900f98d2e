package crawl

import (
	"strings"

	"sitegrade/audit/sitemap"
	"sitegrade/weburl"
)

// sitemaps are the files that list addresses. They are read before the pages, so that it is known of each page whether one lists it.
type sitemaps struct {
	files  map[string]*sitemapFile // by URL
	order  []*sitemapFile
	listed int  // addresses of the site so far
	open   int  // files that are left to read
	found  bool // one could be read
	usual  bool // the usual place was tried
	cut    int  // addresses and files that were left out
	unread bool // a file that the site names was not read
}

// sitemapFile is one of them.
type sitemapFile struct {
	url         *weburl.URL
	level       int // how many indexes lead to it
	taken, done bool
	guessed     bool // nothing names it
	tries       int
}

// deepestIndex is how deep indexes may lie in each other. The protocol allows no index in an index, and some sites have one.
const deepestIndex = 3

// looksLikeSitemap reports whether an address is that of a sitemap, by its path.
func looksLikeSitemap(u *weburl.URL) bool {
	path := strings.TrimSuffix(strings.ToLower(u.Path()), ".gz")
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".txt")
}

// addDeclared adds the sitemaps that a robots.txt names.
func (f *Frontier) addDeclared(declared []string) {
	if f.options.Mode == List {
		return
	}
	for _, text := range declared {
		if u := weburl.Resolve(nil, text); u != nil {
			f.addSitemap(u, 0)
		}
	}
}

// addUsualSitemap adds the usual place, once robots.txt is known to name none that can be read.
func (f *Frontier) addUsualSitemap() {
	if f.options.Mode == List || f.sitemaps.found || f.sitemaps.usual || f.sitemaps.areOpen() {
		return
	}
	start := f.start()
	if start == nil || !f.originOf(start).known {
		return
	}
	f.sitemaps.usual = true
	usual := start.WithPath("/sitemap.xml")
	f.addSitemap(usual, 0)
	if file := f.sitemaps.files[usual.String()]; file != nil && !file.done {
		file.guessed = true
	}
}

// start returns the first start, nil where that is a sitemap.
func (f *Frontier) start() *weburl.URL {
	if len(f.starts) == 0 {
		return nil
	}
	return weburl.Restore(f.addresses[f.starts[0]].url)
}

// addSitemap adds a file, if it is of the site and may be asked for.
func (f *Frontier) addSitemap(u *weburl.URL, level int) {
	u = u.WithoutFragment()
	if f.sitemaps.files[u.String()] != nil {
		return
	}
	if !f.scope.holds(u) || u.Check() != nil {
		f.sitemaps.unread = true
		return
	}
	if len(f.sitemaps.order) >= mostSitemaps || level > deepestIndex {
		f.sitemaps.cut++
		return
	}
	file := &sitemapFile{url: u, level: level}
	f.originOf(u)
	f.sitemaps.files[u.String()] = file
	f.sitemaps.order = append(f.sitemaps.order, file)
	f.sitemaps.open++
}

// areOpen reports whether a file is left to read.
func (s *sitemaps) areOpen() bool { return s.open > 0 }

func (s *sitemaps) close(file *sitemapFile) {
	file.done = true
	s.open--
}

// nextSitemap returns a file that can be asked for now, nil where there is none. Those that robots.txt forbids are done.
func (f *Frontier) nextSitemap() *sitemapFile {
	if f.sitemaps.open == 0 {
		return nil
	}
	for _, file := range f.sitemaps.order {
		if file.done || file.taken {
			continue
		}
		o := f.originOf(file.url)
		if o.known && !o.allows(file.url) {
			f.sitemaps.close(file)
			f.sitemaps.unread = f.sitemaps.unread || !file.guessed
			f.addUsualSitemap()
			continue
		}
		if o.known {
			return file
		}
	}
	return nil
}

func (f *Frontier) hasSitemap() bool { return f.nextSitemap() != nil }

func (f *Frontier) takeSitemap() (*weburl.URL, bool) {
	file := f.nextSitemap()
	if file == nil {
		return nil, false
	}
	file.taken = true
	return file.url, true
}

// sitemapDone notes what a sitemap lists.
func (f *Frontier) sitemapDone(v *Visit) {
	u := weburl.Restore(v.URL)
	f.addSitemap(u, 0)
	file := f.sitemaps.files[u.String()]
	if file == nil || file.done {
		return
	}
	file.taken = false
	if file.tries++; v.isTryAgain() && file.tries < mostTries {
		f.rest(v)
		return
	}
	f.sitemaps.close(file)
	if v.Sitemap != nil {
		f.sitemaps.found = true
		f.list(v.Sitemap, file.level)
	}
	damaged := v.Sitemap != nil && v.Sitemap.Problem != ""
	if damaged || v.saysNothing() && !file.guessed {
		f.sitemaps.unread = true
	}
	f.addUsualSitemap()
}

// list adds what a sitemap lists.
func (f *Frontier) list(s *Listing, level int) {
	if s.Kind == sitemap.Index && len(s.Listed) < s.URLs {
		f.sitemaps.unread = true // the others are of other sites
	}
	for _, text := range s.Listed {
		u := weburl.Resolve(nil, text)
		if u == nil || !f.scope.holds(u) {
			continue
		}
		if s.Kind == sitemap.Index {
			f.addSitemap(u, level+1)
			continue
		}
		if f.sitemaps.listed++; f.sitemaps.listed > mostListed {
			f.sitemaps.cut++
			continue
		}
		n := f.intern(u.WithoutFragment(), false)
		if n == noID {
			f.sitemaps.cut++
			continue
		}
		f.addresses[n].mark |= isListed | isOutside | isWanted
		f.consider(n)
	}
	if s.Kind != sitemap.Index && s.TooLarge {
		f.sitemaps.cut++
	}
}
