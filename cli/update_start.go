package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"sitegrade/db/bolt"
	"sitegrade/terminal"
)

// start has the installed program start on the data, where no server runs on it. If it cannot, program and data become what they were. A
// server that runs is left alone: it serves on until its user replaces it.
func (u *updater) start(ctx context.Context) error {
	data := u.settings.Data
	if running, runs := u.askRunning(ctx, data); runs {
		u.sayRestart(running, data)
		u.sayWayBack()
		return nil
	}
	u.line.show("Starting %s on %s", u.archive.Version(), data)
	_, err := u.call(ctx, u.program, append([]string{"serve", "-try"}, u.dataFlags(data)...)...)
	if err == nil {
		u.say("%s works with the data: serve -try.", u.archive.Version())
		fmt.Fprintf(u.stdout, "No server runs on %s; the next one that is started is %s.\n", data, u.archive.Version())
		return handOver(data)
	}
	if running, runs := u.askRunning(ctx, data); runs { // it was started in the meantime
		u.sayRestart(running, data)
		return nil
	}
	err = fmt.Errorf("%s worked with a copy of the data but does not start on %s: %w", u.archive.Version(), data, err)
	if wrong := u.goBack(context.WithoutCancel(ctx)); wrong != nil {
		return errors.Join(err, fmt.Errorf("%w; the program before is at %s, and the data as it was at %s", wrong, u.previous(), u.backup))
	}
	return fmt.Errorf("%w\nProgram and data are what they were: sitegrade %s", err, releaseVersion)
}

// sayWayBack says what to do if the new version does not do what the old one did.
func (u *updater) sayWayBack() {
	fmt.Fprintf(u.stdout, "For %s again: stop the server, mv %s %s, and start it. If it finds the data too new, put the newest copy that lies beside it in its place: %s.schema... or %s.\n",
		releaseVersion, shellWord(u.previous()), shellWord(u.program), databaseName, filepath.Base(u.backup))
}

// goBack undoes an installation that did not start. The data comes first: the new program could still be tried with it.
func (u *updater) goBack(ctx context.Context) error {
	if err := u.restoreData(ctx); err != nil {
		return fmt.Errorf("the data could not be brought back: %w", err)
	}
	if err := os.Rename(u.previous(), u.program); err != nil {
		return fmt.Errorf("the program could not be brought back: %w", err)
	}
	return errors.Join(syncDirectory(filepath.Dir(u.program)), handOver(u.settings.Data))
}

// restoreData puts the backup in the place of a database that this version cannot use any more. One that it can use stays, since it may hold
// more than the backup.
func (u *updater) restoreData(ctx context.Context) error {
	usable, err := u.canUseData(ctx)
	if err != nil || usable {
		return err
	}
	path := filepath.Join(u.settings.Data, databaseName)
	spoiled := path + ".failed-" + u.archive.Version()
	for _, step := range []func() error{
		func() error { return removeIfThere(spoiled) },
		func() error { return linkOrCopy(spoiled, path) },
		func() error { return copyFile(path, u.backup) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	u.say("The data is that of the copy again; what %s made of it is at %s.", u.archive.Version(), spoiled)
	return nil
}

// canUseData reports whether this version opens the database and finds it consistent. The error is for one that somebody else has open.
func (u *updater) canUseData(ctx context.Context) (bool, error) {
	store, err := openStore(ctx, u.settings, false)
	if errors.Is(err, bolt.ErrInUse) {
		return false, err
	}
	if err != nil {
		return false, nil
	}
	result, err := store.Check(ctx)
	consistent := err == nil && len(result.Differences) == 0
	return errors.Join(err, store.Close()) == nil && consistent, nil
}

// dataFlags returns the flags that have a command use this directory and the configuration of this one.
func (u *updater) dataFlags(data string) []string {
	flags := []string{"-data", data}
	if u.settings.file != "" {
		flags = append(flags, "-config", u.settings.file)
	}
	return flags
}

// call runs a program of the release and returns what it printed. The error has that too.
func (u *updater) call(ctx context.Context, program string, args ...string) (string, error) {
	var output bytes.Buffer
	command := exec.CommandContext(ctx, program, args...)
	command.Stdout, command.Stderr = &output, &output
	command.WaitDelay = 5 * time.Second
	err := command.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		said := terminal.CleanLines(strings.TrimSpace(output.String()))
		return "", fmt.Errorf("sitegrade %s: %w: %s", strings.Join(args, " "), err, terminal.Shorten(said, 2000))
	}
	return output.String(), nil
}

// copyFile makes a whole copy of a file, or leaves what was there.
func copyFile(to, from string) error {
	return writeWhole(to, 0o600, func(w io.Writer) error { return readFile(from, w) })
}

// linkOrCopy gives a file a second name, or makes a copy where the disk has no links.
func linkOrCopy(to, from string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return errors.Join(copyFile(to, from), os.Chmod(to, info.Mode().Perm()), ownLike(to, from))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
