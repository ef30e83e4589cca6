package machine

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/power"
)

// inlet is an inlet of a box of the machine.
type inlet struct {
	box    int32
	number int // from 1
}

// outletAt is an outlet of a supply of the machine, or a place on the busbar of a rack, where supply is power.Bar.
type outletAt struct {
	supply int32
	number int // from 1
}

// cordsBefore is the outlets of inlets that have one already.
type cordsBefore map[inlet]outletAt

// findCords finds the inlets of the table of what exists in this machine, those whose supply it does not have as well.
func (own *existing) findCords() cordsBefore {
	if own == nil || own.found == nil {
		return nil
	}
	out := cordsBefore{}
	for i := range own.cords {
		c := &own.cords[i]
		box, supply := own.found.Find(c.Box), int32(power.Bar)
		if c.PDU != catalog.Busbar {
			supply = own.found.Find(c.PDU)
		}
		if box >= 0 {
			out[inlet{box, c.Inlet}] = outletAt{supply, c.Outlet}
		}
	}
	return out
}

// in are the outlets in a rack in which its inlets are already, by the numbers of its boxes and supplies. Cords from
// supplies of other racks are left out.
func (c cordsBefore) in(boxes []power.Box, boxAt, supplyAt []int32) map[power.Inlet]power.Outlet {
	if len(c) == 0 {
		return nil
	}
	supplies := map[int32]int{power.Bar: power.Bar}
	for s, at := range supplyAt {
		supplies[at] = s
	}
	out := map[power.Inlet]power.Outlet{}
	for b, at := range boxAt {
		for n := range boxes[b].Part.InletCount() {
			o, ok := c[inlet{at, n + 1}]
			if !ok {
				continue
			}
			if s, ok := supplies[o.supply]; ok {
				out[power.Inlet{Box: b, Number: n + 1}] = power.Outlet{Supply: s, Number: o.number}
			}
		}
	}
	return out
}

// cordNotes say how many of the inlets that are plugged in already keep their outlets, and which boxes have others.
func (own *existing) cordNotes(p *PowerPlan, s *cabling.Schedule) []string {
	if own == nil || len(own.cords) == 0 {
		return nil
	}
	all := english.Count(len(own.cords), "power inlet") + " that exist"
	if p == nil {
		return []string{all + " are passed over: this machine has no power schedule"}
	}
	before := own.findCords()
	kept, moved, boxes := 0, 0, []int32(nil)
	for i := range p.Racks {
		rack := &p.Racks[i]
		for j := range rack.Cords {
			box, now := rack.outletOf(&rack.Cords[j])
			switch was, ok := before[box]; {
			case !ok:
			case now == was:
				kept++
			default:
				if moved++; !slices.Contains(boxes, box.box) {
					boxes = append(boxes, box.box)
				}
			}
		}
	}
	out := []string{fmt.Sprintf("%s of %s keep their outlets", english.Grouped(int64(kept)), all)}
	if moved > 0 {
		out = append(out, english.Count(moved, "power inlet")+" that exist move to other outlets, as the feeds of "+
			"their racks and the outlets there have changed: "+few(s, boxes))
	}
	if gone := len(own.cords) - kept - moved; gone > 0 {
		out = append(out, "passed over: "+english.Count(gone, "power inlet")+" of boxes and inlets that this machine "+
			"does not have")
	}
	return out
}

// outletOf returns the inlet of a cord and its outlet.
func (rack *PoweredRack) outletOf(c *power.Cord) (inlet, outletAt) {
	to := outletAt{int32(c.Supply), c.Outlet}
	if c.Supply >= 0 {
		to.supply = rack.SupplyAt[c.Supply]
	}
	return inlet{rack.BoxAt[c.Box], c.Inlet}, to
}
