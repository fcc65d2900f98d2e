package schemaorg

import (
	"strings"
)

// maxName is the length in bytes of the longest name that is compared with others.
const maxName = 64

// NearestType returns the type that a misspelt name is likely to mean, or "".
func NearestType(name string) string {
	best := nearest{to: name}
	for known := range vocabulary().types {
		best.compare(known)
	}
	return best.name
}

// NearestProperty returns the property that a misspelt name is likely to mean, or "".
func NearestProperty(name string) string {
	best := nearest{to: name}
	for known := range vocabulary().properties {
		best.compare(known)
	}
	return best.name
}

// nearest is the name that is nearest to another, of those compared so far.
type nearest struct {
	to, name string
	distance int
}

func (n *nearest) compare(known string) {
	most := min(2, len(n.to)/3)
	if len(n.to) > maxName || max(len(known)-len(n.to), len(n.to)-len(known)) > most {
		return
	}
	d := 0
	if !strings.EqualFold(n.to, known) {
		d = 1 + distance(n.to, known)
	}
	if d > most+1 {
		return
	}
	if n.name == "" || d < n.distance || d == n.distance && known < n.name {
		n.name, n.distance = known, d
	}
}

// distance returns how many letters have to be added, left out, replaced or swapped with the next to make one name of the other.
func distance(a, b string) int {
	var before []int // the row before the last one
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
