package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// openToOthers returns what of an existing data directory other users of the machine may read or write, the directory first. What this
// program makes is never open to them.
func openToOthers(data string) []string {
	if runtime.GOOS == "windows" {
		return nil // which has no modes
	}
	var open []string
	for _, name := range []string{"", databaseName, firstKeyName, cookieSecretName, certificatesName} {
		path := filepath.Join(data, name)
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
	}
	return open
}
