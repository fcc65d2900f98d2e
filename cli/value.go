package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/httpx"
)

// value reads and writes one setting as text. All three sources of the configuration go through it.
type value struct {
	set func(string) error
	get func() string
}

func textValue(to *string) value {
	return value{
		set: func(s string) error { *to = s; return nil },
		get: func() string { return *to },
	}
}

func switchValue(to *bool) value {
	return value{
		set: func(s string) error {
			switch s {
			case "true":
				*to = true
			case "false":
				*to = false
			default:
				return fmt.Errorf("%q is not true or false", s)
			}
			return nil
		},
		get: func() string { return strconv.FormatBool(*to) },
	}
}

func countValue(to *int, least, most int) value {
	return value{
		set: func(s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < least || n > most {
				return fmt.Errorf("%q is not a whole number from %d to %d", s, least, most)
			}
			*to = n
			return nil
		},
		get: func() string { return strconv.Itoa(*to) },
	}
}

func durationValue(to *time.Duration, least, most time.Duration) value {
	return value{
		set: func(s string) error {
			d, err := time.ParseDuration(s)
			if err != nil {
				return fmt.Errorf("%q is not a duration such as 30s, 5m or 1h30m", s)
			}
			if d < least || d > most {
				return fmt.Errorf("%q is not from %s to %s", s, formatDuration(least), formatDuration(most))
			}
			*to = d
			return nil
		},
		get: func() string { return formatDuration(*to) },
	}
}

// formatDuration writes a duration as people do: 1h instead of 1h0m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

func sizeValue(to *int64, least int64) value {
	return value{
		set: func(s string) error {
			n, err := parseSize(s)
			if err != nil {
				return err
			}
			if n < least {
				return fmt.Errorf("%q is less than %s", s, formatSize(least))
			}
			*to = n
			return nil
		},
		get: func() string { return formatSize(*to) },
	}
}

// units are the suffixes of sizes, longest first.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"B", 1},
}

// parseSize reads a number of bytes such as 0, 4096, 10MiB or 1.5GB.
func parseSize(s string) (int64, error) {
	number, unit := strings.TrimSpace(s), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || n < 0 || n*float64(unit) >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size such as 4096, 500kB or 10MiB", s)
	}
	return int64(n * float64(unit)), nil
}

// formatSize writes a number of bytes such that parseSize reads the same number again.
func formatSize(n int64) string {
	for i := 3; i >= 0; i-- {
		if u := units[i]; n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

func networksValue(to *[]netip.Prefix) value {
	return value{
		set: func(s string) error {
			networks := []netip.Prefix{}
			for _, word := range splitList(s) {
				network, err := parseNetwork(word)
				if err != nil {
					return err
				}
				networks = append(networks, network)
			}
			*to = networks
			return nil
		},
		get: func() string {
			words := make([]string, len(*to))
			for i, network := range *to {
				words[i] = network.String()
			}
			return strings.Join(words, ",")
		},
	}
}

// parseNetwork reads a network such as 10.0.0.0/8, or a single address.
func parseNetwork(s string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(s); err == nil && address.Zone() == "" {
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not a network such as 10.0.0.0/8 or fd00::/8", s)
	}
	return network.Masked(), nil
}

func listValue(to *[]string) value {
	return value{
		set: func(s string) error { *to = splitList(s); return nil },
		get: func() string { return strings.Join(*to, ",") },
	}
}

// splitList returns the words of a comma separated list, without empty ones.
func splitList(s string) []string {
	words := []string{}
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func levelValue(to *slog.Level) value {
	return value{
		set: func(s string) error {
			switch s {
			case "debug":
				*to = slog.LevelDebug
			case "info":
				*to = slog.LevelInfo
			case "warn":
				*to = slog.LevelWarn
			case "error":
				*to = slog.LevelError
			default:
				return errors.New(strconv.Quote(s) + " is not debug, info, warn or error")
			}
			return nil
		},
		get: func() string { return strings.ToLower(to.String()) },
	}
}

func listenValue(to *string) value {
	return value{
		set: func(s string) error {
			_, port, err := net.SplitHostPort(s)
			if err != nil {
				return fmt.Errorf("%q is not an address with a port such as 127.0.0.1:8080 or :8080", s)
			}
			if _, err := strconv.ParseUint(port, 10, 16); err != nil {
				return fmt.Errorf("%q has no port from 0 to 65535", s)
			}
			*to = s
			return nil
		},
		get: func() string { return *to },
	}
}

// optionalListenValue is listenValue where none is a choice.
func optionalListenValue(to *string) value {
	required := listenValue(to)
	return value{
		set: func(s string) error {
			if s == "" {
				*to = ""
				return nil
			}
			return required.set(s)
		},
		get: required.get,
	}
}

// forwardedValue keeps the headers of proxies that count, as HTTP spells them.
func forwardedValue(to *[]string) value {
	return value{
		set: func(s string) error {
			headers := []string{}
			for _, name := range splitList(s) {
				name = http.CanonicalHeaderKey(name)
				if name != httpx.Forwarded && !slices.Contains(httpx.XForwarded, name) {
					return fmt.Errorf("%q is neither %s nor one of %s", name, httpx.Forwarded, strings.Join(httpx.XForwarded, ", "))
				}
				headers = append(headers, name)
			}
			if slices.Contains(headers, httpx.Forwarded) && len(headers) > 1 {
				return fmt.Errorf("%s does not go together with another header: only one kind can be true", httpx.Forwarded)
			}
			*to = headers
			return nil
		},
		get: func() string { return strings.Join(*to, ",") },
	}
}

// baseURLValue keeps the address without a slash at its end.
func baseURLValue(to *string) value {
	return value{
		set: func(s string) error {
			if s == "" {
				*to = ""
				return nil
			}
			u, err := url.Parse(s)
			if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
				return fmt.Errorf("%q is not an address such as https://sitegrade.example.com", s)
			}
			*to = strings.TrimRight(s, "/")
			return nil
		},
		get: func() string { return *to },
	}
}

// databaseValue keeps the address of a PostgreSQL database, which an error does not show: it may have a password.
func databaseValue(to *string) value {
	return value{
		set: func(s string) error {
			if s != "" && !strings.HasPrefix(s, "postgres://") && !strings.HasPrefix(s, "postgresql://") {
				return errors.New("must be postgres://user@host/name, or empty for a file in the data directory")
			}
			*to = s
			return nil
		},
		get: func() string { return *to },
	}
}
