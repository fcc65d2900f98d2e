package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sitegrade/brand"
	"sitegrade/db"
	"sitegrade/web/view"
)

// settingsRoute is the path of the settings of an account.
const settingsRoute = "/settings"

// logoRoute is the path to which a logo is sent.
const logoRoute = settingsRoute + "/logo"

// settingsPage is the data of the settings.
type settingsPage struct {
	frame
	faults
	Now       db.Account // as it is, or was filled in
	Languages []view.Choice
	Audiences []view.Choice
	LogoSide  int // pixels that a logo may have
	LogoSize  int // and KiB
	Notice    string
}

// LogoPath returns the path of the logo; "" where there is not one.
func (p settingsPage) LogoPath() string {
	if p.Now.LogoShare == "" {
		return ""
	}
	return db.LogoPath + p.Now.LogoShare
}

func (w *Web) showSettings(v *visit) error {
	account, err := w.store.Account(v.r.Context(), v.key.Account)
	if err != nil {
		return err
	}
	return w.sendSettings(v, http.StatusOK, account, nil)
}

// sendSettings sends the settings as they are or were filled in, with what is wrong at each field.
func (w *Web) sendSettings(v *visit, status int, a db.Account, wrong faults) error {
	w.sendPage(v, status, "settings", settingsPage{
		frame: v.frame(v.say("layout.settings"), "settings"), faults: wrong, Now: a, Languages: view.Languages(v.words, a.Lang),
		Audiences: view.PrivacyChoices(v.words, a.Privacy)[:2], LogoSide: brand.MaxLogoSide, LogoSize: brand.MaxLogo >> 10, Notice: v.notice(),
	})
	return nil
}

// applySettings stores a change of the account, or shows the form again with what is wrong at each field.
func (w *Web) applySettings(v *visit, c db.AccountChange) error {
	_, err := w.store.UpdateAccount(v.r.Context(), v.key.Account, c, nil)
	if err == nil {
		return v.see(settingsRoute + "?done=settings")
	}
	wrong := view.Faults(v.words, err)
	if wrong == nil {
		return err
	}
	account, err := w.store.Account(v.r.Context(), v.key.Account)
	if err != nil {
		return err
	}
	for field, filled := range map[*string]*string{
		&account.Brand.Name: c.Brand.Name, &account.Brand.Footer: c.Brand.Footer, &account.Brand.Color: c.Brand.Color, &account.Brand.URL: c.Brand.URL,
	} {
		if filled != nil {
			*field = *filled
		}
	}
	return w.sendSettings(v, http.StatusUnprocessableEntity, account, wrong)
}

// changeSettings changes the language and who may see new reports.
func (w *Web) changeSettings(v *visit) error {
	lang := v.posted.Get("lang")
	privacy := db.Public
	if v.posted.Get("privacy") == strconv.Itoa(int(db.Private)) {
		privacy = db.Private
	}
	return w.applySettings(v, db.AccountChange{Lang: &lang, Privacy: &privacy})
}

func (w *Web) changeBrand(v *visit) error {
	text := func(name string) *string {
		value := strings.TrimSpace(v.posted.Get(name))
		return &value
	}
	return w.applySettings(v, db.AccountChange{Brand: db.BrandChange{Name: text("name"), Footer: text("footer"), Color: text("color"), URL: text("url")}})
}

// changeLogo makes the logo from the picture that was sent.
func (w *Web) changeLogo(v *visit) error {
	mediaType, data, err := brand.Logo(v.file, "")
	if err != nil {
		account, failed := w.store.Account(v.r.Context(), v.key.Account)
		if failed != nil {
			return failed
		}
		return w.sendSettings(v, http.StatusUnprocessableEntity, account, faults{"logo": view.Fault(v.words, err.Error())})
	}
	return w.applySettings(v, db.AccountChange{Logo: &db.Logo{MediaType: mediaType, Data: data}})
}

func (w *Web) deleteLogo(v *visit) error {
	return w.applySettings(v, db.AccountChange{NoLogo: true})
}

// postedPrivacy returns the fields privacy and password of a form for new reports. Where it has no privacy, that of the account holds.
func (w *Web) postedPrivacy(v *visit) (db.Privacy, string, error) {
	if v.posted.Get("privacy") == "" {
		account, err := w.store.Account(v.r.Context(), v.key.Account)
		return account.Privacy, "", err
	}
	privacy, password := postedPrivacy(v.posted)
	return privacy, password, nil
}

// signOutEverywhere ends all sign-ins to the account, also the one that asks for it.
func (w *Web) signOutEverywhere(v *visit) error {
	if _, err := w.store.UpdateAccount(v.r.Context(), v.key.Account, db.AccountChange{SignOut: true}, nil); err != nil {
		return err
	}
	v.setSession("")
	return v.see("/login?" + url.Values{"next": {settingsRoute}}.Encode())
}
