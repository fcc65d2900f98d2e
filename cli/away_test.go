package cli

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitegrade/db/postgres/pgtest"
)

const (
	// awayPatience is how long anybody waits for a database that is away, and backAfter how soon a server goes on once it is back.
	awayPatience = 5 * time.Second
	backAfter    = 10 * time.Second
)

// TestDatabaseIsAway has a server's database fall silent, come back, die, and start again. Meanwhile everything is 503, soon, and afterwards as before.
func TestDatabaseIsAway(t *testing.T) {
	t.Parallel() // it mostly waits
	database, err := pgtest.Start()
	pgtest.Skip(t, err)
	t.Cleanup(func() {
		if err := database.Remove(); err != nil {
			t.Error(err)
		}
	})
	s := startServer(t, func(s *settings) { s.Database, s.RateLimit = database.Address(), 0 })
	a := &away{T: t, client: apiClient{t: t, address: s.address(), key: readKey(t, s.settings.Data)}}
	var made struct {
		Data struct {
			ShareURL string `json:"share_url"`
		}
	}
	if status := a.client.do("POST", "/reports", "", url.Values{"url": {closedPort}}, &made); status != http.StatusAccepted {
		t.Fatal(status)
	}
	a.share = made.Data.ShareURL
	a.isServed()
	for _, step := range []struct{ goes, comes func() error }{{database.Freeze, database.Thaw}, {database.Kill, database.Restart}} {
		if err := step.goes(); err != nil {
			t.Fatal(err)
		}
		a.isRefused()
		a.isRefused() // also those who come later
		if err := step.comes(); err != nil {
			t.Fatal(err)
		}
		a.isServed()
	}
}

// away looks at a server whose database comes and goes.
type away struct {
	*testing.T
	client apiClient
	share  string // the address of a shared page
}

// ask makes requests of all kinds at once, and returns what came for each.
func (a *away) ask() map[string]*http.Response {
	type reply struct {
		name     string
		response *http.Response
	}
	requests := map[string]func() (*http.Request, error){
		"list":   func() (*http.Request, error) { return http.NewRequest("GET", a.client.address+"/api/v1/reports", nil) },
		"shared": func() (*http.Request, error) { return http.NewRequest("GET", a.share, nil) },
		"create": func() (*http.Request, error) {
			return http.NewRequest("POST", a.client.address+"/api/v1/reports", strings.NewReader(`{"url":"`+closedPort+`"}`))
		},
	}
	replies := make(chan reply)
	for name, make := range requests {
		go func() {
			request, err := make()
			if err != nil {
				a.Error(err)
			}
			request.Header.Set("Authorization", "Bearer "+a.client.key)
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Prefer", "respond-async")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				a.Error(err)
				response = new(http.Response)
			} else {
				response.Body.Close()
			}
			replies <- reply{name, response}
		}()
	}
	all := map[string]*http.Response{}
	for range requests {
		r := <-replies
		all[r.name] = r.response
	}
	return all
}

// isRefused holds that every request is 503 in time.
func (a *away) isRefused() {
	a.Helper()
	began := time.Now()
	for name, response := range a.ask() {
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			a.Errorf("without its database %s is %d %v", name, response.StatusCode, response.Header)
		}
	}
	if took := time.Since(began); took > awayPatience {
		a.Errorf("without its database the server responds after %v", took)
	}
	a.becomes(http.StatusServiceUnavailable)
}

// becomes waits until /readyz has a status, which it keeps for a moment.
func (a *away) becomes(status int) {
	a.Helper()
	for began := time.Now(); ; {
		got, body := get(a.T, a.client.address+"/readyz")
		if got == status {
			return
		}
		if time.Since(began) > awayPatience+healthAge {
			a.Fatalf("/readyz stays %d: %s", got, body)
		}
	}
}

// isServed waits until every request is served, and holds that this comes in time.
func (a *away) isServed() {
	a.Helper()
	for began, missing := time.Now(), "all"; missing != ""; {
		missing = ""
		for name, response := range a.ask() {
			if response.StatusCode >= http.StatusInternalServerError {
				missing += " " + name + " " + response.Status
			}
		}
		if time.Since(began) > backAfter {
			a.Fatalf("%v after its database the server is not back:%s", backAfter, missing)
		}
	}
	a.becomes(http.StatusOK)
}

// TestStartWithoutADatabase holds how long a start waits, and what it says then.
func TestStartWithoutADatabase(t *testing.T) {
	pgtest.Need(t)
	nothing := "postgres://sitegrade@/postgres?host=" + url.QueryEscape(filepath.Join(t.TempDir(), "no"))
	const patience = 300 * time.Millisecond
	for name, c := range map[string]struct {
		address string
		waits   bool
		says    string
	}{
		"nobody there": {nothing, true, "the database could not be reached for 300ms: start it, or correct its address (-database): "},
		"no response": {"postgres://sitegrade@" + newSilentHost(t, make(chan struct{}, 1000)) + "/postgres", true,
			"the database could not be reached for 300ms: start it, or correct its address (-database): "},
		"no such database": {strings.Replace(pgtest.New(t), "/postgres?", "/other?", 1), false, `database "other" does not exist`},
		"no address":       {"postgres://sitegrade@/x?port=no", false, "the address of the database: "},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			store, err := openShared(t.Context(), &settings{Database: c.address}, nil, patience)
			if err == nil {
				t.Fatal(store.Close())
			}
			took := time.Since(began)
			if !strings.Contains(err.Error(), c.says) || c.waits && (took < patience || took > patience+awayPatience) {
				t.Errorf("after %v it is %v", took, err)
			}
		})
	}
}
