package audit

import (
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

// minifier keeps the names of variables, so that it saves what every minifier saves without risk: white space, comments and longer
// spellings.
var minifier = newMinifier()

func newMinifier() *minify.M {
	m := minify.New()
	m.Add("text/css", &css.Minifier{})
	m.Add("text/javascript", &js.Minifier{KeepVarNames: true})
	return m
}

// minifiedSize returns the size after minifying of a stylesheet ("text/css") or script ("text/javascript"). ok is false when it
// could not be read.
func minifiedSize(mime string, source []byte) (size int, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // the source comes from strangers, and the minifier does not promise to bear with everything
		}
	}()
	small, err := minifier.Bytes(mime, append([]byte(nil), source...))
	return len(small), err == nil
}
