package api

import (
	"errors"

	"sitegrade/httpx/bearer"
)

// authenticate finds the key of a request. The problem is the same whatever is wrong with it.
func (a *API) authenticate(x *request) error {
	key, err := a.keys.Of(x.r.Context(), x.r.Header, a.Now())
	if errors.Is(err, bearer.ErrNoKey) {
		return unauthorized
	}
	if err != nil {
		return err
	}
	x.key, x.Key = key, key.ID
	return nil
}
