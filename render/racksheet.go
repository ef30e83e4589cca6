package render

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
)

// racks lists the racks, or the outermost of containers.
func (b *book) racks() *grid {
	if b.r.Room() == nil {
		return b.containers()
	}
	g := &grid{name: racksSheet, frozen: 1, filterTop: 1}
	columns := heads("Rack", "Row", "Number", "Class", "Boxes", "Units used", "Units", "Fill", "Power (kW)",
		"Power limit (kW)", "Weight (kg)", "Position")
	heat := b.report.Heat
	if heat != nil {
		columns = append(columns, heads("Heat to liquid (kW)", "Heat to air (kW)", "Heat, not stated (kW)")...)
	}
	g.add(columns...)
	g.bars = []bars{{8, 1}, {column: 9}}
	room := b.r.Room()
	b.rackRow = map[string]string{}
	var boxes, all, used int64
	var power, mass float64
	for i, k := range b.r.Placement.Racks {
		n := g.next()
		p := room.Places[k.Place]
		limit, t := cell{}, room.Type(k.Place)
		usable := int64(t.Units)
		all += usable
		if t.Power > 0 {
			limit = number(float64(t.Power) / 1e3)
		}
		kw, kg := float64(report.Round(k.Power))/1e3, tenth(float64(k.Weight))
		row := []cell{
			text(room.Name(int(k.Place))).linkTo(b.rackDrawn[room.Name(int(k.Place))]), text(room.Rows[p.Row].Name),
			whole(int64(room.PositionNumber(p.Row, p.Number))), text(className(&k)),
			whole(int64(k.Boxes)), whole(int64(k.Used)), whole(usable),
			fill(int64(k.Used), usable, n), number(kw), limit, number(kg),
			text(room.Name(int(k.Place))).as(editedText), // always, so that a rack may be moved
		}
		if heat != nil {
			h := heat.Racks[i]
			row = append(row, number(tenth(float64(h.Liquid)/1e3)), number(tenth(float64(h.Air)/1e3)),
				number(tenth(float64(h.Unstated)/1e3)))
		}
		b.rackRow[room.Name(int(k.Place))] = linkTo(racksSheet, 1, n)
		g.add(row...)
		boxes += int64(k.Boxes)
		used += int64(k.Used)
		power += kw
		mass += kg
	}
	last, n := g.next()-1, g.next()+1
	g.filter = last
	g.add()
	sum := func(c int) string { return "SUM(" + span(c, 2, max(last, 2)) + ")" }
	g.add(text("Total").as(strong), text("").as(strong), text("").as(strong), text("").as(strong),
		whole(boxes).as(strongCount).by(sum(5)), whole(used).as(strongCount).by(sum(6)),
		whole(all).as(strongCount).by(sum(7)), fill(used, all, n).as(strongPercent),
		number(power).as(strongDecimal).by(sum(9)), text("").as(strong),
		number(tenth(mass)).as(strongDecimal).by(sum(11)))
	g.add()
	g.addParagraphs("Power is of the boxes with their adapters and of the optics and cable ends plugged into them" +
		b.report.PowerNote().After() + ".")
	weight := "Weight is of the boxes, patch panels and cables, without the rack. A cable that leaves the rack " +
		"counts there with half of what its run along the trays leaves."
	if missing := b.r.Unweighed(); missing != nil {
		weight += " Left out are parts that state no weight: " + report.Missing(missing) + "."
	}
	g.addParagraphs(weight)
	return g
}

// tenth rounds as far as the figures of a rack are worth: sums of rounded figures then agree with the rows that a
// reader adds up.
func tenth[T ~float64](v T) T { return T(math.Round(float64(v)*10) / 10) }

// fill is the share of units that are used, on row n of the Racks sheet.
func fill(used, usable int64, n int) cell {
	if usable == 0 {
		return cell{}
	}
	return cell{value: float64(used) / float64(usable), style: percent, formula: ref(6, n) + "/" + ref(7, n)}
}

func className(r *embed.Rack) string {
	switch {
	case r.Name != "":
		return r.Name
	case r.Class == embed.EndOfRow:
		return "end of row"
	case r.Class == embed.MiddleOfRow:
		return "middle of row"
	case r.Class == embed.NetworkRow:
		return "network"
	case r.Class == embed.Beside:
		return "beside others" // a table of places has them where nothing else stands
	}
	return "nodes"
}

// mostContainers is how many containers are listed one by one.
const mostContainers = 5000

// containers lists the outermost levels of containers, as many levels as stay readable.
func (b *book) containers() *grid {
	g := &grid{name: racksSheet, frozen: 1, filterTop: 1}
	columns := []string{
		"Container", "Level", "x (m)", "y (m)", "z (m)", "Width (m)", "Depth (m)", "Height (m)", "Places", "Boxes",
		"Power (kW)", "Weight (kg)",
	}
	l := b.r.Placement.Layout
	listed, levels := 0, 0
	for levels < len(l.Levels) {
		n := l.Slots() / max(l.Tree.Cells(levels), 1)
		if listed += n; listed > mostContainers {
			break
		}
		levels++
	}
	movable := levels == len(l.Levels)
	if movable {
		columns = append(columns, "Position")
	}
	g.add(heads(columns...)...)
	for level := range levels {
		n := l.Slots() / max(l.Tree.Cells(level), 1)
		boxes := make([]int64, n)
		for _, slot := range b.r.Placement.Slot {
			boxes[l.Container(level, slot)]++
		}
		size, loads := l.Tree.Size(level), b.r.Loads(level)
		for c := range n {
			at, name := l.Tree.Origin(level, int32(c)), l.ContainerName(level, int32(c))
			row := []cell{
				text(name), text(l.Levels[level].Name), long(at.X), long(at.Y), long(at.Z),
				long(size[0]), long(size[1]), long(size[2]), whole(int64(l.Tree.Cells(level))), whole(boxes[c]),
				number(tenth(float64(loads[c].Power) / 1e3)), number(tenth(float64(loads[c].Weight))),
			}
			if movable && level == levels-1 && level > 0 {
				row = append(row, text(name).as(editedText))
			}
			g.add(row...)
		}
	}
	g.filter = g.next() - 1
	g.add()
	stands := "This machine stands in containers, not in racks."
	if rack := l.LevelOf(layout.RoleRack); rack >= 0 {
		stands = fmt.Sprintf("This machine stands in containers; those of level %s are its racks.",
			l.Levels[rack].Name)
	}
	g.add(text(stands + " A container holds those of the next level; each level adds up to the whole. Power and " +
		"weight are of the boxes and enclosures inside, as far as their parts state them" +
		b.report.PowerNote().After() + ".").
		as(note))
	return g
}
