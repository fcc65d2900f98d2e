package db

import (
	"strconv"

	"github.com/google/uuid"

	"sitegrade/jsonappend"
)

// AppendJSON appends the webhook as lists show it, and as it is shown alone: a JSON object, without secrets but for those in its URL.
func (w Webhook) AppendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, w.ID)
	b = append(b, `,"url":`...)
	b = jsonappend.String(b, w.URL)
	b = append(b, `,"events":[`...)
	for i, e := range w.Events {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonappend.String(b, string(e))
	}
	b = append(b, `],"project":`...)
	b = w.Project.appendJSON(b)
	b = append(b, `,"format":`...)
	b = jsonappend.String(b, string(w.Format))
	b = append(b, `,"signature":`...)
	b = jsonappend.String(b, string(w.Signature))
	b = append(b, `,"enabled":`...)
	b = strconv.AppendBool(b, w.Enabled)
	b = append(b, `,"disabled_reason":`...)
	b = jsonappend.Optional(b, w.DisabledReason)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, w.CreatedAt)
	b = append(b, `,"updated_at":`...)
	b = jsonappend.Time(b, w.UpdatedAt)
	return append(b, '}')
}

// appendJSON appends the project with its id and name; null for all projects.
func (p ProjectRef) appendJSON(b []byte) []byte {
	if p.ID == uuid.Nil {
		return append(b, "null"...)
	}
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, p.ID)
	b = append(b, `,"name":`...)
	b = jsonappend.String(b, p.Name)
	return append(b, '}')
}

// AppendJSON appends the schedule as lists show it, and as it is shown alone: a JSON object.
func (s Schedule) AppendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, s.ID)
	b = append(b, `,"project":`...)
	b = s.Project.appendJSON(b)
	b = append(b, `,"report":`...)
	if s.Report == uuid.Nil {
		b = append(b, "null"...)
	} else {
		b = jsonappend.UUID(b, s.Report)
	}
	b = append(b, `,"what":`...)
	b = jsonappend.String(b, string(s.What))
	b = append(b, `,"crawl":`...)
	b = s.Crawl.appendJSON(b)
	b = append(b, `,"cron":`...)
	b = jsonappend.Optional(b, s.Cron)
	b = append(b, `,"every":`...)
	b = jsonappend.Optional(b, s.Every)
	b = append(b, `,"timezone":`...)
	b = jsonappend.String(b, s.Zone)
	b = append(b, `,"enabled":`...)
	b = strconv.AppendBool(b, s.Enabled)
	b = append(b, `,"next_run_at":`...)
	b = jsonappend.Time(b, s.NextRun)
	b = append(b, `,"last_run":`...)
	b = s.LastRun.appendJSON(b)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, s.CreatedAt)
	b = append(b, `,"updated_at":`...)
	b = jsonappend.Time(b, s.UpdatedAt)
	return append(b, '}')
}

func (r *Run) appendJSON(b []byte) []byte {
	if r == nil {
		return append(b, "null"...)
	}
	b = append(b, `{"at":`...)
	b = jsonappend.Time(b, r.At)
	b = append(b, `,"status":`...)
	b = jsonappend.Optional(b, string(r.Status))
	b = append(b, `,"detail":`...)
	b = jsonappend.Optional(b, r.Detail)
	return append(b, '}')
}

// AppendJSON appends the delivery as lists show it, and as it is shown alone: a JSON object.
func (d Delivery) AppendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, d.ID)
	b = append(b, `,"event":`...)
	b = jsonappend.String(b, string(d.Type))
	b = append(b, `,"status":`...)
	b = jsonappend.String(b, string(d.Status))
	b = append(b, `,"attempts":[`...)
	for i, a := range d.Attempts {
		if i > 0 {
			b = append(b, ',')
		}
		b = a.appendJSON(b)
	}
	b = append(b, `],"next_attempt_at":`...)
	b = jsonappend.Time(b, d.NextAttempt)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, d.CreatedAt)
	return append(b, '}')
}

// appendJSON appends the attempt: status is null without a response of HTTP, detail when it was delivered.
func (a Attempt) appendJSON(b []byte) []byte {
	b = append(b, `{"at":`...)
	b = jsonappend.Time(b, a.At)
	b = append(b, `,"status":`...)
	if a.Status == 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(a.Status), 10)
	}
	b = append(b, `,"detail":`...)
	b = jsonappend.Optional(b, a.Detail)
	b = append(b, `,"ms":`...)
	b = strconv.AppendInt(b, a.Took.Milliseconds(), 10)
	return append(b, '}')
}
