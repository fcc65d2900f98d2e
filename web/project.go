package web

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// projectPage is the data of a project's page: what it promises, and what is accepted in it.
type projectPage struct {
	frame
	projectSummary
	db.Project
	Terms     []budgetTerm
	Languages []view.Choice
	Accepted  []acceptedRow
	Pages     view.Pager
	Notice    string
	Wrong     []string
	Accept    acceptedForm
	Page      string // the address of the shared page of its site; "" when private

	Asked *view.PrivacyField // who may see the page of the site, as a form had it that was refused; nil without one
}

// SitePrivacy is who may see the page of the site, or the choice that was refused.
func (p projectPage) SitePrivacy() view.PrivacyField {
	if p.Asked != nil {
		return *p.Asked
	}
	return view.PrivacyField{Privacy: p.Privacy}
}

// budgetTerm is a field of the form for the budget.
type budgetTerm struct{ Name, Value string }

// acceptedRow is an accepted outcome as the list shows it.
type acceptedRow struct {
	db.Accepted
	Made, Ends view.Instant
}

// acceptedForm is the form for another, with what was filled in.
type acceptedForm struct{ Check, URL, Reason, Ends, Once string }

// acceptPath returns the path of the form that accepts an outcome of a page.
func acceptPath(project uuid.UUID, check, address string) string {
	return "/projects/" + project.String() + "?" + url.Values{"accept": {check}, "url": {address}}.Encode() + "#accept"
}

func (w *Web) showProject(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	query := v.r.URL.Query()
	return w.sendProject(v, http.StatusOK, projectPage{
		Project: project, Notice: v.notice(), Accept: acceptedForm{Check: query.Get("accept"), URL: query.Get("url")},
	})
}

// sendProject sends the page of a project, completed.
func (w *Web) sendProject(v *visit, status int, p projectPage) error {
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.AcceptedParameters)
	if err != nil {
		return err
	}
	path := "/projects/" + p.ID.String()
	page, err := w.store.AcceptedOutcomes(v.r.Context(), v.key.Account, p.ID.String(), q)
	if err != nil {
		return err
	}
	p.frame, p.Pages = v.frame(p.Name, "projects"), view.NewPager(path, "outcome", q, page.Total, v.r.URL.RawQuery)
	for _, one := range page.Rows {
		p.Accepted = append(p.Accepted, acceptedRow{one, view.Day(one.CreatedAt), view.Day(one.ExpiresAt)})
	}
	for _, name := range db.BudgetTerms() {
		term := budgetTerm{Name: name, Value: v.posted.Get(name)}
		if value := p.Budget.Term(name); value != nil && term.Value == "" {
			term.Value = strconv.Itoa(*value)
		}
		p.Terms = append(p.Terms, term)
	}
	p.Languages = view.Languages(v.words, p.Lang)
	if p.projectSummary, err = w.summaryOf(v, p.Project); err != nil {
		return err
	}
	p.Page = p.ShareURL(v.Base)
	p.Accept.Once = rand.Text()
	w.sendPage(v, status, "project", p)
	return nil
}

// Met is the id of how the project stands to its budget; "" without one.
func (p projectPage) Met() string {
	switch met := p.Standing.Met(); {
	case !p.Budget.Promises():
		return ""
	case met == nil:
		return "judging"
	case *met:
		return "met"
	}
	return "broken"
}

// changeProject changes name and budget.
func (w *Web) changeProject(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	c, wrong := postedProject(v.words, v.posted)
	if wrong == nil {
		if _, err = w.store.UpdateProject(v.r.Context(), v.key.Account, project.ID.String(), c, nil); err == nil {
			return v.see("/projects/" + project.ID.String() + "?done=changed")
		}
		if wrong = view.FaultLines(v.words, err); wrong == nil {
			return err
		}
	}
	return w.sendProject(v, http.StatusUnprocessableEntity, projectPage{Project: project, Wrong: wrong})
}

// postedProject returns what the form wants changed, or what cannot be read of it.
func postedProject(words *locale.Catalogue, form url.Values) (c db.ProjectChange, wrong []string) {
	name := strings.TrimSpace(form.Get("name"))
	c = db.ProjectChange{Name: &name, NoBudget: true, Budget: map[string]*int{}}
	if form.Has("lang") {
		lang := form.Get("lang")
		c.Lang = &lang
	}
	for _, term := range db.BudgetTerms() {
		text := strings.TrimSpace(form.Get(term))
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			wrong = append(wrong, view.FaultLine(words, term, "must be a whole number"))
		}
		c.Budget[term] = &n
	}
	return c, wrong
}

// accept stores that a failure is accepted.
func (w *Web) accept(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	filled := acceptedForm{Check: strings.TrimSpace(v.posted.Get("check")), URL: strings.TrimSpace(v.posted.Get("url")),
		Reason: strings.TrimSpace(v.posted.Get("reason")), Ends: v.posted.Get("ends")}
	n := db.NewAccepted{Check: filled.Check, URL: filled.URL, Reason: filled.Reason}
	if once := v.posted.Get("once"); once != "" {
		n.IdempotencyKey = "form-" + once
	}
	var wrong []string
	if filled.Ends != "" {
		if n.ExpiresAt, err = time.Parse(time.DateOnly, filled.Ends); err != nil {
			wrong = []string{view.FaultLine(v.words, "ends", "must be a date such as 2027-01-31")}
		}
	}
	if wrong == nil {
		if _, _, err = w.store.Accept(v.r.Context(), v.key.Account, project.ID.String(), n); err == nil {
			return v.see("/projects/" + project.ID.String() + "?done=accepted")
		}
		if wrong = view.FaultLines(v.words, err); wrong == nil {
			return err
		}
	}
	return w.sendProject(v, http.StatusUnprocessableEntity, projectPage{Project: project, Wrong: wrong, Accept: filled})
}

// unaccept removes an accepted outcome.
func (w *Web) unaccept(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(v.posted.Get("accepted"))
	if err != nil {
		return db.ErrNotFound
	}
	if err := w.store.Unaccept(v.r.Context(), v.key.Account, project.ID.String(), id); err != nil {
		return err
	}
	return v.see("/projects/" + project.ID.String() + "?done=unaccepted")
}
