package embed

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// refuse returns the error about racks that do not fit into a room: how many racks there are of which class, why
// positions are not free, and what would fit; or which anti-affinity rule cannot hold in the room.
func (fl *floor) refuse(ctx context.Context, room *layout.Room, places []int32) error {
	if err := fl.tooFewStated(room); err != nil {
		return err
	}
	if err := fl.checkDomains(room); err != nil {
		return err
	}
	if len(fl.blocks) > 0 && !fl.tooClose && len(fl.f.racks) <= len(room.Places) {
		return fl.refuseBlock(room)
	}
	if fl.tooClose {
		return fl.remainingViolation(room, places)
	}
	have := room.Supply()
	empty, fit := fl.describeFit(room)
	if empty > 0 {
		fit = fmt.Sprintf("; %s left empty, as the rows bear no more", english.Count(empty, "position")) + fit
	}
	return diag.Fieldf("Room", "%d racks for %d rack positions that are free (%s%s): %s%s\n%s%s",
		len(fl.f.racks), have.Free, have.Words(), describeLost(&have), fl.racksByClass(), fit, fl.needs(),
		fl.suffices(ctx))
}

// suffices returns a line that names the lowest rack power with which everything would fit, and about how many racks
// that takes (optics may take some more). It is "" if no power suffices, or if racks have no limit of power.
func (fl *floor) suffices(ctx context.Context) string {
	p := fl.p
	if p.trial || p.Room.Rack.Power <= 0 {
		return ""
	}
	var powers []units.Power // each lets a rack hold one more box of some kind
	for i := range p.Kinds {
		k := &p.Kinds[i]
		each := k.Power + k.Plugged
		if k.Class == Beside || each <= 0 || p.Graph.Kinds()[i].Count == 0 {
			continue
		}
		for n := 1; n <= p.Room.Rack.Units; n++ {
			if power := roundUp(units.Power(n) * each); power > p.Room.Rack.Power {
				powers = append(powers, power)
			}
		}
	}
	slices.Sort(powers)
	powers = slices.Compact(powers)
	racks := make([]int, len(powers)) // that each power takes
	at := sort.Search(len(powers), func(i int) bool {
		racks[i] = p.racksOf(ctx, powers[i])
		return racks[i] > 0
	})
	if at == len(powers) {
		return ""
	}
	return fmt.Sprintf("\nwith racks of %v everything would fit, in about %d of them", powers[at], racks[at])
}

// roundUp rounds a power in W up to whole kilowatts, as the power of racks is usually stated.
func roundUp(p units.Power) units.Power { return units.Power(math.Ceil(float64(p)/1000-1e-9) * 1000) }

// racksOf returns the number of racks that hold everything, by the first packing that fits into the room, if each rack
// may draw the given power; 0 if none fits.
func (p *Problem) racksOf(ctx context.Context, power units.Power) int {
	q, room := *p, *p.Room
	room.Rack.Power = power
	if room.Names != nil {
		room.Types = slices.Clone(room.Types)
		for i := range room.Types {
			room.Types[i].Power = max(power, room.Types[i].Power)
		}
	}
	q.Room, q.trial = &room, true
	for q.packing = range packings {
		f := newFiller(&q)
		if _, _, err := f.inRoom(ctx); err == nil {
			return len(f.racks)
		}
		if p.Grouped {
			break
		}
	}
	return 0
}

// describeLost returns the number of positions that are not free by cause, as text.
func describeLost(s *layout.Supply) string {
	var out []string
	for why, n := range s.Lost {
		if n > 0 && layout.Cause(why) != layout.Reserved {
			out = append(out, fmt.Sprintf("%d lost to %s", n, causeNames[why])+ofLayers(s, layout.Cause(why)))
		}
	}
	for _, k := range s.Kept {
		words := fmt.Sprintf("%d reserved", k.Count)
		if k.For != "" {
			words += " for " + k.For
		}
		out = append(out, words)
	}
	if s.Gaps > 0 {
		out = append(out, fmt.Sprintf("%s of every row to gaps", english.Count(s.Gaps, "position")))
	}
	if len(out) == 0 {
		return ""
	}
	return ", " + english.List(out)
}

// causeNames are the causes for which rack positions are not free, as messages name them.
var causeNames = [layout.Causes]string{
	layout.Column: "columns", layout.DoorZone: "the floor before doors", layout.KeptFree: "keep-outs",
	layout.Walled: "walls",
}

// ofLayers lists the layers of an imported drawing that positions are lost to by one cause, in brackets; "" if there
// are none.
func ofLayers(s *layout.Supply, why layout.Cause) string {
	var out []string
	for _, l := range s.Layers {
		if l.Why == why {
			out = append(out, fmt.Sprintf("%d on layer %s", l.Positions, l.Layer))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// racksByClass returns the number of racks of each class as text.
func (fl *floor) racksByClass() string {
	var count [Beside]int
	for i := range fl.f.racks {
		count[fl.f.racks[i].home.class]++
	}
	var out []string
	for class, name := range [Beside]string{
		"of nodes", "at the ends of rows", "in the middle of rows", "of network rows",
	} {
		if count[class] > 0 {
			out = append(out, fmt.Sprintf("%d %s", count[class], name))
		}
	}
	return english.List(out)
}

// describeFit returns a text about the racks and boxes that would fit into the room, and how many of its free positions
// they leave empty.
func (fl *floor) describeFit(room *layout.Room) (empty int, words string) {
	others := len(fl.f.racks) - len(fl.inRack)
	if len(fl.blocks) > 0 {
		return 0, ""
	}
	if others >= len(room.Places) {
		return 0, ""
	}
	if len(room.Spec.Types) > 0 {
		return 0, fl.byTypes(room)
	}
	part := *fl
	part.inRack = fl.inRack[:min(len(fl.inRack), len(room.Places)-others)]
	part.groups = nil
	part.assign(room, anywhere)
	stands := make([]bool, len(fl.f.racks))
	for i := range stands {
		stands[i] = fl.f.racks[i].home.class != InRack
	}
	for _, r := range part.inRack[:part.placed] {
		stands[r] = true
	}
	var boxes []string
	for _, k := range fl.f.kinds {
		n := 0
		for _, s := range fl.f.spots[k.First : k.First+k.Count] {
			if stands[s.rack] {
				n++
			}
		}
		if n < k.Count {
			boxes = append(boxes, fmt.Sprintf("%d of %d of kind %s", n, k.Count, k.Name))
		}
	}
	words = "; " + english.Count(others+part.placed, "rack") + " would fit"
	if len(boxes) > 0 {
		words += ", with " + english.List(boxes)
	}
	return len(room.Places) - others - part.placed, words
}

// byTypes returns the number of racks of each type and of positions for them, as text.
func (fl *floor) byTypes(room *layout.Room) string {
	racks, places := make([]int, len(room.Spec.Types)+1), make([]int, len(room.Spec.Types)+1)
	for i := range fl.f.racks {
		racks[fl.f.racks[i].state.of]++
	}
	for i := range room.Places {
		places[room.Places[i].Type]++
	}
	words := ""
	for i := range racks {
		name := "the usual type"
		if of := room.Spec.Type(i).Name; of != "" {
			name = "type " + of
		}
		words += fmt.Sprintf("; %s of %s for %s", english.Count(racks[i], "rack"), name,
			english.Count(places[i], "position"))
	}
	return words
}

// needs returns, as text, how many racks each kind of boxes takes, how many boxes of it one rack can hold, and which
// limit sets that number.
func (fl *floor) needs() string {
	var lines []string
	for i, k := range fl.f.kinds {
		if k.Count == 0 || fl.p.Kinds[i].Class == Beside {
			continue
		}
		racks := map[int32]bool{}
		for _, s := range fl.f.spots[k.First : k.First+k.Count] {
			racks[s.rack] = true
		}
		lines = append(lines, fmt.Sprintf("%d of kind %s stand in %s: %s", k.Count, k.Name,
			english.Count(len(racks), "rack"), fl.f.limit(i)))
	}
	return strings.Join(lines, "; ")
}

// limit returns, as text, how many boxes of a kind an empty rack can hold and which limit sets that number.
func (f *filler) limit(kind int) string {
	k := &f.p.Kinds[kind]
	of := k.types()[0]
	t, v := f.p.Room.Type(of), int32(f.kinds[kind].First)
	r := rackState{of: of}
	n := 0
	for ; n < topology.Vertices(f.p.Graph); n++ {
		if _, ok := f.put(&r, v, false); !ok {
			break
		}
	}
	power, weight, chassis := float64(k.Power+k.Plugged)*float64(n+1), float64(k.Weight)*float64(n+1), ""
	if k.chassis() >= 0 {
		if c := &f.p.Chassis[k.chassis()]; c.Power > 0 || c.Weight > 0 {
			many := float64(n/c.Cells() + 1) // chassis that n+1 boxes need
			power, weight, chassis = power+many*float64(c.Power), weight+many*float64(c.Weight), ", chassis on top"
		}
	}
	why := fmt.Sprintf("its %d units", t.Units)
	switch {
	case k.PerRack > 0 && n >= k.PerRack:
		why = "per_rack"
	case !f.antiAffinity.takes(&r, v):
		why = "anti-affinity (embedding.apart)"
	case t.Power > 0 && power > float64(t.Power)+1e-9:
		why = fmt.Sprintf("its power, %v of %v each%s", k.Power+k.Plugged, t.Power, chassis)
	case t.Weight > 0 && weight > float64(t.Weight)+1e-9:
		why = fmt.Sprintf("its weight, %v of %v each%s", k.Weight, t.Weight, chassis)
	}
	return fmt.Sprintf("a rack holds %d, by %s", n, why)
}
