package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
)

// tryOut is the trial of a version before it is trusted with the work: "serve -try" opens the data of these settings, migrates it where it must,
// serves on a free port of loopback, asks itself for what needs all parts, and ends. It audits nothing, crawls nothing and tells nobody, so that
// a copy of the data does none of the work of the original.
//
// The version before has this called by name. It must stay, also "version" that prints "sitegrade 1.2.3", and "check -data".
func (c *console) tryOut(ctx context.Context, settings *settings) error {
	settings.Listen, settings.MetricsListen, settings.ACMEHosts, settings.guest = "127.0.0.1:0", "", nil, true
	level := new(slog.LevelVar)
	level.Set(slog.LevelError)
	s, err := openServer(ctx, settings, c.logger(level))
	if err != nil {
		return err
	}
	if s.control != nil {
		err = s.control.Close()
	}
	public := s.publicServer(ctx)
	go public.Serve(s.listener) // what fails there fails the requests
	for _, path := range []string{"/livez", "/", "/docs", "/api/v1/openapi.json"} {
		err = errors.Join(err, s.respondsTo(ctx, path))
	}
	if err = errors.Join(err, shutDown(ctx, public), s.api.Close(ctx), s.mcp.Close(ctx), s.store.Close()); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "sitegrade %s starts on %s.\n", buildVersion(), settings.place())
	return nil
}

// respondsTo asks the server for a page or another path that needs no key.
func (s *server) respondsTo(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address()+path, nil)
	if err != nil {
		return err
	}
	client := http.Client{
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // itself, by another name than that of its certificate
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // base_url may be the server that works
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("asking the server for %s: %w", path, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("the server responds to %s with %s", path, response.Status)
	}
	return nil
}
