package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// NoRack is the Rack of pieces that are bought for no rack: spares, and the rest of the last full pack.
const NoRack = -1

// Delivery is a number of pieces of a line of the bill that are bought for one rack.
type Delivery struct {
	Item   catalog.Item
	Colour string // of cables; "" for none
	Rack   int32  // index in layout.Room.Places, or NoRack
	Pieces int64  // at least 1
}

// Deliveries divides the pieces to buy among the racks that they are for. It is ordered by line of the bill, by colour
// as on the bill, and by rack position; pieces for no rack come last in each line and colour. The deliveries of a line
// add up to its pieces to buy.
//
// Boxes, their adapters and their transceivers go to the rack of the box, panels and hoses to their rack, cables to the
// rack of their end A (cabling.Segment.A), racks to their position. The cabling states which cables are in stock. Other
// pieces in stock serve racks with existing boxes first, then those of the lowest positions. Chassis, trays, labour and
// shares of other lines are in no delivery. Deliveries is nil for machines in containers (without a Room) and for a
// summary (without cabling.Schedule.Segments).
func (p *Result) Deliveries() []Delivery {
	if p.Room() == nil || p.Schedule.Segments == nil {
		return nil
	}
	d := newDeliverer(p)
	d.countBoxes()
	d.countCables()
	var out []Delivery
	for i := range p.Bill.Rows {
		row := &p.Bill.Rows[i]
		if row.Colours == nil {
			out = d.appendLine(out, row, cost.ColourQty{Buy: row.Buy, FromStock: row.FromStock})
		}
		for _, c := range row.Colours {
			out = d.appendLine(out, row, c)
		}
	}
	return out
}

// deliverer counts the pieces that each rack needs, bought or in stock.
type deliverer struct {
	p      *Result
	exists []bool                          // by rack position: whether it has boxes that exist already
	need   map[deliveryKey]map[int32]int64 // pieces, by rack position
}

type deliveryKey struct {
	item   catalog.Item
	colour string
}

func newDeliverer(p *Result) *deliverer {
	d := &deliverer{p: p, exists: make([]bool, len(p.Room().Places)), need: map[deliveryKey]map[int32]int64{}}
	for _, v := range p.Existing {
		d.exists[d.rackOf(v)] = true
	}
	return d
}

// rackOf returns the rack position of a vertex: a box, or a panel, which are numbered after the boxes.
func (d *deliverer) rackOf(v int32) int32 {
	s := d.p.Schedule
	if panel := s.Panel(v); panel >= 0 {
		return s.Patching.Panels[panel].Rack
	}
	return s.Placement.Layout.Container(layout.RackLevel, s.Placement.Slot[v])
}

// add adds pieces to those that a rack needs.
func (d *deliverer) add(item catalog.Item, colour string, rack int32, pieces int64) {
	key := deliveryKey{item, colour}
	if d.need[key] == nil {
		d.need[key] = map[int32]int64{}
	}
	d.need[key][rack] += pieces
}

// countBoxes counts boxes, adapters, panels, hoses and racks.
func (d *deliverer) countBoxes() {
	s := d.p.Schedule
	for i, k := range s.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			rack := d.rackOf(int32(v))
			d.add(s.Boxes[i].Part.Item(0), "", rack, 1)
			if a := d.p.adapters[i]; a != nil {
				per := max(a.PortCount(), 1)
				d.add(a.Item(0), "", rack, int64((k.Ports+per-1)/per))
			}
		}
	}
	if k := s.Patching; k != nil {
		for i := range k.Panels {
			d.add(k.Panels[i].Part.Item(0), "", k.Panels[i].Rack, 1)
		}
	}
	if c := d.p.Cooling; c != nil {
		for i := range c.Loops {
			l := &c.Loops[i]
			for j := range l.Racks {
				if item, n := l.Pieces(&l.Racks[j]); n > 0 {
					d.add(item, "", l.Racks[j].Place, int64(n))
				}
			}
		}
	}
	for i := range d.p.Placement.Racks {
		place := d.p.Placement.Racks[i].Place
		d.add(d.p.rackParts[d.p.Room().Places[place].Type].Item(0), "", place, 1)
	}
}

// countCables counts the cables that are not in stock, and the transceivers of all cables, in stock or not: one for
// each cage of a box.
func (d *deliverer) countCables() {
	s := d.p.Schedule
	counted := make([]bool, s.Cables+1)
	cages, base := make([][]bool, len(s.Kinds)), make([]int, len(s.Kinds))
	for i, k := range s.Kinds {
		base[i] = s.Boxes[i].Cages()
		cages[i] = make([]bool, base[i]*k.Count)
	}
	plug := func(v int32, port uint16, optic *catalog.Part) {
		if optic == nil || s.Panel(v) >= 0 {
			return
		}
		kind := topology.KindOf(s.Kinds, int(v))
		cage := (int(v)-s.Kinds[kind].First)*base[kind] + s.Boxes[kind].Ports[port].Cage
		if !cages[kind][cage] {
			cages[kind][cage] = true
			d.add(optic.Item(0), "", d.rackOf(v), 1)
		}
	}
	s.Each(func(number int64, seg *cabling.Segment) bool {
		product := s.Product(seg)
		if product == nil {
			return true
		}
		optics := product.Transceivers()
		plug(seg.A, seg.PortA, optics[0])
		plug(seg.B, seg.PortB, optics[1])
		if !counted[number] {
			counted[number] = true
			if !product.Stock {
				d.add(product.Item(), s.Colour(seg), d.rackOf(seg.A), 1)
			}
		}
		return true
	})
}

// appendLine appends the deliveries of a line of the bill, or of its pieces of one colour: c states how many are bought
// and taken from stock. It appends none if nothing is bought or the line is of things that no rack needs.
func (d *deliverer) appendLine(out []Delivery, row *cost.Row, c cost.ColourQty) []Delivery {
	need := d.need[deliveryKey{row.Item, c.Colour}]
	if c.Buy == 0 || need == nil && row.Kind != catalog.KindCable && row.Kind != catalog.KindOptic {
		return out
	}
	racks := make([]int32, 0, len(need))
	for rack := range need {
		racks = append(racks, rack)
	}
	slices.SortFunc(racks, func(a, b int32) int {
		if d.exists[a] != d.exists[b] {
			if d.exists[a] {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	stock, left, first := c.FromStock, c.Buy, len(out)
	if row.Kind == catalog.KindCable { // countCables leaves out those in stock
		stock = 0
	}
	for _, rack := range racks {
		taken := min(stock, need[rack])
		stock -= taken
		if n := need[rack] - taken; n > 0 {
			out = append(out, Delivery{row.Item, c.Colour, rack, n})
			left -= n
		}
	}
	slices.SortFunc(out[first:], func(a, b Delivery) int { return cmp.Compare(a.Rack, b.Rack) })
	if left > 0 {
		out = append(out, Delivery{row.Item, c.Colour, NoRack, left})
	}
	return out
}

// DeliveryWords returns a function that lists, for an item of the bill and a colour ("" for none), how many pieces go
// to each row of racks, in the order of the rows: "A 40, B 38, spare 2". Spare counts the pieces for no rack. The
// function returns "" if the item has no deliveries in that colour.
func (p *Result) DeliveryWords() func(item catalog.Item, colour string) string {
	rows := map[deliveryKey][]int64{} // by row, the last for no rack
	room := p.Room()
	for _, d := range p.Deliveries() {
		key := deliveryKey{d.Item, d.Colour}
		if rows[key] == nil {
			rows[key] = make([]int64, len(room.Rows)+1)
		}
		row := len(room.Rows)
		if d.Rack != NoRack {
			row = room.Places[d.Rack].Row
		}
		rows[key][row] += d.Pieces
	}
	return func(item catalog.Item, colour string) string {
		var out []string
		for i, n := range rows[deliveryKey{item, colour}] {
			name := "spare"
			if i < len(room.Rows) {
				name = "row " + room.Rows[i].Name
			}
			if n > 0 {
				out = append(out, fmt.Sprintf("%s: %s", name, english.Grouped(n)))
			}
		}
		return strings.Join(out, ", ")
	}
}
