package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"sitegrade/httpx"
	"sitegrade/httpx/bearer"
	"sitegrade/jsonappend"
)

// Path is where the tools are served over HTTP.
const Path = "/mcp"

// maxBody is how many bytes the body of a request may have.
const maxBody = 1 << 20

// ServeHTTP serves one request and logs it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// newHandler returns the handler of Path: what a request must fulfil stands before the protocol itself, which knows no sessions.
func (s *Server) newHandler() http.Handler {
	protocol := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // admit does that, and knows base_url
	})
	admitted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpx.InfoOf(r.Context()).Route = Path
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		from, refused := s.admit(w, r)
		if refused == nil {
			refused = readMessage(w, r)
		}
		if refused != nil {
			refused.send(w, r)
			return
		}
		protocol.ServeHTTP(w, r.WithContext(withCaller(r.Context(), from)))
	})
	return httpx.Handler(admitted, httpx.Options{
		Origins: s.Origins, Observe: s.Observe, Log: s.Log, Panicked: refuse(http.StatusInternalServerError, string(errInternal)).send,
	})
}

// refusal is why a request is not served.
type refusal struct {
	status int
	code   int64  // of JSON-RPC
	id     []byte // of the request, as JSON
	detail string
}

// refuse returns the refusal of a request of which nothing was read.
func refuse(status int, detail string) *refusal {
	code := int64(jsonrpc.CodeInvalidRequest)
	if status >= http.StatusInternalServerError {
		code = jsonrpc.CodeInternalError
	}
	return &refusal{status, code, []byte("null"), detail}
}

// send writes the response as the error of JSON-RPC that clients show.
func (f *refusal) send(w http.ResponseWriter, r *http.Request) {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), f.id...)
	b = strconv.AppendInt(append(b, `,"error":{"code":`...), f.code, 10)
	b = jsonappend.String(append(b, `,"message":`...), f.detail)
	httpx.Send(w, r, f.status, "application/json", append(b, "}}\n"...))
}

// readMessage reads the body of a request ahead, and refuses what the SDK would answer without JSON-RPC: what is too large, what is no JSON, and
// methods that the earlier revisions do not have.
func readMessage(w http.ResponseWriter, r *http.Request) *refusal {
	body, err := httpx.ReadBody(w, r, maxBody)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return refuse(http.StatusRequestEntityTooLarge, "A message may have at most 1 MiB.")
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "The message cannot be read to its end.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if !json.Valid(body) {
		return &refusal{http.StatusBadRequest, jsonrpc.CodeParseError, []byte("null"), "The message is not JSON."}
	}
	var message struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(body, &message) != nil || message.Method == "" || len(message.ID) == 0 || knows(r.Header.Get("Mcp-Protocol-Version"), message.Method) {
		return nil
	}
	return &refusal{http.StatusOK, jsonrpc.CodeMethodNotFound, message.ID, fmt.Sprintf("method not found: %q", message.Method)}
}

// knows reports whether a method is left to the SDK: all of the revision without sessions, and those that earlier ones have.
func knows(revision, method string) bool {
	return revision >= "2026-07-28" || slices.Contains([]string{"initialize", "ping", "tools/list", "tools/call", "server/discover"}, method) || isUndeclared(method)
}

// admit finds out who makes a request, and counts it against the rate of the key.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) (caller, *refusal) {
	info, h := httpx.InfoOf(r.Context()), w.Header()
	if !s.ownHost(r) {
		return caller{}, refuse(http.StatusForbidden, "The Host of the request is no name of this server. Behind a proxy, set base_url to the address that clients use.")
	}
	if origin := r.Header.Values("Origin"); len(origin) > 0 && !(len(origin) == 1 && isOwnOrigin(origin[0], info.Base, r.Host)) {
		return caller{}, refuse(http.StatusForbidden, "Pages of other origins may not use the tools.")
	}
	if r.Method != http.MethodPost {
		h.Set("Allow", http.MethodPost)
		return caller{}, refuse(http.StatusMethodNotAllowed, "Send messages by POST: this server keeps no sessions, and has no stream of its own.")
	}
	now := s.Now()
	key, err := s.keys.Of(r.Context(), r.Header, now)
	switch {
	case errors.Is(err, bearer.ErrNoKey):
		h.Set("WWW-Authenticate", bearer.Challenge)
		return caller{}, refuse(http.StatusUnauthorized, `Send an API key that is neither expired nor revoked in the header "Authorization: Bearer <key>".`)
	case err != nil:
		if r.Context().Err() == nil {
			s.Log.Error("request failed", slog.String("request_id", info.ID), slog.Any("cause", err))
		}
		h.Set("Retry-After", "5")
		return caller{}, refuse(http.StatusServiceUnavailable, string(errStopping))
	}
	info.Key = key.ID
	standing := s.Limits.Call(key.ID, now)
	standing.Tell(h)
	if standing.Wait > 0 {
		h.Set("Retry-After", strconv.Itoa(standing.Wait))
		return caller{}, refuse(http.StatusTooManyRequests, "This key has used up its rate. Wait as long as Retry-After says.")
	}
	return caller{key.Account, key.Scopes, info.ID}, nil
}

// ownHost reports whether a request that came over loopback names this machine or the configured address, and not another name that somebody
// has made lead here (DNS rebinding). Requests that came from elsewhere may name any host.
func (s *Server) ownHost(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return true
	}
	address, err := netip.ParseAddrPort(local.String())
	if err != nil || !address.Addr().Unmap().IsLoopback() {
		return true
	}
	if base, err := url.Parse(s.Origins.BaseURL); err == nil && base.Host != "" && strings.EqualFold(base.Host, r.Host) {
		return true
	}
	return isLoopback(r.Host)
}

// isLoopback reports whether a host, with or without a port, is the machine itself.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// isOwnOrigin reports whether an Origin is this server: as it is configured, or as the request itself names it.
func isOwnOrigin(origin, base, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	b, err := url.Parse(base)
	return strings.EqualFold(u.Host, host) || err == nil && strings.EqualFold(u.Host, b.Host) && u.Scheme == b.Scheme
}
