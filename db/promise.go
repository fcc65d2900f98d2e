package db

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

// BudgetState says how a project stands to its budget.
type BudgetState uint8

// The states. A budget that was changed just now is unjudged until all reports of the project have been looked at.
const (
	BudgetUnjudged BudgetState = iota // also: there is no budget
	BudgetKept
	BudgetExceeded // at least one report breaks it
)

// Met returns whether the budget is met, or nil where that is not known or there is not one.
func (s BudgetState) Met() *bool {
	if s == BudgetUnjudged {
		return nil
	}
	met := s == BudgetKept
	return &met
}

// ProjectChange is what a client may change of a project. A nil field stays as it is.
type ProjectChange struct {
	Name     *string
	Lang     *string         // "": none
	Budget   map[string]*int // by the names of BudgetTerms; a nil value takes a promise away
	NoBudget bool            // takes all promises away, before Budget
	Privacy  *Privacy        // of the page that shows the site
	Password *string
}

// Empty reports whether nothing is to be changed.
func (c ProjectChange) Empty() bool {
	return c.Name == nil && c.Lang == nil && len(c.Budget) == 0 && !c.NoBudget && c.Privacy == nil && c.Password == nil
}

// access is the part of the change about who may see the site, which has the rules of a report's.
func (c ProjectChange) access() Change { return Change{Privacy: c.Privacy, Password: c.Password} }

// HashPassword is that of Change.
func (c ProjectChange) HashPassword(ctx context.Context) (string, error) {
	return c.access().HashPassword(ctx)
}

// Apply changes a project, with newHash from HashPassword. The error is *InvalidError, and then nothing has changed.
func (c ProjectChange) Apply(p *Project, newHash string) error {
	changed := *p
	var wrong []FieldError
	if c.Name != nil {
		if changed.Name = *c.Name; projectNameDetail(*c.Name) != "" {
			wrong = append(wrong, FieldError{Field: "name", Detail: projectNameDetail(*c.Name)})
		}
	}
	if c.Lang != nil {
		if changed.Lang = *c.Lang; langDetail(changed.Lang) != "" {
			wrong = append(wrong, FieldError{Field: "lang", Detail: langDetail(changed.Lang)})
		}
	}
	if c.NoBudget {
		changed.Budget = Budget{}
	}
	var wrongTerms []FieldError
	changed.Budget, wrongTerms = changed.Budget.with(c.Budget)
	var wrongAccess error
	changed.Privacy, changed.PasswordHash, wrongAccess = c.access().ApplyPrivacy(p.Privacy, p.PasswordHash, newHash)
	if err := AlsoInvalid(invalid(append(wrong, wrongTerms...)), wrongAccess); err != nil {
		return err
	}
	*p = changed
	return nil
}

// Bounds of accepted outcomes.
const (
	MaxAccepted = 1000 // of a project
	maxReason   = 500  // characters
	maxPattern  = 2048 // bytes
)

// Accepted is a failure that somebody decided to live with. It stays where it is in reports, and alarms nobody.
type Accepted struct {
	ID        uuid.UUID
	Check     string
	URL       string // of one page, or a pattern (weburl.URL.Matches)
	Reason    string
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
}

// Holds reports whether it has not expired at a moment.
func (a Accepted) Holds(now time.Time) bool { return a.ExpiresAt.IsZero() || now.Before(a.ExpiresAt) }

// NewAccepted is what a client may say of an outcome that it accepts.
type NewAccepted struct {
	Check          string
	URL            string
	Reason         string
	ExpiresAt      time.Time // zero: never
	IdempotencyKey string    `json:"-"`
}

// Validate returns what n asks for, without its id, made now. The error is *InvalidError.
func (n NewAccepted) Validate(now time.Time) (Accepted, error) {
	a := Accepted{Check: n.Check, Reason: n.Reason, CreatedAt: now, ExpiresAt: n.ExpiresAt}
	var wrong []FieldError
	refuse := func(field, detail string) {
		if detail != "" {
			wrong = append(wrong, FieldError{Field: field, Detail: detail})
		}
	}
	if _, known := audit.Explain(n.Check); !known {
		refuse("check", "must be the id of a check, such as meta-description")
	}
	var detail string
	a.URL, detail = acceptedURL(n.URL)
	refuse("url", detail)
	if length := utf8.RuneCountInString(n.Reason); length < 1 || length > maxReason || !printableLines(n.Reason) {
		refuse("reason", fmt.Sprintf("is required: why it is accepted, 1 to %d characters", maxReason))
	}
	if !a.ExpiresAt.IsZero() && !a.Holds(now) {
		refuse("expires_at", expiredDetail)
	}
	return a, invalid(wrong)
}

// acceptedURL returns a URL or a pattern as it is stored, or what would be right.
func acceptedURL(text string) (stored, detail string) {
	const right = "an http or https address, or a pattern with * such as https://example.com/shop/* or /shop/*"
	switch {
	case text == "":
		return "", "is required: " + right
	case !strings.HasPrefix(text, "/") && !strings.Contains(text, "*"):
		u, err := weburl.Parse(text)
		if err != nil {
			return "", err.Error()
		}
		return u.String(), ""
	case len(text) > maxPattern || !printable(text):
		return "", fmt.Sprintf("must be %s, of at most %d bytes", right, maxPattern)
	case !slices.ContainsFunc([]string{"/", "*", "http"}, func(start string) bool { return strings.HasPrefix(text, start) }):
		return "", "must be " + right
	}
	return text, ""
}

// AcceptedFor returns those of all that hold for one page at a moment, by check. Of several for one check it is the one that holds longest.
func AcceptedFor(all []Accepted, address string, now time.Time) map[string]Accepted {
	var u *weburl.URL
	var held map[string]Accepted
	for _, a := range all {
		if !a.Holds(now) {
			continue
		}
		if a.URL != address {
			if u == nil {
				u = weburl.Resolve(nil, address)
			}
			if u == nil || !u.Matches(a.URL) {
				continue
			}
		}
		if held == nil {
			held = map[string]Accepted{}
		}
		if other, is := held[a.Check]; !is || a.outlasts(other) {
			held[a.Check] = a
		}
	}
	return held
}

// outlasts reports whether a holds longer than b.
func (a Accepted) outlasts(b Accepted) bool {
	return !b.ExpiresAt.IsZero() && (a.ExpiresAt.IsZero() || a.ExpiresAt.After(b.ExpiresAt))
}

// MarkAccepted marks the failures and warnings of a report that somebody accepted.
func MarkAccepted(found *audit.Report, accepted map[string]Accepted) {
	for i := range found.Checks {
		o := &found.Checks[i]
		if a, is := accepted[o.ID]; is && (o.Status == audit.Failed || o.Status == audit.Warning) {
			o.Accepted = &audit.Acceptance{Reason: a.Reason, ExpiresAt: a.ExpiresAt}
		}
	}
}

// promises are the methods of a Store for what a project promises, and what is accepted in it.
type promises interface {
	// SharedProject returns the project whose site has its shared page at this address (Project.Share), with its account. The error is
	// ErrNotFound, also if the site is private.
	SharedProject(ctx context.Context, share string) (account string, shown Project, err error)
	// UpdateProject changes the project that Project would return, and returns it as it is then. check sees it as it was. Where the budget
	// changed, the reports of a large project are judged in the background, and it is unjudged meanwhile. The error is ErrNotFound,
	// *InvalidError, or that of check.
	UpdateProject(ctx context.Context, account, nameOrID string, c ProjectChange, check func(Project) error) (Project, error)
	// Accept stores an accepted outcome of a project. If the idempotency key of n has made one before that is still there, it returns that one,
	// and again is true. The error is ErrNotFound without such a project, *InvalidError, or ErrIdempotencyMismatch.
	Accept(ctx context.Context, account, nameOrID string, n NewAccepted) (made Accepted, again bool, err error)
	// AcceptedOutcomes returns one page of what is accepted in a project and has not expired, by creation. A search looks at addresses. The
	// error is ErrNotFound.
	AcceptedOutcomes(ctx context.Context, account, nameOrID string, q sortfilter.Query) (Page[Accepted], error)
	// Unaccept removes an accepted outcome of a project. The error is ErrNotFound.
	Unaccept(ctx context.Context, account, nameOrID string, id uuid.UUID) error
	// ExpireAccepted removes what has expired, of all accounts, has the budgets judged again that it counted for, and returns when the next
	// expires, zero if nothing does.
	ExpireAccepted(ctx context.Context) (next time.Time, err error)
}
