package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// mistake is an error that a client can do something about: it says what.
type mistake string

func (m mistake) Error() string { return string(m) }

const (
	errInternal = mistake("Something went wrong on the server, whose log has the cause. Try again; if it stays so, tell whoever runs the server.")
	errStopping = mistake("The server is shutting down or too busy. Try again in a few seconds.")
	errFull     = mistake("The disk or the database of the server is full. Reading still works; whoever runs the server must make room.")
	errAway     = mistake("The database of the server cannot be reached now. Try again in a few seconds.")
	errNoReport = mistake("This account has no such report. list_reports shows those it has, and audit_page makes one.")
	errCursor   = mistake("The cursor is none of this tool. Pass next_cursor of its answer before, or leave it out to begin at the start.")
)

// missingScope is the error of a key that may not do this.
func missingScope(scope auth.Scope) error {
	return mistake(fmt.Sprintf("This key lacks the scope %s. Ask for a key that has it: sitegrade keys create -scopes read,%[1]s", scope))
}

// explain returns the error of a tool as clients see it. What nobody has foreseen goes to the log, and nothing of it leaves the server.
func (s *Server) explain(from caller, tool string, err error) error {
	if m, ok := errors.AsType[mistake](err); ok {
		return m
	}
	if e, ok := errors.AsType[*db.InvalidError](err); ok {
		return wrongFields(e.Fields)
	}
	switch {
	case errors.Is(err, db.ErrNotFound):
		return errNoReport
	case errors.Is(err, db.ErrFull):
		return errFull
	case errors.Is(err, db.ErrUnavailable):
		return errAway
	case errors.Is(err, db.ErrClosed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errStopping
	}
	s.Log.Error("tool failed", slog.String("request_id", from.requestID), slog.String("tool", tool), slog.Any("cause", err))
	return errInternal
}

func wrongFields(fields []sortfilter.FieldError) mistake {
	m := mistake("")
	for i, f := range fields {
		if i > 0 {
			m += "\n"
		}
		m += mistake(f.Field + " " + f.Detail + ".")
	}
	return m
}
