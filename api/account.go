package api

import (
	"errors"
	"net/http"

	"sitegrade/brand"
	"sitegrade/db"
	"sitegrade/httpx"
)

func (a *API) showAccount(x *request) error {
	account, err := a.store.Account(x.r.Context(), x.key.Account)
	if err != nil {
		return err
	}
	document := accountDocument(account, x.Base)
	x.sendRecord(document, revisionTag(account.Revision, document))
	return nil
}

// updateAccount changes how the account is set up. A request without any field changes nothing and shows it.
func (a *API) updateAccount(x *request) error {
	c, err := a.readAccountChange(x)
	if err != nil {
		return err
	}
	return a.changeAccount(x, c)
}

// changeAccount stores a change of the account and shows what it has become.
func (a *API) changeAccount(x *request, c db.AccountChange) error {
	account, err := a.store.UpdateAccount(x.r.Context(), x.key.Account, c, x.accountUnchanged)
	if err != nil {
		return err
	}
	document := accountDocument(account, x.Base)
	x.sendChanged(http.StatusOK, document, revisionTag(account.Revision, document))
	return nil
}

func (a *API) readAccountChange(x *request) (c db.AccountChange, err error) {
	b, err := x.readBody()
	if err != nil {
		return c, err
	}
	c = db.AccountChange{Lang: b.nullable("lang"), Privacy: b.privacyOf("default_privacy")}
	c.Brand, c.NoBrand = b.brand("brand")
	if wrong := b.finish(); wrong != nil {
		return c, invalidFields(withOthers(wrong, c.Apply(new(db.Account), a.Now())))
	}
	return c, nil
}

// brand returns what the value of a field changes of a brand, and whether it takes all of it away, being null. It takes JSON.
func (b *body) brand(name string) (c db.BrandChange, none bool) {
	value, given := b.take(name)
	members, isObject := value.(map[string]any)
	switch {
	case !given || value == formText(""):
		return c, false
	case value == nil:
		return c, true
	case !isObject:
		b.refuse(name, "must be an object, which takes a body of JSON, or null")
		return c, false
	}
	inner := body{values: members}
	c = db.BrandChange{Name: inner.nullable("name"), Footer: inner.nullable("footer"), Color: inner.nullable("color"), URL: inner.nullable("url")}
	for _, wrong := range inner.finish() {
		b.refuse(name+"."+wrong.Field, wrong.Detail)
	}
	return c, false
}

// putLogo makes the logo of the account from the picture that is the body.
func (a *API) putLogo(x *request) error {
	sent, err := httpx.ReadBody(x.ResponseWriter, x.r, brand.MaxLogo)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return bodyTooLarge.with(tooManyBytes, brand.MaxLogo)
	}
	if err != nil {
		return malformed.with("The body ended early: %v.", err)
	}
	mediaType, data, err := brand.Logo(sent, x.r.Header.Get("Content-Type"))
	if err != nil {
		return invalidFields([]fieldError{{Field: "logo", Detail: err.Error()}})
	}
	return a.changeAccount(x, db.AccountChange{Logo: &db.Logo{MediaType: mediaType, Data: data}})
}

func (a *API) deleteLogo(x *request) error {
	if _, err := a.store.UpdateAccount(x.r.Context(), x.key.Account, db.AccountChange{NoLogo: true}, x.accountUnchanged); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}
