package netbox

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/power"
)

// inletName is what power ports of device types are called, from 1, in the order of catalog.Part.InletTypes.
func inletName(n int) string { return "PSU" + strconv.Itoa(n) }

// outletName is what power outlets of device types are called, from 1, in the order of the part's groups.
func outletName(n int) string { return "Outlet " + strconv.Itoa(n) }

// inletType is what NetBox calls a type of inlets; "other" where it has no word for it.
func inletType(kind string) string {
	switch kind {
	case catalog.Busbar:
		return "dc-terminal"
	case "c6", "c8", "c14", "c16", "c18", "c20", "c22":
		return "iec-60320-" + kind
	}
	return "other"
}

// outletType is what NetBox calls a type of outlets; "other" where it has no word for it.
func outletType(kind string) string {
	switch kind {
	case "c5", "c7", "c13", "c15", "c17", "c19", "c21":
		return "iec-60320-" + kind
	case "c39":
		return "eaton-c39"
	}
	return "other"
}

// powerOutlets lists the outlets of a part. A busbar has none.
func powerOutlets(p *catalog.Part) []powerOutlet {
	if p.Supply == nil {
		return nil
	}
	var out []powerOutlet
	n := 0
	for _, g := range p.Supply.Outlets {
		for range max(g.Count, 1) {
			n++
			if g.Type != catalog.Busbar {
				out = append(out, powerOutlet{outletName(n), outletType(g.Type)})
			}
		}
	}
	return out
}

// usePower adds what has cords of power to the boxes that are exported.
func (x *Export) usePower(used []bool) {
	if x.r.Power == nil || x.fabric != "" {
		return
	}
	for rack, c := range x.cords() {
		used[rack.BoxAt[c.Box]], used[rack.SupplyAt[c.Supply]] = true, true
	}
}

// cords yields the cords of power that lead to an outlet, rack by rack. Boxes on a busbar have none.
func (x *Export) cords() iter.Seq2[*machine.PoweredRack, *power.Cord] {
	return func(yield func(*machine.PoweredRack, *power.Cord) bool) {
		if x.r.Power == nil {
			return
		}
		for i := range x.r.Power.Racks {
			rack := &x.r.Power.Racks[i]
			for c := range rack.Cords {
				if cord := &rack.Cords[c]; cord.Supply >= 0 && !yield(rack, cord) {
					return
				}
			}
		}
	}
}

// exportedBoxes returns the boxes that are devices of the export, by vertex.
func (x *Export) exportedBoxes() map[int32]bool {
	out := map[int32]bool{}
	for i := range x.devices {
		out[x.devices[i].v] = true
	}
	return out
}

// notePower says which cords of power are left out.
func (x *Export) notePower() {
	here, out, bar := x.exportedBoxes(), 0, 0
	for rack, c := range x.cords() {
		if here[rack.BoxAt[c.Box]] && here[rack.SupplyAt[c.Supply]] {
			x.powered = true
		} else {
			out++
		}
	}
	if x.r.Power == nil {
		return
	}
	for i := range x.r.Power.Racks {
		for _, c := range x.r.Power.Racks[i].Cords {
			if c.Supply == power.Bar {
				bar++
			}
		}
	}
	if out > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("%s of boxes without cables of %s are left out",
			english.Count(out, "power cord"), x.fabric))
	}
	if bar > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("%s on busbars have no cable: power shelves and boxes share the bar",
			english.Count(bar, "inlet")))
	}
}

// writePower writes the cords of power from inlets to outlets, with the feed and the colour. Their lengths are not
// planned.
func (x *Export) writePower(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"side_a_site", "side_a_device", "side_a_type", "side_a_name", "side_b_site", "side_b_device", "side_b_type",
		"side_b_name", "type", "status", "label", "description",
	})
	here := x.exportedBoxes()
	for rack, c := range x.cords() {
		box, supply := rack.BoxAt[c.Box], rack.SupplyAt[c.Supply]
		if !here[box] || !here[supply] {
			continue
		}
		feed := x.r.Power.Feeds[rack.Supplies[c.Supply].Feed]
		what := "feed " + feed
		if colour := x.r.FeedColour(feed); colour != "" {
			what += ", " + colour
		}
		out.Texts(x.site, x.deviceName(box), "dcim.powerport", inletName(c.Inlet), x.site, x.deviceName(supply),
			"dcim.poweroutlet", outletName(c.Outlet), "power", planned,
			shorter(x.r.CordLabel(rack, c), longestName), clip(what, longestText))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
