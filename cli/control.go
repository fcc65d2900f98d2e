package cli

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The control socket lies in the data directory and is its owner's alone. A command posts a task to it, with its standard
// input as the body, and gets a response of frames: one byte that says what the frame is, four with its length (big endian), and
// its content. The last frame says how the task ended; a response without it was broken off.
const (
	socketName = "sitegrade.sock"

	stdoutFrame byte = 1
	stderrFrame byte = 2
	endFrame    byte = 3

	maxFrame = 1 << 20
)

// taskEnd is the content of the last frame.
type taskEnd struct {
	Status int    `json:"status"`
	Error  string `json:"error,omitempty"`
}

// listenControl opens the socket. The caller holds the database's lock, so that a socket that is already there is a dead one.
func listenControl(data string) (net.Listener, error) {
	path := filepath.Join(data, socketName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

func dialControl(data string) (net.Conn, error) {
	return net.DialTimeout("unix", filepath.Join(data, socketName), 5*time.Second)
}

// controlServer returns a server that does tasks with the database of here. ctx ends them.
func controlServer(ctx context.Context, here surroundings, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /run", func(w http.ResponseWriter, r *http.Request) {
		serveTask(w, r, here, log)
	})
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func serveTask(w http.ResponseWriter, r *http.Request, here surroundings, log *slog.Logger) {
	var t task
	if err := json.Unmarshal([]byte(r.URL.Query().Get("task")), &t); err != nil {
		http.Error(w, "the task cannot be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	control := http.NewResponseController(w)
	if err := control.EnableFullDuplex(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	frames := &frameWriter{w: w, flush: control.Flush}
	here.stdin = r.Body
	here.stdout = frames.stream(stdoutFrame)
	here.stderr = frames.stream(stderrFrame)
	err := t.run(r.Context(), here)
	log.Info("command", "command", t.Do, "account", t.Account, "status", exitStatus(err))
	end := taskEnd{Status: exitStatus(err)}
	if err != nil {
		end.Error = err.Error()
	}
	content, err := json.Marshal(end)
	if err == nil {
		err = frames.write(endFrame, content)
	}
	if err != nil {
		log.Warn("the end of a command could not be told", "command", t.Do, "error", err)
	}
}

// frameWriter writes frames of several streams, each at once.
type frameWriter struct {
	mu    sync.Mutex
	w     io.Writer
	flush func() error
}

func (f *frameWriter) write(kind byte, content []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(content)))
	if _, err := f.w.Write(head); err != nil {
		return err
	}
	if _, err := f.w.Write(content); err != nil {
		return err
	}
	return f.flush()
}

// stream returns a writer whose every write becomes frames of that kind.
func (f *frameWriter) stream(kind byte) io.Writer { return &frameStream{f, kind} }

type frameStream struct {
	frames *frameWriter
	kind   byte
}

func (s *frameStream) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		part := b[written:min(written+maxFrame, len(b))]
		if err := s.frames.write(s.kind, part); err != nil {
			return written, err
		}
		written += len(part)
	}
	return written, nil
}

// performThere has the server behind conn do the task.
func (c *console) performThere(ctx context.Context, conn net.Conn, t task) error {
	content, err := json.Marshal(t)
	if err != nil {
		return err
	}
	var body io.Reader
	if t.Do == "import" {
		body = c.stdin
	}
	address := "http://sitegrade/run?task=" + url.QueryEscape(string(content))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		DisableKeepAlives: true,
	}}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("asking the running server: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return fmt.Errorf("the running server refuses: %s", text)
	}
	return c.readFrames(response.Body)
}

// readFrames passes the frames on and returns the error that the last one tells.
func (c *console) readFrames(r io.Reader) error {
	buffered := bufio.NewReaderSize(r, 64<<10)
	for {
		var head [5]byte
		if _, err := io.ReadFull(buffered, head[:]); err != nil {
			return fmt.Errorf("the server broke off before the command was done: %w", err)
		}
		size := binary.BigEndian.Uint32(head[1:])
		if size > maxFrame {
			return errors.New("the server responds with something that this version does not understand")
		}
		content := make([]byte, size)
		if _, err := io.ReadFull(buffered, content); err != nil {
			return fmt.Errorf("the server broke off before the command was done: %w", err)
		}
		var err error
		switch head[0] {
		case stdoutFrame:
			_, err = c.stdout.Write(content)
		case stderrFrame:
			_, err = c.stderr.Write(content)
		case endFrame:
			return readEnd(content)
		}
		if err != nil {
			return err
		}
	}
}

func readEnd(content []byte) error {
	var end taskEnd
	if err := json.Unmarshal(content, &end); err != nil {
		return fmt.Errorf("the server's last words cannot be read: %w", err)
	}
	if end.Status == statusDone {
		return nil
	}
	return &exitError{end.Status, errors.New(end.Error)}
}
