package cabling

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/cabling/stock"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// unmadeSaves is the value of using stock for a cable that cannot be bought at all, in purchases without a price.
const unmadeSaves = 4

// isPatched reports whether the cables of a class are trunks and cords of patch panels, which have no ports of their
// own.
func (c *stockClass) isPatched() bool { return c.key.class.groupA == nil }

// solve assigns the cables in stock to the classes of cables that were counted.
func (a *allotment) solve(in []InStore) {
	w := a.counted
	families := map[*catalog.Part]int{}
	var piles []stock.Pile
	for _, s := range in {
		family, ok := families[s.Part]
		if !ok {
			family = len(families)
			families[s.Part] = family
		}
		piles = append(piles, stock.Pile{Family: family, Length: s.Length, Quantity: s.Quantity})
		a.spare[s.Part.Item(s.Length)] += s.Quantity
	}
	counted := w.counts.classes
	classes := make([]stock.Class, len(counted))
	uses := make([][]candidate, len(counted))
	for i := range counted {
		k := &counted[i]
		if k.isPatched() {
			continue
		}
		for need, n := range k.needs {
			classes[i].Needs = append(classes[i].Needs, stock.Need{Length: units.Length(need) / 100, Cables: n})
		}
		slices.SortFunc(classes[i].Needs, func(x, y stock.Need) int { return cmp.Compare(y.Length, x.Length) })
		classes[i].Uses, uses[i] = w.stockUses(k, families)
	}
	shares := stock.Allot(piles, classes)
	a.shares = map[stockKey]map[int64][]portion{}
	for i := range counted {
		left := counted[i].cables
		needs := map[int64][]portion{}
		at := 0
		rest := int64(0)
		if len(classes[i].Needs) > 0 {
			rest = classes[i].Needs[0].Cables
		}
		for _, s := range shares[i] {
			product := w.buyer.product(&uses[i][s.Use], piles[s.Pile].Length, &counted[i].key.class)
			product.Stock = true
			a.spare[product.Item()] -= s.Cables
			left -= s.Cables
			for n := s.Cables; n > 0; {
				for rest == 0 {
					at++
					rest = classes[i].Needs[at].Cables
				}
				take := min(n, rest)
				need := centimetres(classes[i].Needs[at].Length)
				needs[need] = append(needs[need], portion{product, take})
				n -= take
				rest -= take
			}
		}
		if len(needs) > 0 {
			a.shares[counted[i].key] = needs
		}
		if left > 0 {
			a.lack(&counted[i], left, w.whyBought(&counted[i], &classes[i], piles))
		}
	}
	a.settle()
}

// stockUses returns the families of cables in stock that may be used for a class, with the candidate of each.
func (w *worker) stockUses(k *stockClass, families map[*catalog.Part]int) (uses []stock.Use, as []candidate) {
	b := &w.buyer
	class, product := &k.key.class, &k.key.product
	rule := b.decides(w.layout, class, w.p.Graph.Levels()[class.level].Name, k.longest)
	if rule < 0 {
		return nil, nil
	}
	add := func(c candidate, saves stock.Saving) {
		use := stock.Use{Family: families[c.part], From: k.longest, Upto: c.reach, Saves: saves}
		if longest := b.rules[rule].Longest; longest > 0 {
			if c.part == product.Part {
				longest = max(longest, product.Length)
			}
			use.Upto = least(use.Upto, longest)
		}
		uses, as = append(uses, use), append(as, c)
	}
	if product.Part != nil {
		chosen := product.candidate(class)
		optics, opticsPriced := b.opticsOf(&chosen, class)
		cost, priced := b.costOf(&chosen, product.Length, class)
		base := stock.Saving{Cost: cost} // of what has a price
		if !priced {
			base.Unpriced = 1
		}
		for _, c := range w.substitutes(class, product, rule) {
			if _, ok := families[c.part]; !ok {
				continue
			}
			own, ownPriced := optics, opticsPriced
			if c.part != chosen.part || c.opticA != chosen.opticA || c.opticB != chosen.opticB {
				own, ownPriced = b.opticsOf(&c, class)
			}
			saves := base
			if saves.Cost -= own; !ownPriced {
				saves.Unpriced--
			}
			add(c, saves)
		}
		return uses, as
	}
	if b.trays != nil && len(b.trays.groups) > 1 {
		return nil, nil // which trays it would lie on was not asked
	}
	for _, c := range w.substitutes(class, product, rule) {
		if _, ok := families[c.part]; ok {
			own, _ := b.opticsOf(&c, class)
			add(c, stock.Saving{Unpriced: unmadeSaves, Cost: -own})
		}
	}
	return uses, as
}

// substitutes returns the candidates that may replace the product of a class, under the media rule that applies; only
// the product itself where links share a cage or a cable.
func (w *worker) substitutes(class *linkClass, product *Product, rule int) []candidate {
	b := &w.buyer
	if product.Part != nil && (class.links > 0 || perCage(class.groupA) > 1 || perCage(class.groupB) > 1) {
		return []candidate{product.candidate(class)}
	}
	return slices.DeleteFunc(b.all(class), func(c candidate) bool {
		return !b.rules[rule].permits(&c) || !class.holds(&c) ||
			class.barred != 0 && b.trays.bars(c.part.Cable.Medium, class.barred) ||
			b.trays != nil && product.Part != nil &&
				b.trays.groupOf[c.part.Cable.Medium] != b.trays.groupOf[product.Part.Cable.Medium]
	})
}

// candidate returns the candidate of which the product of a class was chosen.
func (p *Product) candidate(class *linkClass) candidate {
	c := candidate{part: p.Part, opticA: p.OpticA, opticB: p.OpticB, shared: class.links > 0}
	if class.nearB {
		c.opticA, c.opticB = p.OpticB, p.OpticA
	}
	switch {
	case c.opticA == nil:
	case c.shared:
		c.reach = splitterReach(p.Part.Cable, p.OpticA.Optic.Reach, p.OpticB.Optic.Reach)
	default:
		c.reach = min(p.OpticA.Optic.Reach, p.OpticB.Optic.Reach)
	}
	return c
}

// whyBought returns the reason why cables of a class are bought although there is a stock.
func (w *worker) whyBought(k *stockClass, class *stock.Class, piles []stock.Pile) Reason {
	why := Misfit
	if k.isPatched() {
		return Patched
	}
	for _, u := range class.Uses {
		for _, p := range piles {
			switch {
			case p.Family != u.Family || p.Quantity == 0:
			case p.Length < u.From-1e-9 || u.Upto > 0 && p.Length > u.Upto+1e-9:
				if why == Misfit {
					why = Short
				}
			case u.Saves.Unpriced < 0 || u.Saves.Unpriced == 0 && u.Saves.Cost < 0:
				if why != Taken {
					why = Dear
				}
			default:
				why = Taken
			}
		}
	}
	return why
}

// lack records cables of a class that are bought, with the reason. Cables that nothing on sale can make are not
// recorded.
func (a *allotment) lack(k *stockClass, cables int64, why Reason) {
	if k.key.product.Part == nil {
		return // nothing on sale can make them
	}
	item, level := k.key.product.Item(), int(k.key.class.level)
	at := slices.IndexFunc(a.lacks, func(l Lack) bool { return l.Item == item && l.Level == level && l.Why == why })
	if at < 0 {
		at = len(a.lacks)
		a.lacks = append(a.lacks, Lack{Item: item, Level: level, Shortest: k.shortest, Why: why})
	}
	l := &a.lacks[at]
	l.Cables += cables
	l.Shortest, l.Longest = min(l.Shortest, k.shortest), max(l.Longest, k.longest)
}

// settle removes, from the recorded lacks, cables of patch panels for which the stock has pieces of exactly their
// length. It sorts the lacks by level and product.
func (a *allotment) settle() {
	slices.SortFunc(a.lacks, func(x, y Lack) int {
		return cmp.Or(cmp.Compare(x.Level, y.Level), x.Item.Compare(y.Item), cmp.Compare(x.Why, y.Why))
	})
	spare := map[catalog.Item]int64{}
	for item, n := range a.spare {
		spare[item] = n
	}
	for i := range a.lacks {
		if l := &a.lacks[i]; l.Why == Patched {
			n := min(l.Cables, spare[l.Item])
			l.Cables -= n
			spare[l.Item] -= n
		}
	}
	a.lacks = slices.DeleteFunc(a.lacks, func(l Lack) bool { return l.Cables == 0 })
}
