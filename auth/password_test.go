package auth

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// foreignHash was made from "correct horse" by another implementation, npm's hash-wasm 4.13.0: 1 MiB, 3 passes, 2 lanes, 24 bytes.
const foreignHash = "$argon2id$v=19$m=1024,t=3,p=2$c29tZXNhbHQwMTIz$ymrk3/mTHmdcAumhFqaDuFCskQW4th17"

func TestHashPassword(t *testing.T) {
	ctx := context.Background()
	const password = "correct horse ü"
	first, err := HashPassword(ctx, password)
	if err != nil {
		t.Fatal(err)
	}
	second, err := HashPassword(ctx, password)
	if err != nil || first == second {
		t.Fatalf("the same hash twice: %s, %v", second, err)
	}
	if !strings.HasPrefix(first, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %s", first)
	}
	for guess, want := range map[string]bool{password: true, "": false, "correct horse": false, "Correct horse ü": false} {
		if got, err := VerifyPassword(ctx, first, guess); got != want || err != nil {
			t.Errorf("%q: %v, %v", guess, got, err)
		}
	}
}

func TestVerifyPasswordOfOthers(t *testing.T) {
	for guess, want := range map[string]bool{"correct horse": true, "wrong horse": false} {
		if got, err := VerifyPassword(context.Background(), foreignHash, guess); got != want || err != nil {
			t.Errorf("%q: %v, %v", guess, got, err)
		}
	}
}

func TestHashingWaitsForItsTurn(t *testing.T) {
	for range cap(hashing) {
		hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error)
	go func() {
		_, err := HashPassword(ctx, "x")
		result <- err
	}()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for range cap(hashing) {
		<-hashing
	}
	if _, err := HashPassword(context.Background(), "x"); err != nil {
		t.Errorf("with a free place: %v", err)
	}
	if _, err := HashPassword(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a free place and a context that has ended: %v", err)
	}
	if n := len(hashing); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

func TestCheckPasswordHash(t *testing.T) {
	const salt, sum = "c29tZXNhbHQ", "AAAAAAAAAAAAAAAAAAAAAA"
	tests := []struct{ phc, wrong string }{
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum, ""},
		{"$argon2id$v=19$m=65536,t=10,p=4$" + salt + "$" + sum, ""},
		{"$argon2id$v=19$m=8,t=1,p=1$" + salt + "$" + sum, ""},
		{"", "has the form"},
		{"secret", "has the form"},
		{"$2y$10$abcdefghijklmnopqrstuv", "has the form"},
		{"$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + sum, "argon2id"},
		{"$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + sum, "version 19"},
		{"x$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum, "in the form"},
		{"$argon2id$v=19$m=65537,t=2,p=1$" + salt + "$" + sum, "m of"},
		{"$argon2id$v=19$m=4294967295,t=2,p=1$" + salt + "$" + sum, "m of"},
		{"$argon2id$v=19$m=4294967296,t=2,p=1$" + salt + "$" + sum, "the cost of"},
		{"$argon2id$v=19$m=7,t=2,p=1$" + salt + "$" + sum, "m of"},
		{"$argon2id$v=19$m=31,t=2,p=4$" + salt + "$" + sum, "m of"},
		{"$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + sum, "t of"},
		{"$argon2id$v=19$m=19456,t=11,p=1$" + salt + "$" + sum, "t of"},
		{"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + sum, "p of"},
		{"$argon2id$v=19$m=19456,t=2,p=5$" + salt + "$" + sum, "p of"},
		{"$argon2id$v=19$m=19456,t=2,p=256$" + salt + "$" + sum, "the cost of"},
		{"$argon2id$v=19$m=+19456,t=2,p=1$" + salt + "$" + sum, "the cost of"},
		{"$argon2id$v=19$m=019456,t=2,p=1$" + salt + "$" + sum, "in the form"},
		{"$argon2id$v=19$m=19456,t=2,p=1,x=1$" + salt + "$" + sum, "in the form"},
		{"$argon2id$v=19$t=2,m=19456,p=1$" + salt + "$" + sum, "the cost of"},
		{"$argon2id$v=19$m=19456,t=2,p=1$c29tZQ$" + sum, "the salt of"},
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "==$" + sum, "the salt of"},
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$AAAA", "the hash of"},
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$AAAAAAAAAAAAAAAAAAAAAB", "the hash of"}, // bits beyond the last byte
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum + "\n", "in the form"},
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + strings.Repeat("A", 87), "the hash of"},
		{"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + strings.Repeat("A", 1<<20), "at most 256 bytes"},
	}
	for _, test := range tests {
		t.Run(test.phc[:min(len(test.phc), 60)], func(t *testing.T) {
			err := CheckPasswordHash(test.phc)
			if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("got %v, want %q", err, test.wrong)
			}
			if _, verifyErr := VerifyPassword(context.Background(), test.phc, "x"); (verifyErr == nil) != (err == nil) {
				t.Errorf("verifying says %v", verifyErr)
			}
		})
	}
}

func FuzzParsePasswordHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$argon2id$v=19$m=0,t=0,p=0$$")
	f.Add("$$$$$")
	f.Fuzz(func(t *testing.T, phc string) {
		h, err := parsePasswordHash(phc)
		if err != nil {
			return
		}
		if h.String() != phc {
			t.Fatalf("%q becomes %q", phc, h.String())
		}
		if h.memory > maxMemory || h.passes < 1 || h.passes > maxPasses || h.lanes < 1 || h.lanes > maxLanes || len(h.sum) < minSum {
			t.Fatalf("%q asks for %+v", phc, h)
		}
	})
}

func BenchmarkVerifyPassword(b *testing.B) {
	phc, err := HashPassword(context.Background(), "x")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := VerifyPassword(context.Background(), phc, "x"); err != nil {
			b.Fatal(err)
		}
	}
}
