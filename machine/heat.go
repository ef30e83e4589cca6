package machine

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// boxHeat splits the heat of a box of each kind, with its adapters, and lists the parts that do not state where theirs
// goes. Stated reports whether any part does.
func (r *resolved) boxHeat(s *cabling.Schedule) (each []report.HeatSplit, missing []report.Unstated, stated bool) {
	missing = []report.Unstated{}
	each = make([]report.HeatSplit, len(s.Kinds))
	for i, k := range topology.CabledKinds(r.graph) {
		add := func(part *catalog.Part, n int) {
			watts := units.Power(float64(part.Power) * float64(n))
			switch {
			case k.Count == 0 || watts == 0:
			case part.Liquid != nil:
				stated = true
				liquid := watts * units.Power(*part.Liquid/100)
				each[i].Liquid += liquid
				each[i].Air += watts - liquid
			default:
				missing = report.AddUnstated(missing, part.ID, int64(n)*int64(k.Count))
			}
		}
		add(s.Boxes[i].Part, 1)
		if a := r.adapters[i]; a != nil {
			per := max(a.PortCount(), 1)
			add(a, (k.Ports+per-1)/per)
		}
	}
	return each, missing, stated
}

// rackHeat splits the heat of each rack position, from that of a box of each kind; racks of the placement have their
// optics and cables. What supplies of the power plan lose is in it, see supplyHeat.
func (r *resolved) rackHeat(
	pl *embed.Placement, s *cabling.Schedule, each []report.HeatSplit, feeds *PowerPlan,
) []report.HeatSplit {
	in := make([]report.HeatSplit, len(pl.Layout.Room.Places))
	for i, k := range s.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			to := &in[pl.Layout.Container(layout.RackLevel, pl.Slot[v])]
			to.Liquid += each[i].Liquid
			to.Air += each[i].Air
		}
	}
	for i := range pl.Racks {
		h := &in[pl.Racks[i].Place]
		h.Unstated = max(0, pl.Racks[i].Power-h.Liquid-h.Air)
	}
	r.supplyHeat(feeds, func(place int32, lost report.HeatSplit) {
		in[place].Liquid += lost.Liquid
		in[place].Air += lost.Air
	})
	return in
}

// supplyHeat visits the heat of the losses of each supply that states its efficiency, with all feeds: to liquid by the
// share that its part states, the rest to air.
func (r *resolved) supplyHeat(feeds *PowerPlan, visit func(place int32, lost report.HeatSplit)) {
	if feeds == nil {
		return
	}
	for i := range feeds.Racks {
		rack := &feeds.Racks[i]
		for s, v := range rack.SupplyAt {
			lost := report.HeatSplit{Air: rack.loss(s)}
			if lost.Air <= 1e-6 {
				continue
			}
			if share := r.boxes[topology.KindOf(r.graph.Kinds(), int(v))].Part.Liquid; share != nil {
				lost.Liquid = lost.Air * units.Power(*share/100)
				lost.Air -= lost.Liquid
			}
			visit(rack.Place, lost)
		}
	}
}

// heat splits the power of a plan and the losses of supplies by where their heat goes, as far as parts state it. It is
// nil where no part of the machine does.
func (p *planning) heat() *report.Heat {
	pl, s := p.placement, p.cables.schedule
	each, missing, stated := p.names.boxHeat(s)
	if !stated {
		return nil
	}
	out := &report.Heat{Racks: []report.RackHeat{}, Rows: []report.RowHeat{}, Missing: missing}
	for i, k := range s.Kinds {
		out.Liquid += each[i].Liquid * units.Power(k.Count)
		out.Air += each[i].Air * units.Power(k.Count)
	}
	out.Unstated = max(0, p.costs.Bill.Power.Total()-out.Liquid-out.Air)
	p.names.supplyHeat(p.power, func(_ int32, lost report.HeatSplit) {
		out.Liquid += lost.Liquid
		out.Air += lost.Air
	})
	out.HeatSplit = out.Rounded()
	room := pl.Layout.Room
	if room == nil {
		return out
	}
	in := p.names.rackHeat(pl, s, each, p.power)
	for i := range pl.Racks {
		place := pl.Racks[i].Place
		out.Racks = append(out.Racks, report.RackHeat{Rack: room.Name(int(place)), HeatSplit: in[place].Rounded()})
	}
	for row, h := range rowHeat(room, in) {
		if h != (report.HeatSplit{}) {
			out.Rows = append(out.Rows, report.RowHeat{
				Row: room.Rows[row].Name, HeatSplit: h.Rounded(), MostAir: report.Round(p.names.spec.Room.RowAir),
			})
		}
	}
	return out
}

// rowHeat sums the heat of the rack positions of each row.
func rowHeat(room *layout.Room, in []report.HeatSplit) []report.HeatSplit {
	out := make([]report.HeatSplit, len(room.Rows))
	for place := range in {
		to := &out[room.Places[place].Row]
		to.Liquid += in[place].Liquid
		to.Air += in[place].Air
		to.Unstated += in[place].Unstated
	}
	return out
}
