package main

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"
)

// createClients are how many clients create at the same time.
var createClients = []int{1, 32, 256}

// creates measures durable creates of every engine by so many clients, by engine.
func creates(engines []engine, set *dataset, clients int, l limits) (map[string]sample, error) {
	subjects := make([]subject, len(engines))
	for i, e := range engines {
		var made atomic.Int64
		subjects[i] = subject{e.name(), func() error {
			n := made.Add(1)
			project := set.ranked[int(n*7919)%len(set.ranked)].name
			return e.create(fmt.Sprintf("https://%s/created/by/%d-clients/page-%d.html", project, clients, n))
		}}
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

// commitFloor measures bbolt itself: one small value into one bucket with each commit, which no database on it can beat.
func commitFloor(dir string, l limits) (sample, error) {
	file, err := bbolt.Open(filepath.Join(dir, "floor.bbolt"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType, Timeout: time.Second})
	if err != nil {
		return sample{}, err
	}
	defer file.Close()
	bucket := []byte("reports")
	if err := file.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	}); err != nil {
		return sample{}, err
	}
	var mu sync.Mutex
	var n uint64
	samples, err := inTurns([]subject{{"bbolt", func() error {
		mu.Lock()
		defer mu.Unlock()
		n++
		var key uuid.UUID
		binary.BigEndian.PutUint64(key[:], n)
		return file.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Put(key[:], make([]byte, 200)) })
	}}}, 1, l)
	return samples["bbolt"], err
}
