package render

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/elevation"
)

// installColumns are the columns of an installer's list of materials in comma-separated values.
var installColumns = []string{"what", "quantity", "unit", "how_reckoned"}

// material is a line of an installer's list.
type material struct {
	what     string
	quantity int64
	unit     string
	how      string
}

const (
	// strapEvery is how far apart straps hold a bundle, in metres: half of what a hand spans on both sides (our
	// estimate).
	strapEvery = 1.5
	// nutsPerBox is the cage nuts with their screws that hold a box, two on each side.
	nutsPerBox = 4
	// pdusPerRack are those of two feeds.
	pdusPerRack = 2
	// managersPerRack are the vertical ones, one on each side of the cables' way down.
	managersPerRack = 2
)

// materials is what an installer brings besides what the bill has. Prices are left to him.
func materials(r *machine.Result) []material {
	s := r.Schedule
	var out []material
	add := func(what string, n int64, unit, how string, args ...any) {
		if n > 0 {
			out = append(out, material{what, n, unit, fmt.Sprintf(how, args...)})
		}
	}
	plugs, cables := int64(0), int64(0)
	polarities := map[cabling.Polarity]map[string]int64{}
	for _, row := range s.Tallies {
		for i := range row {
			for p, n := range row[i].Product {
				c := s.Products[p].Part.Cable
				legs := int64(max(c.Legs, 1))
				cables += n
				plugs += n * (legs + legs*int64(c.FarPlugs()))
			}
		}
	}
	add("cable label", plugs, "piece", "one at every plug of %s", plural(cables, "cable"))
	boxes := int64(0)
	for _, k := range s.Kinds {
		boxes += int64(k.Count)
	}
	add("box label", boxes, "piece", "one on every box")
	if k := s.Patching; k != nil {
		add("panel label", int64(len(k.Panels)), "piece", "one on every panel")
	}
	racked(r, add)
	cords(r, add)
	straps := int64(0)
	for i := range s.Bundles {
		straps += int64(math.Ceil(float64(s.Bundles[i].Longest)/strapEvery)) + 1
	}
	add("hook-and-loop strap", straps, "piece", "one every %v m of %s", strapEvery,
		plural(int64(len(s.Bundles)), "bundle"))
	seen := make([]bool, s.Cables+1) // by number of the cable
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		if polarity := s.Polarity(seg); polarity != "" && !seen[seg.Cable] {
			seen[seg.Cable] = true
			if polarities[polarity] == nil {
				polarities[polarity] = map[string]int64{}
			}
			polarities[polarity][product(s, seg)]++
		}
		return true
	})
	for _, polarity := range slices.Sorted(maps.Keys(polarities)) {
		what := string(polarity)
		if text := polarity.Describe(); text != "" {
			what += " (" + text + ")"
		}
		counts := polarities[polarity]
		for _, item := range slices.Sorted(maps.Keys(counts)) {
			add(item+", polarity type "+what, counts[item], "piece", "of those in the bill, without spares")
		}
	}
	adapterTypes(s, add)
	return out
}

// adapterTypes adds the adapters of patch panels in which plugs with a row of fibres meet.
func adapterTypes(s *cabling.Schedule, add func(what string, n int64, unit, how string, args ...any)) {
	k := s.Patching
	if k == nil || len(k.Trunks) == 0 {
		return
	}
	kind := "A, key up to key down"
	if k.Method == cabling.Reversed {
		kind = "B, key up to key up"
	}
	panel := k.Part.Panel
	places := map[string]int{panel.Connector: panel.Ports} // in each panel
	if panel.Cassette != nil {
		places[panel.RearConnector()] += panel.Ports / panel.Fronts()
	}
	for _, plug := range slices.Sorted(maps.Keys(places)) {
		if !cabling.MultiFibre(plug) {
			continue
		}
		family, _, _ := strings.Cut(plug, "-")
		family = strings.ToUpper(strings.TrimRight(family, "0123456789"))
		add(family+" adapter of type "+kind, int64(len(k.Panels)*places[plug]), "piece",
			"in the patch panels, by polarity method %s", k.Method)
	}
}

// racked adds what goes into racks.
func racked(r *machine.Result, add func(what string, n int64, unit, how string, args ...any)) {
	racks, free, mountedBoxes, beside := int64(0), int64(0), int64(0), map[string]int64{}
	for e := range elevation.Nameless(r) {
		racks++
		for _, m := range e.Stack {
			switch {
			case m.Kind == elevation.Free:
				free += int64(m.Units)
			case m.Unit == 0:
				beside[m.Part]++
			default:
				mountedBoxes++
			}
		}
	}
	add("rack label", 2*racks, "piece", "at the front and at the rear of every rack")
	add("blanking panel of 1 unit", free, "piece", "one for every free unit, so that no air runs back")
	add("cage nut with screw", nutsPerBox*mountedBoxes, "piece", "%d for every box, chassis and panel in units",
		nutsPerBox)
	add("vertical cable manager", managersPerRack*racks, "piece", "%d a rack", managersPerRack)
	most := 0.0
	for _, k := range r.Placement.Racks {
		most = max(most, float64(k.Power))
	}
	if len(beside) == 0 {
		add("rack power distribution unit", pdusPerRack*racks, "piece",
			"%d a rack, on two feeds, each for the whole rack: up to %.1f kW%s", pdusPerRack, most/1e3,
			r.Bill.PowerNote().After())
	}
	for _, part := range slices.Sorted(maps.Keys(beside)) {
		add(part, beside[part], "piece", "beside the units; in the bill")
	}
}

// plugOf is the connector of the cord for an inlet of IEC 60320.
var plugOf = map[string]string{
	"c14": "C13", "c16": "C15", "c18": "C17", "c20": "C19", "c22": "C21", "c6": "C5",
	"c8": "C7",
}

// cords adds power cords by the inlets of the boxes.
func cords(r *machine.Result, add func(what string, n int64, unit, how string, args ...any)) {
	s := r.Schedule
	cord, unstated := map[string]int64{}, map[string]int64{}
	guessed := map[string][]string{} // by inlet, the parts whose inlets are an estimate
	for i, k := range s.Kinds {
		part := s.Boxes[i].Part
		if k.Count > 0 && len(part.Inlets) == 0 && !part.ZeroU { // power distribution units come with theirs
			unstated[part.ID] += int64(k.Count)
		}
		for inlet, n := range part.Inlets {
			if inlet == catalog.Busbar { // a clip
				continue
			}
			cord[inlet] += int64(n) * int64(k.Count)
			if k.Count > 0 && estimatedInlets(part) && !slices.Contains(guessed[inlet], part.ID) {
				guessed[inlet] = append(guessed[inlet], part.ID)
			}
		}
	}
	for _, inlet := range slices.Sorted(maps.Keys(cord)) {
		what := "power cord for inlet " + strings.ToUpper(inlet)
		if plug := plugOf[inlet]; plug != "" {
			what = "power cord with connector " + plug + ", for inlet " + strings.ToUpper(inlet)
		}
		how := "one for every inlet of the boxes"
		if parts := guessed[inlet]; len(parts) > 0 {
			how += "; our estimate for " + english.List(parts)
		}
		add(what, cord[inlet], "piece", "%s", how)
	}
	for _, part := range slices.Sorted(maps.Keys(unstated)) {
		add("power cords of "+part, unstated[part], "box",
			"the part states no inlets: count them, and state them in parts")
	}
}

// estimatedInlets reports whether the inlets of a part are an estimate.
func estimatedInlets(part *catalog.Part) bool {
	return part.Confidence == catalog.Estimate || slices.Contains(part.Estimated, "inlets")
}

// Install writes what an installer brings as comma-separated values: labels, straps, blanking panels, power cords and
// what else the bill does not have.
func Install(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, installColumns)
	for _, m := range materials(r) {
		out.Text(m.what)
		out.Int(m.quantity)
		out.Texts(m.unit, m.how)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// materials is the sheet of an installer's list of materials.
func (b *book) materials() *grid {
	g := &grid{name: materialsSheet, frozen: 1, filterTop: 1}
	g.add(heads("What", "Quantity", "Unit", "How computed")...)
	for _, m := range materials(b.r) {
		g.add(text(m.what), whole(m.quantity), text(m.unit), text(m.how))
	}
	g.filter = g.next() - 1
	g.add()
	g.add(text("Not in the bill. How many is our estimate where it says a rack, a box or every so many metres.").
		as(note))
	return g
}
