// Command webhooks sends messages as Sitegrade does, to a receiver on this machine: webhooks URL SECRET... It signs with each secret, the newest
// first, and prints what a receiver is shown of them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"time"

	"sitegrade/fetch"
	"sitegrade/notify"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// data are what the messages hold: nothing much, every kind of character, and almost as much as may be.
var data = []any{
	map[string]any{},
	map[string]any{"title": "<b>\u00e9\u754c\U0001F600 \u2028 \x00 \\ \" & </script>", "n": 1e21, "none": nil},
	map[string]any{"text": strings.Repeat("x", 19_000)},
}

func run(url string, texts []string) error {
	var secrets []notify.Secret
	for _, text := range texts {
		secret, err := notify.ParseSecret(text)
		if err != nil {
			return err
		}
		secrets = append(secrets, secret)
	}
	asymmetric := notify.NewSecret(notify.V1a)
	fmt.Println(asymmetric.Shown())
	client := fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	sender := notify.New(client, nil)
	now := time.Now()
	for i, d := range data {
		encoded, err := json.Marshal(d)
		if err != nil {
			return err
		}
		message := notify.Message{ID: fmt.Sprintf("msg_%d", i), Type: "report.done", Time: now, Data: encoded}
		for path, attempt := range map[string]struct {
			signature notify.Signature
			secrets   []notify.Secret
			at        time.Time
		}{
			"/v1":      {notify.V1, secrets[:1], now},
			"/rotated": {notify.V1, secrets, now},
			"/old":     {notify.V1, secrets[:1], now.Add(-6 * time.Minute)},
			"/early":   {notify.V1, secrets[:1], now.Add(6 * time.Minute)},
			"/v1a":     {notify.V1a, []notify.Secret{asymmetric}, now},
		} {
			to := notify.Target{URL: url + path, Format: notify.Standard, Signature: attempt.signature, Secrets: attempt.secrets}
			if outcome := sender.Send(context.Background(), to, message, attempt.at); !outcome.Delivered {
				return fmt.Errorf("%s: %s", path, outcome.Detail)
			}
		}
	}
	return nil
}
