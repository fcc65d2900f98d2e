package main

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
)

// createClients are how many clients create at the same time.
var createClients = []int{1, 32, 256}

// creates measures durable creates by so many clients, of every engine and of bbolt alone.
func creates(engines []engine, set *dataset, floor *floor, clients int, l limits) (map[string]sample, error) {
	subjects := []subject{{floorName, floor.commit}}
	for _, e := range engines {
		var made atomic.Int64
		subjects = append(subjects, subject{e.name(), func() error {
			n := made.Add(1)
			project := set.ranked[int(n*7919)%len(set.ranked)].name
			return e.create(fmt.Sprintf("https://%s/created/by/%d-clients/page-%d.html", project, clients, n))
		}})
	}
	return inTurns(subjects, clients, l)
}

// shows measures reading single reports all over the set.
func shows(engines []engine, set *dataset, l limits) (map[string]sample, error) {
	subjects := make([]subject, len(engines))
	for i, e := range engines {
		var shown atomic.Int64
		subjects[i] = subject{e.name(), func() error {
			return e.show(set.ids[int(shown.Add(1)*7919)%len(set.ids)])
		}}
	}
	return inTurns(subjects, 1, l)
}

// floorName is what the samples of bbolt alone are called.
const floorName = "bbolt"

// floor is bbolt alone: one small value into one bucket with each commit, which no database on it can beat with one client.
type floor struct {
	file *bbolt.DB
	next atomic.Uint64
}

var floorBucket = []byte("reports")

func openFloor(dir string) (*floor, error) {
	file, err := bbolt.Open(filepath.Join(dir, "floor.bbolt"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType, Timeout: time.Second})
	if err != nil {
		return nil, err
	}
	err = file.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(floorBucket)
		return err
	})
	return &floor{file: file}, err
}

func (f *floor) close() error { return f.file.Close() }

func (f *floor) commit() error {
	key := binary.BigEndian.AppendUint64(make([]byte, 8, 16), f.next.Add(1)) // as long as an id
	return f.file.Update(func(tx *bbolt.Tx) error { return tx.Bucket(floorBucket).Put(key, make([]byte, 200)) })
}
