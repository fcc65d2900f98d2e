package db

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// parsePromise reads what a project promises, and who may see its site. A budget that was broken is told of again only once it was met.
func (l *Line) parsePromise(p *Project) error {
	c := ProjectChange{Lang: &l.Lang, Budget: map[string]*int{}}
	if l.Budget != nil {
		for _, name := range BudgetTerms() {
			c.Budget[name] = l.Budget.Term(name)
		}
	}
	if l.BudgetMet != nil && !*l.BudgetMet {
		p.Standing = BudgetExceeded
	}
	var err error
	if p.Privacy, err = l.access(Private); err != nil {
		return err
	}
	p.PasswordHash = l.PasswordHash
	return c.Apply(p, "")
}

// acceptedLine is the line of an accepted outcome.
type acceptedLine struct {
	Kind      LineKind   `json:"kind"`
	Account   string     `json:"account"`
	ID        string     `json:"id,omitempty"`
	Project   string     `json:"project"`
	Check     string     `json:"check"`
	URL       string     `json:"url"`
	Reason    string     `json:"reason"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// LineOfAccepted returns the line of an accepted outcome of a project, to be written as JSON.
func LineOfAccepted(account, project string, a Accepted) any {
	return acceptedLine{
		Kind: AcceptedLine, Account: account, ID: a.ID.String(), Project: project, Check: a.Check, URL: a.URL, Reason: a.Reason,
		CreatedAt: timeOrNil(a.CreatedAt), ExpiresAt: timeOrNil(a.ExpiresAt),
	}
}

// parseAccepted reads such a line. One that has expired is valid, and removed like others that expire.
func parseAccepted(text []byte, id uuid.UUID) (Accepted, Project, error) {
	var l acceptedLine
	if err := json.Unmarshal(text, &l); err != nil {
		return Accepted{}, Project{}, fmt.Errorf("not an accepted outcome: %w", err)
	}
	p := Project{ProjectRef: ProjectRef{Name: l.Project}}
	if err := validStoredName("project", l.Project); err != nil {
		return Accepted{}, p, err
	}
	a, err := NewAccepted{Check: l.Check, URL: l.URL, Reason: l.Reason}.Validate(timeOf(l.CreatedAt))
	a.ID, a.ExpiresAt = id, timeOf(l.ExpiresAt)
	return a, p, err
}
