package cabling

import (
	"context"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Cables in stock are taken in place of those that would be bought. All cables are scheduled once before, to learn what
// each needs and what it would be; package stock then allots what is in stock, and in the schedule proper every cable
// takes the piece that it was allotted. A cable may take any family that its ports and the media rule that decides
// allow, on the same trays; one that shares a cage with other links keeps the family that was chosen, and one over
// patch panels the length as well, as both hang together with other cables.

// InStore is cables of one product in stock.
type InStore struct {
	Part     *catalog.Part
	Length   units.Length
	Quantity int64
}

// Lack is cables that are bought although there is a store: those of one level that would be of one product.
type Lack struct {
	Item              catalog.Item // the product that is ordered
	Level             int          // of the topology
	Cables            int64
	Shortest, Longest units.Length // that they need
	Why               Reason
}

// Reason is why a cable is bought.
type Reason string

// The reasons. Dear is only possible where transceivers have to be bought for the pieces in stock.
const (
	Taken   Reason = "taken"   // pieces would do, and other cables have them all
	Short   Reason = "short"   // all pieces of the families that would do are shorter than needed
	Misfit  Reason = "misfit"  // no family in stock fits the ports, the media rules, the cages and the trays
	Dear    Reason = "dear"    // with its transceivers, the piece costs more than an ordered one
	Patched Reason = "patched" // over patch panels only pieces of the very length are taken, and there are none left
)

// stockKey is what cables have in common that may take the same pieces: their class, the product that they would be,
// and the steps of length between which their needs lie.
type stockKey struct {
	class   linkClass
	product Product
	rung    int
}

// stockClass is the cables of a key.
type stockClass struct {
	key               stockKey
	needs             map[int64]int64 // cables by need in centimetres, rounded up
	cables            int64
	shortest, longest units.Length
}

// stockCount is what a schedule needs, counted for an allotment.
type stockCount struct {
	steps   []units.Length // at which what serves may change
	index   map[stockKey]int
	classes []stockClass
	last    int
}

// store gives cables the pieces that they were allotted.
type store struct {
	steps   []units.Length
	shares  map[stockKey]map[int64][]portion
	spare   map[catalog.Item]int64 // pieces in stock that are not allotted
	lastKey stockKey
	last    map[int64][]portion
}

// portion is pieces of a product for cables of one need.
type portion struct {
	product Product
	left    int64
}

// allotment is what an earlier pass over the same problem has found.
type allotment struct {
	counted *worker
	shares  map[stockKey]map[int64][]portion
	spare   map[catalog.Item]int64
	lacks   []Lack
}

// allot schedules a problem once to learn what its cables need, and allots what is in stock.
func allot(ctx context.Context, p *Problem) (*allotment, error) {
	counting := *p
	counting.Summary, counting.Visit, counting.Again, counting.counting = true, nil, nil, true
	w, err := schedule(ctx, &counting)
	if err != nil {
		return nil, err
	}
	a := &allotment{counted: w, spare: map[catalog.Item]int64{}}
	a.solve(p.Stock)
	return a, nil
}

// stockSteps are the lengths at which what serves a need may change: those in stock and the limits of media rules.
func stockSteps(p *Problem, rules []MediaRule) []units.Length {
	var out []units.Length
	for _, s := range p.Stock {
		out = append(out, s.Length)
	}
	for _, m := range rules {
		if m.Longest > 0 {
			out = append(out, m.Longest)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stockUp prepares to count, or to take what was allotted.
func (w *worker) stockUp() {
	if len(w.p.Stock) == 0 {
		return
	}
	steps := stockSteps(w.p, w.buyer.rules)
	if w.p.counting {
		w.counts = &stockCount{steps: steps, index: map[stockKey]int{}, last: -1}
		return
	}
	a := w.p.allotted
	w.store = &store{steps: steps, shares: map[stockKey]map[int64][]portion{}, spare: map[catalog.Item]int64{}}
	for item, n := range a.spare {
		w.store.spare[item] = n
	}
	for key, needs := range a.shares {
		own := make(map[int64][]portion, len(needs))
		for need, portions := range needs {
			own[need] = slices.Clone(portions)
		}
		w.store.shares[key] = own
	}
	w.s.Lacks = a.lacks
}

// stockRung returns the number of steps that are shorter than a need: needs with the same number take the same pieces.
func stockRung(steps []units.Length, need units.Length) int {
	n, _ := slices.BinarySearchFunc(steps, need-1e-9, func(l, need units.Length) int {
		if l < need {
			return -1
		}
		return 1
	})
	return n
}

// centimetres are those of a need, rounded up.
func centimetres(need units.Length) int64 { return int64(math.Ceil(float64(need)*100 - 1e-6)) }

// fromStock takes, for a cable, the piece in stock that it was allotted, else a spare piece of the very product that
// was chosen, else returns what was chosen. back returns the piece to the stock.
func (w *worker) fromStock(class *linkClass, chosen int16, need units.Length) (product int16, back func()) {
	if w.store == nil {
		return chosen, func() {}
	}
	key := w.stockKey(class, chosen, w.store.steps, need)
	if key != w.store.lastKey || w.store.last == nil {
		w.store.lastKey, w.store.last = key, w.store.shares[key]
	}
	portions := w.store.last[centimetres(need)]
	for i := range portions {
		if p := &portions[i]; p.left > 0 {
			p.left--
			return w.piece(p.product), func() { p.left++ }
		}
	}
	return w.alike(chosen)
}

// alike takes a piece of just the product that was chosen, if there is one that was not allotted.
func (w *worker) alike(chosen int16) (product int16, back func()) {
	if w.store == nil || chosen < 0 || w.s.Products[chosen].Stock {
		return chosen, func() {}
	}
	p := w.s.Products[chosen]
	item := p.Item()
	if w.store.spare[item] == 0 {
		return chosen, func() {}
	}
	w.store.spare[item]--
	p.Stock = true
	return w.piece(p), func() { w.store.spare[item]++ }
}

// piece numbers a product.
func (w *worker) piece(p Product) int16 {
	n := w.buyer.number(p)
	w.s.Products = w.buyer.products
	return n
}

func (w *worker) stockKey(class *linkClass, chosen int16, steps []units.Length, need units.Length) stockKey {
	key := stockKey{class: *class, rung: stockRung(steps, need)}
	if chosen >= 0 {
		key.product = w.buyer.products[chosen]
	}
	return key
}

// countNeed notes what a cable needs; class is nil for one over patch panels.
func (w *worker) countNeed(class *linkClass, level uint8, chosen int16, need units.Length) {
	c := w.counts
	if c == nil {
		return
	}
	if class == nil {
		class = &linkClass{level: level}
	}
	w.s.Products = w.buyer.products
	key := w.stockKey(class, chosen, c.steps, need)
	if c.last < 0 || c.classes[c.last].key != key {
		i, ok := c.index[key]
		if !ok {
			i = len(c.classes)
			c.index[key] = i
			c.classes = append(c.classes, stockClass{key: key, needs: map[int64]int64{}, shortest: need})
		}
		c.last = i
	}
	k := &c.classes[c.last]
	k.needs[centimetres(need)]++
	k.cables++
	k.shortest, k.longest = min(k.shortest, need), max(k.longest, need)
}

// addStored adds the piece that a cable takes from the store to what was considered.
func (w *worker) addStored(e *Explanation, class *linkClass) {
	p := e.Product
	if p == nil || !p.Stock {
		return
	}
	o := Option{
		Part: p.Part, OpticA: p.OpticA, OpticB: p.OpticB, Shared: class.links > 0, Length: p.Length, Verdict: Store,
		Why: "in stock, in place of what would be bought",
	}
	if class.groupA != nil {
		c := p.candidate(class)
		bill := w.buyer
		if bill.billed != nil {
			bill.quote = bill.billed
		}
		cost, priced := bill.opticsOf(&c, class)
		o.Cost, o.Priced = inCents(cost), priced
	}
	e.Options = append(e.Options, o)
}
