package api

import (
	"net/http"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listProjects(x *request) error {
	return serveList(x, "/projects", sortfilter.ProjectParameters, a.store.Projects, func(p db.Project, b []byte) []byte { return p.AppendJSON(b, x.Base) })
}

func (a *API) showProject(x *request) error {
	name, err := x.param("project")
	if err != nil {
		return err
	}
	project, err := a.store.Project(x.r.Context(), x.key.Account, name)
	if err != nil {
		return err
	}
	document := projectDocument(project, x.Base)
	x.sendRecord(document, hashTag(document))
	return nil
}

// updateProject changes name, budget and language of a project, and who may see its site. A request without any field changes nothing and shows it.
func (a *API) updateProject(x *request) error {
	name, err := x.param("project")
	if err != nil {
		return err
	}
	change, err := readProjectChange(x)
	if err != nil {
		return err
	}
	project, err := a.store.UpdateProject(x.r.Context(), x.key.Account, name, change, x.projectUnchanged)
	if err != nil {
		return err
	}
	document := projectDocument(project, x.Base)
	x.sendChanged(http.StatusOK, document, hashTag(document))
	return nil
}

func readProjectChange(x *request) (c db.ProjectChange, err error) {
	b, err := x.readBody()
	if err != nil {
		return c, err
	}
	c = db.ProjectChange{Name: b.given("name"), Lang: b.nullable("lang"), Privacy: b.privacy(), Password: b.given("password")}
	c.Budget, c.NoBudget = b.budget("budget")
	if wrong := b.finish(); wrong != nil {
		others := c.Apply(&db.Project{ProjectRef: db.ProjectRef{Name: "any"}, Privacy: db.Private}, "any")
		return c, invalidFields(withOthers(wrong, others))
	}
	return c, nil
}

// budget returns the terms of a budget that the value of a field has, and whether it takes all of them away, being null. It takes JSON.
func (b *body) budget(name string) (terms map[string]*int, none bool) {
	value, given := b.take(name)
	members, isObject := value.(map[string]any)
	switch {
	case !given || value == formText(""):
		return nil, false
	case value == nil:
		return nil, true
	case !isObject:
		b.refuse(name, "must be an object, which takes a body of JSON, or null")
		return nil, false
	}
	terms = map[string]*int{}
	for term, value := range members {
		terms[term] = nil
		if value == nil {
			continue
		}
		if n, ok := wholeNumber(value); ok {
			terms[term] = &n
		} else {
			b.refuse(name+"."+term, "must be a whole number or null")
		}
	}
	return terms, false
}

func (a *API) deleteProject(x *request) error {
	name, err := x.param("project")
	if err != nil {
		return err
	}
	if err := a.store.DeleteProject(x.r.Context(), x.key.Account, name, x.projectUnchanged); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}
