package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/postgres"
	"sitegrade/db/postgres/pgtest"
	"sitegrade/web/guess"
)

// pair is two servers on one database. Both have the same secret of cookies.
type pair struct {
	*testing.T
	servers [2]*server
	key     string
}

// newPair starts two servers, and returns once each knows of the other. configure may change their settings.
func newPair(t *testing.T, database string, configure func(*settings)) *pair {
	t.Helper()
	p := &pair{T: t}
	for i := range p.servers {
		p.servers[i] = startServer(t, func(s *settings) {
			s.Database, s.RateLimit = database, 0
			configure(s)
			if i == 0 {
				return
			}
			secret, err := os.ReadFile(filepath.Join(p.servers[0].settings.Data, cookieSecretName))
			if err == nil {
				err = os.WriteFile(filepath.Join(s.Data, cookieSecretName), secret, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	p.key = readKey(t, p.servers[0].settings.Data)
	return p
}

// await waits until something holds on both servers.
func (p *pair) await(what string, holds func(*server) bool) {
	p.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for _, s := range p.servers {
		for !holds(s) {
			if time.Now().After(deadline) {
				p.Fatalf("%s does not come", what)
			}
		}
	}
}

// api sends a request to one of the servers with a key.
func (p *pair) api(of int, key, method, path, body string, header ...string) (*http.Response, []byte) {
	p.Helper()
	request, err := http.NewRequest(method, p.servers[of].address()+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Error(err)
		return &http.Response{}, nil
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		p.Error(err)
	}
	return response, content
}

// must is api that insists on a status, with the key of both.
func (p *pair) must(status, of int, method, path, body string, header ...string) []byte {
	p.Helper()
	response, content := p.api(of, p.key, method, path, body, header...)
	if response.StatusCode != status {
		p.Errorf("server %d responds to %s %s with %d, not %d: %.300s", of, method, path, response.StatusCode, status, content)
	}
	return content
}

// within returns what the only group of a pattern finds.
func (p *pair) within(content []byte, pattern string) string {
	p.Helper()
	found := regexp.MustCompile(pattern).FindSubmatch(content)
	if found == nil {
		p.Fatalf("no %s in %.500s", pattern, content)
	}
	return string(found[1])
}

// browser returns a client that keeps cookies, also from one server to the other, and follows nothing.
func (p *pair) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// page gets a page with a browser, or posts a form where fields are given, and returns its body.
func (p *pair) page(b *http.Client, status, of int, path string, fields ...string) []byte {
	p.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	var response *http.Response
	var err error
	if fields == nil {
		response, err = b.Get(p.servers[of].address() + path)
	} else {
		response, err = b.PostForm(p.servers[of].address()+path, form)
	}
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		p.Fatal(err)
	}
	if response.StatusCode != status {
		p.Errorf("server %d responds to %s with %d, not %d", of, path, response.StatusCode, status)
	}
	return content
}

// token returns what the forms of a page prove themselves with.
func (p *pair) token(page []byte) string {
	return p.within(page, `name="token" value="([^"]+)"`)
}

// TestTwoServersAreOne holds that what is done on one server holds on the other with the next request.
func TestTwoServersAreOne(t *testing.T) {
	t.Parallel()
	p := newPair(t, pgtest.New(t), func(*settings) {})
	p.await("the other server", func(s *server) bool { return s.store.Servers() == 2 })
	t.Run("secrets", func(t *testing.T) { p.on(t).testSecrets() })
	t.Run("keys", func(t *testing.T) { p.on(t).testKeys() })
	t.Run("sessions", func(t *testing.T) { p.on(t).testSessions() })
	t.Run("guesses", func(t *testing.T) { p.on(t).testGuesses() })
	t.Run("deletions", func(t *testing.T) { p.on(t).testDeletions() })
	t.Run("names", func(t *testing.T) { p.on(t).testNames() })
}

// on returns the pair for a part of a test.
func (p *pair) on(t *testing.T) *pair {
	part := *p
	part.T = t
	return &part
}

// testSecrets has servers warn that have another secret than others. Those of the pair have the same.
func (p *pair) testSecrets() {
	var log bytes.Buffer
	warns := slog.New(slog.NewTextHandler(&log, nil))
	for _, s := range p.servers {
		if err := warnOfSecret(p.Context(), s.store, warns); err != nil || log.Len() > 0 {
			p.Errorf("%v, %s", err, log.String())
		}
	}
	stranger, err := postgres.Open(p.Context(), p.servers[0].settings.Database, postgres.Options{Secret: []byte("another")})
	if err != nil {
		p.Fatal(err)
	}
	if err := errors.Join(warnOfSecret(p.Context(), stranger, warns), stranger.Close()); err != nil || !strings.Contains(log.String(), "has another cookie-secret") {
		p.Errorf("%v, %s", err, log.String())
	}
}

func (p *pair) testKeys() {
	made := p.must(http.StatusCreated, 0, "POST", "/keys", `{"name":"ci","scopes":["read"]}`)
	secret, id := p.within(made, `"secret":"([^"]+)"`), p.within(made, `"id":"([^"]+)"`)
	for _, of := range []int{1, 0, 1} {
		if response, _ := p.api(of, secret, "GET", "/projects", ""); response.StatusCode != http.StatusOK {
			p.Errorf("server %d responds to a new key with %d", of, response.StatusCode)
		}
	}
	p.must(http.StatusNoContent, 0, "DELETE", "/keys/"+id, "")
	for _, of := range []int{1, 0} {
		if response, _ := p.api(of, secret, "GET", "/projects", ""); response.StatusCode != http.StatusUnauthorized {
			p.Errorf("server %d responds to a revoked key with %d", of, response.StatusCode)
		}
	}
}

func (p *pair) testSessions() {
	b, kept := p.browser(), p.browser()
	p.page(b, http.StatusSeeOther, 0, "/login", "key", p.key)
	form := p.token(p.page(b, http.StatusOK, 0, "/new"))
	p.page(b, http.StatusOK, 1, "/projects")
	p.page(b, http.StatusSeeOther, 1, "/new", "token", form, "url", closedPort)
	on := func(of int) *url.URL {
		u, err := url.Parse(p.servers[of].address())
		if err != nil {
			p.Fatal(err)
		}
		return u
	}
	kept.Jar.SetCookies(on(1), b.Jar.Cookies(on(1)))
	p.page(kept, http.StatusOK, 1, "/projects")
	p.page(b, http.StatusSeeOther, 0, "/logout", "", "")
	p.page(kept, http.StatusSeeOther, 1, "/projects")

	p.page(b, http.StatusSeeOther, 1, "/login", "key", p.key)
	token := p.token(p.page(b, http.StatusOK, 1, "/settings"))
	kept.Jar.SetCookies(on(0), b.Jar.Cookies(on(0)))
	p.page(kept, http.StatusOK, 0, "/projects")
	p.page(b, http.StatusSeeOther, 1, "/settings/sign-out", "token", token)
	p.page(kept, http.StatusSeeOther, 0, "/projects")
}

func (p *pair) testGuesses() {
	made := p.must(http.StatusAccepted, 0, "POST", "/reports", `{"url":"`+closedPort+`guesses","privacy":2,"password":"x"}`, "Prefer", "respond-async")
	share := p.within(made, `"share_url":"[^"]*(/r/[^"]+)"`)
	began, long := time.Now(), strings.Repeat("y", 5*db.MaxPassword) // which is not hashed
	for i := range guess.VisitorGuesses {
		p.page(p.browser(), http.StatusForbidden, i%2, share, "password", long)
	}
	for of := range p.servers {
		if time.Since(began) < guess.VisitorInterval { // else one has come back
			p.page(p.browser(), http.StatusTooManyRequests, of, share, "password", "x")
		}
	}
}

// testDeletions deletes a project on one server while lists of the other are asked for.
func (p *pair) testDeletions() {
	const reports = 200
	var urls []string
	for i := range reports {
		urls = append(urls, fmt.Sprintf(`"%s%d"`, closedPort, i))
	}
	body := `{"project":"Large","urls":[` + strings.Join(urls, ",") + `]}`
	p.must(http.StatusAccepted, 0, "POST", "/reports", body)
	var deleted atomic.Bool
	var lists sync.WaitGroup
	for range 4 {
		lists.Go(func() {
			for over := false; !over; {
				over = deleted.Load()
				content := p.must(http.StatusOK, 1, "GET", "/reports?project=Large&per_page=100", "")
				total, rows := p.within(content, `"total":(\d+)`), strings.Count(string(content), `"share_url"`)
				if !(total == fmt.Sprint(reports) && rows == 100 && !over) && !(total == "0" && rows == 0) {
					p.Errorf("a list has %d reports of %s, deleted before: %t", rows, total, over)
				}
			}
		})
	}
	p.must(http.StatusOK, 1, "GET", "/projects/Large", "")
	p.must(http.StatusNoContent, 0, "DELETE", "/projects/Large", "")
	deleted.Store(true)
	lists.Wait()
}

// testNames has each server say who it is, and how many there are.
func (p *pair) testNames() {
	names := map[string]bool{}
	for _, s := range p.servers {
		operated := "http://" + s.operated.Addr().String()
		_, ready := get(p.T, operated+"/readyz")
		name := p.within([]byte(ready), `"server":"([^"]+)"`)
		names[name] = true
		_, metrics := get(p.T, operated+"/metrics")
		p.within([]byte(metrics), `(sitegrade_server_info{server="`+name+`"} 1)`)
		p.await("the other server in the metrics", func(*server) bool {
			_, metrics := get(p.T, operated+"/metrics")
			return strings.Contains(metrics, "\nsitegrade_servers 2\n")
		})
	}
	if len(names) != 2 {
		p.Errorf("the names are %v", names)
	}
}

// TestServersMakeOneFirstKey has servers start together on an empty database: one writes the first key. A key that all are given is stored once.
func TestServersMakeOneFirstKey(t *testing.T) {
	store, err := postgres.Open(t.Context(), pgtest.New(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	given := auth.NewSecret()
	var starts sync.WaitGroup
	var files atomic.Int32
	for range 4 {
		starts.Go(func() {
			path := filepath.Join(t.TempDir(), firstKeyName)
			if err := errors.Join(makeFirstKey(t.Context(), store, path), knowGivenKey(t.Context(), store, given, slog.New(slog.DiscardHandler))); err != nil {
				t.Error(err)
			}
			if usable, err := opensSomething(t.Context(), store, path); err != nil {
				t.Error(err)
			} else if usable {
				files.Add(1)
			}
			if _, err := os.Stat(path); err == nil {
				files.Add(10)
			}
		})
	}
	starts.Wait()
	keys, err := store.Keys(t.Context(), "")
	if err != nil || len(keys) != 2 || files.Load() != 11 {
		t.Errorf("there are %d keys, %v, and files and usable ones: %d", len(keys), err, files.Load())
	}
}

// TestTwoServersShareARate spends the rate of a key on both servers at once.
func TestTwoServersShareARate(t *testing.T) {
	t.Parallel()
	const perSecond, burst = 10, 20
	p := newPair(t, pgtest.New(t), func(s *settings) { s.RateLimit = perSecond })
	half := fmt.Sprintf(`"key";q=%d;w=2`, burst/2)
	for {
		key := p.within(p.must(http.StatusCreated, 0, "POST", "/keys", `{"name":"spender","scopes":["read"]}`), `"secret":"([^"]+)"`)
		p.await("the other server", func(s *server) bool { return s.store.Servers() == 2 })
		began, allowed, halves := time.Now(), 0, true
		for i := range 4 * burst {
			response, _ := p.api(i%2, key, "GET", "/projects", "")
			halves = halves && response.Header.Get("RateLimit-Policy") == half
			if response.StatusCode == http.StatusOK {
				allowed++
			}
		}
		if !halves { // a server was too slow to show that it lives
			continue
		}
		if most := burst + perSecond*time.Since(began).Seconds(); allowed < burst || float64(allowed) > most {
			t.Errorf("%d requests were allowed, not %d to %.1f", allowed, burst, most)
		}
		return
	}
}

// TestServersWaitForEachOther has a report made on one server and audited by another: the one that waits for it responds, nobody else serves its
// idempotency key meanwhile, and the response is kept for all.
func TestServersWaitForEachOther(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	third, err := postgres.Open(t.Context(), database, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := third.Close(); err != nil {
			t.Error(err)
		}
	})
	// It has both places of a host before the others are there, so that it alone can audit more of the two pages.
	site := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	for i, path := range []string{"/a", "/b"} {
		if _, err := third.CreateReport(t.Context(), db.DefaultAccount, db.NewReport{URL: site.URL + path}); err != nil {
			t.Fatal(err)
		}
		claimJob(t, third, i)
	}
	p := newPair(t, database, func(*settings) {})
	once := []string{"Idempotency-Key", "k", "Prefer", "wait=60"}
	body := `{"url":"` + site.URL + `/a"}`
	var first []byte
	var responded time.Time
	var asking sync.WaitGroup
	asking.Go(func() {
		first = p.must(http.StatusCreated, 0, "POST", "/reports", body, once...)
		responded = time.Now()
	})
	job := claimJob(t, third, 2)
	p.must(http.StatusConflict, 1, "POST", "/reports", body, once...)
	p.must(http.StatusUnprocessableEntity, 1, "POST", "/reports", `{"url":"`+site.URL+`/other"}`, once...)
	found := &audit.Report{URL: job.URL, FinalURL: job.URL, HTTPStatus: 200, Result: audit.Good, Score: 99, GeneratedAt: time.Now()}
	if err := third.FinishReport(t.Context(), job, found, nil); err != nil {
		t.Fatal(err)
	}
	ended := time.Now()
	asking.Wait()
	t.Logf("the response came %v after the end of the audit", responded.Sub(ended))
	if p.within(first, `"score":(\d+)`) != "99" {
		t.Errorf("the response is %s", first)
	}
	for of := range p.servers {
		if again := p.must(http.StatusCreated, of, "POST", "/reports", body, once...); !bytes.Equal(first, again) {
			t.Errorf("server %d responds again with %s, not %s", of, again, first)
		}
	}
}

// claimJob waits until a store has that many jobs, the claimed ones among them, before another, and claims that.
func claimJob(t *testing.T, store *postgres.DB, before int) db.Job {
	t.Helper()
	for {
		jobs, err := store.Waiting(t.Context(), db.DefaultAccount, db.Job{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) <= before {
			continue
		}
		if got, err := store.Claim(t.Context(), jobs[before]); err != nil || !got {
			t.Fatal(got, err)
		}
		return jobs[before]
	}
}
