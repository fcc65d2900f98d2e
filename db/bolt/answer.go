package bolt

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"sitegrade/db"
)

// answerLife is how long the answer to a create with an idempotency key is kept.
const answerLife = 24 * time.Hour

func encodeAnswer(s db.StoredAnswer) []byte {
	b := make([]byte, 0, 64+len(s.Answer))
	b = append(b, s.ReportID[:]...)
	b = append(b, s.Body[:]...)
	b = binary.AppendVarint(b, s.Stored)
	b = binary.AppendUvarint(b, uint64(s.Status))
	return append(b, s.Answer...)
}

func decodeAnswer(stored []byte) (db.StoredAnswer, error) {
	var s db.StoredAnswer
	d := decoder{rest: stored}
	copy(s.ReportID[:], d.take(16))
	copy(s.Body[:], d.take(32))
	s.Stored, s.Status = d.varint(), int(d.uvarint())
	if d.failed {
		return s, fmt.Errorf("%w: an answer", errRecord)
	}
	s.Answer = append([]byte(nil), d.rest...)
	return s, nil
}

// answer returns what is kept for an idempotency key, or ErrNotFound, also when it is older than answerLife.
func (a *accountTx) answer(key string, now int64) (db.StoredAnswer, error) {
	hash := sha256.Sum256([]byte(key))
	stored := a.bucket(answersBucket).Get(hash[:])
	if stored == nil {
		return db.StoredAnswer{}, fmt.Errorf("answer: %w", db.ErrNotFound)
	}
	s, err := decodeAnswer(stored)
	if err == nil && now-s.Stored >= answerLife.Milliseconds() {
		return db.StoredAnswer{}, fmt.Errorf("answer: %w", db.ErrNotFound)
	}
	return s, err
}

// putAnswer keeps s for a key, in the place of an earlier one, and forgets a few that are too old: more than come in, so that they
// do not pile up.
func (a *accountTx) putAnswer(key string, s db.StoredAnswer, now int64) error {
	hash := sha256.Sum256([]byte(key))
	if err := a.removeAnswer(hash[:]); err != nil {
		return err
	}
	if err := a.forgetAnswers(now, 8); err != nil {
		return err
	}
	s.Stored = now
	return errors.Join(
		a.bucket(answersBucket).Put(hash[:], encodeAnswer(s)),
		a.bucket(answerTimesBucket).Put(answerTimeKey(now, hash[:]), nil))
}

func answerTimeKey(stored int64, hash []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(stored)), hash...)
}

func (a *accountTx) removeAnswer(hash []byte) error {
	stored := a.bucket(answersBucket).Get(hash)
	if stored == nil {
		return nil
	}
	s, err := decodeAnswer(stored)
	if err != nil {
		return err
	}
	return errors.Join(
		a.bucket(answersBucket).Delete(hash),
		a.bucket(answerTimesBucket).Delete(answerTimeKey(s.Stored, hash)))
}

// forgetAnswers removes up to n answers that are too old.
func (a *accountTx) forgetAnswers(now int64, n int) error {
	var old [][]byte
	c := a.bucket(answerTimesBucket).Cursor()
	for k, _ := c.First(); k != nil && len(old) < n; k, _ = c.Next() {
		if now-int64(binary.BigEndian.Uint64(k)) < answerLife.Milliseconds() {
			break
		}
		old = append(old, append([]byte(nil), k[8:]...))
	}
	for _, hash := range old {
		if err := a.removeAnswer(hash); err != nil {
			return err
		}
	}
	return nil
}

// IdempotentAnswer returns what is kept for an idempotency key, or ErrNotFound.
func (d *DB) IdempotentAnswer(ctx context.Context, account, key string) (s db.StoredAnswer, err error) {
	err = d.view(account, func(a *accountTx) error {
		s, err = a.answer(key, milliseconds(d.Now()))
		return err
	})
	return s, err
}

// StoreAnswer keeps what was answered to the create that used an idempotency key, for the rest of 24 hours since that create.
func (d *DB) StoreAnswer(ctx context.Context, account, key string, status int, answer []byte) error {
	return d.add(ctx, account, func(a *accountTx) error {
		s, err := a.answer(key, milliseconds(d.Now()))
		if err != nil {
			return err
		}
		s.Status, s.Answer = status, answer
		hash := sha256.Sum256([]byte(key))
		return a.bucket(answersBucket).Put(hash[:], encodeAnswer(s))
	})
}
