package bolt

import (
	"bytes"
	"slices"
	"sort"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/bolt/internal/sliced"
)

// applyRows changes rows of the search blocks; each block that is touched is written once. Slices whose blocks get other texts or
// another number are made again.
func (a *accountTx) applyRows(changes []search.RowChange) error {
	slices.SortFunc(changes, func(x, y search.RowChange) int { return bytes.Compare(x.Row.ID[:], y.Row.ID[:]) })
	blocks := a.bucket(searchBucket)
	var gaps []*sliced.Gap // in order; the last one may hold the next block too
	for len(changes) > 0 {
		key, next, rows := blockFor(blocks, changes[0].Row.ID)
		n := sort.Search(len(changes), func(i int) bool { return next != nil && bytes.Compare(changes[i].Row.ID[:], next) >= 0 })
		merged := search.MergeRows(rows, changes[:n])
		if key != nil && !search.SameSlice(rows, merged) && (len(gaps) == 0 || !gaps[len(gaps)-1].Holds(key)) {
			if slice, covered := a.sliced().SliceOf(key); covered {
				g, err := a.sliced().DropSlice(slice)
				if err != nil {
					return err
				}
				gaps = append(gaps, g)
			}
		}
		if err := replaceBlock(blocks, key, merged, next == nil); err != nil {
			return err
		}
		changes = changes[n:]
	}
	for _, g := range gaps {
		if err := a.sliced().CoverGap(g); err != nil {
			return err
		}
	}
	return a.sliced().CoverBlocks(bytes.Clone(a.sliced().TailStart()))
}

// blockFor returns the block that a row with this id belongs to: its key (nil where there is no block yet), the next block's
// key (nil for the last block) and its rows.
func blockFor(blocks *bbolt.Bucket, id uuid.UUID) (key, next []byte, rows []search.Row) {
	c := blocks.Cursor()
	k, v := order.EntryAtOrBefore(c, id[:])
	if k == nil { // before all blocks: the first one takes it
		k, v = c.First()
	}
	if k == nil {
		return nil, nil, nil
	}
	key, rows = bytes.Clone(k), search.OpenBlock(v).Decode()
	k, _ = c.Next()
	return key, bytes.Clone(k), rows
}

// replaceBlock stores rows in the place of the block at key. More than a block holds are divided: at the end of all rows into full
// blocks, since the next rows come behind them, and elsewhere evenly.
func replaceBlock(blocks *bbolt.Bucket, key []byte, rows []search.Row, last bool) error {
	if key != nil && (len(rows) == 0 || !bytes.Equal(key, rows[0].ID[:])) {
		if err := blocks.Delete(key); err != nil {
			return err
		}
	}
	size := search.BlockRows
	if !last {
		parts := (len(rows) + search.BlockRows - 1) / search.BlockRows
		size = (len(rows) + max(parts, 1) - 1) / max(parts, 1)
	}
	for part := range slices.Chunk(rows, max(size, 1)) {
		if err := blocks.Put(bytes.Clone(part[0].ID[:]), search.EncodeBlock(part)); err != nil {
			return err
		}
	}
	return nil
}

// sliced returns the account's blocks with their slices.
func (a *accountTx) sliced() sliced.Store {
	return sliced.Store{Blocks: a.bucket(searchBucket), Slices: a.bucket(slicesBucket)}
}
