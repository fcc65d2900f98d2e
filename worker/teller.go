package worker

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/notify"
)

const (
	// tellingAtOnce is how many deliveries are under way, and tellingEach how many of them to one webhook: one that never answers holds up
	// nothing but itself, and all webhooks that an account may have do not take half of the places.
	tellingAtOnce = 512
	tellingEach   = 2
	// mailPause is the least time from one mail of a webhook to the next, which tells of all that happened meanwhile.
	mailPause = time.Minute
	// deliveriesKept is how long a delivery can be looked up, and deliveryCleanup how often those that are older are removed.
	deliveriesKept  = 30 * 24 * time.Hour
	deliveryCleanup = time.Hour
)

// Teller delivers the events of a store to the webhooks that want them. It is safe for concurrent use.
type Teller struct {
	store   db.Store
	sender  *notify.Sender
	base    string
	log     *slog.Logger
	retry   time.Duration
	now     func() time.Time // time.Now
	changed chan struct{}    // holds one element when Run should look again

	mu       sync.Mutex              // guards what follows
	nextMail map[uuid.UUID]time.Time // before when a webhook gets no other mail
	finished TellerStats
}

// TellerStats count what a teller did since it was made.
type TellerStats struct {
	Events map[db.EventType]uint64 // deliveries that were attempted for the first time, by event
	Ended  map[string]uint64       // attempts by what came of them: delivered, failed (another follows), given_up
}

// The outcomes of attempts, as TellerStats has them.
const (
	outcomeDelivered = "delivered"
	outcomeFailed    = "failed"
	outcomeGivenUp   = "given_up"
)

// NewTeller returns a teller, which begins with Run. Addresses in what it tells begin with base, such as "https://seo.example.com".
func NewTeller(store db.Store, sender *notify.Sender, base string, log *slog.Logger) *Teller {
	return &Teller{
		store: store, sender: sender, base: base, log: log, retry: 5 * time.Second, now: time.Now, changed: make(chan struct{}, 1),
		nextMail: map[uuid.UUID]time.Time{},
		finished: TellerStats{Events: map[db.EventType]uint64{}, Ended: map[string]uint64{}},
	}
}

// Check says in a sentence why nothing can be sent to the URL of a webhook in its format; nil: it can, unless its host leads elsewhere later.
func (t *Teller) Check(w db.Webhook) error {
	return t.sender.Check(notify.Target{URL: w.URL, Format: notify.Format(w.Format)})
}

// Stats returns the counts of this moment.
func (t *Teller) Stats() TellerStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return TellerStats{Events: maps.Clone(t.finished.Events), Ended: maps.Clone(t.finished.Ended)}
}

// Run works until ctx ends, and returns once what is under way has ended; what did not arrive is delivered by the next process.
func (t *Teller) Run(ctx context.Context) {
	var deliveries sync.WaitGroup
	defer deliveries.Wait()
	defer t.store.Subscribe(func(n db.News) {
		if n.Told {
			wake(t.changed)
		}
	})()
	deliveries.Go(func() { t.cleanUp(ctx) })
	for ctx.Err() == nil {
		await(ctx, t.changed, t.deliver(ctx, &deliveries))
	}
}

// deliver begins what is due and returns how long nothing else will be.
func (t *Teller) deliver(ctx context.Context, deliveries *sync.WaitGroup) (pause time.Duration) {
	t.forgetMails()
	due, next, err := t.store.ClaimDeliveries(ctx, db.Claiming{Places: tellingAtOnce, PerWebhook: tellingEach, NotBefore: t.mailAt})
	if err != nil {
		if ctx.Err() == nil {
			t.log.Error("deliveries cannot be read", "error", err, "again_in", t.retry)
		}
		return t.retry
	}
	for _, batch := range batches(due) {
		deliveries.Go(func() {
			t.attempt(ctx, batch)
			wake(t.changed)
		})
	}
	if next.IsZero() {
		return longestPause
	}
	return min(max(0, next.Sub(t.now())), longestPause)
}

// mailAt returns when a webhook may get the next mail, the zero time if it may now. For those that get none it is always that.
func (t *Teller) mailAt(webhook uuid.UUID) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nextMail[webhook]
}

// noteMail has a webhook wait for its next mail.
func (t *Teller) noteMail(webhook uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nextMail[webhook] = t.now().Add(mailPause)
}

// forgetMails forgets who need not wait any longer.
func (t *Teller) forgetMails() {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.nextMail, func(_ uuid.UUID, at time.Time) bool { return !at.After(t.now()) })
}

// batches returns what goes out at once: all mails of a webhook together, everything else alone.
func batches(due []db.DueDelivery) [][]db.DueDelivery {
	var all [][]db.DueDelivery
	mails := map[uuid.UUID]int{}
	for _, d := range due {
		if d.Webhook.Format != db.FormatEmail {
			all = append(all, []db.DueDelivery{d})
			continue
		}
		if i, ok := mails[d.Webhook.ID]; ok {
			all[i] = append(all[i], d)
			continue
		}
		mails[d.Webhook.ID] = len(all)
		all = append(all, []db.DueDelivery{d})
	}
	return all
}

// attempt makes one attempt to deliver a batch to its webhook, and notes what came of it. What is broken off by the end of ctx is not an
// attempt: the next process makes it.
func (t *Teller) attempt(ctx context.Context, batch []db.DueDelivery) {
	webhook := batch[0].Webhook
	if webhook.Format == db.FormatEmail {
		t.noteMail(webhook.ID)
	}
	at := t.now().UTC()
	outcome := t.send(ctx, batch, at)
	if ctx.Err() != nil && !outcome.Delivered {
		return
	}
	for _, d := range batch {
		t.finish(ctx, d, attemptOf(d, outcome, at, t.now().UTC()))
	}
}

func (t *Teller) send(ctx context.Context, batch []db.DueDelivery, now time.Time) notify.Outcome {
	to, err := targetOf(batch[0].Webhook, now)
	if err != nil {
		return notify.Outcome{Detail: err.Error()}
	}
	if to.Format == notify.Email {
		if to.Brand, err = t.brandOf(ctx, batch[0].Account); err != nil {
			return notify.Outcome{Detail: "The brand of the account could not be read."}
		}
	}
	messages := make([]notify.Message, 0, len(batch))
	words := locale.For(locale.English)
	for _, d := range batch {
		if to.Format != notify.Standard {
			words = t.wordsFor(ctx, d)
		}
		m, err := messageOf(words, d.Event, t.base)
		if err != nil {
			return notify.Outcome{Detail: "The event could not be written."}
		}
		messages = append(messages, m)
	}
	if len(messages) > 1 {
		return t.sender.SendDigest(ctx, to, digestSubject(words, messages), messages, now)
	}
	return t.sender.Send(ctx, to, messages[0], now)
}

// targetOf returns where a webhook is told.
func targetOf(w db.Webhook, now time.Time) (notify.Target, error) {
	to := notify.Target{URL: w.URL, Format: notify.Format(w.Format), Signature: notify.Signature(w.Signature)}
	for _, text := range w.SecretsAt(now) {
		secret, err := notify.ParseSecret(text)
		if err != nil {
			return to, err
		}
		to.Secrets = append(to.Secrets, secret)
	}
	return to, nil
}

// wordsFor returns the words that an event is told in: those of its project's language, else of its account's, else English. What cannot be
// read is told in English rather than not at all.
func (t *Teller) wordsFor(ctx context.Context, d db.DueDelivery) *locale.Catalogue {
	if d.Event.Project.ID != uuid.Nil {
		p, err := t.store.Project(ctx, d.Account, d.Event.Project.ID.String())
		if l, ok := locale.Parse(p.Lang); err == nil && ok {
			return locale.For(l)
		}
	}
	a, err := t.store.Account(ctx, d.Account)
	if l, ok := locale.Parse(a.Lang); err == nil && ok {
		return locale.For(l)
	}
	return locale.For(locale.English)
}

// brandOf returns whose name the mails of an account bear.
func (t *Teller) brandOf(ctx context.Context, account string) (notify.Brand, error) {
	a, err := t.store.Account(ctx, account)
	b := notify.Brand{Name: a.Brand.Name, Footer: a.Brand.Footer, Color: a.Brand.Color, URL: a.Brand.URL}
	if err != nil || a.LogoShare == "" {
		return b, err
	}
	logo, err := t.store.LogoByShare(ctx, a.LogoShare)
	if errors.Is(err, db.ErrNotFound) {
		return b, nil // taken away just now
	}
	b.Logo, b.LogoType = logo.Data, logo.MediaType
	return b, err
}

// attemptOf returns what the store notes of an attempt that began at a time and has ended now.
func attemptOf(d db.DueDelivery, o notify.Outcome, at, now time.Time) db.Attempted {
	a := db.Attempted{Attempt: db.Attempt{At: at, Status: o.Status, Detail: o.Detail, Took: o.Took}, Delivered: o.Delivered}
	next, again := notify.NextAttempt(d.Tries+1, o, now, rand.Float64())
	switch {
	case o.Delivered:
	case o.Gone:
		a.Disable = "It answered 410: it wants no more deliveries."
	case again:
		a.Next = next
	default:
		a.Disable = "None of the attempts to reach it arrived. The last: " + o.Detail
	}
	return a
}

// finish notes an attempt. While the store refuses, it tries again and again until ctx ends; the next process makes the attempt once more then,
// with the same id.
func (t *Teller) finish(ctx context.Context, d db.DueDelivery, a db.Attempted) {
	log := t.log.With("account", d.Account, "webhook", d.Webhook.ID, "delivery", d.ID, "event", d.Type)
	for {
		err := t.store.FinishDelivery(context.WithoutCancel(ctx), d, a)
		if err == nil {
			break
		}
		log.Error("what came of a delivery cannot be stored", "error", err, "again_in", t.retry)
		if await(ctx, nil, t.retry); ctx.Err() != nil {
			return
		}
	}
	outcome := outcomeFailed
	switch {
	case a.Delivered:
		outcome = outcomeDelivered
		log.Debug("delivered", "status", a.Status, "took", a.Took)
	case a.Disable != "":
		outcome = outcomeGivenUp
		log.Warn("a webhook is given up", "status", a.Status, "detail", a.Detail)
	default:
		log.Info("a delivery failed", "status", a.Status, "detail", a.Detail, "again_at", a.Next)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.finished.Ended[outcome]++; len(d.Attempts) == 0 {
		t.finished.Events[d.Type]++
	}
}

// cleanUp removes old deliveries from time to time.
func (t *Teller) cleanUp(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := t.store.DeleteOldDeliveries(ctx, time.Now().Add(-deliveriesKept)); err != nil && ctx.Err() == nil {
			t.log.Error("old deliveries cannot be removed", "error", err)
		}
		await(ctx, nil, deliveryCleanup)
	}
}
