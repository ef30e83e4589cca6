package cabling

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Consolidation bounds the number of different products, each a cable family in one length, so that fewer lengths are
// ordered and kept as spares: cables are bought longer than they have to be. Families are not replaced by others.
type Consolidation struct {
	Most      int  // products
	PerFamily bool // of each cable family, else in all
}

// Consolidated says what a consolidation did. Prices are those of the smallest
// quantity, spares are left out; where a family has no price, a metre counts as a
// unit of the currency in the choice, and as nothing in Extra.
type Consolidated struct {
	Before, After int // products
	// Least is the fewest products that were possible, where that is more than asked for (of the family with the most,
	// where each has a bound); else 0.
	Least    int
	Extra    units.Money
	Metres   units.Length // bought beyond the length ordered before
	Replaced []Replaced   // by family and length
}

// Replaced is a length that is bought in another one.
type Replaced struct {
	Part     *catalog.Part
	From, To units.Length
	Qty      int64
	Extra    units.Money
}

// rung is a length of a family that is in use.
type rung struct {
	length units.Length
	qty    int64
	price  float64      // of one piece, or metres where the family has no price
	unit   units.Money  // 0 where there is none
	reach  units.Length // the longest piece that its optics and the excess allow; 0 for no limit
}

// ladderUse is the lengths of one family that are in use, ascending.
type ladderUse struct {
	part  *catalog.Part
	rungs []rung
	// least[k] is the least cost of the family with at most k+1 lengths, infinite
	// where optics do not reach; keep finds them.
	least []float64
	from  [][]int32 // from[k][j]: where the run that is bought as rung j begins, with k+1 runs up to it
}

// start prepares a worker; where products are to be consolidated, it schedules
// once before to count them, and where cables are in stock, to allot them.
func start(ctx context.Context, p *Problem) (*worker, error) {
	if len(p.Stock) > 0 && !p.counting {
		own := *p
		var err error
		if own.allotted, err = allot(ctx, p); err != nil {
			return nil, err
		}
		p = &own
	}
	w, err := newWorker(p)
	if err != nil || p.Consolidate == nil {
		return w, err
	}
	if a := p.allotted; a != nil {
		w.replace, w.s.Consolidated = a.counted.replace, a.counted.s.Consolidated
		return w, nil
	}
	before := *p
	before.Consolidate, before.Stock, before.Summary, before.Visit, before.Again = nil, nil, true, nil, nil
	s, err := Run(ctx, &before)
	if err != nil {
		return nil, err
	}
	w.consolidate(s)
	return w, nil
}

// consolidate finds what every product is replaced by.
func (w *worker) consolidate(s *Schedule) {
	uses := w.inUse(s)
	most := w.p.Consolidate.Most
	kept := make([]int, len(uses)) // lengths of each family
	out := &Consolidated{}
	if w.p.Consolidate.PerFamily {
		for i := range uses {
			u := &uses[i]
			u.solve(most)
			kept[i] = min(most, len(u.rungs))
			if math.IsInf(u.least[kept[i]-1], 1) {
				for math.IsInf(u.least[kept[i]-1], 1) {
					kept[i]++
				}
				out.Least = max(out.Least, kept[i])
			}
		}
	} else {
		kept, out.Least = share(uses, most)
	}
	w.replace = map[catalog.Item]units.Length{}
	for i := range uses {
		u := &uses[i]
		out.Before += len(u.rungs)
		to := u.keep(kept[i])
		for j, r := range u.rungs {
			k := u.rungs[to[j]]
			if to[j] == j {
				out.After++
				continue
			}
			w.replace[u.part.Item(r.length)] = k.length
			extra := (k.unit - r.unit) * units.Money(r.qty)
			out.Extra += extra
			out.Metres += units.Length(float64(k.length-r.length) * float64(r.qty))
			out.Replaced = append(out.Replaced, Replaced{u.part, r.length, k.length, r.qty, extra})
		}
	}
	w.s.Consolidated = out
}

// inUse counts the lengths of every family, by id.
func (w *worker) inUse(s *Schedule) []ladderUse {
	qty := make([]int64, len(s.Products))
	for _, row := range s.Tallies {
		for i := range row {
			for p, n := range row[i].Product {
				qty[p] += n
			}
		}
	}
	index := map[*catalog.Part]int{}
	var uses []ladderUse
	for i, n := range qty {
		if n == 0 {
			continue
		}
		p := &s.Products[i]
		f, ok := index[p.Part]
		if !ok {
			f = len(uses)
			index[p.Part] = f
			uses = append(uses, ladderUse{part: p.Part})
		}
		u := &uses[f]
		at := slices.IndexFunc(u.rungs, func(r rung) bool { return r.length == p.Length })
		if at < 0 {
			at = len(u.rungs)
			u.rungs = append(u.rungs, rung{length: p.Length})
		}
		r := &u.rungs[at]
		r.qty += n
		if p.OpticA != nil {
			reach := min(p.OpticA.Optic.Reach, p.OpticB.Optic.Reach)
			if r.reach == 0 || reach < r.reach {
				r.reach = reach
			}
		}
	}
	slices.SortFunc(uses, func(x, y ladderUse) int { return strings.Compare(x.part.ID, y.part.ID) })
	for i := range uses {
		u := &uses[i]
		slices.SortFunc(u.rungs, func(x, y rung) int { return cmp.Compare(x.length, y.length) })
		priced := true
		for j := range u.rungs {
			q := w.buyer.quote(u.part, u.rungs[j].length)
			priced = priced && q.Priced
			u.rungs[j].unit, u.rungs[j].price = q.Unit, q.Unit.Float()
			if w.p.Excess != nil {
				most := w.p.Excess.most(w.buyer.shortest(u.part, u.rungs[j].length))
				u.rungs[j].reach = least(u.rungs[j].reach, max(most, u.rungs[j].length))
			}
		}
		for j := range u.rungs {
			if r := &u.rungs[j]; !priced {
				r.unit, r.price = 0, float64(r.length)
			}
		}
	}
	return uses
}

// shortest is the shortest piece of a family in place of which one of a length is bought, itself where it is not bought
// in place of any.
func (b *buyer) shortest(part *catalog.Part, length units.Length) units.Length {
	b.cheapest(part, length, 0) // finds the pieces
	for _, p := range b.pieces[part] {
		if p.length < length && b.cheapest(part, p.length, 0) == length {
			return p.length
		}
	}
	return length
}

// solve finds the least costs with at most 1, 2, ... most lengths: a shortest path
// over the stocked lengths, on which a run of neighbouring lengths is bought in the longest
// of them. It goes on beyond most until it is possible at all.
func (u *ladderUse) solve(most int) {
	n := len(u.rungs)
	last := make([]float64, n+1) // least cost of the first j rungs with one run fewer
	for j := range last {
		last[j] = math.Inf(1)
	}
	last[0] = 0
	for k := 0; k < n && (k < most || math.IsInf(u.least[k-1], 1)); k++ {
		next := make([]float64, n+1)
		from := make([]int32, n)
		next[0] = math.Inf(1)
		for j := range n {
			next[j+1] = math.Inf(1)
			qty, reach := int64(0), units.Length(math.Inf(1))
			for i := j; i >= 0; i-- {
				qty += u.rungs[i].qty
				if r := u.rungs[i].reach; r > 0 {
					reach = min(reach, r)
				}
				if u.rungs[j].length > reach+1e-9 {
					break
				}
				if c := last[i] + float64(float64(qty)*u.rungs[j].price); c < next[j+1] {
					next[j+1], from[j] = c, int32(i)
				}
			}
		}
		u.least = append(u.least, next[n])
		u.from = append(u.from, from)
		last = next
	}
	for k := 1; k < len(u.least); k++ { // fewer lengths are allowed, too
		u.least[k] = min(u.least[k], u.least[k-1])
	}
}

// keep returns the rung in which each rung is bought, with at most so many.
func (u *ladderUse) keep(most int) []int {
	k := min(most, len(u.from)) - 1
	for k > 0 && u.least[k-1] <= u.least[k] {
		k--
	}
	to := make([]int, len(u.rungs))
	for j := len(u.rungs) - 1; j >= 0; k-- {
		first := int(u.from[k][j])
		for i := first; i <= j; i++ {
			to[i] = j
		}
		j = first - 1
	}
	return to
}

// share divides the number of products among the families such that all together cost the least, and returns how many
// lengths each keeps. Where the families need more than most, as each has at least one and optics limit what replaces
// what, the bound is what they need, and least is that number; else least is 0.
func share(uses []ladderUse, most int) (kept []int, least int) {
	need := 0
	for i := range uses {
		u := &uses[i]
		u.solve(most)
		for k := range u.least {
			if !math.IsInf(u.least[k], 1) {
				need += k + 1
				break
			}
		}
	}
	if need > most {
		most, least = need, need
	}
	// best[k] is the least cost of the families so far with at most k products.
	best := make([]float64, most+1)
	choice := make([][]int, len(uses))
	for i := range uses {
		next := make([]float64, most+1)
		choice[i] = make([]int, most+1)
		for k := range next {
			next[k] = math.Inf(1)
			for take := 1; take <= min(k, len(uses[i].least)); take++ {
				if c := best[k-take] + uses[i].least[take-1]; c < next[k] {
					next[k], choice[i][k] = c, take
				}
			}
		}
		best = next
	}
	kept = make([]int, len(uses))
	left := most
	for i := len(uses) - 1; i >= 0; i-- {
		kept[i] = choice[i][left]
		left -= kept[i]
	}
	return kept, least
}

// substitute puts the products that replace others into the steps of a chooser.
func (w *worker) substitute(c *chooser) {
	if w.replace == nil {
		return
	}
	for i := range c.steps {
		s := &c.steps[i]
		if s.product < 0 {
			continue
		}
		p := w.buyer.products[s.product]
		if to, ok := w.replace[p.Item()]; ok {
			p.Length = to
			s.product = w.buyer.number(p)
		}
	}
}
