package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/terminal"
)

func exportLines(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	account := fs.String("account", "", "`account` to write; empty: all")
	settings, err := c.configureAlone(fs, dataOptions, args)
	if err != nil {
		return err
	}
	return c.perform(ctx, settings, task{Do: "export", Account: *account})
}

func exportTask(ctx context.Context, t task, s surroundings) error {
	buffered := bufio.NewWriterSize(s.stdout, 256<<10)
	if err := s.store.Export(ctx, t.Account, buffered); errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("there is no account %q", t.Account)
	} else if err != nil {
		return err
	}
	return buffered.Flush()
}

func importLines(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	account := fs.String("account", "", "`account` that everything goes to, whatever the lines say")
	settings, err := c.configureAlone(fs, dataOptions, args)
	if err != nil {
		return err
	}
	return c.perform(ctx, settings, task{Do: "import", Account: *account, Progress: terminal.IsTerminal(c.stderr)})
}

func importTask(ctx context.Context, t task, s surroundings) error {
	line := &progress{}
	if t.Progress {
		line = &progress{w: s.stderr, wide: 80}
	}
	var shown time.Time
	stats, err := s.store.Import(ctx, t.Account, s.stdin, func(so db.ImportStats) {
		if now := time.Now(); now.Sub(shown) > 200*time.Millisecond {
			shown = now
			line.show("%d lines: %d imported, %d skipped", so.Lines, so.Imported, so.Skipped)
		}
	})
	line.clear()
	fmt.Fprintf(s.stderr, "%d %s read: %d imported, %d skipped because they exist already.\n", stats.Lines, terminal.Plural(stats.Lines, "line", "lines"), stats.Imported, stats.Skipped)
	return err
}

func check(ctx context.Context, c *console, args []string) error {
	settings, err := c.configureAlone(c.flags(), dataOptions, args)
	if err != nil {
		return err
	}
	return c.perform(ctx, settings, task{Do: "check"})
}

func checkTask(ctx context.Context, _ task, s surroundings) error {
	result, err := s.store.Check(ctx)
	if err != nil {
		return err
	}
	for _, difference := range result.Differences {
		fmt.Fprintln(s.stdout, terminal.Clean(difference))
	}
	if result.More > 0 {
		fmt.Fprintf(s.stdout, "and %d more\n", result.More)
	}
	if n := len(result.Differences) + result.More; n > 0 {
		fmt.Fprintf(s.stdout, "%s: %d %s.\n", contents(result), n, terminal.Plural(n, "difference", "differences"))
		return errors.New("the database is not consistent: export what it has and import it into a new one, or restore a backup")
	}
	fmt.Fprintf(s.stdout, "%s: consistent.\n", contents(result))
	return nil
}

// contents says what a database holds: "1 account, 2 projects, 17 reports, 1 key".
func contents(r db.CheckResult) string {
	return fmt.Sprintf("%d %s, %d %s, %d %s, %d %s",
		r.Accounts, terminal.Plural(r.Accounts, "account", "accounts"), r.Projects, terminal.Plural(r.Projects, "project", "projects"),
		r.Reports, terminal.Plural(r.Reports, "report", "reports"), r.Keys, terminal.Plural(r.Keys, "key", "keys"))
}

func compact(ctx context.Context, c *console, args []string) error {
	settings, err := c.configureAlone(c.flags(), dataOptions, args)
	if err != nil {
		return err
	}
	if settings.Database != "" {
		return errors.New("the data is in PostgreSQL, which compacts its tables itself (autovacuum): compact is for the file of one server")
	}
	path := filepath.Join(settings.Data, databaseName)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: -data names its directory", path)
	}
	before, after, err := bolt.Compact(ctx, path)
	if errors.Is(err, bolt.ErrInUse) {
		return errors.New("the database is in use: stop the server first, since compact needs it for itself")
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s before, %s after\n", audit.FormatBytes(before), audit.FormatBytes(after))
	return nil
}

// errNoFile says what to do instead of a backup.
var errNoFile = errors.New("the data is in PostgreSQL, and so in no file to be copied: back it up with pg_dump, or write it out with \"sitegrade export\"")

// backup has the server, or this process, stream a verified copy, and writes it to a file that appears only when it is whole.
func backup(ctx context.Context, c *console, args []string) error {
	settings, operands, err := c.configure(c.flags(), dataOptions, args)
	if err != nil {
		return err
	}
	path, err := c.oneOperand(operands)
	if err != nil {
		return err
	}
	if settings.Database != "" {
		return errNoFile
	}
	if path == "-" {
		return c.backupTo(ctx, settings, c.stdout)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already: a backup does not overwrite", path)
	}
	return writeWhole(path, 0o600, func(w io.Writer) error { return c.backupTo(ctx, settings, w) })
}

func (c *console) backupTo(ctx context.Context, s *settings, w io.Writer) error {
	to := *c
	to.stdout = w
	return to.perform(ctx, s, task{Do: "backup"})
}

// writeWhole writes a file under another name first, so that a file of that name is always a whole one on disk.
func writeWhole(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDirectory(filepath.Dir(path))
}

// syncDirectory makes a new name in the directory last through a power cut, where the system can do that.
func syncDirectory(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// copyPattern names the directories in which copies for backups are made.
const copyPattern = "backup-*.tmp"

// backupTask makes a verified copy beside the database and streams it, so that a slow reader holds up no writer.
func backupTask(ctx context.Context, _ task, s surroundings) error {
	file, ok := s.store.(interface {
		Backup(ctx context.Context, path string) (db.CheckResult, error)
	})
	if !ok {
		return errNoFile
	}
	dir, err := os.MkdirTemp(s.data, copyPattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, databaseName)
	holds, err := file.Backup(ctx, path)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(s.stdout, f)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stderr, "Backup of %s, verified: %s. To restore it, put it at %s with no server running.\n",
		audit.FormatBytes(n), contents(holds), filepath.Join(s.data, databaseName))
	return nil
}
