package fleet

import (
	"context"
	"time"

	"sitegrade/db/postgres/internal/pg"
)

// maxRefused bounds how many things are remembered that others hold.
const maxRefused = 10_000

// Hold holds a thing, as often as it is called, and reports whether no other server has it.
func (m *Member) Hold(ctx context.Context, kind Kind, name string) (bool, error) {
	got, err := m.HoldSome(ctx, kind, name)
	return len(got) == 1, err
}

// HoldSome holds those of the things that no other server has, and returns them.
func (m *Member) HoldSome(ctx context.Context, kind Kind, names ...string) (got []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var wanted []string
	for _, name := range names {
		one := thing{kind, name}
		if _, has := m.held[one]; has {
			m.held[one]++
			got = append(got, name)
		} else if time.Now().Before(m.refused[one]) {
			m.again = true
		} else {
			wanted = append(wanted, name)
		}
	}
	if len(wanted) == 0 {
		return got, nil
	}
	taken, err := pg.Column[string](m.pool.Lax(ctx), `INSERT INTO holds (kind, name, server) SELECT $1, n, $2 FROM unnest($3::text[]) x(n)
		ON CONFLICT (kind, name) DO UPDATE SET server = EXCLUDED.server WHERE holds.server = EXCLUDED.server RETURNING name`, kind, m.id, wanted)
	if err != nil {
		for _, name := range wanted { // it may have been done all the same
			m.unsure[thing{kind, name}] = true
		}
		return got, err
	}
	for _, name := range taken {
		m.held[thing{kind, name}] = 1
	}
	m.refuse(kind, wanted)
	return append(got, taken...), nil
}

// refuse remembers those of the names that this server does not hold. The caller holds the lock.
func (m *Member) refuse(kind Kind, names []string) {
	for _, name := range names {
		one := thing{kind, name}
		if _, has := m.held[one]; has {
			continue
		}
		m.again = true
		if len(m.refused) >= maxRefused {
			clear(m.refused)
		}
		m.refused[one] = time.Now().Add(m.pause)
	}
}

// Let takes back what a call of Hold did. What nobody here wants any more is given back; where that cannot be done now, with a later beat.
func (m *Member) Let(ctx context.Context, kind Kind, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var idle []string
	for _, name := range names {
		one := thing{kind, name}
		switch n := m.held[one]; n {
		case 0: // this server was taken for dead meanwhile
		case 1:
			delete(m.held, one)
			idle = append(idle, name)
		default:
			m.held[one] = n - 1
		}
	}
	return m.give(ctx, kind, idle)
}

// give gives back what is not in m.held any more. The caller holds the lock.
func (m *Member) give(ctx context.Context, kind Kind, names []string) error {
	if len(names) == 0 {
		return nil
	}
	err := m.pool.Lax(ctx).Write("DELETE FROM holds WHERE kind = $1 AND name = ANY($2) AND server = $3", kind, names, m.id)
	for _, name := range names {
		if one := (thing{kind, name}); err != nil {
			m.unsure[one] = true
		} else {
			delete(m.unsure, one)
		}
	}
	return err
}

// giveUnsure gives back what this server may still hold though nobody here wants it.
func (m *Member) giveUnsure(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for one := range m.unsure {
		if m.held[one] > 0 {
			delete(m.unsure, one)
		} else if err := m.give(ctx, one.kind, []string{one.name}); err != nil {
			return err
		}
	}
	return nil
}

// Has reports whether this server holds a thing.
func (m *Member) Has(kind Kind, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, has := m.held[thing{kind, name}]
	return has
}

// Held returns what this server holds of a kind.
func (m *Member) Held(kind Kind) (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for one := range m.held {
		if one.kind == kind {
			names = append(names, one.name)
		}
	}
	return names
}

// IsElsewhere reports whether another server holds a thing, as a transaction sees it.
func (m *Member) IsElsewhere(tx *pg.Tx, kind Kind, name string) (elsewhere bool, err error) {
	err = tx.Row("SELECT EXISTS (SELECT FROM holds WHERE kind = $1 AND name = $2 AND server <> $3)", []any{kind, name, m.ID()}, &elsewhere)
	return elsewhere, err
}

// OfOthers returns which of the names other servers hold.
func (m *Member) OfOthers(ctx context.Context, kind Kind, names []string) (map[string]bool, error) {
	found, err := pg.Column[string](m.pool.Direct(ctx), "SELECT name FROM holds WHERE kind = $1 AND name = ANY($2) AND server <> $3", kind, names, m.ID())
	held := make(map[string]bool, len(found))
	for _, name := range found {
		held[name] = true
	}
	return held, err
}

// Count returns how many things of a kind are held by all servers.
func (m *Member) Count(ctx context.Context, kind Kind) (n int, err error) {
	err = m.pool.Direct(ctx).Row("SELECT count(*) FROM holds WHERE kind = $1", []any{kind}, &n)
	return n, err
}
