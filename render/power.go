package render

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/power"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// powerColumns are the columns of the power schedule.
var powerColumns = []string{
	"rack", "box", "part", "inlet", "inlet_type", "pdu", "outlet", "outlet_type", "feed", "phase", "watts",
	"watts_feed_lost", "feed_lost", "note", "colour", "label",
}

// loadColumns are the columns of the loads of supplies. Those of a lost feed are of the one without which the supply
// gives most.
var loadColumns = []string{
	"rack", "pdu", "part", "feed", "volts", "breaker_a", "l1_w", "l2_w", "l3_w", "watts", "l1_a", "l2_a", "l3_a",
	"feed_lost", "l1_w_lost", "l2_w_lost", "l3_w_lost", "watts_lost", "l1_a_lost", "l2_a_lost", "l3_a_lost", "note",
}

// noPower says why a plan has no power schedule; empty where it has one.
func noPower(name string) func(r *machine.Result) string {
	return func(r *machine.Result) string {
		if r.Power == nil {
			return "a plan without room.feeds, or without boxes that have outlets (supply), has no " + name
		}
		return ""
	}
}

// Power writes which inlet of a box is plugged into which outlet as comma-separated values, with what it draws with all
// feeds and without the one whose loss makes it draw most. A box without a plug has a row that says why.
func Power(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, powerColumns)
	for row := range powerRows(r) {
		out.Texts(row...)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// PowerLoads writes what each supply gives on each phase as comma-separated values.
func PowerLoads(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, loadColumns)
	for row := range loadRows(r) {
		out.Texts(row...)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// inTenths writes a quantity with at most one decimal.
func inTenths[T ~float64](v T) string {
	return strconv.FormatFloat(math.Round(float64(v)*10)/10, 'f', -1, 64)
}

// worstLoss is the feed without which a figure is the largest, -1 where the rack hangs on none.
func worstLoss(rack *machine.PoweredRack, of func(l *power.Loads) units.Power) int {
	worst := -1
	for f, l := range rack.Without {
		if l != nil && (worst < 0 || of(l) > of(rack.Without[worst])+1e-9) {
			worst = f
		}
	}
	return worst
}

// phaseName calls a phase of a supply.
func phaseName(s *power.Supply, phase int) string {
	switch {
	case s.Phases < 3:
		return ""
	case phase == 0:
		return "L1-L2-L3"
	case s.IsDelta():
		return "L" + strconv.Itoa(phase) + "-L" + strconv.Itoa(phase%3+1)
	}
	return "L" + strconv.Itoa(phase)
}

// unknownPower says what is not known of a box.
func unknownPower(rack *machine.PoweredRack, box int) string {
	part := rack.Boxes[box].Part
	var out []string
	if len(part.Inlets) == 0 {
		out = append(out, "the part states no inlets")
	}
	if part.Power == 0 {
		out = append(out, "the part states no power")
	}
	if _, known := rack.Needs(box); !known {
		out = append(out, "the part states no redundancy")
	}
	return strings.Join(out, "; ")
}

// joined joins texts that are not empty.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "; ")
}

// barFeeds names the feeds of a rack's busbar.
func barFeeds(p *machine.PowerPlan, rack *machine.PoweredRack) string {
	var on []int
	for i := range rack.Supplies {
		if s := &rack.Supplies[i]; s.Feed >= 0 && s.HasBar() && !slices.Contains(on, s.Feed) {
			on = append(on, s.Feed)
		}
	}
	slices.Sort(on)
	var names []string
	for _, f := range on {
		names = append(names, p.Feeds[f])
	}
	return strings.Join(names, "+")
}

// powerRows yields the rows of the power schedule.
func powerRows(r *machine.Result) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		if r.Power == nil {
			return
		}
		room := r.Room()
		for i := range r.Power.Racks {
			rack := &r.Power.Racks[i]
			name := room.Name(int(rack.Place))
			c := 0
			for b := range rack.Boxes {
				box := []string{name, r.Schedule.Device(rack.BoxAt[b]), rack.Boxes[b].Part.ID}
				unknown := unknownPower(rack, b)
				cords := rack.CordsOf(b)
				if len(cords) == 0 && !yield(append(box, "", "", "", "", "", "", "",
					inTenths(rack.Boxes[b].Power), "", "", unknown, "", "")) {
					return
				}
				for k := range cords {
					if !yield(append(slices.Clone(box), powerRow(r, rack, &cords[k], c, unknown)...)) {
						return
					}
					c++
				}
			}
		}
	}
}

// powerRow is what the row of a cord has behind its box. at is the number of the cord in the rack.
func powerRow(r *machine.Result, rack *machine.PoweredRack, c *power.Cord, at int, unknown string) []string {
	row, colour, label := []string{strconv.Itoa(c.Inlet), c.Type}, "", ""
	switch c.Supply {
	case power.Nothing:
		return append(row, "", "", "", "", "", "", "", "", joined("no outlet is free", unknown), "", "")
	case power.Bar:
		row = append(row, catalog.Busbar, strconv.Itoa(c.Outlet), c.Fits, barFeeds(r.Power, rack), "")
	default:
		s := &rack.Supplies[c.Supply]
		row = append(row, r.Schedule.Device(rack.SupplyAt[c.Supply]), strconv.Itoa(c.Outlet), c.Fits,
			r.Power.Feeds[s.Feed], phaseName(s, c.Phase))
		colour, label = r.FeedColour(r.Power.Feeds[s.Feed]), r.CordLabel(rack, c)
	}
	lost := worstLoss(rack, func(l *power.Loads) units.Power { return l.Cords[at] })
	return append(row, inTenths(rack.Normal.Cords[at]), inTenths(rack.Without[lost].Cords[at]), r.Power.Feeds[lost],
		unknown, colour, label)
}

// loadRows yields the rows of the loads of supplies.
func loadRows(r *machine.Result) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		room := r.Room()
		if r.Power == nil {
			return
		}
		for i := range r.Power.Racks {
			rack := &r.Power.Racks[i]
			for s, at := range rack.SupplyAt {
				row := []string{room.Name(int(rack.Place)), r.Schedule.Device(at)}
				if !yield(append(row, loadRow(r, rack, s)...)) {
					return
				}
			}
		}
	}
}

// loadRow is what the row of a supply has behind its name.
func loadRow(r *machine.Result, rack *machine.PoweredRack, s int) []string {
	supply := &rack.Supplies[s]
	part := r.Schedule.Boxes[topology.KindOf(r.Schedule.Kinds, int(rack.SupplyAt[s]))].Part.ID
	if why := rack.Unfed[s]; why != "" {
		return append([]string{part}, append(make([]string, len(loadColumns)-4), why)...)
	}
	stated := func(v float64) string {
		if v == 0 {
			return ""
		}
		return inTenths(v)
	}
	var unknown []string
	if supply.Volts == 0 {
		unknown = append(unknown, "no voltage is stated")
	}
	if supply.Breaker == 0 {
		unknown = append(unknown, "no breaker is stated")
	}
	figures := func(phases [3]units.Power) []string {
		var watts, amps []string
		lines := supply.Lines(phases)
		for i := range 3 {
			w, a := "", ""
			if i < max(supply.Phases, 1) {
				w = inTenths(phases[i])
				if supply.Volts > 0 {
					a = inTenths(lines[i])
				}
			}
			watts, amps = append(watts, w), append(amps, a)
		}
		return slices.Concat(watts, []string{inTenths(power.Sum(phases))}, amps)
	}
	if supply.Efficiency > 0 {
		unknown = append(unknown, fmt.Sprintf("draws what it gives divided by its efficiency of %v %%",
			float64(supply.Efficiency)))
	}
	for i := range rack.Losses {
		if l := &rack.Losses[i]; l.Most == s {
			var lost []string
			for _, of := range l.Lost {
				lost = append(lost, r.Schedule.Device(rack.SupplyAt[of]))
			}
			unknown = append(unknown, fmt.Sprintf("gives %s W without %s", inTenths(supply.Given(l.Loads.Phases[s])),
				strings.Join(lost, " and ")))
		}
	}
	lost := worstLoss(rack, func(l *power.Loads) units.Power { return power.Sum(l.Phases[s]) })
	return slices.Concat(
		[]string{part, r.Power.Feeds[supply.Feed], stated(float64(supply.Volts)), stated(float64(supply.Breaker))},
		figures(rack.Normal.Phases[s]), []string{r.Power.Feeds[lost]}, figures(rack.Without[lost].Phases[s]),
		[]string{strings.Join(unknown, "; ")})
}
