package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitegrade/db/postgres/pgtest"
)

// commandLine runs a command in this process, and returns its exit status and what it printed.
func commandLine(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = Main(args, strings.NewReader(stdin), &out, &err)
	return status, out.String(), err.String()
}

// TestCommandsWithPostgreSQL has each command work on a database that a server has open, or say what to do instead. Not one makes anything in the
// data directory, nor counts as a server.
func TestCommandsWithPostgreSQL(t *testing.T) {
	database := pgtest.New(t)
	s := startServer(t, func(s *settings) { s.Database = database })
	data := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(t.TempDir(), "sitegrade.toml")
	if err := os.WriteFile(file, []byte("database = \""+database+"\"\ndata = \""+data+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	line := `{"kind":"report","url":"https://example.com/","project":"Moved","status":"failed","error":{"code":"dns","detail":"No such name."}}`
	tests := []struct {
		command string
		stdin   string
		status  int
		stdout  string
		stderr  string
	}{
		{command: "keys create -name second -scopes read", stdout: "sg_", stderr: "of the account default"},
		{command: "keys list", stdout: "second"},
		{command: "keys revoke 019b7e5a-3c00-7000-8000-000000000001", status: 1, stderr: "there is no key"},
		{command: "import", stdin: line, stderr: "1 line read: 1 imported"},
		{command: "export", stdout: `"project":"Moved"`},
		{command: "export -account other", status: 1, stderr: `no account "other"`},
		{command: "check", stdout: "1 account, 1 project, 1 report, 2 keys: consistent."},
		{command: "backup copy.db", status: 1, stderr: `pg_dump, or write it out with "sitegrade export"`},
		{command: "backup -", status: 1, stderr: "pg_dump"},
		{command: "compact", status: 1, stderr: "compacts its tables itself"},
		{command: "check -max-size 20GiB", status: 1, stderr: "max_size: is for the file of one server"},
		{command: "serve -try", stdout: "starts on PostgreSQL"},
		{command: "check -database postgres://u:hunter2@127.0.0.1:1/x", status: 1, stderr: "start the database, or correct its address"},
		{command: "check -database postgres://u:hunter2@127.0.0.1:port/x", status: 1, stderr: "the address of the database"},
		{command: "serve -database mysql://u:hunter2@127.0.0.1:1/x", status: 2, stderr: "must be postgres://"},
	}
	for _, test := range tests {
		args := strings.Fields(test.command)
		name := 1
		if args[0] == "keys" {
			name = 2
		}
		args = append(append(append([]string{}, args[:name]...), "-config", file), args[name:]...)
		status, stdout, stderr := commandLine(test.stdin, args...)
		if status != test.status || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) || strings.Contains(stdout+stderr, "hunter2") {
			t.Errorf("%s: status %d\n%s%s", test.command, status, stdout, stderr)
		}
		if _, err := os.Stat(data); err == nil && !strings.HasPrefix(test.command, "serve") {
			t.Fatalf("%s has made %s", test.command, data)
		}
		_ = os.RemoveAll(data)
	}
	if got := s.store.Servers(); got != 1 {
		t.Errorf("there are %d servers", got)
	}
	if _, err := os.Stat("copy.db"); err == nil {
		t.Error("a backup was made")
	}
	err := (&updater{settings: s.settings}).findData()
	if err == nil || !strings.Contains(err.Error(), "pg_dump") || !strings.Contains(err.Error(), "-no-backup") {
		t.Errorf("an update says %v", err)
	}
}
