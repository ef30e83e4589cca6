package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
)

// checkLoops reports loops of coolant with the same name, with as many spares as units, and with racks that are not
// entries of racks, rows, rack positions or ranges of them. What depends on parts is checked elsewhere.
func (s *Spec) checkLoops(report Reporter) {
	names := map[string]bool{}
	room := s.Named()
	room.Rows = s.rows()
	for i := range s.Room.Loops {
		l, at := &s.Room.Loops[i], diag.Elem("room.loops", i)
		if names[l.Name] && l.Name != "" {
			report(at+".name", "there is another loop %q\nevery loop needs a name of its own", l.Name)
		}
		names[l.Name] = true
		if n := l.Count; n > 0 && l.Spare >= n {
			report(at+".spare", "%d of %d are to spare, so that none cools\nwrite a larger count, or fewer spares",
				l.Spare, n)
		}
		if l.HoseSlack > 0 && l.Hose == "" {
			report(at+".hose_slack", "the loop names no part for its hoses\nadd hose, or remove hose_slack")
		}
		for j, entry := range l.Racks {
			path := diag.Elem(at+".racks", j)
			if i := slices.IndexFunc(s.Racks, func(t RackTemplate) bool { return t.Name == entry }); i >= 0 {
				if other := s.Racks[i].Cooling; other != "" && other != l.Name {
					report(path, "racks[%d].cooling has %s on loop %s\nremove one of the two", i, entry, other)
				}
				continue
			}
			spans := Spans(room, entry)
			if spans == nil && !s.RowsUnread() && !s.NamesLost("racks", len(s.Racks)) {
				report(path, "%q is not a row, rack position, range of either, or template of racks\nwrite %s, %s, or "+
					"the name of an entry of racks", entry, room.RowName(0), room.Example())
			}
			for _, span := range spans {
				s.checkSpan(report, path, room, span)
			}
		}
	}
}
