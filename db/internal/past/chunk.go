package past

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// MaxChunk is how many bytes a chunk of more than one generation may have. Each audit writes the newest chunk anew, so it must stay small;
// three of this size with their keys fill two pages of 4 KiB, which is how bbolt lays them out.
const MaxChunk = 2680

// Err says that a chunk cannot be read.
var Err = errors.New("a stored generation is damaged")

// chunkVersion is the first byte of a chunk.
const chunkVersion = 1

// headSize is how many bytes a chunk's head has: version, number of generations, newest success and its time.
const headSize = 1 + 2 + 4 + 8

// Head is what a chunk tells without being read whole. The zero Head is that of no chunk at all.
type Head struct {
	First     int   // the number of the chunk's first generation
	Count     int   // of its generations
	Success   int   // the number of the report's newest successful generation, perhaps in an earlier chunk; 0 for none
	SuccessAt int64 // its time, in ms
}

// Newest returns the number of the chunk's last generation; 0 of no chunk.
func (h Head) Newest() int { return max(0, h.First+h.Count-1) }

// ReadHead returns the head of a chunk that begins with a generation of that number.
func ReadHead(chunk []byte, first int) (Head, error) {
	if len(chunk) < headSize || chunk[0] != chunkVersion || first < 1 {
		return Head{}, fmt.Errorf("%w: a chunk that begins with %d", Err, first)
	}
	return Head{
		First: first, Count: int(binary.BigEndian.Uint16(chunk[1:])), Success: int(binary.BigEndian.Uint32(chunk[3:])),
		SuccessAt: int64(binary.BigEndian.Uint64(chunk[7:])),
	}, nil
}

func (h Head) appendTo(b []byte) []byte {
	b = append(b, chunkVersion)
	b = binary.BigEndian.AppendUint16(b, uint16(h.Count))
	b = binary.BigEndian.AppendUint32(b, uint32(h.Success))
	return binary.BigEndian.AppendUint64(b, uint64(h.SuccessAt))
}

// Lists returns the list that has a key.
type Lists func(key uint64) (*List, error)

// Begin returns a chunk with one generation, which comes behind the chunk with that head. list is that of the generation, as it is stored.
func Begin(before Head, g *db.Generation, list *List) (chunk []byte, first int) {
	var s state
	h := Head{First: before.Newest() + 1, Count: 1, Success: before.Success, SuccessAt: before.SuccessAt}
	h.note(g)
	return s.append(h.appendTo(nil), g, list), h.First
}

// note notes the newest generation.
func (h *Head) note(g *db.Generation) {
	if g.Failure == nil {
		h.Success, h.SuccessAt = h.Newest(), record.Milliseconds(g.GeneratedAt)
	}
}

// Append returns a chunk with one generation more, or nil when it is full.
func Append(chunk []byte, h Head, g *db.Generation, list *List, lists Lists) ([]byte, error) {
	s, err := read(chunk, h, lists, nil)
	if err != nil || h.Count == 1<<16-1 {
		return nil, err
	}
	h.Count++
	h.note(g)
	longer := s.append(append(h.appendTo(nil), chunk[headSize:]...), g, list)
	if len(longer) > MaxChunk {
		return nil, nil
	}
	return longer, nil
}

// Read calls visit for the generations of a chunk, the oldest first, until it returns false. What it is given is written over for the next
// one: outcomes and categories must be copied to be kept.
func Read(chunk []byte, h Head, lists Lists, visit func(*db.Generation) bool) error {
	_, err := read(chunk, h, lists, visit)
	return err
}

// state is what a generation is told against: the one before it, and of a failed one the success before that.
type state struct {
	at, step int64 // its time, and how long after the one before it that was
	grader   int
	http     int
	sample   string
	failure  audit.Failure
	key      uint64 // of list
	list     *List
	scores   []byte // of the categories
	statuses []byte
	notes    []byte
}

// What follows in a stored generation, beside its result in the lowest two bits; a failed one has none.
const (
	hasFailure = 1 << (iota + 2) // another than the last one
	hasGrader
	hasHTTP
	hasSample
	hasList
	hasScores
	hasStatuses // all of them
	hasChanges  // of statuses
	hasNotes
)

const resultBits = 3

// append appends a generation, and becomes the state for the next one.
func (s *state) append(b []byte, g *db.Generation, list *List) []byte {
	at := record.Milliseconds(g.GeneratedAt)
	step := at - s.at
	flags := uint16(g.Result)
	start := len(b)
	b = binary.AppendVarint(append(b, 0, 0), step-s.step)
	s.at, s.step = at, step
	if g.Failure != nil {
		if s.failure != *g.Failure {
			flags |= hasFailure
			b = appendText(appendText(b, string(g.Failure.Code)), g.Failure.Detail)
			s.failure = *g.Failure
		}
		flags &^= resultBits
	} else {
		b = s.appendFound(append(b, byte(g.Score)), g, list, &flags)
	}
	binary.BigEndian.PutUint16(b[start:], flags)
	return b
}

// appendFound appends what a successful generation has, and notes in flags what that is.
func (s *state) appendFound(b []byte, g *db.Generation, list *List, flags *uint16) []byte {
	if g.Grader != s.grader {
		*flags |= hasGrader
		b = binary.AppendUvarint(b, uint64(g.Grader))
	}
	if g.HTTPStatus != s.http {
		*flags |= hasHTTP
		b = binary.AppendUvarint(b, uint64(g.HTTPStatus))
	}
	if g.Sample != s.sample {
		*flags |= hasSample
		b = appendText(b, g.Sample)
	}
	s.grader, s.http, s.sample = g.Grader, g.HTTPStatus, g.Sample
	if s.list == nil || !s.list.isOf(g) {
		*flags |= hasList
		s.use(list, list.Key())
		b = binary.BigEndian.AppendUint64(b, s.key)
	}
	scores, statuses, notes := s.rows(g)
	if !slices.Equal(scores, s.scores) {
		*flags |= hasScores
		b = append(b, scores...)
	}
	if !slices.Equal(statuses, s.statuses) {
		changes, all := appendChanges(nil, s.statuses, statuses, 2), appendQuarters(nil, statuses)
		if len(changes) < len(all) {
			*flags |= hasChanges
			b = append(b, changes...)
		} else {
			*flags |= hasStatuses
			b = append(b, all...)
		}
	}
	if !slices.Equal(notes, s.notes) {
		*flags |= hasNotes
		b = appendChanges(b, s.notes, notes, 6)
	}
	s.scores, s.statuses, s.notes = scores, statuses, notes
	return b
}

// use begins rows of a list.
func (s *state) use(list *List, key uint64) {
	s.list, s.key = list, key
	s.scores, s.statuses, s.notes = make([]byte, len(list.Categories)), make([]byte, len(list.Checks)), make([]byte, len(list.Checks))
}

// rows returns a generation's scores of categories, its statuses and its notes, in the order of the list.
func (s *state) rows(g *db.Generation) (scores, statusCodes, notes []byte) {
	scores, statusCodes, notes = make([]byte, len(g.Categories)), make([]byte, len(g.Outcomes)), make([]byte, len(g.Outcomes))
	for i, c := range g.Categories {
		scores[i] = record.NoScore
		if c.Score != nil {
			scores[i] = byte(*c.Score)
		}
	}
	for i, o := range g.Outcomes {
		statusCodes[i] = code(statuses, o.Status, audit.NotApplicable)
		notes[i] = noteOf(o, s.list.Checks[i].Severity)
	}
	return scores, statusCodes, notes
}

// read reads a chunk and returns what the next generation is told against.
func read(chunk []byte, h Head, lists Lists, visit func(*db.Generation) bool) (*state, error) {
	d, s := decoder{rest: chunk[headSize:]}, new(state)
	var g db.Generation
	for i := range h.Count {
		result, score, err := s.read(&d, lists)
		if err != nil || d.failed {
			return nil, errors.Join(fmt.Errorf("%w: number %d", Err, h.First+i), err)
		}
		if visit == nil {
			continue
		}
		s.show(&g, result, score)
		g.Number = h.First + i
		if !visit(&g) {
			return s, nil
		}
	}
	if len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes behind number %d", Err, len(d.rest), h.Newest())
	}
	return s, nil
}

// read reads the next generation: its result, Unrated of a failed one, and its score.
func (s *state) read(d *decoder, lists Lists) (result audit.Result, score byte, err error) {
	flags := d.uint16()
	has := func(flag uint16) bool { return flags&flag != 0 }
	s.step += d.varint()
	s.at += s.step
	if result = audit.Result(flags & resultBits); result == audit.Unrated {
		if has(hasFailure) {
			s.failure = audit.Failure{Code: audit.Code(d.text()), Detail: d.text()}
		}
		return result, record.NoScore, nil
	}
	score = d.byte()
	if has(hasGrader) {
		s.grader = int(d.uvarint())
	}
	if has(hasHTTP) {
		s.http = int(d.uvarint())
	}
	if has(hasSample) {
		s.sample = d.text()
	}
	if has(hasList) {
		key := d.uint64()
		if d.failed {
			return 0, 0, nil
		}
		list, err := lists(key)
		if err != nil {
			return 0, 0, err
		}
		s.use(list, key)
	}
	if has(hasScores) {
		copy(s.scores, d.take(len(s.scores)))
	}
	if has(hasStatuses) {
		d.readQuarters(s.statuses)
	}
	if has(hasChanges) {
		d.readChanges(s.statuses, 2)
	}
	if has(hasNotes) {
		d.readChanges(s.notes, 6)
	}
	d.failed = d.failed || s.list == nil
	return result, score, nil
}

// show writes the generation that was just read over g.
func (s *state) show(g *db.Generation, result audit.Result, score byte) {
	*g = db.Generation{GeneratedAt: record.Instant(s.at), Score: db.NoScore, Categories: g.Categories[:0], Outcomes: g.Outcomes[:0]}
	if result == audit.Unrated {
		failure := s.failure
		g.Failure = &failure
		return
	}
	g.Result, g.Grader, g.HTTPStatus, g.Sample = result, s.grader, s.http, s.sample
	if score != record.NoScore {
		g.Score = int(score)
	}
	for i, id := range s.list.Categories {
		c := db.CategoryScore{ID: id}
		if s.scores[i] != record.NoScore {
			n := int(s.scores[i])
			c.Score = &n
		}
		g.Categories = append(g.Categories, c)
	}
	for i, c := range s.list.Checks {
		g.Outcomes = append(g.Outcomes, c.outcome(s.statuses[i], s.notes[i]))
	}
}
