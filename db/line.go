package db

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/weburl"
)

// LineKind says what a line of an export is about.
type LineKind string

// The kinds of lines.
const (
	AccountLine LineKind = "account"
	KeyLine     LineKind = "key"
	ProjectLine LineKind = "project"
	ReportLine  LineKind = "report"
	// GenerationLine is a generation of the report whose line comes before it. What a report shows needs no such line if it is the only one.
	GenerationLine LineKind = "generation"
	WebhookLine    LineKind = "webhook"
	ScheduleLine   LineKind = "schedule"
	// AcceptedLine is an accepted outcome of a project.
	AcceptedLine LineKind = "accepted"
	FormLine     LineKind = "form"
	CrawlLine    LineKind = "crawl"
	// The rows of a crawl that has ended come behind its line, those of each list in their order.
	CrawlPageLine   LineKind = "crawl_page"
	CrawlLinkLine   LineKind = "crawl_link"
	CrawlFolderLine LineKind = "crawl_folder"
	CrawlIssueLine  LineKind = "crawl_issue"
)

// Line is one line of an export, as JSON: an account, a key, a project, a report or a generation, told apart by its kind. The findings are embedded: their
// fields stand beside the others, and where both have a name, that of the line counts. Webhooks and schedules have lines of their own types.
type Line struct {
	Kind    LineKind `json:"kind"`
	Account string   `json:"account"`

	ShareKey string `json:"share_key,omitempty"` // of an account: hex
	Brand    *Brand `json:"brand,omitempty"`     // with Lang, Privacy and UpdatedAt
	Logo     *Logo  `json:"logo,omitempty"`

	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`

	Budget    *Budget `json:"budget,omitempty"` // of a project
	BudgetMet *bool   `json:"budget_met,omitempty"`
	Lang      string  `json:"lang,omitempty"`

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
	Privacy      *Privacy       `json:"privacy,omitempty"` // of a project too; nil: public for a report, private for a project
	PasswordHash string         `json:"password_hash,omitempty"`
	GeneratedAt  *time.Time     `json:"generated_at,omitempty"`
	CreatedAt    *time.Time     `json:"created_at,omitempty"`
	UpdatedAt    *time.Time     `json:"updated_at,omitempty"`
	Error        *audit.Failure `json:"error,omitempty"`
	*audit.Report

	Number         int      `json:"number,omitempty"` // of a generation; ID is that of its report
	CategoryScores []string `json:"category_scores,omitempty"`
	Outcomes       []string `json:"outcomes,omitempty"` // of a generation without findings
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

// LineOfAccount returns the line of an account with its logo, nil without one. shareKey is what the addresses of its shared pages are made
// from.
func LineOfAccount(a Account, shareKey []byte, logo *Logo) Line {
	l := Line{Kind: AccountLine, Account: a.Name, ShareKey: hex.EncodeToString(shareKey), Lang: a.Lang, Logo: logo, UpdatedAt: timeOrNil(a.UpdatedAt)}
	if a.Brand != (Brand{}) {
		l.Brand = &a.Brand
	}
	if a.Privacy != Public {
		l.Privacy = &a.Privacy
	}
	return l
}

// LineOfKey returns the line of an API key.
func LineOfKey(k auth.Key) Line {
	return Line{
		Kind: KeyLine, Account: k.Account, ID: k.ID.String(), Name: k.Name, Hash: &k.Hash, Scopes: k.Scopes.String(), CreatedAt: timeOrNil(k.CreatedAt),
		ExpiresAt: timeOrNil(k.ExpiresAt), LastUsedAt: timeOrNil(k.LastUsed), RevokedAt: timeOrNil(k.RevokedAt),
	}
}

// LineOfProject returns the line of a project, without its counts.
func LineOfProject(account string, p Project) Line {
	l := Line{Kind: ProjectLine, Account: account, ID: p.ID.String(), Name: p.Name, CreatedAt: timeOrNil(p.CreatedAt), Lang: p.Lang}
	if p.Budget.Promises() {
		l.Budget, l.BudgetMet = &p.Budget, p.Standing.Met()
	}
	if p.Privacy != Private {
		l.Privacy, l.PasswordHash = &p.Privacy, p.PasswordHash
	}
	return l
}

// LineOfReport returns the line of a report with its findings, which may be nil.
func LineOfReport(account string, r Report, found *audit.Report) Line {
	l := Line{
		Kind: ReportLine, Account: account, ID: r.ID.String(), URL: r.URL, Project: r.Project.Name, Status: r.Status.String(), Result: r.Result,
		PasswordHash: r.PasswordHash, GeneratedAt: timeOrNil(r.GeneratedAt), CreatedAt: timeOrNil(r.CreatedAt),
		UpdatedAt: timeOrNil(r.UpdatedAt), Error: r.Failure, Report: found,
	}
	if r.Privacy != Public {
		l.Privacy = &r.Privacy
	}
	if r.Score != NoScore {
		l.Score = &r.Score
	}
	return l
}

// ParsedLine is a line of an import that was found valid. Of the fields behind Account the ones of its kind are set. What the line does not
// say is zero: ids, times, and the key of shared pages.
type ParsedLine struct {
	Kind     LineKind
	Account  string
	ShareKey []byte // 16 bytes
	Settings Account
	Logo     *Logo // nil without one
	Key      auth.Key
	Project  Project
	Report   Report // with the name of its project; of a generation nothing but the id
	Findings *audit.Report

	Generation Generation
	Webhook    Webhook    // with the name of its project
	Schedule   Schedule   // with the name of its project, or the id of its report
	Accepted   Accepted   // Project has the name of its project
	Form       Form       // with the name of its project
	Crawl      MovedCrawl // with the name of its project
	CrawlRow   CrawlRow
}

// ParseLine reads one line. account, where not empty, takes the place of the line's; where both are empty, it is DefaultAccount. The error
// says what is wrong.
func ParseLine(text []byte, account string) (ParsedLine, error) {
	if kind, is := isOfCrawls(text); is {
		parsed := ParsedLine{Kind: kind}
		err := parsed.parseOfCrawls(text, account)
		return parsed, err
	}
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return ParsedLine{}, fmt.Errorf("not a JSON object of an export: %w", err)
	}
	parsed := ParsedLine{Kind: l.Kind}
	var err error
	if parsed.Account, err = l.in(account); err != nil {
		return parsed, err
	}
	l.Account = parsed.Account
	switch l.Kind {
	case AccountLine:
		err = l.parseAccount(&parsed)
	case KeyLine:
		parsed.Key, err = l.parseKey()
	case ProjectLine:
		parsed.Project, err = l.parseProject()
	case ReportLine:
		parsed.Report, parsed.Findings, err = l.parseReport()
	case GenerationLine:
		parsed.Generation, parsed.Findings, err = l.parseGeneration()
		parsed.Report.ID, _ = l.parseID()
	case WebhookLine, ScheduleLine, AcceptedLine, FormLine:
		err = parsed.parseOther(text, &l)
	default:
		err = fmt.Errorf("kind: must be account, key, project, report, generation, webhook, schedule, accepted, form, crawl or one of its rows, not %q", l.Kind)
	}
	return parsed, err
}

// in returns the account that the line is stored in, which the import may have named.
func (l *Line) in(account string) (string, error) {
	if account == "" {
		account = l.Account
	}
	if account == "" {
		account = DefaultAccount
	}
	return account, ValidateAccountName(account)
}

// parseOther reads a line of a type of its own.
func (p *ParsedLine) parseOther(text []byte, l *Line) error {
	id, err := l.parseID()
	switch {
	case err != nil:
	case p.Kind == WebhookLine:
		p.Webhook, err = parseWebhook(text, id)
	case p.Kind == AcceptedLine:
		p.Accepted, p.Project, err = parseAccepted(text, id)
	case p.Kind == FormLine:
		p.Form, err = parseForm(text, id)
	default:
		p.Schedule, err = parseSchedule(text, id, time.Now())
	}
	return err
}

func (l *Line) parseShareKey() ([]byte, error) {
	key, err := hex.DecodeString(l.ShareKey)
	if err != nil || len(key) != 16 {
		return nil, fmt.Errorf("share_key: must be 32 hex digits")
	}
	return key, nil
}

func (l *Line) parseID() (uuid.UUID, error) {
	if l.ID == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(l.ID)
	if err != nil || len(l.ID) != 36 || id == uuid.Nil {
		return id, fmt.Errorf("id: must be a UUID, not %q", l.ID)
	}
	return id, nil
}

func (l *Line) parseKey() (auth.Key, error) {
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
	return k, ValidateKey(k)
}

func (l *Line) parseProject() (Project, error) {
	id, err := l.parseID()
	if err != nil {
		return Project{}, err
	}
	p := Project{ProjectRef: ProjectRef{id, l.Name}, CreatedAt: timeOf(l.CreatedAt)}
	if err := validStoredName("name", l.Name); err != nil {
		return p, err
	}
	return p, l.parsePromise(&p)
}

// maxStoredName is how many bytes the name of an imported project may have: the longest host is longer than what a client may name.
const maxStoredName = 400

func validStoredName(field, name string) error {
	if len(name) <= maxStoredName && projectNameDetail(name) != "" && len([]rune(name)) > MaxProjectName && printable(name) {
		return nil
	}
	if detail := projectNameDetail(name); detail != "" {
		return fmt.Errorf("%s: %s", field, detail)
	}
	return nil
}

func (l *Line) parseReport() (Report, *audit.Report, error) {
	u, err := weburl.Parse(l.URL)
	if err != nil {
		return Report{}, nil, fmt.Errorf("url: %w", err)
	}
	r := Report{URL: u.String(), Result: l.Result, Score: NoScore, Failure: l.Error, Revision: 1}
	if r.Project.Name = l.Project; r.Project.Name == "" {
		r.Project.Name = u.Site()
	} else if err := validStoredName("project", r.Project.Name); err != nil {
		return Report{}, nil, err
	}
	if r.ID, err = l.parseID(); err != nil {
		return Report{}, nil, err
	}
	for _, parse := range []func(*Report) error{l.parseStatus, l.parseScore, l.parsePrivacy, l.parseTimes} {
		if err := parse(&r); err != nil {
			return Report{}, nil, err
		}
	}
	return r, l.findings(&r), nil
}

// parseStatus: a line with neither status nor result is queued to be audited.
func (l *Line) parseStatus(r *Report) error {
	switch {
	case l.Status == "done" && l.Result == audit.Unrated:
		return fmt.Errorf("result: is required with status done")
	case l.Status == "done", l.Status == "" && l.Result != audit.Unrated:
		r.Status = Done
	case l.Status == "failed":
		r.Status = Failed
	case l.Status == "queued", l.Status == "running", l.Status == "":
		r.Status = Queued
	default:
		return fmt.Errorf("status: must be queued, done or failed, not %q", l.Status)
	}
	switch {
	case r.Status != Failed:
		r.Failure = nil
	case r.Failure == nil:
		r.Failure = &audit.Failure{Code: audit.CodeUnreachable, Detail: "The import did not say why."}
	}
	return nil
}

func (l *Line) parseScore(r *Report) error {
	if l.Score == nil {
		return nil
	}
	if l.Result == audit.Unrated {
		return fmt.Errorf("score: needs a result")
	}
	if *l.Score < 0 || *l.Score > 100 {
		return fmt.Errorf("score: must be 0 to 100, not %d", *l.Score)
	}
	r.Score = *l.Score
	return nil
}

func (l *Line) parsePrivacy(r *Report) (err error) {
	r.Privacy, err = l.access(Public)
	r.PasswordHash = l.PasswordHash
	return err
}

// access returns the privacy that the line says, or that of a line which says nothing, once PasswordHash is found to fit it.
func (l *Line) access(unsaid Privacy) (Privacy, error) {
	p := unsaid
	if l.Privacy != nil {
		p = *l.Privacy
	}
	switch {
	case p > Password:
		return p, fmt.Errorf("privacy: %s", privacyDetail)
	case p == Password:
		if err := auth.CheckPasswordHash(l.PasswordHash); err != nil {
			return p, fmt.Errorf("password_hash: %w", err)
		}
	case l.PasswordHash != "":
		return p, fmt.Errorf("password_hash: is only possible with privacy 2")
	}
	return p, nil
}

// parseTimes: what the line does not say is filled in when it is stored.
func (l *Line) parseTimes(r *Report) error {
	r.CreatedAt, r.UpdatedAt, r.GeneratedAt = timeOf(l.CreatedAt), timeOf(l.UpdatedAt), timeOf(l.GeneratedAt)
	if !r.GeneratedAt.IsZero() && r.Result == audit.Unrated {
		return fmt.Errorf("generated_at: needs a result")
	}
	for _, t := range []time.Time{r.CreatedAt, r.UpdatedAt, r.GeneratedAt} {
		if !t.IsZero() && t.UnixMilli() < 0 {
			return fmt.Errorf("times before 1970 cannot be stored")
		}
	}
	return nil
}

// findings returns what the line brings of an audit, nil where that is nothing.
func (l *Line) findings(r *Report) *audit.Report {
	if l.Report == nil || l.Result == audit.Unrated {
		return nil
	}
	found := l.Report
	for i := range found.Checks {
		found.Checks[i].Accepted = nil // which is looked up when the report is shown
	}
	found.URL, found.Result, found.GeneratedAt = r.URL, l.Result, timeOf(l.GeneratedAt)
	if l.Score != nil {
		found.Score = *l.Score
	}
	return found
}
