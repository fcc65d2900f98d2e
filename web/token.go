package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
)

// token returns what the forms of a session prove themselves with. It looks different each time, so that the compressed sizes of
// pages tell nothing of it; "" without a session.
func (v *visit) token() string {
	if !v.signedIn() {
		return ""
	}
	var masked [32]byte
	_, _ = rand.Read(masked[:16]) // never fails (crypto/rand)
	subtle.XORBytes(masked[16:], masked[:16], v.session.Form[:])
	return base64.RawURLEncoding.EncodeToString(masked[:])
}

// tokenField is the name of the forms' field with the token.
const tokenField = "token"

// checkToken reads a posted form and refuses it when it did not come from one of the session's own pages.
func (v *visit) checkToken() error {
	form, err := v.form()
	if err != nil {
		return err
	}
	v.posted = form
	masked, err := base64.RawURLEncoding.DecodeString(form.Get(tokenField))
	if err != nil || len(masked) != 32 {
		return staleForm
	}
	var proof [16]byte
	subtle.XORBytes(proof[:], masked[:16], masked[16:])
	if subtle.ConstantTimeCompare(proof[:], v.session.Form[:]) != 1 {
		return staleForm
	}
	return nil
}
