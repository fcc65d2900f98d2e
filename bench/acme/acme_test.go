// Package acme runs the server with certificates of a real authority: Pebble, with which Let's Encrypt tests the programs that ask it. It
// stands in this module so that Pebble does not come into the product's go.mod.
package acme

import (
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const (
	certified   = "seo.example.com"
	uncertified = "www.example.com"
	email       = "webmaster@example.com"
)

func TestCertificateIsFetchedAndKept(t *testing.T) {
	authority := startAuthority(t)
	data := filepath.Join(t.TempDir(), "data")

	first := startProduct(t, data, authority)
	authority.certify(t, first.port(t))
	shown := first.alive(t, authority.roots())
	if response, err := first.get(uncertified, authority.roots()); err == nil {
		response.Body.Close()
		t.Errorf("%s, which is not in acme_hosts, was served", uncertified)
	}
	first.stop(t)
	asked := authority.asked.Load()
	if asked == 0 {
		t.Error("the authority was not asked")
	}
	if contacts := authority.contacts(t, accountKey(t, data)); !slices.Equal(contacts, []string{"mailto:" + email}) {
		t.Errorf("the authority may write to %q", contacts)
	}
	requirePrivate(t, filepath.Join(data, "certificates"))

	second := startProduct(t, data, authority)
	if again := second.alive(t, authority.roots()); !again.Equal(shown) {
		t.Errorf("after the restart the certificate is %v, not %v", again.SerialNumber, shown.SerialNumber)
	}
	second.stop(t)
	if more := authority.asked.Load() - asked; more != 0 {
		t.Errorf("after the restart the authority was asked %d times", more)
	}
}

// TestAuthorityIsChanged goes from one authority to another, as from that for tests to the real one.
func TestAuthorityIsChanged(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	for range 2 {
		authority := startAuthority(t)
		product := startProduct(t, data, authority)
		authority.certify(t, product.port(t))
		product.alive(t, authority.roots())
		product.stop(t)
	}
}

// accountKey returns the public key of the one account that the data directory has with an authority.
func accountKey(t *testing.T, data string) any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "certificates", "*", "acme_account+key"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d accounts, %v", len(files), err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatalf("%s is not PEM", files[0])
	}
	key, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.Public()
}

// requirePrivate fails when somebody else may read dir or what is in it, or when no file is.
func requirePrivate(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has the mode %o, not %o", path, got, want)
		}
		return nil
	})
	if err != nil || files < 2 {
		t.Errorf("%d files in %s, not an account and a certificate: %v", files, dir, err)
	}
}
