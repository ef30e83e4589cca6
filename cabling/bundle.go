package cabling

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// DefaultBundle is the most cables in a bundle where nothing is said: a bundle
// of two dozen copper cables of 8 mm is about 46 mm thick, which a hand can hold
// and a hook-and-loop strap close (our estimate).
const DefaultBundle = 24

// Bundle is cables between the same two racks that are tied together and pulled
// at once, on one way. Copper and fibre are not mixed; only where cables had to
// be led around full trays may some of a bundle's copper cables have become
// fibre.
type Bundle struct {
	A, B   int32 // rack positions, A < B
	Way    int32 // index in Schedule.Ways; -1 off the trays
	Cables int32 // jackets that have a product
	Copper int32 // of them
	Bare   int32 // of them, of parts that state no diameter: with any, cross-section and diameter are lower bounds
	// Longest and Shortest are the lengths that its cables need, slack included, those without a product too; Bought is
	// the sum of the ordered lengths of those that have one.
	Longest, Shortest, Bought units.Length

	tied    int32   // cables, those without a product too
	light   int32   // of Cables, of parts that state no weight
	area    int64   // of the cables' cross-sections, in areaUnit
	weight  int64   // of a metre of all cables, in milligrams
	mass    int64   // as bought, in tenths of a microgram
	thick   float32 // the largest diameter in it
	spare   float32 // what the run may grow by before a cable has no product
	bend    float32 // the largest of the least bend radii of its cables
	heights float32 // sum of the heights of its ports over their floors
}

// Kind is copper, fibre or mixed; empty where no cable has a product.
func (b *Bundle) Kind() string {
	switch {
	case b.Cables == 0:
		return ""
	case b.Copper == 0:
		return "fibre"
	case b.Copper == b.Cables:
		return "copper"
	}
	return "mixed"
}

// Area is the sum of the cross-sections of its cables, those of Bare left out.
func (b *Bundle) Area() units.Area { return inArea(b.area) }

// LineWeight is what a metre of it weighs; cables whose parts state no weight count as 0.
func (b *Bundle) LineWeight() units.Mass { return units.Mass(float64(b.weight) / 1e6) }

// Weight is that of its cables in their ordered lengths; cables whose parts state no weight count as 0.
func (b *Bundle) Weight() units.Mass { return units.Mass(float64(b.mass) / 1e10) }

// Diameter estimates the diameter of the bundle: that of the smallest circle around as many equal circles of the same
// total area, and at least that of its thickest cable. Cables without a diameter are left out; it is 0 if none has one.
func (b *Bundle) Diameter() units.Length {
	if b.Cables == 0 || b.area == 0 {
		return 0
	}
	measured := b.Cables - b.Bare
	each := math.Sqrt(float64(b.area) * areaUnit / float64(measured) * 4 / math.Pi)
	return max(units.Length(each*packingDiameter(int(measured))), units.Length(b.thick)).Round4()
}

// packings are the diameters of the smallest circles known to hold 0 to 20 equal
// circles of diameter 1. Graham, Lubachevsky, Nurmela and Östergård, "Dense
// packings of congruent circles in a circle", Discrete Mathematics 181 (1998).
// Those up to 13, and 19, are proven.
var packings = [...]float64{
	0, 1, 2, 2.155, 2.415, 2.702, 3, 3, 3.305, 3.614, 3.814,
	3.924, 4.030, 4.237, 4.329, 4.522, 4.616, 4.793, 4.864, 4.864, 5.123,
}

// packingDiameter returns the diameter of a circle that holds n circles of diameter 1. Above
// 20 it is that of rings of 6, 12, 18, ... circles around one: 1 + 2k for
// 1 + 3k(k+1) circles, and between them sqrt((4n-1)/3), which takes the same
// values there. The best packings known are up to 5 % smaller.
func packingDiameter(n int) float64 {
	if n < len(packings) {
		return packings[n]
	}
	return math.Sqrt(float64(4*n-1) / 3)
}

// bundler puts cables into bundles as they come.
type bundler struct {
	s       *Schedule
	most    int32
	table   numbering[wayKey]
	current []int32  // of each base way: the bundle that is being filled, from 1
	strands []strand // of products, as far as they are known
	// assigned is the way of every bundle, in the order in which bundles are
	// begun, from an earlier round; nil in the first.
	assigned []int32
}

// base returns the number of the base way of a cable between two racks: of a group of media, whose shortest way is on
// level (-1 off the trays) and run long.
func (b *bundler) base(rackA, rackB, level int32, group uint8, copper bool, run units.Length) int32 {
	rackA, rackB = min(rackA, rackB), max(rackA, rackB)
	base, known := b.table.find(wayKey{rackA, rackB, int16(level), group, copper})
	if !known {
		b.current = append(b.current, 0)
		if level >= 0 && b.assigned == nil {
			b.s.Ways = append(b.s.Ways,
				Way{A: rackA, B: rackB, Level: uint8(level), group: group, detour: -1, Run: run})
		}
	}
	return base
}

// bundle returns the number of the bundle, from 1, that the next cable of a base way goes into.
func (b *bundler) bundle(base int32) int32 {
	n := b.current[base]
	if n == 0 || b.s.Bundles[n-1].tied == b.most {
		key := &b.table.keys[base]
		way := int32(-1)
		if key.level >= 0 {
			way = base
		}
		if b.assigned != nil {
			way = b.assigned[len(b.s.Bundles)]
		}
		if len(b.s.Bundles) == cap(b.s.Bundles) { // append alone would grow them by a quarter, and copy them often
			b.s.Bundles = slices.Grow(b.s.Bundles, max(1024, len(b.s.Bundles)))
		}
		b.s.Bundles = append(b.s.Bundles,
			Bundle{A: key.a, B: key.b, Way: way, spare: math.MaxFloat32, Shortest: units.Length(math.Inf(1))})
		n = int32(len(b.s.Bundles))
		b.current[base] = n
	}
	return n
}

// strand is what a cable of a product adds to its bundle.
type strand struct {
	bought             units.Length
	area, weight, mass int64
	copper, bare       int32
	light              int32 // 1 for a part that states no weight
	thick, bend        float32
}

func newStrand(p *Product) strand {
	s := strand{
		bought: p.Length, area: cableArea(p.Part), weight: lineWeight(p.Part),
		mass:  lineWeight(p.Part) * int64(math.Round(float64(p.Length)*1e4)),
		thick: float32(p.Part.Cable.Diameter), bend: float32(p.Part.Cable.Bend),
	}
	if isCopper(p.Part.Cable.Medium) {
		s.copper = 1
	}
	if p.Part.Cable.Diameter == 0 {
		s.bare = 1
	}
	if p.Part.Weight == 0 {
		s.light = 1
	}
	return s
}

// add counts a cable in its bundle; it has no strand without a product.
func (b *Bundle) add(need units.Length, s *strand, heights units.Length) {
	b.tied++
	b.Longest, b.Shortest = max(b.Longest, need), min(b.Shortest, need)
	b.heights += float32(heights)
	if s == nil {
		return
	}
	b.Cables++
	b.Copper += s.copper
	b.Bare += s.bare
	b.light += s.light
	b.area += s.area
	b.weight += s.weight
	b.Bought += s.bought
	b.mass += s.mass
	b.thick = max(b.thick, s.thick)
	b.bend = max(b.bend, s.bend)
}

// PullOrder lists the indices in Bundles, from 0, in the order in which they are best pulled: the bundle with the
// longest cable first, so that in every tray the farthest lie at the bottom and none is pulled under another; equally
// long ones by their racks.
func (s *Schedule) PullOrder() []int32 {
	order := make([]int32, len(s.Bundles))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		a, b := &s.Bundles[x], &s.Bundles[y]
		return cmp.Or(cmp.Compare(b.Longest, a.Longest), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B),
			cmp.Compare(x, y))
	})
	return order
}

// wayKey is what cables share that go the same way: the racks, the lower first,
// the level of trays and the group of media.
type wayKey struct {
	a, b   int32
	level  int16
	group  uint8
	copper bool
}

func (k wayKey) hash() uint64 {
	h := uint64(uint32(k.a))<<32 | uint64(uint32(k.b))
	h ^= uint64(uint16(k.level))<<8 | uint64(k.group)<<1
	if k.copper {
		h ^= 1
	}
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}
