package web

import _ "embed"

// description is the API's OpenAPI document, as (*api.API).Description gave it when the tests of the documentation were written: web may
// not import api.
//
//go:embed testdata/openapi.json
var description []byte
