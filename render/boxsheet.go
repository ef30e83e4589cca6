package render

import (
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// mostBoxes is the most boxes on the sheet of boxes.
const mostBoxes = 200_000

// boxes lists where every box stands, in columns as those of placement.csv. Together with the cables and the bill it
// says what exists, for the owned section of a machine file.
func (b *book) boxes() *grid {
	g := &grid{name: boxesSheet, frozen: 1, filterTop: 1}
	g.add(heads("label", "kind", "part", "container", "cell", "unit", "face", "address", "name", "lock")...)
	s := b.r.Schedule
	l := s.Placement.Layout
	if n := topology.Vertices(b.r.Graph); n > mostBoxes {
		g.add(text(fmt.Sprintf("The %s boxes are listed in placement.csv.", grouped(int64(n)))).as(note))
		return g
	}
	for i, k := range s.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			slot := s.Placement.Slot[v]
			row := []cell{
				text(s.Device(int32(v))).as(printed), text(k.Name),
				text(s.Boxes[i].Part.ID).linkTo(b.bomItem[s.Boxes[i].Part.ID]),
				text(l.Innermost(slot)).as(editedText),
				{value: "", style: editedCount},
				{value: "", style: editedCount},
				{value: "", style: editedText},
				text(s.Naming.Boxes.Address(v)).as(printed), // always, so that a box may be given another name
				text("").as(editedText), text("").as(editedText),
			}
			if c := l.Cell(slot); c >= 0 {
				row[4] = whole(int64(c) + 1).as(editedCount)
			}
			if l.Room != nil {
				row[5], row[6] = whole(int64(l.Unit(slot))).as(editedCount), text("front").as(editedText)
				if l.Rear(slot) {
					row[6] = text("rear").as(editedText)
				}
			}
			g.add(row...)
		}
	}
	g.filter = max(g.next()-1, 2)
	g.screen = true
	if l.Room != nil {
		g.choices = append(g.choices, choice{column: 7, words: []string{"front", "rear"}, strict: true})
	}
	g.choices = append(g.choices, choice{column: 10, words: []string{"yes"}, strict: true})
	return g
}
