package release

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// How much is read of the files of a release, in bytes.
const (
	maxSums    = 1 << 20
	maxArchive = 256 << 20
)

// defaultPatience is how long a server may send nothing.
const defaultPatience = 30 * time.Second

// Folder is where a release lies.
type Folder struct {
	where string // for people
	open  func(ctx context.Context, name string) (file io.ReadCloser, size int64, err error)
}

// Open returns the release at a path, at a file: URL or at an https: URL. Nothing is read yet.
//
// The servers of releases are asked by a client of their own and not by that of package fetch: its guard keeps those who have pages audited out
// of private networks, while the folder of releases is chosen by whoever runs Sitegrade and often lies in one; and it takes certificates that
// browsers refuse, which it then reports. This client refuses them, goes through the proxy of the environment, and keeps to https wherever it
// is redirected.
func Open(where string) (*Folder, error) {
	if where == "" {
		return nil, errors.New("no release is named")
	}
	u, err := url.Parse(where)
	if err != nil || len(u.Scheme) < 2 { // a path; one letter is a drive of Windows
		return &Folder{where: where, open: inDirectory(where)}, nil
	}
	switch {
	case u.Scheme == "file" && u.Path != "" && (u.Host == "" || u.Host == "localhost"):
		path := u.Path
		if runtime.GOOS == "windows" {
			path = strings.TrimPrefix(path, "/") // file:///C:/releases
		}
		return &Folder{where: where, open: inDirectory(filepath.FromSlash(path))}, nil
	case u.Scheme == "https" && u.Host != "":
		return &Folder{where: u.Redacted(), open: onServer(u, http.DefaultTransport.(*http.Transport).Clone(), defaultPatience)}, nil
	}
	return nil, fmt.Errorf("%s is neither a folder nor a URL with file:/// or https://", u.Redacted())
}

// String returns where the release lies, without a password.
func (f *Folder) String() string { return f.where }

// Sums reads the sums and their signature, and returns them if this key signed them. The error is ErrForged where it did not.
func (f *Folder) Sums(ctx context.Context, key ed25519.PublicKey) (*Sums, error) {
	signature, err := f.read(ctx, signatureName)
	if err != nil {
		return nil, err
	}
	text, err := f.read(ctx, sumsName)
	if err != nil {
		return nil, err
	}
	return parseSums(text, signature, key)
}

// read returns a short file.
func (f *Folder) read(ctx context.Context, name string) ([]byte, error) {
	var content bytes.Buffer
	err := f.copy(ctx, name, &content, maxSums, nil)
	return content.Bytes(), err
}

// Fetch writes an archive to w. It returns an error unless what was written has the signed sum; then it must not be used. told, where it is not
// nil, is called with how many bytes have come, and of how many, -1 where that is not known.
func (f *Folder) Fetch(ctx context.Context, a Archive, w io.Writer, told func(done, size int64)) error {
	sum := sha256.New()
	if err := f.copy(ctx, a.name, io.MultiWriter(w, sum), maxArchive, told); err != nil {
		return err
	}
	if [32]byte(sum.Sum(nil)) != a.sum {
		return fmt.Errorf("%s has another sum than the one that was signed: it was altered, or did not come whole", a.name)
	}
	return nil
}

// copy writes a file of at most limit bytes to w.
func (f *Folder) copy(ctx context.Context, name string, w io.Writer, limit int64, told func(done, size int64)) error {
	file, size, err := f.open(ctx, name)
	if err != nil {
		return fmt.Errorf("reading %s of the release at %s: %w", name, f.where, err)
	}
	defer file.Close()
	var source io.Reader = io.LimitReader(file, limit+1)
	if told != nil {
		source = &toldReader{source: source, size: size, told: told}
	}
	n, err := io.Copy(w, source)
	if err != nil {
		return fmt.Errorf("reading %s of the release at %s: %w", name, f.where, err)
	}
	if n > limit {
		return fmt.Errorf("%s of the release at %s is larger than %d bytes", name, f.where, limit)
	}
	return nil
}

// toldReader tells how much was read.
type toldReader struct {
	source     io.Reader
	done, size int64
	told       func(done, size int64)
}

func (r *toldReader) Read(b []byte) (int, error) {
	n, err := r.source.Read(b)
	r.done += int64(n)
	r.told(r.done, r.size)
	return n, err
}

func inDirectory(dir string) func(context.Context, string) (io.ReadCloser, int64, error) {
	return func(_ context.Context, name string) (io.ReadCloser, int64, error) {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return nil, 0, err
		}
		info, err := file.Stat()
		if err != nil {
			return nil, 0, errors.Join(err, file.Close())
		}
		return file, info.Size(), nil
	}
}

// onServer asks below base for files. A server that sends nothing for so long as patience is given up.
func onServer(base *url.URL, transport *http.Transport, patience time.Duration) func(context.Context, string) (io.ReadCloser, int64, error) {
	transport.DisableKeepAlives = true // for three requests in all
	client := &http.Client{Transport: transport, CheckRedirect: staysEncrypted}
	return func(ctx context.Context, name string) (io.ReadCloser, int64, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		body := &patientBody{patience: patience, cancel: cancel, cause: func() error { return context.Cause(ctx) }}
		body.timer = time.AfterFunc(patience, func() { cancel(fmt.Errorf("nothing came for %v", patience)) })
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath(name).String(), nil)
		if err != nil {
			return nil, 0, errors.Join(err, body.stop())
		}
		request.Header.Set("User-Agent", "Sitegrade") // and no version: who asks is nobody's business
		request.Header.Set("Accept-Encoding", "identity")
		response, err := client.Do(request)
		if err != nil {
			return nil, 0, errors.Join(body.failure(err), body.stop())
		}
		body.ReadCloser = response.Body
		if response.StatusCode != http.StatusOK {
			return nil, 0, errors.Join(fmt.Errorf("the server responds with %s", response.Status), body.Close())
		}
		return body, response.ContentLength, nil
	}
}

// staysEncrypted refuses redirects that leave https, and more of them than anybody needs.
func staysEncrypted(request *http.Request, via []*http.Request) error {
	if request.URL.Scheme != "https" {
		return errors.New("the server redirects to something that is not https")
	}
	if len(via) >= 10 {
		return errors.New("the server redirects more than 10 times")
	}
	return nil
}

// patientBody is a response's body that is given up when nothing comes.
type patientBody struct {
	io.ReadCloser
	patience time.Duration
	timer    *time.Timer
	cancel   context.CancelCauseFunc
	cause    func() error
}

func (b *patientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.timer.Reset(b.patience)
	if err != nil {
		err = b.failure(err) // also of a body that ends well because its server saw that it was given up
	}
	return n, err
}

// failure returns why a request was given up, where it was, in place of the error that came of that.
func (b *patientBody) failure(err error) error {
	if cause := b.cause(); cause != nil {
		return cause
	}
	return err
}

func (b *patientBody) Close() error { return errors.Join(b.ReadCloser.Close(), b.stop()) }

func (b *patientBody) stop() error {
	b.timer.Stop()
	b.cancel(nil)
	return nil
}
