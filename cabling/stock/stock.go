package stock

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Pile is pieces of a family in one length. Families are numbered by the caller.
type Pile struct {
	Family   int
	Length   units.Length
	Quantity int64
}

// Class is cables that are alike but for the length that they need.
type Class struct {
	Needs []Need // in any order
	Uses  []Use
}

// Need is cables of a class that need the same length.
type Need struct {
	Length units.Length
	Cables int64
}

// Use is a family whose pieces may stand for a cable of a class, whichever of its needs that has: those of From at
// least and of Upto at most, of any length where that is 0.
type Use struct {
	Family     int
	From, Upto units.Length
	Saves      Saving
}

// Saving is what a piece saves: purchases without a price, which count first, and money in any unit. One that is
// negative is not used.
type Saving struct{ Unpriced, Cost int64 }

// Share is what a class gets from a pile, by one of its uses.
type Share struct {
	Pile, Use int
	Cables    int64
}

// tolerance is how much shorter than From or longer than Upto a piece may be, in metres.
const tolerance units.Length = 1e-9

// Allot returns the shares of every class, in the order of classes, the longest pieces first. The caller has to give
// them to the longest needs of the class, the longest piece to the longest need: then every piece is long enough. Needs
// without a share are bought. Piles and uses are numbered from 0, by their order in the input, which is not changed.
func Allot(piles []Pile, classes []Class) [][]Share {
	b := &builder{piles: piles, classes: classes}
	b.build()
	b.net.maximise(b.source, b.sink)
	return b.shares()
}

// chain is the piles of a family up to a length, the shortest first, as a chain of nodes: what is stacked on one may be
// used in place of all below it. So a class has one arc for a use, and not one for every pile that is long enough.
type chain struct {
	family, piles int // how many of the family's piles
	first         int32
	stacked       []int32 // arc from each pile
	takers        [][]taker
}

// taker is a use that begins at a rung of a chain.
type taker struct {
	class, use int
	arc        int32
}

// builder makes the network of an allotment: from the source to piles, to the rungs of chains, to classes, to the sink.
type builder struct {
	piles        []Pile
	classes      []Class
	byLength     map[int][]int // piles of each family
	chains       []chain
	net          network
	source, sink int32
}

// tenths are tenths of a millimetre.
func tenths(l units.Length) int64 { return int64(math.Round(float64(l) * 1e4)) }

func (b *builder) build() {
	b.byLength = map[int][]int{}
	for i, p := range b.piles {
		b.byLength[p.Family] = append(b.byLength[p.Family], i)
	}
	for _, piles := range b.byLength {
		slices.SortStableFunc(piles, func(x, y int) int { return cmp.Compare(b.piles[x].Length, b.piles[y].Length) })
	}
	index := map[[2]int]int{} // of chains
	node := int32(1 + len(b.piles))
	b.eachUse(func(_, _ int, u *Use, _, upto int) {
		key := [2]int{u.Family, upto}
		if _, ok := index[key]; !ok {
			index[key] = len(b.chains)
			b.chains = append(b.chains, chain{
				family: u.Family, piles: upto, first: node, stacked: make([]int32, upto), takers: make([][]taker, upto),
			})
			node += int32(upto)
		}
	})
	class := node
	b.source, b.sink = 0, class+int32(len(b.classes))
	b.net = newNetwork(int(b.sink) + 1)
	for i, p := range b.piles {
		b.net.add(b.source, int32(1+i), p.Quantity, price{2: tenths(p.Length)})
	}
	for i := range b.chains {
		c := &b.chains[i]
		for j := range c.piles {
			c.stacked[j] = b.net.add(int32(1+b.byLength[c.family][j]), c.rung(j), math.MaxInt64, price{})
			if j > 0 {
				b.net.add(c.rung(j), c.rung(j-1), math.MaxInt64, price{})
			}
		}
	}
	b.eachUse(func(i, j int, u *Use, from, upto int) {
		c := &b.chains[index[[2]int{u.Family, upto}]]
		arc := b.net.add(c.rung(from), class+int32(i), math.MaxInt64, price{-u.Saves.Unpriced, -u.Saves.Cost})
		c.takers[from] = append(c.takers[from], taker{i, j, arc})
	})
	for i := range b.classes {
		needs := slices.Clone(b.classes[i].Needs)
		slices.SortFunc(needs, func(x, y Need) int { return cmp.Compare(y.Length, x.Length) })
		for _, n := range needs {
			b.net.end(class+int32(i), b.sink, n.Cables, price{2: -tenths(n.Length)})
		}
	}
}

// rung is the node of a pile of the chain. Longer ones have lower numbers, so that arcs lead to higher ones.
func (c *chain) rung(pile int) int32 { return c.first + int32(c.piles-1-pile) }

// eachUse visits the uses that some pile serves and that save something or cost nothing, with the range of the family's
// piles that serve it.
func (b *builder) eachUse(visit func(class, use int, u *Use, from, upto int)) {
	for i := range b.classes {
		for j := range b.classes[i].Uses {
			u := &b.classes[i].Uses[j]
			if u.Saves.Unpriced < 0 || u.Saves.Unpriced == 0 && u.Saves.Cost < 0 {
				continue
			}
			piles := b.byLength[u.Family]
			from, upto := len(piles), len(piles)
			for k := len(piles) - 1; k >= 0; k-- {
				l := b.piles[piles[k]].Length
				if u.Upto > 0 && l > u.Upto+tolerance {
					upto = k
				}
				if l >= u.From-tolerance {
					from = k
				}
			}
			if from < upto {
				visit(i, j, u, from, upto)
			}
		}
	}
}

// shares reads the allotment off the flow: down each chain, every use takes the shortest pieces that are left above it.
func (b *builder) shares() [][]Share {
	out := make([][]Share, len(b.classes))
	for i := range b.chains {
		c := &b.chains[i]
		var above []Share // piles that have come down, the longest first
		for j := c.piles - 1; j >= 0; j-- {
			if n := b.net.flow(c.stacked[j]); n > 0 {
				above = append(above, Share{Pile: b.byLength[c.family][j], Cables: n})
			}
			for _, t := range c.takers[j] {
				for left := b.net.flow(t.arc); left > 0; {
					top := &above[len(above)-1]
					n := min(left, top.Cables)
					out[t.class] = append(out[t.class], Share{top.Pile, t.use, n})
					left -= n
					if top.Cables -= n; top.Cables == 0 {
						above = above[:len(above)-1]
					}
				}
			}
		}
	}
	for i := range out {
		slices.SortStableFunc(out[i], func(x, y Share) int {
			return cmp.Or(cmp.Compare(b.piles[y.Pile].Length, b.piles[x.Pile].Length), cmp.Compare(x.Use, y.Use),
				cmp.Compare(x.Pile, y.Pile))
		})
	}
	return out
}
