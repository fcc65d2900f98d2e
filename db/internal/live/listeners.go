// Package live has what is known in this process alone: who hears of what is committed, and which reports are being audited.
package live

import (
	"sync"

	"sitegrade/db"
)

// Listeners are those who hear of what is committed. The zero value has nobody.
type Listeners struct {
	mu   sync.RWMutex
	hear map[*byte]func(db.News) // by a pointer of each one's own
}

// Subscribe is documented in db.Store.
func (l *Listeners) Subscribe(hear func(db.News)) (cancel func()) {
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

// Tell tells the listeners what was committed.
func (l *Listeners) Tell(n db.News) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, hear := range l.hear {
		hear(n)
	}
}
