package view

import (
	"math"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Shares are the parts of a bar: where each begins and how wide it is, in percent.
type Shares struct{ Good, DecentAt, Decent, BadAt, Bad float64 }

// NewShares returns the parts of a bar for so many reports; what has no result leaves room.
func NewShares(c db.Counts) Shares {
	if c.Total == 0 {
		return Shares{}
	}
	part := func(n int) float64 { return 100 * float64(n) / float64(c.Total) }
	s := Shares{Good: part(c.Good), Decent: part(c.Decent), Bad: part(c.Bad)}
	s.DecentAt, s.BadAt = s.Good, s.Good+s.Decent
	return s
}

// Bar is a small horizontal bar. At and Width are in percent of the longest.
type Bar struct {
	Label, Text string
	At, Width   float64
}

// timingBars returns the phases of the document, each where the one before it ends.
func timingBars(words *locale.Catalogue, t audit.Timings) []Bar {
	phases := []struct {
		name string
		ms   float64
	}{{"lookup", t.DNS}, {"connection", t.Connect}, {"encryption", t.TLS}, {"first-byte", t.TTFB}, {"download", t.Download}}
	whole := t.DNS + t.Connect + t.TLS + t.TTFB + t.Download
	if whole <= 0 {
		return nil
	}
	var bars []Bar
	at := 0.0
	for _, p := range phases {
		width := 100 * p.ms / whole
		text := words.Milliseconds(p.ms)
		if p.ms == 0 {
			text = templates.Say(words, "bars.none")
		}
		bars = append(bars, Bar{templates.Say(words, "bars."+p.name), text, visible(at), visible(width)})
		at += width
	}
	return bars
}

// visible rounds to what can be seen.
func visible(length float64) float64 { return math.Round(10*length) / 10 }

func sizeBars(words *locale.Catalogue, r *audit.Report) []Bar {
	longest := max(r.Size, r.TransferSize)
	if longest <= 0 {
		return nil
	}
	width := func(n int64) float64 { return visible(100 * float64(n) / float64(longest)) }
	return []Bar{
		{templates.Say(words, "bars.document"), words.Bytes(r.Size), 0, width(r.Size)},
		{templates.Say(words, "bars.transferred"), words.Bytes(r.TransferSize), 0, width(r.TransferSize)},
	}
}
