package audit

import (
	"slices"
	"strings"
)

const (
	maxNear     = 3  // ids that NearestChecks returns
	maxDistance = 3  // letters in which they may differ from the word
	maxWord     = 64 // bytes of a word that is compared with ids
)

// NearestChecks returns the ids of up to three checks that a misspelt word is likely to mean, the nearest first.
func NearestChecks(word string) []string {
	if len(word) > maxWord {
		return nil
	}
	word = strings.ToLower(word)
	var near []string
	distances := map[string]int{}
	for _, e := range Explanations() {
		distance := distanceTo(word, e.ID)
		if distance <= min(len(word)/2, maxDistance) {
			distances[e.ID] = distance
			near = append(near, e.ID)
		}
	}
	slices.SortStableFunc(near, func(x, y string) int { return distances[x] - distances[y] })
	return near[:min(maxNear, len(near))]
}

// distanceTo returns how far a word is from an id: from the whole of it, or from what stands before one of its hyphens.
func distanceTo(word, id string) int {
	if len(word) > 2 && strings.Contains(id, word) {
		return 1
	}
	distance := editDistance(word, id)
	for i, c := range id {
		if c == '-' {
			distance = min(distance, editDistance(word, id[:i]))
		}
	}
	return distance
}

// editDistance returns how many letters have to be put in, left out or changed to make b of a (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := corner
			if a[i] != b[j] {
				changed++
			}
			corner = row[j+1]
			row[j+1] = min(changed, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
