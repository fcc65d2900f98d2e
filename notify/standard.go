package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBody is how many bytes the body of a message may have; Standard Webhooks wants them under 20 kB.
const maxBody = 20_000

// timeFormat is RFC 3339 with milliseconds, for times in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// standardBody is the body of the standard format.
type standardBody struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// postStandard returns the request that Standard Webhooks 1.0.0 describes, signed by each secret of the target.
func postStandard(to Target, m Message, now time.Time) (post, error) {
	body, err := json.Marshal(standardBody{m.Type, m.Time.UTC().Format(timeFormat), m.Data})
	if err != nil {
		return post{}, fmt.Errorf("the data of the message is not JSON: %w", err)
	}
	if len(body) >= maxBody {
		return post{}, fmt.Errorf("the message has %d bytes; it must have fewer than %d", len(body), maxBody)
	}
	signatures, err := sign(to, m.ID, now, body)
	if err != nil {
		return post{}, err
	}
	header := http.Header{}
	header.Set("webhook-id", m.ID)
	header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	header.Set("webhook-signature", signatures)
	return post{header: header, body: body}, nil
}

// sign returns the value of webhook-signature: a signature for each secret, separated by spaces.
func sign(to Target, id string, now time.Time, body []byte) (string, error) {
	if !isID(id) {
		return "", errors.New("the id of the message has other characters than letters, digits, - and _, or more than 64")
	}
	var signatures []string
	for _, secret := range to.Secrets {
		if secret.signature != to.Signature {
			continue // of the signature that the webhook had before
		}
		text := fmt.Appendf(nil, "%s.%d.%s", id, now.Unix(), body)
		signatures = append(signatures, secret.sign(text))
	}
	if len(signatures) == 0 {
		return "", errors.New("the webhook has no secret of its signature")
	}
	return strings.Join(signatures, " "), nil
}

// isID reports whether an id can be signed: with a dot in it, two messages could have one signature.
func isID(id string) bool {
	return id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// Trim returns as much of a list, from its beginning, as takes at most room bytes of JSON, and how many items were left out. It is for the
// lists in Message.Data, whose whole must stay under 20 kB.
func Trim[T any](list []T, room int) (kept []T, more int, err error) {
	room -= len("[]")
	for i, item := range list {
		text, err := json.Marshal(item)
		if err != nil {
			return nil, 0, err
		}
		if room -= len(text) + len(","); room < -1 { // the last one has no comma
			return slices.Clip(list[:i]), len(list) - i, nil
		}
	}
	return list, 0, nil
}
