package keyring

import (
	"sync"

	"sitegrade/auth"
)

// cache remembers API keys. A key that was read before the last write is not taken.
type cache struct {
	mu         sync.RWMutex
	keys       map[auth.Hash]auth.Key
	generation uint64 // how often keys were written
}

// maxCached bounds the memory that remembered keys take.
const maxCached = 10_000

func (c *cache) get(hash auth.Hash) (k auth.Key, known bool, generation uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	k, known = c.keys[hash]
	return k, known, c.generation
}

func (c *cache) put(k auth.Key, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation != c.generation || len(c.keys) >= maxCached {
		return
	}
	if c.keys == nil {
		c.keys = map[auth.Hash]auth.Key{}
	}
	c.keys[k.Hash] = k
}

func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = nil
	c.generation++
}
