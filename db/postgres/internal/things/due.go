package things

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db/internal/tenant"
	"sitegrade/db/postgres/internal/pg"
)

// What is due of all accounts is found by the indexes things_due and things_told, so the names of buckets stand in the statements: a plan that was
// made for any bucket could not use them. Names of accounts are looked up one by one, lest a plan read all accounts where it expects many.

// nameOf is the name of the account of x.
const nameOf = "(SELECT name FROM accounts a WHERE a.account = x.account)"

// Each is documented in tenant.Engine.
func Each(ctx context.Context, p *pg.Pool, bucket string, read func(tenant.Account) error) error {
	return p.View(ctx, func(tx *pg.Tx) error {
		condition := ""
		if bucket != "" {
			condition = "WHERE account IN (SELECT DISTINCT account FROM things WHERE bucket = '" + bucket + "')"
		}
		all, err := pg.All(tx, "SELECT name, account FROM accounts "+condition+" ORDER BY name", nil, scanRef)
		for _, a := range all {
			if err = errors.Join(err, ctx.Err(), read(Tenant(&pg.Account{Tx: tx, Ref: a}))); err != nil {
				break
			}
		}
		return err
	})
}

func scanRef(rows pgx.Rows) (a pg.Ref, err error) {
	err = rows.Scan(&a.Name, &a.Number)
	return a, err
}

// dueAtOnce is how many entries that are due one look sees. The next look sees those behind them.
const dueAtOnce = 10_000

// behind returns a key that all keys are before which begin with a moment or an earlier one.
func behind(t time.Time) []byte {
	return tenant.MomentKey(t.Truncate(time.Millisecond).Add(time.Millisecond))
}

// Due is documented in tenant.Engine.
func Due(ctx context.Context, p *pg.Pool, bucket string, now time.Time) (accounts []string, next time.Time, err error) {
	tx := p.Direct(ctx)
	accounts, err = pg.Column[string](tx, "SELECT DISTINCT "+nameOf+" FROM (SELECT account FROM things WHERE bucket = '"+bucket+"' AND key < $1 ORDER BY key LIMIT $2) x ORDER BY 1",
		behind(now), dueAtOnce)
	if err != nil {
		return nil, next, err
	}
	next, err = nextMoment(tx, bucket, now)
	return accounts, next, err
}

// nextMoment returns the first moment after now that a key of a bucket begins with; zero where there is not one.
func nextMoment(tx *pg.Tx, bucket string, now time.Time) (next time.Time, err error) {
	keys, err := pg.Column[[]byte](tx, "SELECT key FROM things WHERE bucket = '"+bucket+"' AND key >= $1 ORDER BY key LIMIT 1", behind(now))
	for _, key := range keys {
		next = tenant.MomentOf(key)
	}
	return next, err
}

// EachSchedule calls visit with the account of each schedule whose moment has come, the earliest moment first, and with its key and value among
// those that are due. It returns the first moment of the others.
func EachSchedule(ctx context.Context, p *pg.Pool, now time.Time, visit func(account string, key, mark []byte)) (next time.Time, err error) {
	tx := p.Direct(ctx)
	if err := tx.Each("SELECT "+nameOf+", key, value FROM (SELECT account, key, value FROM things WHERE bucket = 'schedules_due' AND key < $1 ORDER BY key LIMIT $2) x", []any{behind(now), dueAtOnce}, func(rows pgx.Rows) error {
		var account string
		var key, mark []byte
		err := rows.Scan(&account, &key, &mark)
		if err == nil {
			visit(account, key, mark)
		}
		return err
	}); err != nil {
		return next, err
	}
	return nextMoment(tx, "schedules_due", now)
}

// Webhook is a webhook that deliveries wait for, and since when the first of them does.
type Webhook struct {
	pg.Ref
	ID    uuid.UUID
	First time.Time
}

// Webhooks returns the webhooks that deliveries wait for whose moment has come, by account, and the first moment of the others.
func Webhooks(ctx context.Context, p *pg.Pool, now time.Time) (all []Webhook, next time.Time, err error) {
	tx := p.Direct(ctx)
	if all, err = pg.All(tx, "SELECT "+nameOf+` AS name, account, webhook, first FROM (SELECT account, substring(key FROM 1 FOR 16) AS webhook, min(encode(substring(key FROM 17 FOR 8), 'hex')) AS first FROM things
			WHERE bucket = 'deliveries_due' AND substring(key FROM 17 FOR 8) < $1 GROUP BY 1, 2) x ORDER BY name, webhook`,
		[]any{behind(now)}, func(rows pgx.Rows) (w Webhook, err error) {
			var id []byte
			var first string
			if err = rows.Scan(&w.Name, &w.Number, &id, &first); err != nil {
				return w, err
			}
			moment, err := hex.DecodeString(first) // there is no least of bytes in SQL
			w.ID, w.First = uuid.UUID(id), tenant.MomentOf(moment)
			return w, err
		}); err != nil {
		return nil, next, err
	}
	keys, err := pg.Column[[]byte](tx, `SELECT substring(key FROM 17 FOR 8) FROM things WHERE bucket = 'deliveries_due' AND substring(key FROM 17 FOR 8) >= $1
		ORDER BY substring(key FROM 17 FOR 8) LIMIT 1`, behind(now))
	for _, key := range keys {
		next = tenant.MomentOf(key)
	}
	return all, next, err
}

// Crawl is a crawl that waits or runs.
type Crawl struct {
	Account string
	ID      uuid.UUID
	URL     string
}

// OpenCrawls returns the crawls that wait or run, those that were made first before the others.
func OpenCrawls(ctx context.Context, p *pg.Pool) ([]Crawl, error) {
	return pg.All(p.Direct(ctx), "SELECT "+nameOf+`, x.key, convert_from(c.value, 'UTF8')::json ->> 'URL' FROM things x
		JOIN things c ON c.account = x.account AND c.bucket = 'crawls' AND c.key = x.key WHERE x.bucket = 'crawls_open' ORDER BY x.key LIMIT $1`, []any{dueAtOnce}, func(rows pgx.Rows) (c Crawl, err error) {
		var key []byte
		if err = rows.Scan(&c.Account, &key, &c.URL); err == nil {
			c.ID, err = uuid.FromBytes(key)
		}
		return c, err
	})
}
