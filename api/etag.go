package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"sitegrade/db"
)

// The strong entity tag of a record is a hash of all that is shown of it: of a report also what other reports of its project say
// about it, whether it is being audited now, and the address of the server. The tag of a report, a webhook or a schedule begins with its
// revision, and that alone decides whether a change meets the record that the client has seen: the rest can change without anybody having
// written to it.

func bodyHash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// revisionTag returns the tag of a record that has revisions.
func revisionTag(revision uint64, body []byte) string {
	return `"` + revisionPrefix(revision) + bodyHash(body) + `"`
}

func revisionPrefix(revision uint64) string { return strconv.FormatUint(revision, 10) + "-" }

// hashTag is the tag of what has no revision.
func hashTag(body []byte) string { return `"` + bodyHash(body) + `"` }

// entityTags are the members of If-Match or If-None-Match.
type entityTags struct {
	any  bool // it is "*"
	list []entityTag
}

type entityTag struct {
	weak   bool
	opaque string // without its quotes
}

// parseTags reads the lines of a header. It ends at the first thing that is no tag, so that what is malformed matches nothing.
func parseTags(lines []string) entityTags {
	rest := strings.TrimSpace(strings.Join(lines, ","))
	if rest == "*" {
		return entityTags{any: true}
	}
	var tags entityTags
	for {
		rest = strings.TrimLeft(rest, " \t,")
		quoted, weak := strings.CutPrefix(rest, "W/")
		opaque, behind, ok := cutQuoted(quoted)
		if !ok {
			return tags
		}
		tags.list = append(tags.list, entityTag{weak, opaque})
		rest = behind
	}
}

// cutQuoted returns what stands between the quotes that s begins with; entity tags know no escapes.
func cutQuoted(s string) (inner, behind string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	return strings.Cut(s[1:], `"`)
}

// matchStrong reports whether a strong tag is one of them for which same says yes.
func (t entityTags) matchStrong(same func(opaque string) bool) bool {
	for _, tag := range t.list {
		if !tag.weak && same(tag.opaque) {
			return true
		}
	}
	return t.any
}

// matchWeak is matchStrong with weak tags as good as strong ones.
func (t entityTags) matchWeak(same func(opaque string) bool) bool {
	for _, tag := range t.list {
		if same(tag.opaque) {
			return true
		}
	}
	return t.any
}

// fresh reports whether the client has the record with this tag already (If-None-Match of GET and HEAD).
func fresh(h http.Header, tag string) bool {
	return parseTags(h.Values("If-None-Match")).matchWeak(func(opaque string) bool { return `"`+opaque+`"` == tag })
}

// unchanged checks the preconditions of a change against a record that exists.
func unchanged(h http.Header, same func(opaque string) bool) error {
	if lines := h.Values("If-Match"); len(lines) > 0 && !parseTags(lines).matchStrong(same) {
		return preconditionFailed
	}
	if parseTags(h.Values("If-None-Match")).matchWeak(same) {
		return preconditionFailed
	}
	return nil
}

// revisionUnchanged is unchanged for a record that has revisions.
func (x *request) revisionUnchanged(revision uint64) error {
	return unchanged(x.r.Header, func(opaque string) bool { return strings.HasPrefix(opaque, revisionPrefix(revision)) })
}

// bodyUnchanged is unchanged for a record that has none, by how it is shown.
func (x *request) bodyUnchanged(body []byte) error {
	tag := hashTag(body)
	return unchanged(x.r.Header, func(opaque string) bool { return `"`+opaque+`"` == tag })
}

// These are for the database to call inside its transactions.

func (x *request) reportUnchanged(r db.Report) error     { return x.revisionUnchanged(r.Revision) }
func (x *request) webhookUnchanged(w db.Webhook) error   { return x.revisionUnchanged(w.Revision) }
func (x *request) crawlUnchanged(c db.Crawl) error       { return x.revisionUnchanged(c.Revision) }
func (x *request) accountUnchanged(a db.Account) error   { return x.revisionUnchanged(a.Revision) }
func (x *request) formUnchanged(f db.Form) error         { return x.revisionUnchanged(f.Revision) }
func (x *request) scheduleUnchanged(s db.Schedule) error { return x.revisionUnchanged(s.Revision) }
func (x *request) projectUnchanged(p db.Project) error {
	return x.bodyUnchanged(projectDocument(p, x.Base))
}
func (x *request) deliveryUnchanged(d db.Delivery) error { return x.bodyUnchanged(deliveryDocument(d)) }

// sendRecord responds to GET of one record. A cache may keep it for this client, and asks each time whether it still holds.
func (x *request) sendRecord(body []byte, tag string) {
	h := x.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	if fresh(x.r.Header, tag) {
		x.WriteHeader(http.StatusNotModified)
		return
	}
	x.sendJSON(http.StatusOK, body)
}
