package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers says which of our packages each package may import. Dependencies point one way: down this table.
var layers = map[string][]string{
	".":               {"cli"},
	"cli":             {"cli/manual", "locale", "release", "notify", "api", "web", "mcp", "httpx", "worker", "db", "db/bolt", "db/postgres", "reports", "terminal", "gate", "crawl", "audit", "auth", "sortfilter", "fetch", "weburl", "cron"},
	"cli/manual":      {},
	"api":             {"locale", "brand", "httpx", "httpx/bearer", "worker", "db", "jsonappend", "notify", "audit", "auth", "sortfilter", "weburl", "cron"},
	"web":             {"locale", "brand", "web/assets", "web/badge", "web/export", "web/guess", "web/manual", "web/session", "web/standalone", "web/templates", "web/view", "httpx", "worker", "db", "notify", "audit", "auth", "sortfilter", "weburl"},
	"brand":           {},
	"web/assets":      {},
	"web/badge":       {"locale", "db", "audit"},
	"web/export":      {"locale", "web/view", "db", "jsonappend", "audit", "sortfilter"},
	"web/guess":       {"db", "auth"},
	"web/manual":      {},
	"web/session":     {"db", "auth"},
	"web/standalone":  {"locale", "web/assets", "web/templates", "web/view", "db", "audit"},
	"web/templates":   {"locale", "web/assets", "audit"},
	"web/view":        {"locale", "brand", "web/templates", "db", "audit", "auth", "sortfilter", "weburl", "cron"},
	"mcp":             {"locale", "httpx", "httpx/bearer", "worker", "db", "jsonappend", "terminal", "audit", "auth", "sortfilter", "weburl"},
	"httpx":           {},
	"httpx/bearer":    {"db", "auth"},
	"httpx/httpxtest": {"worker", "db/bolt", "audit", "auth", "fetch"},
	"worker":          {"locale", "db", "audit", "crawl", "jsonappend", "notify", "weburl"},
	"notify":          {"locale", "fetch", "weburl"},
	"db/dbtest":       {"db", "audit", "auth", "sortfilter", "weburl"},
	"db/bolt":         {"db", "db/internal/crawled", "db/bolt/internal/bucket", "db/bolt/internal/file", "db/bolt/internal/form", "db/internal/front", "db/bolt/internal/generations", "db/internal/issues", "db/bolt/internal/kept", "db/bolt/internal/keyring", "db/internal/generations", "db/internal/live", "db/bolt/internal/order", "db/internal/promised", "db/bolt/internal/scan", "db/bolt/internal/search", "db/bolt/internal/sifted", "db/bolt/internal/sliced", "db/internal/tenant", "db/internal/told", "db/internal/planned", "db/internal/past", "db/internal/record", "db/internal/sealed", "db/internal/transfer", "audit", "auth", "sortfilter", "weburl"},
	"db":              {"locale", "audit", "auth", "jsonappend", "sortfilter", "weburl", "cron"},
	"reports":         {"locale", "api", "web/standalone", "db", "gate", "crawl", "audit", "fetch", "jsonappend", "terminal", "weburl"},
	"db/postgres":     {"db", "db/internal/crawled", "db/internal/front", "db/internal/generations", "db/internal/issues", "db/internal/planned", "db/internal/promised", "db/internal/sealed", "db/internal/tenant", "db/internal/told", "db/internal/live", "db/internal/past", "db/internal/record", "db/internal/transfer", "db/postgres/internal/fleet", "db/postgres/internal/marks", "db/postgres/internal/pg", "db/postgres/internal/shared", "db/postgres/internal/things", "audit", "auth", "sortfilter", "weburl"},
	"terminal":        {},
	"release":         {},
	"gate":            {"audit", "weburl"},
	"crawl":           {"locale", "audit", "audit/page", "audit/robots", "audit/sitemap", "fetch", "weburl"},
	"audit":           {"locale", "audit/header", "audit/page", "audit/robots", "audit/schemaorg", "audit/sitemap", "audit/texts", "fetch", "weburl"},
	"audit/header":    {},
	"audit/page":      {"audit/header", "audit/schemaorg", "weburl"},
	"audit/robots":    {"weburl"},
	"audit/schemaorg": {},
	"audit/sitemap":   {"weburl"},
	"audit/texts":     {},
	"auth":            {},
	"sortfilter":      {},
	"fetch":           {"weburl"},
	"fetch/fetchtest": {},
	"cron":            {},
	"jsonappend":      {},
	"locale":          {},
	"weburl":          {},

	"db/bolt/internal/file":        {"db"},
	"db/bolt/internal/form":        {"db", "db/internal/record", "audit"},
	"db/bolt/internal/search":      {"audit"},
	"db/bolt/internal/bucket":      {"db/internal/tenant"},
	"db/internal/tenant":           {"db", "db/internal/record", "sortfilter"},
	"db/bolt/internal/order":       {},
	"db/internal/told":             {"db", "db/internal/tenant", "sortfilter"},
	"db/internal/crawled":          {"db", "db/internal/tenant", "db/internal/record", "db/internal/sealed", "db/internal/transfer", "audit", "sortfilter"},
	"db/internal/front":            {"db", "db/internal/tenant", "sortfilter"},
	"db/bolt/internal/kept":        {"db", "db/bolt/internal/form", "db/internal/tenant", "db/internal/record"},
	"db/internal/issues":           {"db", "db/internal/crawled", "db/internal/tenant", "db/internal/record", "audit", "sortfilter"},
	"db/internal/sealed":           {},
	"db/internal/planned":          {"db", "db/internal/tenant", "db/internal/sealed", "sortfilter"},
	"db/internal/record":           {"db", "audit"},
	"db/internal/transfer":         {"db", "db/internal/record"},
	"db/bolt/internal/sliced":      {"db/bolt/internal/order", "db/bolt/internal/search"},
	"db/bolt/internal/scan":        {"db/bolt/internal/file"},
	"db/bolt/internal/sifted":      {"db", "db/internal/record", "sortfilter"},
	"db/internal/promised":         {"db", "db/internal/live", "db/internal/tenant", "sortfilter"},
	"db/bolt/internal/keyring":     {"db", "db/bolt/internal/bucket", "db/internal/tenant", "auth", "sortfilter"},
	"db/bolt/internal/generations": {},
	"db/internal/generations":      {"db", "db/internal/past", "db/internal/record", "audit"},
	"db/internal/live":             {"db"},
	"db/postgres/internal/fleet":   {"db/postgres/internal/pg"},
	"db/postgres/internal/marks":   {"audit", "db/postgres/internal/pg"},
	"db/postgres/internal/pg":      {"db"},
	"db/postgres/internal/shared":  {"db", "db/internal/live", "db/postgres/internal/pg"},
	"db/postgres/pgtest":           {},
	"db/postgres/internal/things":  {"db/internal/tenant", "db/postgres/internal/pg"},
	"db/internal/past":             {"db", "db/internal/record", "audit"},
}

// onlyIn says which packages alone may import a package of others and those below it, because they are the only place that does
// what it is for. A package with an entry of its own follows that one.
var onlyIn = map[string][]string{
	"go.etcd.io/bbolt":                    {"db/bolt", "db/bolt/internal/bucket", "db/bolt/internal/file", "db/bolt/internal/generations", "db/bolt/internal/keyring", "db/bolt/internal/sliced", "db/bolt/internal/order"},
	"github.com/jackc/pgx/v5":             {"db/postgres", "db/postgres/internal/fleet", "db/postgres/internal/marks", "db/postgres/internal/pg", "db/postgres/internal/shared", "db/postgres/internal/things", "db/postgres/pgtest"},
	"code.dny.dev/ssrf":                   {"fetch"},
	"github.com/nlnwa/whatwg-url":         {"weburl"},
	"golang.org/x/image":                  {"brand"},
	"golang.org/x/net/html":               {"audit/page"},
	"golang.org/x/net/html/charset":       {"audit/page", "audit/sitemap"}, // sitemaps have encodings too
	"golang.org/x/crypto/acme":            {"cli"},
	"golang.org/x/crypto/argon2":          {"auth"},
	"github.com/julienschmidt/httprouter": {"api", "web"},
	"github.com/pelletier/go-toml/v2":     {"cli", "audit/texts", "locale"},
	"github.com/wneessen/go-mail":         {"notify"},
	"github.com/modelcontextprotocol":     {"mcp"},
	"html/template":                       {"web/standalone", "web/templates", "web/view"},
	"flag":                                {"cli"},
	"os/signal":                           {"cli"},
	"net/http":                            {"cli", "release", "api", "web", "web/view", "mcp", "httpx", "httpx/bearer", "httpx/httpxtest", "audit", "fetch", "audit/header", "notify", "crawl"},
	"net/http/httptrace":                  {"fetch"},
	"net/smtp":                            {},
	"net/rpc":                             {},
	"os/exec":                             {"cli", "db/postgres/pgtest"}, // update has the new program run
	"plugin":                              {},
	"unsafe":                              {},
	"C":                                   {},
}

func TestImports(t *testing.T) {
	for file, imports := range sourceFiles(t) {
		here := path.Dir(file)
		allowed, known := layers[here]
		if !known {
			t.Errorf("%s: the package %s is not in the table of packages", file, here)
			continue
		}
		for _, imported := range imports {
			if ours, ok := strings.CutPrefix(imported, "sitegrade/"); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s: %s may not import %s", file, here, ours)
			}
			if places, limited := placesOf(imported); limited && !slices.Contains(places, here) {
				t.Errorf("%s: %s may not import %s, only %v may", file, here, imported, places)
			}
		}
	}
}

// placesOf returns the packages that alone may import a package: those of its entry in onlyIn, or of the nearest one above it.
func placesOf(imported string) (places []string, limited bool) {
	for above := imported; above != "."; above = path.Dir(above) {
		if places, limited = onlyIn[above]; limited {
			break
		}
	}
	return places, limited
}

// sourceFiles returns the imports of every Go file of this module that is not a test.
func sourceFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isElsewhere(file):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		files[file] = []string{}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			files[file] = append(files[file], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < len(layers)-1 {
		t.Fatalf("only %d files were found", len(files))
	}
	return files
}

// isElsewhere reports whether a directory has nothing of this module: test data, hidden things, and modules of their own.
func isElsewhere(dir string) bool {
	if dir == "." {
		return false
	}
	name := filepath.Base(dir)
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
