package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// migrations make the schema: file n, by name, takes it from version n-1 to n.
//
//go:embed schema/*.sql
var migrations embed.FS

// migrate brings the schema to this program's version, each step in a transaction of its own. Of several servers that start at once, one does
// it and the others wait. The error says so where the schema is newer than the program.
func migrate(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS schema (one boolean PRIMARY KEY CHECK (one), version int NOT NULL)"); err != nil && !madeMeanwhile(err) {
		return err
	}
	if _, err := conn.Exec(ctx, "INSERT INTO schema VALUES (true, 0) ON CONFLICT DO NOTHING"); err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "schema/*.sql")
	if err != nil {
		return err
	}
	for more := true; more; {
		if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			more, err = step(ctx, tx, files)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// step makes the next version, and reports whether there may be more to do.
func step(ctx context.Context, tx pgx.Tx, files []string) (more bool, err error) {
	var version int
	if err := tx.QueryRow(ctx, "SELECT version FROM schema FOR UPDATE").Scan(&version); err != nil {
		return false, err
	}
	switch {
	case version == len(files):
		return false, nil
	case version > len(files):
		return false, fmt.Errorf("the database has schema %d, and this version of sitegrade knows %d: it was written by a newer one, which you need", version, len(files))
	case version == 0:
		if _, err := tx.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_trgm"); err != nil {
			return false, fmt.Errorf("the database needs the extension pg_trgm, which its owner may create: %w", err)
		}
	}
	text, err := migrations.ReadFile(files[version])
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, string(text)); err != nil {
		return false, fmt.Errorf("%s: %w", files[version], err)
	}
	_, err = tx.Exec(ctx, "UPDATE schema SET version = $1", version+1)
	return true, err
}

// madeMeanwhile reports whether another server made a table at the same moment.
func madeMeanwhile(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == uniqueViolation || refused.Code == duplicateTable)
}

// The codes of PostgreSQL for what exists already.
const (
	uniqueViolation = "23505"
	duplicateTable  = "42P07"
)
