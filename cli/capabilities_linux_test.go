package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestCapabilitiesStay gives a program the capability to use ports under 1024, and has its successor get it. It needs root.
func TestCapabilitiesStay(t *testing.T) {
	old, fresh := filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "new")
	if err := errors.Join(os.WriteFile(old, nil, 0o755), os.WriteFile(fresh, nil, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := keepCapabilities(fresh, old); err != nil {
		t.Errorf("without any: %v", err)
	}
	bind := []byte{1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} // cap_net_bind_service=ep, in version 2 of the format
	if err := syscall.Setxattr(old, "security.capability", bind, 0); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) {
		t.Skip("capabilities need root and a disk that keeps them")
	} else if err != nil {
		t.Fatal(err)
	}
	if err := keepCapabilities(fresh, old); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 256)
	n, err := syscall.Getxattr(fresh, "security.capability", got)
	if err != nil || !bytes.Equal(got[:n], bind) {
		t.Errorf("%x, %v", got[:max(n, 0)], err)
	}
}
