package record

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"sitegrade/db"
)

// SiteOf returns what stands for a project's id where the address of its shared page is made, and the id again from that. It has every bit
// turned over, so that it looks like no id of a report.
func SiteOf(id uuid.UUID) uuid.UUID {
	for i := range id {
		id[i] = ^id[i]
	}
	return id
}

// ShareKeys are the keys of all accounts, kept in memory: a shared page does not say whose it is.
type ShareKeys struct {
	mu         sync.RWMutex
	keys       Shares
	generation uint64 // that the keys were read at
}

// Shares are what the addresses of shared pages are made from, by account.
type Shares []shareKey

type shareKey struct {
	account string
	block   cipher.Block
}

// Of returns the keys of a generation, which every change of a key raises. read adds all of them, where they are not known.
func (s *ShareKeys) Of(generation uint64, read func(add func(account string, block cipher.Block)) error) (Shares, error) {
	s.mu.RLock()
	keys, known := s.keys, s.keys != nil && s.generation == generation
	s.mu.RUnlock()
	if known {
		return keys, nil
	}
	keys = Shares{}
	if err := read(func(account string, block cipher.Block) { keys = append(keys, shareKey{account, block}) }); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || generation > s.generation {
		s.keys, s.generation = keys, generation
	}
	return keys, nil
}

// Find calls find with each account and id that an address part may stand for, until that returns another error than db.ErrNotFound, or nil.
// Under the key of another account the address stands for an id at random, which nearly never looks like one of ours: those that do come
// first. now is in ms.
func (s Shares) Find(share string, now int64, find func(account string, id uuid.UUID) error) error {
	encrypted, ok := DecodeShare(share)
	for _, likely := range []bool{true, false} { // an imported id may be of any form
		for i := 0; ok && i < len(s); i++ {
			var id uuid.UUID
			s[i].block.Decrypt(id[:], encrypted[:])
			if likely != (looksMade(id, now) || looksMade(SiteOf(id), now)) {
				continue
			}
			if err := find(s[i].account, id); !errors.Is(err, db.ErrNotFound) {
				return err
			}
		}
	}
	return fmt.Errorf("shared page: %w", db.ErrNotFound)
}

// looksMade reports whether an id looks like one that Sitegrade has made.
func looksMade(id uuid.UUID, now int64) bool { return id.Version() == 7 && IDTime(id) <= now }
