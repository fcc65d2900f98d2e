// Package past has the generations of a report in small: packed into chunks, one behind the other, of which each says what changed against the
// one before it. It knows no engine, and nothing of where chunks stand.
package past

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// List is which categories and checks a generation has, in its order. Generations refer to it by its key, since nearly all share one.
type List struct {
	Categories []string `json:"categories"`
	Checks     []Check  `json:"checks"`
}

// Check is what a list says of a check. A generation says where its severity is another one.
type Check struct {
	ID       string         `json:"id"`
	Category string         `json:"category"`
	Severity audit.Severity `json:"severity"`
}

// ListOf returns the list that a generation has.
func ListOf(g *db.Generation) *List {
	l := &List{Categories: make([]string, len(g.Categories)), Checks: make([]Check, len(g.Outcomes))}
	for i, c := range g.Categories {
		l.Categories[i] = c.ID
	}
	for i, o := range g.Outcomes {
		l.Checks[i] = Check{o.ID, o.Category, o.Severity}
	}
	return l
}

// Key returns 64 bits of what the list names, whatever the severities are.
func (l *List) Key() uint64 {
	names := binary.AppendUvarint(nil, uint64(len(l.Categories)))
	for _, c := range l.Categories {
		names = appendText(names, c)
	}
	for _, c := range l.Checks {
		names = appendText(appendText(names, c.Category), c.ID)
	}
	sum := sha256.Sum256(names)
	return binary.BigEndian.Uint64(sum[:])
}

// isOf reports whether a generation has the list.
func (l *List) isOf(g *db.Generation) bool {
	return slices.EqualFunc(l.Categories, g.Categories, func(id string, c db.CategoryScore) bool { return id == c.ID }) &&
		slices.EqualFunc(l.Checks, g.Outcomes, func(c Check, o db.KeptOutcome) bool { return c.ID == o.ID && c.Category == o.Category })
}

// Pack returns the stored form.
func (l *List) Pack() ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("packing a list of checks: %w", err)
	}
	return record.Pack(text), nil
}

// lately are the lists that were read, by their stored form: nearly all generations of a store have the same few, and reading one takes longer
// than all else that is done for a generation.
var lately struct {
	sync.Mutex
	lists map[string]*List
}

// maxLately is how many lists are remembered.
const maxLately = 32

// ReadList reads what Pack gave. The list is shared and must not be changed.
func ReadList(packed []byte) (*List, error) {
	lately.Lock()
	l := lately.lists[string(packed)]
	lately.Unlock()
	if l != nil {
		return l, nil
	}
	l, err := readList(packed)
	if err != nil {
		return nil, err
	}
	lately.Lock()
	defer lately.Unlock()
	if lately.lists == nil || len(lately.lists) >= maxLately {
		lately.lists = map[string]*List{}
	}
	lately.lists[string(packed)] = l
	return l, nil
}

func readList(packed []byte) (*List, error) {
	text, err := record.Unpack(packed)
	l := new(List)
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a list of checks: %w", err)
	}
	return l, nil
}
