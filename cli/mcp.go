package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/mcp"
	"sitegrade/worker"
)

// toolsGrace is how long audits under way may take once the agent has gone.
const toolsGrace = 100 * time.Millisecond

// serveTools serves the tools to the one agent that has started this process. It has a database of its own, which ends with it: the server's
// may be in use, and so may that of another agent, and reports of a page that is being worked on are nobody else's.
func serveTools(ctx context.Context, c *console, args []string) (err error) {
	settings, err := c.configureAlone(c.flags(), auditOptions, args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sitegrade-mcp-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := bolt.Open(filepath.Join(dir, databaseName), bolt.Options{KeepFindings: settings.KeepFindings})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	auditor := settings.auditor(append(settings.AllowNetworks, ownNetworks...))
	w := worker.New(store, auditor, worker.Options{Audits: settings.Workers * auditsPerWorker, Grace: toolsGrace, Log: log})
	working, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { w.Run(working) })
	work.Go(func() { worker.NewCrawler(store, auditor, log).Run(working) })
	tools := mcp.New(store, w, mcp.Options{Wait: noneAsNegative(settings.Wait), Forbidden: auditor.Forbidden, Version: buildVersion(), Log: log})
	err = tools.Serve(ctx, db.DefaultAccount, io.NopCloser(c.stdin), toolsOut{c.stdout})
	stop()
	work.Wait()
	return errors.Join(err, tools.Close(context.WithoutCancel(ctx)))
}

// toolsOut is standard output, which stays open for whoever has it.
type toolsOut struct{ io.Writer }

// Close does nothing.
func (toolsOut) Close() error { return nil }
