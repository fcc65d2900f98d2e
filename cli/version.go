package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"sitegrade/release"
)

// version prints the version that the build recorded, and what it was built with. It asks for a newer one, or reads the release of this
// one, only when told to.
func version(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	newer := fs.Bool("check", false, "look whether the release at -from or update_url is newer")
	verify := fs.Bool("verify", false, "compare this program, byte for byte, with that of its version in the signed release at -from or update_url")
	from := addFrom(fs)
	read, operands, err := c.configuration(fs, noFlag, args)
	if err != nil {
		return err
	}
	if err := c.noOperands(operands); err != nil {
		return err
	}
	fmt.Fprintln(c.stdout, "sitegrade", buildVersion())
	if !*newer && !*verify {
		return nil
	}
	settings, err := read()
	if err != nil {
		return err
	}
	source := cmp.Or(*from, settings.UpdateURL)
	if *newer {
		err = c.sayNewest(ctx, source)
	}
	if *verify {
		err = errors.Join(err, c.verifyProgram(ctx, source))
	}
	return err
}

// releaseVersion is set by the release build (-ldflags "-X sitegrade/cli.releaseVersion=1.2.3").
var releaseVersion string

// buildVersion returns the release's version, or else the revision of the source that the binary was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case releaseVersion != "":
		return releaseVersion
	case !ok:
		return "of an unknown source"
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version + " (" + info.GoVersion + ")"
	}
	return "development (" + info.GoVersion + ")"
}

// signedRelease returns the release at source, and its sums once their signature has held.
func signedRelease(ctx context.Context, source string) (*release.Folder, *release.Sums, error) {
	if source == "" {
		return nil, nil, errors.New("no release is named: name its folder or URL with -from, or as update_url in the configuration")
	}
	if !release.IsVersion(releaseVersion) {
		return nil, nil, errors.New("this program was built from its source and is no release: take a program from a release, or build a newer source")
	}
	key, err := release.Key()
	if err != nil {
		return nil, nil, err
	}
	folder, err := release.Open(source)
	if err != nil {
		return nil, nil, err
	}
	sums, err := folder.Sums(ctx, key)
	return folder, sums, err
}

// sayNewest says whether the release at source is newer than this program.
func (c *console) sayNewest(ctx context.Context, source string) error {
	folder, sums, err := signedRelease(ctx, source)
	if err != nil {
		return err
	}
	newest, err := sums.Newest()
	if err != nil {
		return err
	}
	switch release.Compare(newest.Version(), releaseVersion) {
	case 0:
		fmt.Fprintf(c.stdout, "That is the version of the release at %s.\n", folder)
	case -1:
		fmt.Fprintf(c.stdout, "The release at %s is older: %s.\n", folder, newest.Version())
	default:
		fmt.Fprintf(c.stdout, "The release at %s is newer: %s. To upgrade: %s\n", folder, newest.Version(), upgradeCommand())
	}
	return nil
}

// upgradeCommand says how this program is replaced by a newer one.
func upgradeCommand() string {
	program, err := ownProgram()
	if err != nil {
		return "sitegrade update"
	}
	if owner, owned := release.Owner(program); owned {
		return owner.Upgrade
	}
	return "sitegrade update"
}

// ownProgram returns the path of this program's file, without links.
func ownProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// verifyProgram compares this program with the one of its version in the archive of the release, since it is the archive that is signed.
func (c *console) verifyProgram(ctx context.Context, source string) error {
	path, err := ownProgram()
	if err != nil {
		return err
	}
	if owner, owned := release.Owner(path); owned && owner.Verify != "" {
		return fmt.Errorf("this program came with %s and is in no archive. To verify it: %s", owner.Name, owner.Verify)
	}
	folder, sums, err := signedRelease(ctx, source)
	if err != nil {
		return err
	}
	archive, err := sums.Of(releaseVersion)
	if err != nil {
		return err
	}
	signed, err := c.programSum(ctx, folder, archive)
	if err != nil {
		return err
	}
	own := sha256.New()
	if err := readFile(path, own); err != nil {
		return err
	}
	if !bytes.Equal(own.Sum(nil), signed) {
		return fmt.Errorf("%s is NOT the program that was signed: its SHA-256 is %x, that of %s in the signed archive is %x", path, own.Sum(nil), releaseVersion, signed)
	}
	fmt.Fprintf(c.stdout, "%s is the program that was signed: each byte is that of %s.\n", path, archive.Name())
	return nil
}

// programSum returns the SHA-256 of the program in an archive.
func (c *console) programSum(ctx context.Context, folder *release.Folder, archive release.Archive) ([]byte, error) {
	room, err := os.MkdirTemp("", "sitegrade-verify-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(room)
	path := filepath.Join(room, archive.Name())
	if err := c.fetchArchive(ctx, folder, archive, path); err != nil {
		return nil, err
	}
	sum := sha256.New()
	if err := release.Unpack(path, archive, sum); err != nil {
		return nil, err
	}
	return sum.Sum(nil), nil
}

// readFile writes what a file has to w.
func readFile(path string, w io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
