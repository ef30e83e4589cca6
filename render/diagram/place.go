package diagram

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// named is the most vertices whose names are written on a circle, in a lattice, or in a tier.
const named, namedInTier = 72, 32

// mostName is the most that a name is wide.
const mostName = 120

// place finds a place for every vertex: in a lattice by its coordinates, in tiers where there are several kinds of
// switches, on a circle otherwise.
func (d *graphDrawing) place() {
	n := topology.Vertices(d.Graph)
	d.at = make([][2]float64, n)
	d.radius = max(2, min(16, 0.25*d.across()/math.Sqrt(float64(n)+1)/2))
	grid := topology.GridOf(d.Graph)
	switch {
	case isLattice(grid):
		d.lattice(grid)
	case d.isTiered():
		d.tiers()
	default:
		d.circle()
	}
}

// isLattice reports whether a graph is drawn by its coordinates.
func isLattice(grid topology.Lattice) bool {
	return grid != nil && (len(grid.Dims()) > 1 || !grid.Wraps(0))
}

// isTiered reports whether a graph is drawn in tiers: it has several kinds of switches, or of boxes, or boxes on more
// than one switch, and no lattice.
func (d *graphDrawing) isTiered() bool {
	switches := 0
	for _, k := range d.kinds {
		if k.Role == topology.Switch && k.Count > 0 {
			switches++
		}
	}
	return (switches > 1 || len(d.kinds) > 2 || d.hasSharedBoxes()) && !isLattice(topology.GridOf(d.Graph))
}

// hasSharedBoxes reports whether a vertex that does not forward has links to several others.
func (d *graphDrawing) hasSharedBoxes() bool {
	terminal := make([]bool, topology.Vertices(d.Graph))
	for _, k := range d.kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			terminal[v] = k.Role == topology.Terminal
		}
	}
	other := make(map[int32]int32)
	for l := range d.Graph.Links() {
		for _, ends := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if before, is := other[ends[0]]; terminal[ends[0]] && is && before != ends[1] {
				return true
			}
			other[ends[0]] = ends[1]
		}
	}
	return false
}

// toPixels maps points of a rectangle to the sheet, and returns the scale.
func (d *graphDrawing) toPixels(width, height float64) float64 {
	side := d.across()
	scale := side / max(width, height, 1)
	d.high = max(height*scale, 200)
	for v := range d.at {
		d.at[v][0] = margin + side/2 + (d.at[v][0]-width/2)*scale
		d.at[v][1] = headHeight + margin + d.high/2 + (d.at[v][1]-height/2)*scale
	}
	return scale
}

// lattice puts routers at their coordinates: the first two dimensions across and down, each such plane as a block.
func (d *graphDrawing) lattice(grid topology.Lattice) {
	dims := grid.Dims()
	routers := 1
	for _, n := range dims {
		routers *= n
	}
	plane := [2]int{dims[0], 1} // the first two dimensions
	if len(dims) > 1 {
		plane[1] = dims[1]
	}
	const between = 0.6 // blocks
	blocks := routers / (plane[0] * plane[1])
	wide, high := float64(plane[0])+between, float64(plane[1])+between
	columns := max(1, min(blocks, int(math.Ceil(math.Sqrt(float64(blocks)*high/wide)))))
	rows := (blocks + columns - 1) / columns
	size := [2]float64{float64(columns)*wide - between, float64(rows)*high - between}
	terminals := grid.TerminalsPerRouter()
	for v := range d.at {
		r, t := v, -1
		if v >= routers {
			if terminals == 0 || (v-routers)/terminals >= routers {
				continue
			}
			r, t = (v-routers)/terminals, (v-routers)%terminals
		}
		block := r / (plane[0] * plane[1])
		p := [2]float64{
			0.5 + float64(r%plane[0]) + float64(block%columns)*wide,
			0.5 + float64(r/plane[0]%plane[1]) + float64(block/columns)*high,
		}
		if t >= 0 {
			sin, cos := math.Sincos(math.Pi/6 + math.Pi/3*(float64(t)+0.5)/float64(terminals))
			p[0], p[1] = p[0]+0.32*cos, p[1]+0.32*sin
		}
		d.at[v] = p
	}
	scale := d.toPixels(size[0], size[1])
	d.radius = max(1.5, min(d.radius, 0.12*scale))
	d.bend, d.near = true, 1.7*scale
	if scale < 60 {
		return
	}
	d.label = make([][2]float64, len(d.at))
	// up to the next name, and to the edge of the page
	d.room = min(mostName, scale-4, scale/2+margin-d.radius-5)
	for v := range routers {
		d.label[v] = [2]float64{d.at[v][0] + d.radius + 3, d.at[v][1] - d.radius - 5}
	}
}

// tiers puts every kind of switches in a tier of its own, in their order from below, and all else in one at the bottom.
func (d *graphDrawing) tiers() {
	var order []int
	for i, k := range d.kinds {
		if k.Count > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Compare(rank(d.kinds[x].Role), rank(d.kinds[y].Role))
	})
	var tiers [][]int // vertices, from the bottom
	for i, kind := range order {
		k := d.kinds[kind]
		if i == 0 || k.Role == topology.Switch {
			tiers = append(tiers, nil)
		}
		last := &tiers[len(tiers)-1]
		for v := k.First; v < k.First+k.Count; v++ {
			*last = append(*last, v)
		}
	}
	edge := max(0.05, 60/d.across()) // above and below the tiers, with room for three lines of names
	d.label = make([][2]float64, len(d.at))
	d.align, d.room = 0.5, mostName
	for tier, all := range tiers {
		y := 1 - edge - (1-2*edge)*float64(tier)/float64(max(1, len(tiers)-1))
		for i, v := range all {
			d.at[v] = [2]float64{(float64(i) + 0.5) / float64(len(all)), y}
		}
	}
	d.toPixels(1, 1)
	for tier, all := range tiers {
		d.radius = max(1.5, min(d.radius, 0.4*d.across()/float64(len(all))))
		if float64(len(all)) > namedInTier*d.across()/body {
			continue
		}
		lines := 1 + int(float64(len(all))*130/d.across()) // so that neighbours have room
		for i, v := range all {
			aside := 24 + 15*float64(i%lines)
			if tier > 0 {
				aside = -aside
			}
			d.label[v] = [2]float64{d.at[v][0], d.at[v][1] + aside}
		}
	}
}

func rank(r topology.Role) int {
	if r == topology.Switch {
		return 1
	}
	return 0
}

// circle puts what forwards on a circle, group by group, and terminals outside of what they are plugged into.
func (d *graphDrawing) circle() {
	group := func(int) int32 { return 0 }
	if nests := d.Graph.Groupings(); len(nests) > 0 {
		group = nests[len(nests)-1].Of
	}
	var ring []int
	hangs := map[int][]int{}
	terminal := make([]bool, len(d.at))
	for _, k := range d.kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if terminal[v] = k.Role == topology.Terminal; !terminal[v] {
				ring = append(ring, v)
			}
		}
	}
	placed := make([]bool, len(d.at))
	for l := range d.Graph.Links() {
		a, b := int(l.A), int(l.B)
		if terminal[b] {
			a, b = b, a
		}
		if terminal[a] && !terminal[b] && !placed[a] {
			placed[a] = true
			hangs[b] = append(hangs[b], a)
		}
	}
	slices.SortStableFunc(ring, func(x, y int) int { return cmp.Compare(group(x), group(y)) })
	const between = 1.5 // places between groups
	places, breaks := float64(len(ring)), 0
	for i := range ring {
		if group(ring[i]) != group(ring[(i+1)%len(ring)]) {
			breaks++
		}
	}
	places += between * float64(breaks)
	inner, outer := 0.42, 0.46
	if len(hangs) > 0 {
		inner = 0.36
	}
	if float64(len(ring)) <= named*d.across()/body {
		d.label = make([][2]float64, len(d.at))
		d.radial = true
	}
	at := 0.0
	spread := func(v int, turn, r float64) {
		sin, cos := math.Sincos(2*math.Pi*turn - math.Pi/2)
		d.at[v] = [2]float64{0.5 + r*cos, 0.5 + r*sin}
	}
	for i, v := range ring {
		spread(v, at/places, inner)
		for k, t := range hangs[v] {
			spread(t, (at+0.8*((float64(k)+0.5)/float64(len(hangs[v]))-0.5))/places, outer-0.045)
		}
		if d.label != nil {
			r := inner + 0.025
			if len(hangs) > 0 {
				r = outer - 0.02
			}
			sin, cos := math.Sincos(2*math.Pi*at/places - math.Pi/2)
			d.label[v] = [2]float64{margin + d.across()*(0.5+r*cos), headHeight + margin + d.across()*(0.5+r*sin)}
			d.room = min(mostName, d.across()*(0.5-r)+margin/2)
		}
		at++
		if next := ring[(i+1)%len(ring)]; group(next) != group(v) {
			at += between
		}
	}
	for v := range d.at { // terminals of nothing
		if terminal[v] && !placed[v] {
			d.at[v] = [2]float64{0.5, 0.5}
		}
	}
	d.toPixels(1, 1)
	d.radius = max(1.5, min(d.radius, 0.35*2*math.Pi*inner*d.across()/places))
}
