package db

import (
	"encoding/json"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/jsonappend"
)

// AppendJSON appends the crawl as lists show it, and as it is shown alone: a JSON object. It has nothing of its headers.
func (c Crawl) AppendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.UUID(b, c.ID)
	b = append(b, `,"url":`...)
	b = jsonappend.String(b, c.URL)
	b = append(b, `,"mode":`...)
	b = jsonappend.String(b, string(c.Mode))
	b = append(b, `,"project":`...)
	b = c.Project.appendJSON(b)
	b = append(b, `,"status":`...)
	b = jsonappend.String(b, string(c.Status))
	b = append(b, `,"progress":`...)
	b = c.Progress.appendJSON(b)
	b = append(b, `,"limits_hit":`...)
	b = appendEach(b, c.Limits, appendLimit)
	b = append(b, `,"summary":`...)
	b = c.Summary.appendJSON(b)
	b = append(b, `,"result":`...)
	if c.Score == nil {
		b = append(b, `null,"score":null`...)
	} else {
		b = jsonappend.String(b, c.Result.String())
		b = appendInt(append(b, `,"score":`...), *c.Score)
	}
	b = c.CrawlOptions.appendJSON(b)
	b = append(b, `,"error":`...)
	b = appendFailure(b, c.Failure)
	b = append(b, `,"created_at":`...)
	b = jsonappend.Time(b, c.CreatedAt)
	b = append(b, `,"started_at":`...)
	b = jsonappend.Time(b, c.StartedAt)
	b = append(b, `,"finished_at":`...)
	b = jsonappend.Time(b, c.FinishedAt)
	return append(b, '}')
}

// appendJSON appends what the crawls of a schedule are asked to do; null for another schedule.
func (c *ScheduledCrawl) appendJSON(b []byte) []byte {
	if c == nil {
		return append(b, "null"...)
	}
	b = append(b, `{"url":`...)
	b = jsonappend.String(b, c.URL)
	b = append(b, `,"mode":`...)
	b = jsonappend.String(b, string(c.Mode))
	return append(c.CrawlOptions.appendJSON(b), '}')
}

// appendJSON appends what a crawl is asked to do, beside its address and mode.
func (c CrawlOptions) appendJSON(b []byte) []byte {
	b = append(b, `,"privacy":`...)
	b = appendInt(b, int(c.Privacy))
	b = append(b, `,"max_pages":`...)
	b = appendInt(b, c.MaxPages)
	b = append(b, `,"max_depth":`...)
	if c.MaxDepth == 0 {
		b = append(b, "null"...)
	} else {
		b = appendInt(b, c.MaxDepth)
	}
	b = append(b, `,"include":`...)
	b = appendEach(b, c.Include, jsonappend.String)
	b = append(b, `,"exclude":`...)
	return appendEach(b, c.Exclude, jsonappend.String)
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendEach appends a JSON array.
func appendEach[T any](b []byte, all []T, appendOne func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, one := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendOne(b, one)
	}
	return append(b, ']')
}

// appendCounts appends a JSON object of names, which need no escapes, and numbers.
func appendCounts(b []byte, names []string, numbers ...int) []byte {
	for i, name := range names {
		b = append(b, `,"`...)
		b = append(b, name...)
		b = append(b, `":`...)
		b = appendInt(b, numbers[i])
	}
	return b
}

func (p CrawlProgress) appendJSON(b []byte) []byte {
	b = appendInt(append(b, `{"found":`...), p.Found)
	b = appendCounts(b, []string{"queued", "done", "failed", "under_way"}, p.Queued, p.Done, p.Failed, p.UnderWay)
	return append(b, '}')
}

func appendLimit(b []byte, l CrawlLimit) []byte {
	b = append(b, `{"limit":`...)
	b = jsonappend.String(b, l.Limit)
	b = append(b, `,"detail":`...)
	b = jsonappend.String(b, l.Detail)
	b = append(b, `,"addresses":`...)
	return append(appendInt(b, l.Addresses), '}')
}

// appendJSON appends the summary; null before the end of the crawl.
func (s *CrawlSummary) appendJSON(b []byte) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	b = appendInt(append(b, `{"pages":`...), s.Pages)
	b = appendCounts(b, []string{"indexable", "good", "decent", "bad", "high", "medium", "low"}, s.Indexable, s.Good, s.Decent, s.Bad, s.High, s.Medium, s.Low)
	b = append(b, `,"why":`...)
	return append(jsonappend.Optional(b, s.Why), '}')
}

// appendStatus appends a status of HTTP; null without a response.
func appendStatus(b []byte, status int) []byte {
	if status == 0 {
		return append(b, "null"...)
	}
	return appendInt(b, status)
}

// appendReport appends the id of a report; null for no report.
func appendReport(b []byte, id uuid.UUID) []byte {
	if id == uuid.Nil {
		return append(b, "null"...)
	}
	return jsonappend.UUID(b, id)
}

// AppendJSON appends the address as lists show it: a JSON object.
func (p CrawlPage) AppendJSON(b []byte) []byte {
	b = append(b, `{"url":`...)
	b = jsonappend.String(b, p.URL)
	b = append(b, `,"status":`...)
	b = appendStatus(b, p.Status)
	b = append(b, `,"depth":`...)
	if p.Depth < 0 {
		b = append(b, "null"...)
	} else {
		b = appendInt(b, p.Depth)
	}
	b = appendCounts(b, []string{"inlinks", "outlinks"}, p.Inlinks, p.Outlinks)
	b = append(b, `,"indexable":`...)
	b = strconv.AppendBool(b, p.Reason == "")
	b = append(b, `,"reason":`...)
	b = jsonappend.Optional(b, p.Reason)
	b = append(b, `,"canonical":`...)
	b = jsonappend.Optional(b, p.Canonical)
	b = append(b, `,"title":`...)
	b = jsonappend.Optional(b, p.Title)
	b = append(b, `,"report":`...)
	b = appendReport(b, p.Report)
	if p.Score == nil {
		return append(b, `,"score":null}`...)
	}
	return append(appendInt(append(b, `,"score":`...), *p.Score), '}')
}

// AppendJSON appends the link as lists show it: a JSON object.
func (l CrawlLink) AppendJSON(b []byte) []byte {
	b = append(b, `{"target":`...)
	b = jsonappend.String(b, l.Target)
	b = append(b, `,"status":`...)
	b = appendStatus(b, l.Status)
	b = append(b, `,"broken":`...)
	b = strconv.AppendBool(b, l.Broken)
	b = append(b, `,"sources":`...)
	b = appendInt(b, l.Sources)
	b = append(b, `,"first":`...)
	return append(appendEach(b, l.First, appendSource), '}')
}

func appendSource(b []byte, s LinkSource) []byte {
	b = append(b, `{"url":`...)
	b = jsonappend.String(b, s.URL)
	b = append(b, `,"text":`...)
	b = jsonappend.String(b, s.Text)
	b = append(b, `,"line":`...)
	if s.Line == 0 {
		return append(b, "null}"...)
	}
	return append(appendInt(b, s.Line), '}')
}

// AppendJSON appends the issue as lists show it: a JSON object.
func (i Issue) AppendJSON(b []byte) []byte {
	b = append(b, `{"check":`...)
	b = jsonappend.String(b, i.Check)
	b = append(b, `,"severity":`...)
	b = jsonappend.String(b, string(i.Severity))
	b = append(b, `,"title":`...)
	b = jsonappend.String(b, i.Title)
	b = append(b, `,"pages":`...)
	b = appendInt(b, i.Pages)
	b = append(b, `,"change":`...)
	if i.Change == nil {
		return append(b, "null}"...)
	}
	return append(appendInt(b, *i.Change), '}')
}

// AppendJSON appends the page as lists show it: a JSON object.
func (r IssueRow) AppendJSON(b []byte) []byte {
	b = append(b, `{"url":`...)
	b = jsonappend.String(b, r.URL)
	b = append(b, `,"report":`...)
	b = appendReport(b, r.Report)
	b = append(b, `,"evidence":`...)
	return append(appendEach(b, r.Evidence, appendEvidence), '}')
}

func appendEvidence(b []byte, e audit.Evidence) []byte {
	text, err := json.Marshal(e)
	if err != nil {
		return append(b, "{}"...) // it is made of texts and numbers
	}
	return append(b, text...)
}
