package bolt

import (
	"errors"
	"testing"

	"go.etcd.io/bbolt"
)

// TestFailuresAreToldAfterTheCommit has a change fail because of another in its group: whoever learns of it must find the other stored.
func TestFailuresAreToldAfterTheCommit(t *testing.T) {
	d := open(t)
	key := []byte("first")
	first := &change{ctx: t.Context(), err: make(chan error, 1), apply: func(tx *bbolt.Tx) error {
		return tx.Bucket(metaBucket).Put(key, key)
	}}
	taken := errors.New("taken")
	second := &change{ctx: t.Context(), err: make(chan error), apply: func(tx *bbolt.Tx) error {
		if tx.Bucket(metaBucket).Get(key) != nil {
			return taken
		}
		return nil
	}}
	ended := make(chan struct{})
	go func() {
		d.writer.commit([]*change{first, second})
		close(ended)
	}()
	if err := <-second.err; !errors.Is(err, taken) {
		t.Errorf("the second change gives %v", err)
	}
	select {
	case err := <-first.err:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Error("a failure is told before what it comes from is stored")
	}
	<-ended
}
