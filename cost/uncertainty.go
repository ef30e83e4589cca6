package cost

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/triangle"
	"github.com/plenum-planner/plenum/units"
)

// Draws is the number of times that prices are drawn.
const Draws = 10_000

// Quantiles are the amounts that 10, 50 and 90 per cent of the draws stay below.
type Quantiles struct {
	P10 units.Money `json:"p10"`
	P50 units.Money `json:"p50"`
	P90 units.Money `json:"p90"`
}

// Swing is what one price does to the total: all others as likely, this one at
// its least and its most.
type Swing struct {
	// Part is an id: of cables the family, `labour` for wages, `tariff` for energy.
	Part string      `json:"part"`
	Low  units.Money `json:"low"`  // the total if this price is at its least
	High units.Money `json:"high"` // the total if this price is at its most
}

// Uncertainty says how far a bill, and the years after, may be off.
//
// Every price that is a range is drawn from a triangle over its least, likely and
// most. There is one draw for a part, not for a piece: a supplier's price is off
// for all pieces alike, and for all lengths of a cable family. One draw serves
// all wages. Different parts are drawn independently of each other, by a
// generator that the seed and the part's id start, so that neither the order of
// lines nor the number of cores matters.
type Uncertainty struct {
	Draws   int       `json:"draws"`   // times that all prices were drawn at random
	Seed    uint64    `json:"seed"`    // of the random numbers
	Capital Quantiles `json:"capital"` // the total of the bill
	// Operation is the cost of power over the years; left out without a tariff.
	Operation *Quantiles `json:"operation,omitempty"`
	Total     *Quantiles `json:"total,omitempty"` // both together; left out without a tariff
	// Tornado is what each price alone does to the total, all others as likely; the widest swing first.
	Tornado []Swing `json:"tornado"`
}

// ranged is a group of lines whose prices are drawn together.
type ranged struct {
	key  string
	rows []drawn
}

// drawn is a line whose price is drawn.
type drawn struct {
	price  triangle.Triangle
	likely float64 // the price on the bill, in cents
	pieces float64
	labour bool
}

// drawnAs is the key of the draw of a line.
func drawnAs(r *Row) string {
	if r.Kind == catalog.KindLabour {
		return "labour"
	}
	return r.Item.Part
}

// tariffKey is the key of the draw of the energy's price.
const tariffKey = "tariff"

// groups collects the lines with ranges, by the key of their draw.
func (b *Bill) groups() []ranged {
	var out []ranged
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.UnitCost == nil || r.Buy == 0 || r.Low >= r.High {
			continue
		}
		key := drawnAs(r)
		j := slices.IndexFunc(out, func(g ranged) bool { return g.key == key })
		if j < 0 {
			j = len(out)
			out = append(out, ranged{key: key})
		}
		out[j].rows = append(out[j].rows, drawn{
			triangle.New(float64(r.Low), float64(*r.UnitCost), float64(r.High)), float64(*r.UnitCost), float64(r.Buy),
			r.Kind == catalog.KindLabour,
		})
	}
	return out
}

// excess is what a group costs beyond its likely price, in cents, with all its prices at the quantile u, 0 to 1.
func (g *ranged) excess(u float64) (parts, labour float64) {
	for i := range g.rows {
		r := &g.rows[i]
		more := float64((r.price.At(u) - r.likely) * r.pieces)
		if r.labour {
			labour += more
		} else {
			parts += more
		}
	}
	return parts, labour
}

// onTop returns a function that adds freight and contingency to a further cost of parts and of labour. Freight is a
// share of parts only.
func (b *Bill) onTop() func(parts, labour float64) float64 {
	freight, contingency := 0.0, 0.0
	for i := range b.Rows {
		switch r := &b.Rows[i]; r.Kind {
		case catalog.KindFreight:
			freight = r.Percent / 100
		case catalog.KindContingency:
			contingency = r.Percent / 100
		}
	}
	return func(parts, labour float64) float64 {
		return float64((float64(parts*(1+freight)) + labour) * (1 + contingency))
	}
}

// Uncertain draws the prices of a bill and the tariff of its operation, which may be nil: Operation and Total are nil
// then. The result is nil where neither a price nor the tariff is a range. Equal bills and seeds give equal results.
func (b *Bill) Uncertain(op *Operation, seed uint64) *Uncertainty {
	groups := b.groups()
	drawsTariff := op != nil && op.TariffLow < op.TariffHigh
	if len(groups) == 0 && !drawsTariff {
		return nil
	}
	out := &Uncertainty{Draws: Draws, Seed: seed, Tornado: []Swing{}}
	capital := make([]float64, Draws)
	for i := range capital {
		capital[i] = float64(b.Total)
	}
	onTop := b.onTop()
	for g := range groups {
		random := generator(seed, groups[g].key)
		for i := range capital {
			capital[i] += onTop(groups[g].excess(random.Float64()))
		}
		likely := float64(b.Total)
		low, high := b.bounds(&groups[g])
		out.Tornado = append(out.Tornado, Swing{groups[g].key, cents(likely + low), cents(likely + high)})
	}
	if op != nil {
		energy := make([]float64, Draws)
		both := make([]float64, Draws)
		random := generator(seed, tariffKey)
		tariff := triangle.New(float64(op.TariffLow), float64(op.Tariff), float64(op.TariffHigh))
		for i := range energy {
			energy[i] = float64(op.Total)
			if drawsTariff {
				energy[i] += op.dearer(units.Tariff(tariff.At(random.Float64())))
			}
			both[i] = capital[i] + energy[i]
		}
		if drawsTariff {
			likely := float64(b.Total)
			out.Tornado = append(out.Tornado,
				Swing{tariffKey, cents(likely + op.dearer(op.TariffLow)), cents(likely + op.dearer(op.TariffHigh))})
		}
		operation, total := quantiles(energy), quantiles(both)
		out.Operation, out.Total = &operation, &total
	}
	out.Capital = quantiles(capital)
	slices.SortStableFunc(out.Tornado, func(x, y Swing) int {
		return cmp.Or(cmp.Compare(y.High-y.Low, x.High-x.Low), cmp.Compare(x.Part, y.Part))
	})
	return out
}

// dearer is what another tariff adds to the energy, in cents.
func (o *Operation) dearer(tariff units.Tariff) float64 {
	return float64((tariff - o.Tariff).Over(o.Energy)) * 100
}

// bounds is what a group may cost less and more than likely.
func (b *Bill) bounds(g *ranged) (low, high float64) {
	onTop := b.onTop()
	return onTop(g.excess(0)), onTop(g.excess(1))
}

// generator starts the draws of a key.
func generator(seed uint64, key string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(key))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// cents rounds an amount in cents.
func cents(x float64) units.Money {
	return units.Money(math.Round(min(max(x, -float64(units.MostMoney)), float64(units.MostMoney))))
}

// quantiles sorts the draws.
func quantiles(x []float64) Quantiles {
	slices.Sort(x)
	at := func(share float64) units.Money { return cents(x[int(share*float64(len(x)-1)+0.5)]) }
	return Quantiles{at(0.1), at(0.5), at(0.9)}
}
