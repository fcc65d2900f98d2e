package notify

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"sitegrade/fetch"
)

// official returns the verifier of Standard Webhooks for what a receiver was shown.
func official(t *testing.T, secret Secret) *standardwebhooks.Webhook {
	t.Helper()
	v, err := standardwebhooks.NewWebhook(secret.Shown())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The official library verifies what arrives, with each secret while two sign, and refuses what was altered or is old.
func TestStandardWebhooks(t *testing.T) {
	r := receive(t, nil)
	newest, older, other := NewSecret(V1), NewSecret(V1), NewSecret(V1)
	to := Target{URL: r.URL + "/hook?x=1", Format: Standard, Signature: V1, Secrets: []Secret{newest, NewSecret(V1a), older}}
	deliver(t, newSender(t, fetch.Options{}, nil), to, regressed(), time.Now())
	d := r.only(t)
	for _, secret := range []Secret{newest, older} {
		if err := official(t, secret).Verify(d.body, d.header); err != nil {
			t.Error(err)
		}
	}
	v := official(t, newest)
	if official(t, other).Verify(d.body, d.header) == nil {
		t.Error("verified with a secret that did not sign")
	}
	if v.Verify([]byte(strings.Replace(string(d.body), "regressed", "done", 1)), d.header) == nil {
		t.Error("verified an altered body")
	}
	for name, value := range map[string]string{"webhook-id": "msg_other", "webhook-timestamp": fmt.Sprint(time.Now().Unix() + 1)} {
		altered := d.header.Clone()
		altered.Set(name, value)
		if v.Verify(d.body, altered) == nil {
			t.Errorf("verified with another %s", name)
		}
	}
	const want = `{"type":"report.regressed","timestamp":"2026-11-21T12:00:00.000Z","data":{"report":{"id":"r1"}}}`
	if string(d.body) != want || d.method != http.MethodPost || d.target != "/hook?x=1" || d.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v %s", d.method, d.target, d.header, d.body)
	}
	if d.header.Get("webhook-id") != regressed().ID || d.header["Cookie"] != nil || d.header["Referer"] != nil {
		t.Errorf("headers %v", d.header)
	}
}

func TestOldDeliveryIsRefused(t *testing.T) {
	r := receive(t, nil)
	secret := NewSecret(V1)
	to := Target{URL: r.URL, Format: Standard, Signature: V1, Secrets: []Secret{secret}}
	deliver(t, newSender(t, fetch.Options{}, nil), to, regressed(), time.Now().Add(-6*time.Minute))
	d := r.only(t)
	if err := official(t, secret).Verify(d.body, d.header); !errors.Is(err, standardwebhooks.ErrMessageTooOld) {
		t.Error(err)
	}
}

// The library for Go knows no v1a, so its signature is verified as the specification says.
func TestAsymmetricSignature(t *testing.T) {
	r := receive(t, nil)
	secret := NewSecret(V1a)
	to := Target{URL: r.URL, Format: Standard, Signature: V1a, Secrets: []Secret{NewSecret(V1), secret}}
	deliver(t, newSender(t, fetch.Options{}, nil), to, regressed(), noon)
	d := r.only(t)
	public, ok := strings.CutPrefix(secret.Shown(), "whpk_")
	key, err := base64.StdEncoding.DecodeString(public)
	if !ok || err != nil || len(key) != ed25519.PublicKeySize {
		t.Fatalf("the public key is %q", secret.Shown())
	}
	encoded, ok := strings.CutPrefix(d.header.Get("webhook-signature"), "v1a,")
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil {
		t.Fatalf("the signature is %q", d.header.Get("webhook-signature"))
	}
	text := fmt.Appendf(nil, "%s.%d.%s", regressed().ID, noon.Unix(), d.body)
	if !ed25519.Verify(key, text, signature) {
		t.Error("the signature is not right")
	}
	text[len(text)-1] ^= 1
	if ed25519.Verify(key, text, signature) {
		t.Error("the signature fits an altered body")
	}
}

// The example of the specification: the same secret and message have the same signature everywhere.
func TestKnownSignature(t *testing.T) {
	secret, err := ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := secret.sign([]byte(`msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSecrets(t *testing.T) {
	for _, signature := range Signatures {
		secret := NewSecret(signature)
		again, err := ParseSecret(secret.Text())
		if err != nil || again.Text() != secret.Text() || again.Signature() != signature {
			t.Errorf("%s: %v", signature, err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if printed := fmt.Sprintf(verb, []Secret{secret}); !strings.Contains(printed, "[secret]") {
				t.Errorf("%s prints %s", verb, printed)
			}
		}
		if printed, err := json.Marshal([]any{secret}); err != nil || string(printed) != "[{}]" {
			t.Errorf("JSON of a secret is %s", printed)
		}
	}
	if first, second := NewSecret(V1), NewSecret(V1); first.Text() == second.Text() {
		t.Error("two secrets are the same")
	}
	private := NewSecret(V1a).Text()
	for _, text := range []string{
		"", "x", "whsec_", "whsec_AAAA", "whsec_!", "whsec_" + strings.Repeat("A", 88), NewSecret(V1a).Shown(),
		"whsk_", "whsk_AAAA", private[:len(private)-8] + "AAAAAA==",
	} {
		if _, err := ParseSecret(text); err == nil || len(text) > 7 && strings.Contains(err.Error(), text[6:]) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What cannot be signed or is too long is not sent at all.
func TestMessagesThatAreNotSent(t *testing.T) {
	r := receive(t, nil)
	s := newSender(t, fetch.Options{}, nil)
	for _, c := range []struct {
		change func(*Message, *Target)
		says   string
	}{
		{func(m *Message, _ *Target) { m.ID = "a.b" }, "id"},
		{func(m *Message, _ *Target) { m.ID = "a\r\nb: c" }, "id"},
		{func(m *Message, _ *Target) { m.ID = "" }, "id"},
		{func(m *Message, _ *Target) { m.Data = json.RawMessage("{") }, "not JSON"},
		{func(m *Message, _ *Target) { m.Data = json.RawMessage(`"` + strings.Repeat("x", maxBody) + `"`) }, "20000"},
		{func(_ *Message, to *Target) { to.Secrets = nil }, "secret"},
		{func(_ *Message, to *Target) { to.Signature = V1a }, "secret"},
		{func(_ *Message, to *Target) { to.Format = "carrier pigeon" }, "format"},
	} {
		m, to := regressed(), Target{URL: r.URL, Format: Standard, Signature: V1, Secrets: []Secret{NewSecret(V1)}}
		c.change(&m, &to)
		if o := s.Send(t.Context(), to, m, noon); o.Delivered || !strings.Contains(o.Detail, c.says) {
			t.Errorf("want %q: %+v", c.says, o)
		}
	}
	if len(r.came) != 0 {
		t.Errorf("%d requests came", len(r.came))
	}
}

func TestTrim(t *testing.T) {
	list := []string{"aa", "bb", "cc"} // [ "aa" , "bb" , "cc" ] is 2 + 4 + 5 + 5
	for room, want := range map[int]int{0: 0, 5: 0, 6: 1, 10: 1, 11: 2, 15: 2, 16: 3, 100: 3} {
		kept, more, err := Trim(list, room)
		if err != nil || len(kept) != want || more != 3-want {
			t.Errorf("%d bytes keep %d and leave out %d, want %d (%v)", room, len(kept), more, want, err)
		}
		if text, _ := json.Marshal(kept); want > 0 && len(text) > room {
			t.Errorf("%d bytes are not room for %s", room, text)
		}
	}
}
