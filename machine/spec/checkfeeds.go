package spec

import (
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// RackSpan is the rack positions From to To of a row, from 1; all of the row where To is 0.
type RackSpan struct{ Row, From, To int }

// mostSpanRows is the most rows of a range.
const mostSpanRows = 10_000

// Spans are what an entry of a feed names: a row ("A"), a rack position ("B03"), or a range of either; none for
// anything
// else.
func (f *Feed) Spans(entry string) []RackSpan {
	first, last, ranged := strings.Cut(entry, "-")
	if !ranged {
		last = first
	}
	from, fromRow := rowOf(first)
	to, toRow := rowOf(last)
	if fromRow && toRow && from <= to && to-from < mostSpanRows {
		var out []RackSpan
		for row := from; row <= to; row++ {
			out = append(out, RackSpan{Row: row})
		}
		return out
	}
	a, okA := layout.ParsePosition(first)
	z, okZ := layout.ParsePosition(last)
	if okA && okZ && a.Row == z.Row && a.Number <= z.Number {
		return []RackSpan{{Row: a.Row, From: a.Number, To: z.Number}}
	}
	return nil
}

// rowOf is the row of a name of letters.
func rowOf(name string) (int, bool) {
	if strings.ContainsAny(name, "0123456789") {
		return 0, false
	}
	at, ok := layout.ParsePosition(name + "1")
	return at.Row, ok
}

// checkFeeds finds feeds without a name of their own, and racks that are none or draw from two.
func (s *Spec) checkFeeds(report Reporter) {
	names := map[string]bool{}
	type taken struct {
		RackSpan
		feed string
	}
	of := map[int][]taken{} // of each row
	for i := range s.Room.Feeds {
		f := &s.Room.Feeds[i]
		at := diag.Elem("room.feeds", i)
		if names[f.Name] && f.Name != "" {
			report(at+".name", "there is another feed %q\nevery feed needs a name of its own", f.Name)
		}
		names[f.Name] = true
		for j, entry := range f.Racks {
			path := diag.Elem(at+".racks", j)
			spans := f.Spans(entry)
			if spans == nil {
				report(path, "%q is no row, rack position or range of either\nwrite A, B03, A-C or B01-B12", entry)
			}
			for _, span := range spans {
				rows, perRow := s.rows(), s.Room.RacksPerRow
				switch {
				case rows > 0 && span.Row >= rows:
					report(path, "there are only %d rows, the last is %s", rows, layout.RowName(rows-1))
				case perRow > 0 && span.To > perRow:
					report(path, "a row has only %d rack positions", perRow)
				}
				for _, other := range of[span.Row] {
					if span.To == 0 || other.To == 0 || span.From <= other.To && other.From <= span.To {
						report(path, "racks of row %s draw from feed %s already\na rack draws from one feed",
							layout.RowName(span.Row), other.feed)
						break
					}
				}
				of[span.Row] = append(of[span.Row], taken{span, f.Name})
			}
		}
	}
}
