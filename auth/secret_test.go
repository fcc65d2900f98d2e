package auth

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func TestNewSecret(t *testing.T) {
	form := regexp.MustCompile(`^sg_[0-9A-Za-z]{33}$`)
	seen := map[string]bool{}
	for range 1000 {
		secret := NewSecret()
		if !form.MatchString(secret) || !WellFormed(secret) || seen[secret] {
			t.Fatalf("secret %q", secret)
		}
		seen[secret] = true
	}
}

// The checksums were computed with Python's zlib.crc32.
func TestWellFormed(t *testing.T) {
	for secret, want := range map[string]bool{
		"sg_000000000000000000000000000" + "2MvMGi": true,
		"sg_0123456789ABCDEFGHIJKLMNOPQ" + "2Fyy18": true,
		"sg_zzzzzzzzzzzzzzzzzzzzzzzzzzz" + "13hv5A": true,
		"sg_0123456789ABCDEFGHIJKLMNOPQ" + "2Fyy19": false,
		"sg_0123456789ABCDEFGHIJKLMNOPq" + "2Fyy18": false,
		"sg_": false,
		"":    false,
		"SG_0123456789ABCDEFGHIJKLMNOPQ" + "2Fyy18":                                false,
		" sg_0123456789ABCDEFGHIJKLMNOPQ" + "2Fyy18":                               false,
		"sg_0123456789ABCDEFGHIJKLMNOPQ" + "2Fyy18\n":                              false,
		"sg_0123456789ABCDEFGHIJKLMNO-Q" + checksum("0123456789ABCDEFGHIJKLMNO-Q"): false,
	} {
		if got := WellFormed(secret); got != want {
			t.Errorf("WellFormed(%q) = %v", secret, got)
		}
	}
}

func TestBase62(t *testing.T) {
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), randomBits), big.NewInt(1))
	for _, n := range []*big.Int{big.NewInt(0), big.NewInt(61), big.NewInt(62), most} {
		text := base62(n, randomWidth)
		// The standard library has the small letters before the capitals.
		swapped := strings.Map(func(r rune) rune {
			if r >= 'a' {
				return r - 'a' + 'A'
			} else if r >= 'A' {
				return r - 'A' + 'a'
			}
			return r
		}, text)
		again, ok := new(big.Int).SetString(swapped, 62)
		if !ok || again.Cmp(n) != 0 || len(text) != randomWidth {
			t.Errorf("%v becomes %s, which is %v", n, text, again)
		}
	}
}

func TestHashSecret(t *testing.T) {
	// SHA-256 of "abc", as FIPS 180-2 gives it.
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := HashSecret("abc").String(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestHashText(t *testing.T) {
	hash := HashSecret(NewSecret())
	text, err := json.Marshal(map[string]Hash{"hash": hash})
	if err != nil || string(text) != `{"hash":"`+hash.String()+`"}` {
		t.Fatalf("%s, %v", text, err)
	}
	var again map[string]Hash
	if err := json.Unmarshal(text, &again); err != nil || again["hash"] != hash {
		t.Errorf("%s becomes %v, %v", text, again, err)
	}
	for _, wrong := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("0", 65), strings.Repeat("g", 64)} {
		if err := new(Hash).UnmarshalText([]byte(wrong)); err == nil {
			t.Errorf("%q is taken for a hash", wrong)
		}
	}
}

// Any change of a single character is noticed, and so is any other text.
func FuzzWellFormed(f *testing.F) {
	f.Add(NewSecret(), 5, byte('x'))
	f.Add("sg_", 0, byte('0'))
	f.Add("sg_0123456789ABCDEFGHIJKLMNO-Q000000", 30, byte(0xff))
	f.Fuzz(func(t *testing.T, text string, place int, char byte) {
		if !WellFormed(text) {
			return
		}
		if random := text[3:30]; text != "sg_"+random+checksum(random) {
			t.Fatalf("%q is well-formed", text)
		}
		changed := []byte(text)
		changed[uint(place)%uint(len(changed))] = char
		if string(changed) != text && WellFormed(string(changed)) {
			t.Fatalf("%q and %q are both well-formed", text, changed)
		}
	})
}
