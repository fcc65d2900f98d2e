package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// retention says which reports are kept: those younger than age, or the newest ones of each address. Zero: all.
type retention struct {
	age     time.Duration
	reports int
}

// The bounds of retention. A hundred years are as good as for ever, and looking through more reports at every audit would take too long.
const (
	maxKeepDays    = 36500
	maxKeepReports = 1000
)

func keepValue(to *retention) value {
	return value{
		set: func(s string) (err error) { *to, err = parseRetention(s); return err },
		get: func() string { return to.String() },
	}
}

// parseRetention reads "90d" as an age, "5" as a number of reports, and "" as neither.
func parseRetention(s string) (retention, error) {
	if s == "" {
		return retention{}, nil
	}
	number, isAge := strings.CutSuffix(s, "d")
	n, err := strconv.Atoi(number)
	switch {
	case err == nil && isAge && n >= 1 && n <= maxKeepDays:
		return retention{age: time.Duration(n) * 24 * time.Hour}, nil
	case err == nil && !isAge && n >= 1 && n <= maxKeepReports:
		return retention{reports: n}, nil
	}
	return retention{}, fmt.Errorf("%q is neither days such as 90d (at most %dd) nor a number of reports from 1 to %d", s, maxKeepDays, maxKeepReports)
}

func (r retention) String() string {
	switch {
	case r.age > 0:
		return strconv.Itoa(int(r.age/(24*time.Hour))) + "d"
	case r.reports > 0:
		return strconv.Itoa(r.reports)
	}
	return ""
}

// retentionPause is the time from one look for what is kept no longer to the next.
const retentionPause = time.Hour

// forget deletes what is kept no longer, until ctx ends.
func (s *server) forget(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := s.store.DeleteExpired(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("kept responses cannot be deleted", "error", err)
		}
		if age := s.settings.Keep.age; age > 0 {
			s.deleteOlder(ctx, age)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retentionPause):
		}
	}
}

func (s *server) deleteOlder(ctx context.Context, age time.Duration) {
	removed, err := s.store.DeleteOlder(ctx, time.Now().Add(-age))
	if removed > 0 {
		s.log.Info("deleted old reports", "reports", removed, "keep", s.settings.Keep.String())
	}
	if err != nil && ctx.Err() == nil {
		s.log.Error("old reports cannot be deleted", "error", err)
	}
}
