package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitegrade/db/bolt"
)

// frames writes an answer as the server does.
func frames(t *testing.T, write func(*frameWriter)) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	write(&frameWriter{w: &b, flush: func() error { return nil }})
	return &b
}

func TestFramesComeOutAsTheyWentIn(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", maxFrame/8) // two frames
	answer := frames(t, func(f *frameWriter) {
		for kind, text := range map[byte]string{stdoutFrame: long, stderrFrame: "a word beside it"} {
			if n, err := io.WriteString(f.stream(kind), text); n != len(text) || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
		}
		if err := f.write(endFrame, []byte(`{"status":3,"error":"as it is"}`)); err != nil {
			t.Error(err)
		}
	})
	var stdout, stderr bytes.Buffer
	c := console{stdout: &stdout, stderr: &stderr}
	err := c.readFrames(answer)
	if stdout.String() != long || stderr.String() != "a word beside it" {
		t.Errorf("%d bytes and %q", stdout.Len(), stderr.String())
	}
	if exitStatus(err) != 3 || err.Error() != "as it is" {
		t.Errorf("%d, %v", exitStatus(err), err)
	}
}

// TestAnAnswerThatBreaksOffIsAnError cuts a good answer at every byte.
func TestAnAnswerThatBreaksOffIsAnError(t *testing.T) {
	whole := frames(t, func(f *frameWriter) {
		_, _ = io.WriteString(f.stream(stdoutFrame), "half a backup")
		_ = f.write(endFrame, []byte(`{"status":0}`))
	}).Bytes()
	c := console{stdout: io.Discard, stderr: io.Discard}
	if err := c.readFrames(bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := c.readFrames(bytes.NewReader(whole[:n])); err == nil {
			t.Errorf("%d of %d bytes count as a whole answer", n, len(whole))
		}
	}
}

func TestAWriterThatFailsEndsTheCommand(t *testing.T) {
	answer := frames(t, func(f *frameWriter) { _, _ = io.WriteString(f.stream(stdoutFrame), "text") })
	full := errors.New("no space left")
	c := console{stdout: writerFunc(func([]byte) (int, error) { return 0, full }), stderr: io.Discard}
	if err := c.readFrames(answer); !errors.Is(err, full) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestASlowBackupHoldsNobodyUp takes the first bytes of a backup, has other clients write, and takes the rest.
func TestASlowBackupHoldsNobodyUp(t *testing.T) {
	s := startServer(t, func(s *settings) { s.RateLimit, s.Wait = 0, 0 })
	client := &apiClient{t: t, address: s.address(), key: readKey(t, s.settings.Data)}
	const before, meanwhile = 20, 100
	for i := range before {
		client.create(fmt.Sprintf("%s%d", closedPort, i))
	}
	conn, err := dialControl(s.settings.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "POST /run?task=%s HTTP/1.1\r\nHost: sitegrade\r\nContent-Length: 0\r\n\r\n", url.QueryEscape(`{"do":"backup"}`)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range meanwhile {
		client.create(fmt.Sprintf("%s%d", closedPort, before+i))
	}
	var copied bytes.Buffer
	c := console{stdout: &copied, stderr: io.Discard}
	if err := c.readFrames(answer.Body); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), databaseName)
	if err := os.WriteFile(path, copied.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	restored, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	result, err := restored.Check(t.Context())
	if err != nil || len(result.Differences) > 0 || result.Reports != before {
		t.Errorf("the backup has %+v, %v", result, err)
	}
}

// FuzzFrames holds that no answer makes the reader panic or take more memory than a frame may have.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{stdoutFrame, 0, 0, 0, 1, 'a', endFrame, 0, 0, 0, 12, '{', '"', 's', 't', 'a', 't', 'u', 's', '"', ':', '0', '}'})
	f.Add([]byte{9, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := console{stdout: io.Discard, stderr: io.Discard}
		if err := c.readFrames(bytes.NewReader(b)); err == nil && !bytes.Contains(b, []byte{endFrame}) {
			t.Error("an answer without an end counts as whole")
		}
	})
}
