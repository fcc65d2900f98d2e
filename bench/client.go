package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/google/uuid"
)

// server is an engine's handler on a listener of its own.
type server struct {
	engine   engine
	listener net.Listener
	http     http.Server
}

func serve(e engine) (*server, error) {
	handler, err := e.handler()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{engine: e, listener: listener, http: http.Server{Handler: handler}}
	go func() { _ = s.http.Serve(listener) }() // ends with close
	return s, nil
}

func (s *server) close() error { return s.http.Close() }

// request returns the bytes of the request for a list.
func (s *server) request(k kind) []byte {
	path, header := s.engine.target(k)
	if header != "" {
		header += "\r\n"
	}
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, s.listener.Addr(), header)
}

// connection is one kept-alive connection. It is much cheaper than an http.Client, whose own cost would hide the servers'.
type connection struct {
	conn net.Conn
	in   *bufio.Reader
}

func (s *server) dial() (*connection, error) {
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		return nil, err
	}
	return &connection{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

// get sends the request and copies the body of the answer, which must be 200, to w.
func (c *connection) get(request []byte, w io.Writer) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s %s", request, response.Status, text)
	}
	_, err = io.Copy(w, response.Body)
	return err
}

// readAnswer reads an answer of Sitegrade's API or of PocketBase's.
func readAnswer(body []byte) (answer, error) {
	var list struct {
		Data  []struct{ ID uuid.UUID }
		Items []struct{ ID uuid.UUID }
		Meta  struct{ Total int }
		Total int `json:"totalItems"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return answer{}, err
	}
	a := answer{total: list.Meta.Total + list.Total}
	for _, row := range append(list.Data, list.Items...) {
		a.ids = append(a.ids, row.ID)
	}
	return a, nil
}

// pool lends connections to callers, one to each at a time.
type pool chan *connection

func newPool(s *server, size int) (pool, error) {
	p := make(pool, size)
	for range size {
		c, err := s.dial()
		if err != nil {
			return nil, err
		}
		p <- c
	}
	return p, nil
}

func (p pool) get(request []byte, w io.Writer) error {
	c := <-p
	defer func() { p <- c }()
	return c.get(request, w)
}

func (p pool) close() {
	for range cap(p) {
		_ = (<-p).conn.Close()
	}
}
