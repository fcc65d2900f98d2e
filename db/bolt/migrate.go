package bolt

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/file"
)

// migration takes a file from one schema to the next, in one transaction.
type migration func(*bbolt.Tx) error

// migrations[i] takes a file from schema i+1 to i+2.
var migrations = []migration{addBuckets}

// addBuckets gives each account the buckets that schema 2 added.
func addBuckets(tx *bbolt.Tx) error {
	return eachAccount(tx, func(a *accountTx) error { return makeBuckets(a.root) })
}

// migrateFile brings the file to the schema of this program.
func migrateFile(f *bbolt.DB) error { return migrate(f, migrations) }

// migrate brings the file to the schema that the last of these migrations leads to. A copy of the file is kept beside it before the
// first one.
func migrate(f *bbolt.DB, migrations []migration) error {
	newest := uint32(1 + len(migrations))
	var version uint32
	if err := f.View(func(tx *bbolt.Tx) (err error) {
		version, err = readSchema(tx)
		return err
	}); err != nil {
		return err
	}
	switch {
	case version > newest:
		return fmt.Errorf("the database has schema %d and this program knows schemas up to %d: use a newer sitegrade", version, newest)
	case version == newest:
		return nil
	}
	kept, err := file.KeepOld(f, version)
	if err != nil {
		return fmt.Errorf("copying the database before its migration: %w", err)
	}
	for v := version; v < newest; v++ {
		if err := f.Update(func(tx *bbolt.Tx) error {
			return errors.Join(migrations[v-1](tx), putSchema(tx, v+1))
		}); err != nil {
			return fmt.Errorf("migrating the database from schema %d (a copy is at %s): %w", v, kept, err)
		}
	}
	return nil
}
