package crawl

import (
	"hash/fnv"
	"slices"
	"strings"

	"sitegrade/weburl"
)

// Sites lead crawlers into endless sets of addresses without meaning it: the next month of a calendar, a session id that is new in each
// link, each combination of filters. What such addresses have in common is their shape, and that nothing but pages of this shape leads to
// them. A shape that looks like one of these kinds is cut off after mostAlike such addresses; any other one where mostSteps pages of it
// lie on the way from the start, each reached by the one before, as in an archive that can only be turned page by page.
const (
	mostAlike = 100
	mostSteps = 200
	// deepInside is how many pages of a shape that was cut off lie before one that belongs to the trap, though others lead there too.
	deepInside = 10
)

// shapes are those of all addresses.
type shapes struct {
	ids map[uint64]uint32 // by the hash of the shape
	all []shape
}

// shape is what addresses have in common that differ in numbers, dates and the like.
type shape struct {
	first   id // the first address that was met
	endless bool
	alike   int32 // addresses that were queued and that only their own shape leads to
	cut     bool
}

// of returns the number of the shape of an address.
func (s *shapes) of(u *weburl.URL, n id) uint32 {
	text, endless := shapeOf(u)
	h := fnv.New64a()
	h.Write([]byte(text))
	sum := h.Sum64()
	if known, ok := s.ids[sum]; ok {
		return known
	}
	number := uint32(len(s.all))
	s.ids[sum] = number
	s.all = append(s.all, shape{first: n, endless: endless})
	return number
}

// isTrap reports whether an address belongs to a shape that was cut off, or is the one that has it cut off. It counts the address.
func (f *Frontier) isTrap(n id) bool {
	a := &f.addresses[n]
	s := &f.shapes.all[a.shape]
	if a.steps > mostSteps {
		s.cut = true
		return true
	}
	if a.is(isOutside) {
		return false
	}
	if s.endless && s.alike >= mostAlike {
		s.cut = true
	}
	if s.cut {
		return true
	}
	s.alike++
	return false
}

// stepsFrom returns how many pages of a shape lie on the way to what an address leads to.
func (f *Frontier) stepsFrom(from id, shape uint32) uint16 {
	a := &f.addresses[from]
	for range mostWay {
		if a.shape == shape && !a.is(isForeign) {
			return min(a.steps+1, mostSteps+1)
		}
		if a.is(isStart) || a.parent == noID {
			return 0
		}
		a = &f.addresses[a.parent]
	}
	return 0
}

// mostWay is how many pages back are looked at.
const mostWay = 1000

// isInTrap reports whether an address takes no part in checks across pages.
func (f *Frontier) isInTrap(n id) bool {
	a := &f.addresses[n]
	return !a.is(isForeign) && !a.is(isStart) && f.shapes.all[a.shape].cut && (!a.is(isOutside) || a.steps >= deepInside && !a.is(isListed))
}

// sessionNames are parameters that carry the id of a visitor's session; dateNames those that turn the pages of a calendar.
var (
	sessionNames = []string{"sid", "session", "sessionid", "session_id", "phpsessid", "jsessionid", "aspsessionid", "cfid", "cftoken", "token", "zenid", "oscsid", "s_id"}
	dateNames    = []string{"year", "month", "day", "date", "week", "cal", "calendar", "ym", "from", "to", "start", "end", "after", "before"}
)

// manyParameters is how many parameters are filters and orders that can be combined without end.
const manyParameters = 3

// shapeOf returns the shape of an address, and whether there may be endless many of it.
func shapeOf(u *weburl.URL) (text string, endless bool) {
	path, session, _ := strings.Cut(u.Path(), ";")
	names, opaque := parameters(u.Query())
	if session != "" {
		if name, _, ok := strings.Cut(strings.ToLower(session), "="); ok && slices.Contains(sessionNames, name) {
			return "*;" + name, true
		}
	}
	if opaque != "" {
		return "*?" + opaque, true
	}
	shaped, endless := shapeOfPath(path)
	for _, name := range names {
		endless = endless || slices.Contains(dateNames, name)
	}
	text = u.HostKey() + shaped
	if len(names) > 0 {
		text += "?" + strings.Join(names, "&")
	}
	return text, endless || len(names) >= manyParameters
}

// parameters returns the different names in a query in their order, and of these the first whose value is that of a session.
func parameters(query string) (names []string, session string) {
	if query == "" {
		return nil, ""
	}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		name = strings.ToLower(name)
		if session == "" && (slices.Contains(sessionNames, name) || isOpaque(value)) {
			session = name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, session
}

// leastOpaque is how long a text is at least that a machine made up.
const leastOpaque = 16

// isOpaque reports whether a text looks made up by a machine: long, of letters and digits in turn, and nothing that separates words.
func isOpaque(text string) bool {
	if len(text) < leastOpaque {
		return false
	}
	letters, digits := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		default:
			return false
		}
	}
	return letters >= 2 && digits >= 2
}

// shapeOfPath returns a path with its numbers, months and made-up names as "#", and each run of segments that comes again once; it may be
// endless where it has a date, or a segment three times.
func shapeOfPath(path string) (text string, endless bool) {
	var shaped []string
	times := map[string]int{}
	for segment := range strings.SplitSeq(strings.ToLower(path), "/") {
		s := shapeOfSegment(segment)
		endless = endless || isDate(segment)
		if segment != "" {
			times[segment]++
		}
		endless = endless || times[segment] >= 3
		if times[segment] > 1 && segment != "" {
			continue
		}
		shaped = append(shaped, s)
	}
	return strings.Join(shaped, "/"), endless || isDatePath(path)
}

func shapeOfSegment(segment string) string {
	if isOpaque(segment) {
		return "#"
	}
	var b strings.Builder
	digits := false
	for word := range strings.SplitAfterSeq(segment, "-") {
		bare := strings.TrimSuffix(word, "-")
		if slices.Contains(months, bare) {
			b.WriteString("#" + word[len(bare):])
			digits = false
			continue
		}
		for i := range len(word) {
			isDigit := '0' <= word[i] && word[i] <= '9'
			if isDigit && !digits {
				b.WriteByte('#')
			} else if !isDigit {
				b.WriteByte(word[i])
			}
			digits = isDigit
		}
	}
	return b.String()
}

var months = strings.Fields("january february march april may june july august september october november december " +
	"jan feb mar apr jun jul aug sep oct nov dec januar februar märz mai juni juli oktober dezember")

// isDate reports whether a segment is a year with a month: "2026-11", "2026-11-21", "november-2026".
func isDate(segment string) bool {
	parts := strings.Split(segment, "-")
	if len(parts) < 2 || len(parts) > 3 {
		return false
	}
	years, rest := 0, 0
	for _, p := range parts {
		switch {
		case isYear(p):
			years++
		case len(p) <= 2 && isNumber(p), slices.Contains(months, p):
			rest++
		}
	}
	return years == 1 && years+rest == len(parts)
}

// isDatePath reports whether two segments of a path, one after the other, are a year and a month.
func isDatePath(path string) bool {
	last := ""
	for segment := range strings.SplitSeq(path, "/") {
		if isYear(last) && (len(segment) <= 2 && isNumber(segment) || slices.Contains(months, strings.ToLower(segment))) {
			return true
		}
		last = segment
	}
	return false
}

func isYear(s string) bool { return len(s) == 4 && isNumber(s) && s >= "1000" && s < "4000" }

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
