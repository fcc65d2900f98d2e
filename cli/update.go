package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"sitegrade/audit"
	"sitegrade/release"
)

// updater is one run of "sitegrade update". Until the new program has taken the place of this one, all that it makes lies in two rooms, one
// beside the program and one below the data, and is worth nothing: an update that dies changes nothing, and the next one clears up. The new
// program takes the place by one rename, so that at each moment there is a whole program of one version.
type updater struct {
	*console
	settings *settings
	line     *progress
	program  string // the path of this program, without links
	folder   *release.Folder
	archive  release.Archive
	room     string // beside the program
	fresh    string // the new program in the room
	backup   string // the copy of the database; "" for none
}

// The rooms of updates, in the folder of the program and in the data directory.
const (
	roomPattern      = ".sitegrade-update-*"
	rehearsalPattern = "update-*.tmp"
)

func addFrom(fs *flag.FlagSet) *string {
	return fs.String("from", "", "`folder` of a release, or its URL (file:///, https://); update_url where this is absent")
}

// update replaces this program by that of the newest release, once its signature has held and it has run on a copy of the data.
func update(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	from := addFrom(fs)
	alone := fs.Bool("no-backup", false, "replace the program without a copy of the data and a trial on it: where this machine has no database file, as with PostgreSQL")
	settings, err := c.configureAlone(fs, dataOptions, args)
	if err != nil {
		return err
	}
	u := &updater{console: c, settings: settings, line: progressOn(c.stderr)}
	if u.program, err = ownProgram(); err != nil {
		return err
	}
	if owner, owned := release.Owner(u.program); owned {
		return fmt.Errorf("%s belongs to %s, which would not know of a change. To upgrade: %s", u.program, owner.Name, owner.Upgrade)
	}
	isNewer, err := u.findNewer(ctx, cmp.Or(*from, settings.UpdateURL))
	if err != nil || !isNewer {
		return err
	}
	if err := u.clearRooms(); err != nil {
		return err
	}
	steps := []func(context.Context) error{u.fetch, u.askVersion, u.copyData, u.rehearse, u.install, u.start}
	if *alone {
		steps = []func(context.Context) error{u.fetch, u.askVersion, u.install}
	} else if err := u.findData(); err != nil {
		return err
	}
	if err := u.makeRoom(); err != nil {
		return err
	}
	defer os.RemoveAll(u.room)
	for _, step := range steps {
		if err := step(ctx); err != nil {
			u.line.clear()
			return err
		}
	}
	return nil
}

// say tells what has been done.
func (u *updater) say(format string, args ...any) {
	u.line.clear()
	fmt.Fprintf(u.stderr, format+"\n", args...)
}

// findNewer reports whether the release at source is newer than this program, and takes its archive then. An older one is an error.
func (u *updater) findNewer(ctx context.Context, source string) (bool, error) {
	var sums *release.Sums
	var err error
	if u.folder, sums, err = signedRelease(ctx, source); err != nil {
		return false, err
	}
	if u.archive, err = sums.Newest(); err != nil {
		return false, err
	}
	switch release.Compare(u.archive.Version(), releaseVersion) {
	case 0:
		fmt.Fprintf(u.stdout, "sitegrade %s is the version of the release at %s.\n", releaseVersion, u.folder)
		return false, nil
	case -1:
		return false, fmt.Errorf("the release at %s is %s, older than this program (%s): an update does not go back", u.folder, u.archive.Version(), releaseVersion)
	}
	u.say("The release at %s is %s, and its signature holds. This is %s.", u.folder, u.archive.Version(), releaseVersion)
	return true, nil
}

// findData holds that there is data to copy, and room for it: a disk that an update fills would be one that the server cannot write to.
func (u *updater) findData() error {
	if u.settings.Database != "" {
		return errors.New("the data is in PostgreSQL, of which an update makes no copy: make one (pg_dump, or \"sitegrade export\"), update each server with -no-backup, and start them again one after the other")
	}
	path := filepath.Join(u.settings.Data, databaseName)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: -data names its directory, and -no-backup says that this machine has none", path)
	}
	if err != nil {
		return err
	}
	needed := 3*info.Size() + leastDisk // the backup, a copy to try, and what a migration keeps of that
	if free, err := freeDisk(u.settings.Data); err == nil && free < needed {
		return fmt.Errorf("the disk of %s has %s free, and an update needs %s for copies of the database", u.settings.Data, audit.FormatBytes(free), audit.FormatBytes(needed))
	}
	return nil
}

// clearRooms removes what an update left that was killed.
func (u *updater) clearRooms() error {
	for _, pattern := range []string{
		filepath.Join(filepath.Dir(u.program), roomPattern),
		filepath.Join(u.settings.Data, rehearsalPattern),
		filepath.Join(u.settings.Data, "."+backupName("*")+".*"), // what writeWhole had not finished
	} {
		rooms, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, room := range rooms {
			if err := os.RemoveAll(room); err != nil {
				return fmt.Errorf("what an earlier update left cannot be removed: %w", err)
			}
		}
	}
	return nil
}

// makeRoom makes the room beside the program: on the same disk, where programs may be run.
func (u *updater) makeRoom() (err error) {
	dir := filepath.Dir(u.program)
	if u.room, err = os.MkdirTemp(dir, roomPattern); err != nil {
		return fmt.Errorf("%s cannot be written to by this user: run the update as one who may replace %s (%w)", dir, u.program, err)
	}
	u.fresh = filepath.Join(u.room, filepath.Base(u.program))
	return nil
}

// fetch gets the archive, and unpacks the program when the sum of the archive is the signed one.
func (u *updater) fetch(ctx context.Context) error {
	path := filepath.Join(u.room, u.archive.Name())
	if err := u.fetchArchive(ctx, u.folder, u.archive, path); err != nil {
		return err
	}
	u.say("Fetched %s: its sum is the signed one.", u.archive.Name())
	info, err := os.Stat(u.program)
	if err != nil {
		return err
	}
	if err := writeWhole(u.fresh, info.Mode().Perm(), func(w io.Writer) error { return release.Unpack(path, u.archive, w) }); err != nil {
		return err
	}
	if err := errors.Join(os.Remove(path), ownLike(u.fresh, u.program)); err != nil {
		return err
	}
	return keepCapabilities(u.fresh, u.program) // after the change of the owner, which takes them away
}

// fetchArchive writes an archive to a file, which is whole and as it was signed when there is no error.
func (c *console) fetchArchive(ctx context.Context, folder *release.Folder, archive release.Archive, path string) error {
	line := progressOn(c.stderr)
	defer line.clear()
	var shown time.Time
	return writeWhole(path, 0o600, func(w io.Writer) error {
		return folder.Fetch(ctx, archive, w, func(done, size int64) {
			if time.Since(shown) < 100*time.Millisecond {
				return
			}
			shown = time.Now()
			of := ""
			if size > 0 {
				of = " of " + audit.FormatBytes(size)
			}
			line.show("Fetching %s: %s%s", archive.Name(), audit.FormatBytes(done), of)
		})
	})
}

// askVersion holds that the new program runs here, and is what the name of its archive says.
func (u *updater) askVersion(ctx context.Context) error {
	output, err := u.call(ctx, u.fresh, "version")
	if err != nil {
		return err
	}
	if want := "sitegrade " + u.archive.Version(); strings.TrimSpace(output) != want {
		return fmt.Errorf("the program in %s says that it is %q, not %q: it is not installed", u.archive.Name(), strings.TrimSpace(output), want)
	}
	return nil
}

// backupName returns the name of the copy of the database that is made before the update to a version.
func backupName(version string) string { return databaseName + ".before-" + version }

// copyData makes a verified backup, through the server if one runs.
func (u *updater) copyData(ctx context.Context) error {
	u.line.show("Copying the database")
	path := filepath.Join(u.settings.Data, backupName(u.archive.Version()))
	console := *u.console
	console.stderr = clearing{u.line, u.stderr}
	if err := writeWhole(path, 0o600, func(w io.Writer) error { return console.backupTo(ctx, u.settings, w) }); err != nil {
		return fmt.Errorf("copying the database: %w", err)
	}
	u.backup = path
	u.say("The copy is at %s.", path)
	return handOver(u.settings.Data)
}

// rehearse has the new program check and serve another copy.
func (u *updater) rehearse(ctx context.Context) error {
	copied, err := os.MkdirTemp(u.settings.Data, rehearsalPattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	if err := copyFile(filepath.Join(copied, databaseName), u.backup); err != nil {
		return err
	}
	for _, command := range [][]string{{"check"}, {"serve", "-try"}} {
		words := strings.Join(command, " ")
		u.line.show("Trying %s: %s", u.archive.Version(), words)
		if _, err := u.call(ctx, u.fresh, append(command, u.dataFlags(copied)...)...); err != nil {
			return fmt.Errorf("%s does not work with a copy of the data, and is not installed: %w", u.archive.Version(), err)
		}
		u.say("%s works with a copy of the data: %s.", u.archive.Version(), words)
	}
	return nil
}

// install puts the new program in the place of this one, which stays beside it.
func (u *updater) install(context.Context) error {
	if err := u.swap(); err != nil {
		return fmt.Errorf("installing %s: %w", u.program, err)
	}
	u.say("Installed %s. The program before is at %s.", u.program, u.previous())
	fmt.Fprintf(u.stdout, "%s is now sitegrade %s.\n", u.program, u.archive.Version())
	return syncDirectory(filepath.Dir(u.program))
}

// previous returns where the program stays that was replaced.
func (u *updater) previous() string {
	if name, isWindows := strings.CutSuffix(u.program, ".exe"); isWindows {
		return name + ".previous.exe"
	}
	return u.program + ".previous"
}

func (u *updater) swap() error {
	if runtime.GOOS == "windows" { // which lets a program that runs be renamed, but not replaced
		if err := removeIfThere(u.previous()); err != nil {
			return err
		}
		if err := os.Rename(u.program, u.previous()); err != nil {
			return err
		}
		if err := os.Rename(u.fresh, u.program); err != nil {
			return errors.Join(err, os.Rename(u.previous(), u.program))
		}
		return nil
	}
	kept := filepath.Join(u.room, "previous")
	if err := linkOrCopy(kept, u.program); err != nil {
		return err
	}
	if err := os.Rename(kept, u.previous()); err != nil {
		return err
	}
	return os.Rename(u.fresh, u.program)
}
