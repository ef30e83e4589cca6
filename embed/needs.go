package embed

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// needs says what takes the racks of a room: how many of each kind of box one rack
// holds at most, and by which of its limits.
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
	return "\n" + strings.Join(lines, "; ")
}

// limit says how many boxes of a kind an empty rack holds, and why no more.
func (f *filler) limit(kind int) string {
	k, t := &f.p.Kinds[kind], &f.p.Room.Rack
	v := int32(f.kinds[kind].First)
	var r rackState
	n := 0
	for ; n < topology.Vertices(f.p.Graph); n++ {
		if _, ok := f.put(&r, v, false); !ok {
			break
		}
	}
	why := fmt.Sprintf("its %d units", t.Units)
	switch {
	case k.PerRack > 0 && n >= k.PerRack:
		why = "per_rack"
	case t.Power > 0 && float64(k.Power+k.Plugged)*float64(n+1) > float64(t.Power)+1e-9:
		why = fmt.Sprintf("its power, %v of %v each", k.Power+k.Plugged, t.Power)
	case t.Weight > 0 && float64(k.Weight)*float64(n+1) > float64(t.Weight)+1e-9:
		why = fmt.Sprintf("its weight, %v of %v each", k.Weight, t.Weight)
	}
	return fmt.Sprintf("a rack holds %d, by %s", n, why)
}
