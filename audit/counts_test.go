package audit

import "testing"

func TestCounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{plural(0, "image", "images"), "0 images"},
		{plural(1, "image", "images"), "1 image"},
		{plural(2, "list entry", "list entries"), "2 list entries"},
		{counted(1, "form", "forms", "sends data unencrypted"), "1 form sends data unencrypted"},
		{counted(12, "form", "forms", "sends data unencrypted"), "12 forms send data unencrypted"},
		{share(1, 1, "button", "buttons", "has no name"), "The only button has no name"},
		{share(1, 3, "button", "buttons", "has no name"), "1 of 3 buttons has no name"},
		{share(2, 3, "button", "buttons", "has no name"), "2 of 3 buttons have no name"},
		{share(3, 3, "button", "buttons", "has no name"), "3 of 3 buttons have no name"},
		{share(0, 1, "word", "words", "is rare"), "Not one word is rare"},
		{share(0, 4, "word", "words", "is rare"), "0 of 4 words are rare"},
		{every(1, "button", "buttons", "has a name"), "The only button has a name"},
		{every(2, "button", "buttons", "has a name"), "All 2 buttons have a name"},
		{firstOf(1), "it"},
		{firstOf(2), "the first one"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestPredicatesForMany(t *testing.T) {
	for one, many := range map[string]string{
		"has a name": "have a name", "is wide": "are wide", "does not answer": "do not answer", "carries marks": "carry marks",
		"leads to http": "lead to http", "uses an id": "use an id", "works": "work", "may be cached": "may be cached",
		"could not be loaded": "could not be loaded", "came late": "came late",
	} {
		if got := forMany(one); got != many {
			t.Errorf("%q, want %q", got, many)
		}
	}
}

// TestGrammarIsHeld holds that the other tests would see a verb that does not agree with its number.
func TestGrammarIsHeld(t *testing.T) {
	for _, wrong := range []string{
		"1 of 1 button have no name.", "1 of 3 buttons have no name.", "The only button have a name.", "3 links has a text.",
		"All 2 buttons has a name.", "None of 1 link leads away.", "12 of 40 images is large.", "Not one word are in the text.",
	} {
		if !wrongNumbers.MatchString(wrong) {
			t.Errorf("%q passes", wrong)
		}
	}
	for _, right := range []string{
		"1 of 3 buttons has no name.", "2 of 3 buttons have no name.", "The URL has 1 query parameter.", "All 2 buttons have a name.",
		"The certificate is valid until 2026-12-01.", "The title has 1 character; 20 to 60 are recommended.",
	} {
		if wrongNumbers.MatchString(right) {
			t.Errorf("%q does not pass: %q", right, wrongNumbers.FindString(right))
		}
	}
}
