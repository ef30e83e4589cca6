package asbuilt

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/growth"
	"github.com/plenum-planner/plenum/topology"
)

// MostLayerPanels is the highest number of patch panels in a layer. Compare refuses more.
const MostLayerPanels = 1024

// mostLayerJumpers bounds lower blocks x upper blocks x panels. At the bound, jumpers are found in about a minute;
// above it, a layer has no figures (Layer.Why).
const mostLayerJumpers = 100_000

// Layer says how a layer of patch panels between two kinds of switches would change their growth. Every block of
// switches would have the same number of ports on each panel, and a link would be a jumper on one panel, so that
// growing moves jumpers but no cable of a block (Zhao and others, NSDI 2019). Links are counted by their channels.
//
// Lower, Upper and Panels are always set. Moved, which counts the jumpers of the old plan that are pulled, is minimized
// by a heuristic. Keeps is about all blocks of the old plan, lower and upper. The comments of the fields are also the
// text of the reference of JSON documents.
type Layer struct {
	Lower  string `json:"lower"`  // the kind of switch nearer to the nodes
	Upper  string `json:"upper"`  // the kind above
	Panels int    `json:"panels"` // of the layer
	// Why is the reason why no figures can be given for the layer; left out if they are given. Without figures, `links`
	// and `moved_without_layer` are set, all others are 0.
	Why string `json:"unknown_because,omitempty"`
	// Block is the kind of the lower blocks: a group of the topology, such as `pod`, or `switch` for single switches.
	Block       string `json:"block"`
	LowerBlocks [2]int `json:"lower_blocks"` // of the old plan and the new
	UpperBlocks [2]int `json:"upper_blocks"` // of the old plan and the new, each a switch
	// Links is the number of links of the old plan between the two kinds.
	Links int `json:"links"`
	// MovedCables is the number of these links that the new plan does not have between the same switches. Without the
	// layer, each is a cable that moves to another switch.
	MovedCables int `json:"moved_without_layer"`
	Moved       int `json:"moved_jumpers"` // with the layer
	// LeastMoved is a lower bound on `moved_jumpers`: the minimum with one panel in place of all.
	LeastMoved int `json:"least_moved_jumpers"`
	// Stages is the number of stages in which the panels change. All jumpers of a panel that move do so in one stage.
	Stages int `json:"stages"`
	// Keeps is true if every block keeps the required share of its links in every stage.
	Keeps bool `json:"keeps_capacity"`
}

// findLayers returns a Layer, with the given number of panels (from 1 to MostLayerPanels), for every pair of different
// kinds of switches with links between them in either plan, if the new plan has both kinds. Layers are ordered by the
// lower kind, then by the upper kind, both in the order of the new plan's kinds. residual, from 0 to 1, is the share of
// its links in the old plan that every block must keep in each stage. Patch panels of the plans themselves are left
// out.
func (d *Difference) findLayers(panels int, residual float64) []Layer {
	rank := map[string]int{} // by kind: its number in the new plan
	for i, k := range d.New.Schedule.Kinds {
		rank[k.Name] = i
	}
	joined := map[[2]string]bool{}
	for _, inv := range d.inv {
		for i := range inv.channels {
			a, b := &d.Boxes[inv.channels[i].a], &d.Boxes[inv.channels[i].b]
			_, known := rank[a.Kind]
			_, also := rank[b.Kind]
			if !a.swtch || !b.swtch || a.Kind == b.Kind || !known || !also {
				continue
			}
			if rank[a.Kind] > rank[b.Kind] {
				a, b = b, a
			}
			joined[[2]string{a.Kind, b.Kind}] = true
		}
	}
	out := []Layer{}
	for _, kinds := range slices.SortedFunc(maps.Keys(joined), func(x, y [2]string) int {
		return cmp.Or(cmp.Compare(rank[x[0]], rank[y[0]]), cmp.Compare(rank[x[1]], rank[y[1]]))
	}) {
		l := Layer{Lower: kinds[0], Upper: kinds[1], Panels: panels}
		if err := d.computeLayer(&l, residual); err != nil {
			l.Why = err.Error()
		}
		out = append(out, l)
	}
	return out
}

// computeLayer sets the figures of a layer whose kinds and number of panels are set. It takes single switches as lower
// blocks. If these cannot have such a layer, it tries the groups of each level of the new topology that the old one has
// too, by name, and takes the first level whose groups can. The error says why single switches cannot; only Links and
// MovedCables are set then.
func (d *Difference) computeLayer(l *Layer, residual float64) error {
	l.Links, l.MovedCables = d.countLinksBetween(l.Lower, l.Upper)
	of, err := d.switchBlocks(l.Lower, l.Upper)
	if err != nil {
		return err
	}
	if err = d.setFigures(l, "switch", of, residual); err == nil {
		return nil
	}
	nests := [2][]topology.Grouping{d.Old.Graph.Groupings(), d.New.Graph.Groupings()}
	for _, nest := range nests[1] {
		i := slices.IndexFunc(nests[0], func(o topology.Grouping) bool { return o.Name == nest.Name })
		if i < 0 {
			continue
		}
		if blocks, ok := d.blocksOfGroups(l.Lower, [2]topology.Grouping{nests[0][i], nest}); ok &&
			d.setFigures(l, nest.Name, [2]map[int32]int32{blocks, of[1]}, residual) == nil {
			return nil
		}
	}
	return err
}

// countLinksBetween returns the number of channels of the old plan between two kinds of boxes, and how many of them the
// new plan does not have between the same two boxes. Which ports they use does not matter.
func (d *Difference) countLinksBetween(lower, upper string) (links, moved int) {
	count := map[[2]int32]int{}
	for side, inv := range d.inv {
		for i := range inv.channels {
			ch := &inv.channels[i]
			a, b := d.Boxes[ch.a].Kind, d.Boxes[ch.b].Kind
			if a == lower && b == upper || a == upper && b == lower {
				count[[2]int32{min(ch.a, ch.b), max(ch.a, ch.b)}] += 1 - 2*side
				links += 1 - side
			}
		}
	}
	for _, more := range count {
		moved += max(more, 0)
	}
	return links, moved
}

// switchBlocks gives every lower (of[0]) and every upper (of[1]) switch a block of its own. Keys are indices in
// Difference.Boxes; blocks are numbered from 0 in that order, so that those of the old plan come first. It returns an
// error, which names the switch, if the old plan has a switch of these kinds that the new plan does not have.
func (d *Difference) switchBlocks(lower, upper string) (of [2]map[int32]int32, err error) {
	of = [2]map[int32]int32{{}, {}}
	for v := range d.Boxes {
		b := &d.Boxes[v]
		for side, kind := range [2]string{lower, upper} {
			if b.Kind != kind {
				continue
			}
			if b.To == nil {
				return of, fmt.Errorf("the new plan does not have %s", b.Name)
			}
			of[side][int32(v)] = int32(len(of[side]))
		}
	}
	return of, nil
}

// blocksOfGroups returns the number of the block of each lower switch, by its index in Difference.Boxes. The blocks are
// the groups of one level of the new topology, numbered from 0; those with switches of the old plan come first. nests
// has the level in the old and in the new topology. It returns false if a switch is in no group of the new plan, or if
// the old plan divides its switches otherwise. A group may have further switches in the new plan.
func (d *Difference) blocksOfGroups(lower string, nests [2]topology.Grouping) (map[int32]int32, bool) {
	out, number := map[int32]int32{}, map[int32]int32{} // of blocks: by box; by group of the new plan
	group := [2]map[int32]int32{{}, {}}                 // by box
	for side, inv := range d.inv {
		for v, box := range inv.box {
			if v < topology.Vertices(inv.plan.Graph) && d.Boxes[box].Kind == lower {
				group[side][box] = nests[side].Of(v)
			}
		}
	}
	was := map[int32]int32{} // by group of the new plan: that of the old plan with the same boxes
	for _, box := range slices.Sorted(maps.Keys(group[1])) {
		g := group[1][box]
		if g < 0 {
			return nil, false
		}
		if old, ok := group[0][box]; ok {
			if before, ok := was[g]; ok && before != old {
				return nil, false
			}
			was[g] = old
		}
		if _, ok := number[g]; !ok { // boxes of the old plan come first
			number[g] = int32(len(number))
		}
		out[box] = number[g]
	}
	seen := map[int32]bool{}
	for _, old := range was {
		if seen[old] {
			return nil, false
		}
		seen[old] = true
	}
	return out, true
}

// setFigures sets the figures of a layer for given blocks of lower and upper switches, by index in Difference.Boxes;
// name is the kind of the lower blocks. In both plans, the number of links of every lower block must be a multiple of
// the number of panels, at least the number of upper blocks, and divided evenly among these: any two numbers differ by
// one at most. The error says which of these does not hold, or that mostLayerJumpers is exceeded; l is unchanged then.
// For the panels on which the old plan's jumpers are, setFigures assumes those that growth.Panels.Rewire chooses.
func (d *Difference) setFigures(l *Layer, name string, of [2]map[int32]int32, residual float64) error {
	count := [2]int{}
	for side := range of {
		for _, n := range of[side] {
			count[side] = max(count[side], int(n)+1)
		}
	}
	if n := count[0] * count[1] * l.Panels; n > mostLayerJumpers {
		return fmt.Errorf("%d blocks below, %d above and %d panels are more than Plenum finds jumpers for", count[0],
			count[1], l.Panels)
	}
	links := [2]map[[2]int32]int{{}, {}} // between blocks
	var ends [2][2]map[int32]int         // links of each block, by plan, lower and upper
	for side, inv := range d.inv {
		ends[side] = [2]map[int32]int{{}, {}}
		for i := range inv.channels {
			a, b := inv.channels[i].a, inv.channels[i].b
			if d.Boxes[a].Kind == l.Upper {
				a, b = b, a
			}
			if d.Boxes[a].Kind != l.Lower || d.Boxes[b].Kind != l.Upper {
				continue
			}
			lower, upper := of[0][a], of[1][b]
			links[side][[2]int32{lower, upper}]++
			ends[side][0][lower]++
			ends[side][1][upper]++
		}
	}
	ports := 0 // of an upper block on each panel
	for side := range ends {
		for _, n := range ends[side][1] {
			ports = max(ports, (n+l.Panels-1)/l.Panels)
		}
	}
	fabric := [2]*growth.Panels{}
	for side := range fabric {
		f := &growth.Panels{Count: l.Panels}
		for range len(ends[side][1]) {
			f.Upper = append(f.Upper, ports)
		}
		for a := range int32(len(ends[side][0])) {
			n := ends[side][0][a]
			switch {
			case n%l.Panels > 0:
				return fmt.Errorf("the %s of a %s do not divide among %s", english.Count(n, "link"), name,
					english.Count(l.Panels, "panel"))
			case n < len(f.Upper):
				return fmt.Errorf("a %s has fewer links than there are switches above, %d of %d", name, n, len(f.Upper))
			}
			for b := range int32(len(f.Upper)) {
				if x := links[side][[2]int32{a, b}]; x < n/len(f.Upper) || x > (n+len(f.Upper)-1)/len(f.Upper) {
					return fmt.Errorf("the links of a %s are not spread over all %s alike", name, l.Upper)
				}
			}
			f.Lower = append(f.Lower, n/l.Panels)
		}
		fabric[side] = f
	}
	before, _ := fabric[0].Rewire(nil)
	after, least := fabric[1].Rewire(before)
	l.Block, l.Moved, l.LeastMoved = name, growth.CountMoved(before, after), least
	l.LowerBlocks = [2]int{len(fabric[0].Lower), len(fabric[1].Lower)}
	l.UpperBlocks = [2]int{len(fabric[0].Upper), len(fabric[1].Upper)}
	var stage []int
	stage, l.Keeps = fabric[1].Stages(before, after, residual)
	for _, s := range stage {
		l.Stages = max(l.Stages, s+1)
	}
	return nil
}

// Share returns moved jumpers in per cent of all links of the old plan between the two kinds, rounded to 0.01. It is 0
// without links, and for a layer without figures.
func (l *Layer) Share() float64 {
	if l.Links == 0 {
		return 0
	}
	return math.Round(float64(l.Moved)/float64(l.Links)*1e4) / 100
}
