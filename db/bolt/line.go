package bolt

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/weburl"
)

// line is one line of an export: an account, a key, a project or a report, told apart by Kind. What an audit found is embedded: its
// fields stand beside the others, and where both have a name, that of the line counts.
type line struct {
	Kind    string `json:"kind"`
	Account string `json:"account"`

	ShareKey string `json:"share_key,omitempty"` // of an account: hex

	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`

	Hash       *auth.Hash `json:"hash,omitempty"` // of a key
	Scopes     string     `json:"scopes,omitempty"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`

	URL          string         `json:"url,omitempty"` // of a report
	Project      string         `json:"project,omitempty"`
	Status       string         `json:"status,omitempty"`
	Result       audit.Result   `json:"result,omitzero"`
	Score        *int           `json:"score,omitempty"`
	Privacy      db.Privacy     `json:"privacy,omitempty"`
	PasswordHash string         `json:"password_hash,omitempty"`
	GeneratedAt  *time.Time     `json:"generated_at,omitempty"`
	CreatedAt    *time.Time     `json:"created_at,omitempty"`
	UpdatedAt    *time.Time     `json:"updated_at,omitempty"`
	Error        *audit.Failure `json:"error,omitempty"`
	*audit.Report
}

// timeOrNil returns nil for the zero time.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

func keyLine(k auth.Key) line {
	return line{
		Kind: "key", Account: k.Account, ID: k.ID.String(), Name: k.Name, Hash: &k.Hash, Scopes: k.Scopes.String(), CreatedAt: timeOrNil(k.CreatedAt),
		ExpiresAt: timeOrNil(k.ExpiresAt), LastUsedAt: timeOrNil(k.LastUsed), RevokedAt: timeOrNil(k.RevokedAt),
	}
}

func (a *accountTx) projectLine(p *project) line {
	return line{Kind: "project", Account: a.name, ID: p.id.String(), Name: p.name, CreatedAt: timeOrNil(instant(p.created))}
}

func (a *accountTx) reportLine(r *record) (line, error) {
	p, err := a.project(r.project)
	if err != nil {
		return line{}, err
	}
	found, err := a.found(r.id)
	l := line{
		Kind: "report", Account: a.name, ID: r.id.String(), URL: r.url, Project: p.name, Status: r.status.String(), Result: r.result,
		Privacy: r.privacy, PasswordHash: r.passwordHash, GeneratedAt: timeOrNil(instant(r.generated)), CreatedAt: timeOrNil(instant(r.created)),
		UpdatedAt: timeOrNil(instant(r.updated)), Error: r.failure, Report: found,
	}
	if r.score != noScore {
		score := int(r.score)
		l.Score = &score
	}
	return l, err
}

// imported is a line that was parsed and found valid.
type imported struct {
	kind     string
	account  string
	shareKey []byte
	key      auth.Key
	project  *project
	record   *record // without a project number; its id is zero where the line has none
	found    []byte  // packed
	name     string  // of the report's project
}

// parseLine reads one line. account, where not empty, takes the place of the line's. The error says what is wrong.
func parseLine(text []byte, account string) (imported, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return imported{}, fmt.Errorf("not a JSON object of an export: %w", err)
	}
	if account != "" {
		l.Account = account
	} else if l.Account == "" {
		l.Account = db.DefaultAccount
	}
	in := imported{kind: l.Kind, account: l.Account}
	err := db.ValidateAccountName(l.Account)
	if err != nil {
		return in, err
	}
	switch l.Kind {
	case "account":
		in.shareKey, err = l.parseShareKey()
	case "key":
		in.key, err = l.parseKey()
	case "project":
		in.project, err = l.parseProject()
	case "report":
		err = l.parseReport(&in)
	default:
		err = fmt.Errorf("kind: must be account, key, project or report, not %q", l.Kind)
	}
	return in, err
}

func (l *line) parseShareKey() ([]byte, error) {
	if l.ShareKey == "" {
		return nil, nil
	}
	key, err := hex.DecodeString(l.ShareKey)
	if err != nil || len(key) != 16 {
		return nil, fmt.Errorf("share_key: must be 32 hex digits")
	}
	return key, nil
}

func (l *line) parseID() (uuid.UUID, error) {
	if l.ID == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(l.ID)
	if err != nil || len(l.ID) != 36 || id == uuid.Nil {
		return id, fmt.Errorf("id: must be a UUID, not %q", l.ID)
	}
	return id, nil
}

func (l *line) parseKey() (auth.Key, error) {
	id, err := l.parseID()
	if err != nil {
		return auth.Key{}, err
	}
	if l.Hash == nil {
		return auth.Key{}, fmt.Errorf("hash: is required: the SHA-256 of the key in hex")
	}
	scopes, err := auth.ParseScopes(l.Scopes)
	if err != nil {
		return auth.Key{}, fmt.Errorf("scopes: %w", err)
	}
	k := auth.Key{
		ID: id, Account: l.Account, Name: l.Name, Hash: *l.Hash, Scopes: scopes, CreatedAt: timeOf(l.CreatedAt),
		ExpiresAt: timeOf(l.ExpiresAt), LastUsed: timeOf(l.LastUsedAt), RevokedAt: timeOf(l.RevokedAt),
	}
	return k, db.ValidateKey(k)
}

func (l *line) parseProject() (*project, error) {
	id, err := l.parseID()
	if err != nil {
		return nil, err
	}
	return &project{id: id, name: l.Name, created: milliseconds(timeOf(l.CreatedAt))}, validStoredName("name", l.Name)
}

// maxStoredName is how many bytes the name of an imported project may have: the longest host is longer than what a client may name.
const maxStoredName = 400

func validStoredName(field, name string) error {
	if len(name) <= maxStoredName && db.ProjectNameDetail(name) != "" && len([]rune(name)) > db.MaxProjectName && db.Printable(name) {
		return nil
	}
	if detail := db.ProjectNameDetail(name); detail != "" {
		return fmt.Errorf("%s: %s", field, detail)
	}
	return nil
}

func (l *line) parseReport(in *imported) error {
	u, err := weburl.Parse(l.URL)
	if err != nil {
		return fmt.Errorf("url: %w", err)
	}
	if in.name = l.Project; in.name == "" {
		in.name = u.Site()
	} else if err := validStoredName("project", in.name); err != nil {
		return err
	}
	r := &record{url: u.String(), result: l.Result, score: noScore, privacy: l.Privacy, failure: l.Error, revision: 1}
	in.record = r
	if r.id, err = l.parseID(); err != nil {
		return err
	}
	if err := l.parseStatus(r); err != nil {
		return err
	}
	if err := l.parseScore(r); err != nil {
		return err
	}
	if err := l.parsePrivacy(r); err != nil {
		return err
	}
	if err := l.parseTimes(r); err != nil {
		return err
	}
	return l.parseFound(in)
}

// parseStatus: a line with neither status nor result is queued to be audited.
func (l *line) parseStatus(r *record) error {
	switch {
	case l.Status == "done" && l.Result == audit.Unrated:
		return fmt.Errorf("result: is required with status done")
	case l.Status == "done", l.Status == "" && l.Result != audit.Unrated:
		r.status = db.Done
	case l.Status == "failed":
		r.status = db.Failed
	case l.Status == "queued", l.Status == "running", l.Status == "":
		r.status = db.Queued
	default:
		return fmt.Errorf("status: must be queued, done or failed, not %q", l.Status)
	}
	switch {
	case r.status != db.Failed:
		r.failure = nil
	case r.failure == nil:
		r.failure = &audit.Failure{Code: audit.CodeUnreachable, Detail: "The import did not say why."}
	}
	return nil
}

func (l *line) parseScore(r *record) error {
	if l.Score == nil {
		return nil
	}
	if l.Result == audit.Unrated {
		return fmt.Errorf("score: needs a result")
	}
	if *l.Score < 0 || *l.Score > 100 {
		return fmt.Errorf("score: must be 0 to 100, not %d", *l.Score)
	}
	r.score = uint8(*l.Score)
	return nil
}

func (l *line) parsePrivacy(r *record) error {
	switch {
	case l.Privacy > db.Password:
		return fmt.Errorf("privacy: %s", db.PrivacyDetail)
	case l.Privacy == db.Password:
		r.passwordHash = l.PasswordHash
		if err := auth.CheckPasswordHash(l.PasswordHash); err != nil {
			return fmt.Errorf("password_hash: %w", err)
		}
	case l.PasswordHash != "":
		return fmt.Errorf("password_hash: is only possible with privacy 2")
	}
	return nil
}

// parseTimes: what the line does not say is filled in when it is stored.
func (l *line) parseTimes(r *record) error {
	r.created, r.updated, r.generated = milliseconds(timeOf(l.CreatedAt)), milliseconds(timeOf(l.UpdatedAt)), milliseconds(timeOf(l.GeneratedAt))
	if r.generated != 0 && r.result == audit.Unrated {
		return fmt.Errorf("generated_at: needs a result")
	}
	if r.created < 0 || r.updated < 0 || r.generated < 0 {
		return fmt.Errorf("times before 1970 cannot be stored")
	}
	return nil
}

// parseFound packs what the line brings of an audit.
func (l *line) parseFound(in *imported) error {
	if l.Report == nil || l.Result == audit.Unrated {
		return nil
	}
	found := l.Report
	found.URL, found.Result, found.GeneratedAt = in.record.url, l.Result, timeOf(l.GeneratedAt)
	if l.Score != nil {
		found.Score = *l.Score
	}
	in.record.traits = traitsOf(&found.Page)
	packed, err := packFound(found)
	in.found = packed
	return err
}
