package front

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
)

// The sign-ins that ended before their time stand among the settings: endedPrefix, when each would have ended in Unix seconds (8 bytes, big
// endian), and its id. So those whose time has come are the first.
const endedPrefix = "ended"

// maxEnded is how many of them an account has. Beyond it those go first that would have ended first.
const maxEnded = 10_000

func endedKey(s db.Session) []byte {
	key := binary.BigEndian.AppendUint64([]byte(endedPrefix), uint64(s.Ends.Unix()))
	return append(key, s.ID[:]...)
}

// EndSession is documented in db.Store.
func (s *Desk) EndSession(ctx context.Context, account string, ended db.Session) error {
	return s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		now := binary.BigEndian.AppendUint64([]byte(endedPrefix), uint64(s.Engine.Now().Unix()))
		var kept, past [][]byte
		c := a.Bucket(settings).Cursor()
		for key, _ := c.Seek([]byte(endedPrefix)); bytes.HasPrefix(key, []byte(endedPrefix)); key, _ = c.Next() {
			if key = bytes.Clone(key); bytes.Compare(key, now) <= 0 {
				past = append(past, key)
			} else {
				kept = append(kept, key)
			}
		}
		past = append(past, kept[:max(0, len(kept)-maxEnded+1)]...)
		err := a.Bucket(settings).Put(endedKey(ended), []byte{1})
		for _, key := range past {
			err = errors.Join(err, a.Bucket(settings).Delete(key))
		}
		return err
	})
}

// SessionHolds is documented in db.Store.
func (s *Desk) SessionHolds(ctx context.Context, account string, of db.Session) (holds bool, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		set, err := stored(a)
		if out := set.SignedOut; err == nil && (out.IsZero() || of.Began.After(out)) {
			holds = a.Bucket(settings).Get(endedKey(of)) == nil
		}
		return err
	})
	return holds, err
}
