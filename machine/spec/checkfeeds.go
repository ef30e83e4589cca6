package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// RackSpan is the rack positions From to To of a row; positions count from 1, rows from 0. To is 0 for all of the row.
type RackSpan struct{ Row, From, To int }

// Has reports whether the span has a position. Rows count from 0, numbers from 1.
func (s RackSpan) Has(row, number int) bool {
	return s.Row == row && (s.To == 0 || s.From <= number && number <= s.To)
}

// mostSpanRows is the most rows of a range.
const mostSpanRows = 10_000

// Spans are what an entry of a list names in a room, ascending: a row ("A"), a rack position ("B03"), or a range of
// either. It is nil for anything else, and for ranges of more than mostSpanRows rows. It does not check that the room
// has so many rows or positions. Names of rows may have hyphens too, so that every one of an entry may be that of the
// range.
func Spans(room *layout.RoomSpec, entry string) []RackSpan {
	if out := spans(room, entry, entry); out != nil {
		return out
	}
	for i, c := range entry {
		if c == '-' {
			if out := spans(room, entry[:i], entry[i+1:]); out != nil {
				return out
			}
		}
	}
	return nil
}

// spans are the rows, or the positions of a row, from one to another.
func spans(room *layout.RoomSpec, first, last string) []RackSpan {
	from, to := room.RowNumber(first), room.RowNumber(last)
	if from >= 0 && from <= to && to-from < mostSpanRows {
		var out []RackSpan
		for row := from; row <= to; row++ {
			out = append(out, RackSpan{Row: row})
		}
		return out
	}
	a, okA := room.Position(first)
	z, okZ := room.Position(last)
	if okA && okZ && a.Row == z.Row && a.Number <= z.Number {
		return []RackSpan{{Row: a.Row, From: a.Number, To: z.Number}}
	}
	return nil
}

// RowsUnread reports whether rows, or what says how many positions they have, could not be read: any entry may then be
// one of their names.
func (s *Spec) RowsUnread() bool {
	return s.Unread("room.rows") || s.Unread("room.racks_per_row") || s.Unread("room.halls") ||
		s.Unread("room.rack_list")
}

// checkSpan refuses rows and rack positions that the room does not have.
func (s *Spec) checkSpan(report Reporter, path string, room *layout.RoomSpec, span RackSpan) {
	perRow := room.RowRacks(span.Row)
	switch {
	case s.RowsUnread():
	case room.Rows > 0 && span.Row >= room.Rows:
		report(path, "there are only %d rows, the last is %s", room.Rows, room.RowName(room.Rows-1))
	case perRow > 0 && span.To > perRow:
		report(path, "row %s has only %d rack positions", room.RowName(span.Row), perRow)
	}
}

// checkFeeds finds feeds without a name of their own and racks that are none. Where failure domains are feeds, it also
// finds racks that draw from several and feeds that do not name their racks.
func (s *Spec) checkFeeds(report Reporter) {
	names := map[string]bool{}
	type taken struct {
		RackSpan
		feed string
	}
	domains := slices.ContainsFunc(s.Embedding.Apart, func(a Apart) bool { return a.Within == "feed" })
	of := map[int][]taken{} // of each row
	room := s.Named()
	room.Rows = s.rows()
	for i := range s.Room.Feeds {
		f := &s.Room.Feeds[i]
		at := diag.Elem("room.feeds", i)
		if names[f.Name] && f.Name != "" {
			report(at+".name", "there is another feed %q\nevery feed needs a name of its own", f.Name)
		}
		names[f.Name] = true
		if domains && f.Racks == nil {
			report(at+".racks", "missing\nembedding.apart within feed needs the racks of each feed")
		}
		for j, entry := range f.Racks {
			path := diag.Elem(at+".racks", j)
			spans := Spans(room, entry)
			if spans == nil && !s.RowsUnread() {
				report(path, "%q is not a row, rack position or range of either\nwrite %s, %s, or a range: "+
					"%s-%s", entry,
					room.RowName(0), room.Example(), room.RowName(0), room.RowName(max(room.Rows-1, 1)))
			}
			for _, span := range spans {
				s.checkSpan(report, path, room, span)
				for _, other := range of[span.Row] {
					if !domains && other.feed != f.Name {
						continue
					}
					if span.To == 0 || other.To == 0 || span.From <= other.To && other.From <= span.To {
						help := "name a rack once"
						if domains {
							help = "embedding.apart within feed needs one feed for each rack"
						}
						report(path, "racks of row %s draw from feed %s already\n%s", room.RowName(span.Row),
							other.feed, help)
						break
					}
				}
				of[span.Row] = append(of[span.Row], taken{span, f.Name})
			}
		}
	}
}
