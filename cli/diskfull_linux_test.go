package cli

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDiskHeals lets the server run on a file system of 24 MiB that something else fills up. Creates are 507 then, while reading and
// deleting go on; and with room again everything does. It needs root for the mount.
func TestFullDiskHeals(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	mountTemporary(t, data, "24m")
	s := startServer(t, func(s *settings) { s.Data, s.RateLimit, s.Wait = data, 0, 0 })
	client := &apiClient{t: t, address: s.address(), key: readKey(t, data)}
	var made []string
	for i := range 20 {
		made = append(made, client.create(fmt.Sprintf(closedPort+"made/%d", i)))
	}
	kept := client.create(closedPort + "kept")

	ballast := filepath.Join(data, "ballast")
	fillDisk(t, ballast)
	status := 0
	for i := 0; i < 100_000 && status != http.StatusInsufficientStorage; i++ {
		long := fmt.Sprintf(closedPort+"%d/%s", i, strings.Repeat("x", 1900))
		status = client.do("POST", "/reports", "", url.Values{"url": {long}}, nil)
	}
	if status != http.StatusInsufficientStorage {
		t.Fatalf("a full disk gives %d", status)
	}
	if status := client.do("GET", "/reports/"+kept, "", nil, nil); status != http.StatusOK {
		t.Errorf("reading gives %d", status)
	}
	if status, body := get(t, s.address()+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "disk") {
		t.Errorf("/readyz is %d %s", status, body)
	}
	for _, id := range made {
		if status := client.do("DELETE", "/reports/"+id, "", nil, nil); status != http.StatusNoContent {
			t.Errorf("deleting gives %d", status)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for status = 0; status != http.StatusAccepted; { // the server looks for room once a second
		status = client.do("POST", "/reports", "", url.Values{"url": {closedPort + "healed"}}, nil)
	}
	result, err := s.store.Check(t.Context())
	if err != nil || len(result.Differences) > 0 {
		t.Errorf("check: %v %v", result.Differences, err)
	}
}

// fillDisk writes a file until nothing more fits.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}
