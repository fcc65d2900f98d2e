package bolt

import (
	"sync"

	"sitegrade/db"
)

// listeners are those who hear of what is committed.
type listeners struct {
	mu   sync.RWMutex
	hear map[*byte]func(db.News) // by a pointer of each one's own
}

// Subscribe is documented in db.Store.
func (d *DB) Subscribe(hear func(db.News)) (cancel func()) {
	l := &d.listeners
	name := new(byte)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hear == nil {
		l.hear = map[*byte]func(db.News){}
	}
	l.hear[name] = hear
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.hear, name)
	}
}

// announce tells the listeners what was committed.
func (d *DB) announce(n db.News) {
	d.listeners.mu.RLock()
	defer d.listeners.mu.RUnlock()
	for _, hear := range d.listeners.hear {
		hear(n)
	}
}
