package machine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/memo"
	"github.com/plenum-planner/plenum/internal/yamldigest"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// Planner plans one spec after another, as of a file that is being edited or of the points of a study, and does what
// takes longest only where something has changed that it depends on:
//
//   - places are optimised anew where the machine has changed in what boxes, links, the room, cables and their prices
//     are, or the objective: not for hop delays, prices of switches, surcharges, or what is measured.
//   - delays of paths, shortest and routed, are measured anew where vertices and links, lengths and media of cables,
//     hop delays, places, samples or seed have changed.
//
// All else is made anew. Its plans are those of PlanWith.
//
// It keeps the placements that were used last in about 64 MiB (mostKept), and delays in a quarter of that. The zero
// value is ready, and any number of goroutines may plan with one: what several need at a time is computed by one of
// them.
type Planner struct {
	ready  sync.Once
	places *memo.Memo[placeInputs, *embed.Placement]
	paths  *memo.Memo[delay.Inputs, *pathDelays]
	routed *memo.Memo[routedInputs, *delay.Routed]
}

// mostKept is how many bytes a Planner keeps of placements. It keeps an eighth of that of delays of shortest paths, and
// another eighth of routed ones.
const mostKept = 64 << 20

// PlanWith is as the function PlanWith.
func (p *Planner) PlanWith(ctx context.Context, given *spec.Spec, opt Options) (*Result, error) {
	p.ready.Do(func() {
		p.places = memo.New[placeInputs, *embed.Placement](mostKept)
		p.paths = memo.New[delay.Inputs, *pathDelays](mostKept / 8)
		p.routed = memo.New[routedInputs, *delay.Routed](mostKept / 8)
	})
	return planWith(ctx, given, opt, &known{p, filesSum(given)})
}

// known is what was computed for other plans, and the sum of the files that the spec of this one names, from before
// they are read.
type known struct {
	*Planner
	files [sha256.Size]byte
}

// filesSum is a hash of the content of all files that a spec names, in the order of Inputs.
func filesSum(s *spec.Spec) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, in := range Inputs(s) {
		content := yamldigest.File(in.Path)
		h.Write(content[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// placeInputs sums up what optimised places depend on.
type placeInputs [sha256.Size]byte

// placed returns the placement that was found for the same inputs before, or else optimises. One that was interrupted
// is not kept.
func (k *known) placed(
	ctx context.Context, r *resolved, optimize func() (*embed.Placement, error),
) (*embed.Placement, error) {
	if k == nil {
		return optimize()
	}
	of, err := r.placeInputs(k.files)
	if err != nil || filesSum(r.spec) != k.files { // a file is being changed
		return optimize()
	}
	pl, err := k.places.Get(ctx, of, func() (*embed.Placement, int64, error) {
		pl, err := optimize()
		if err != nil || pl.Optimized == nil || pl.Optimized.Interrupted {
			return pl, -1, err
		}
		const slot, rack = 64, 128 // bytes, about
		return pl, int64(pl.Layout.Slots()+len(pl.Slot))*slot + int64(len(pl.Racks))*rack, nil
	})
	if err != nil {
		return nil, err
	}
	own := *pl
	own.Notes = slices.Clone(pl.Notes)
	return &own, nil
}

// placeInputs sums up a machine without what its optimised places do not depend on.
func (r *resolved) placeInputs(files [sha256.Size]byte) (placeInputs, error) {
	s := *r.spec
	s.Name, s.Description, s.Operation, s.Drawing = "", "", nil, nil
	s.Parts = slices.Clone(s.Parts)
	for i := range s.Parts {
		p := &s.Parts[i]
		p.Hop, p.Description, p.Source, p.Confidence, p.Estimated = 0, "", "", "", nil
	}
	wires := func(d spec.Delay) spec.Delay { // what the delay of a link depends on
		if r.weights()[spec.MeanNs] == 0 {
			return spec.Delay{}
		}
		return spec.Delay{Length: d.Length, Propagation: d.Propagation, Ends: d.Ends}
	}
	s.Delay = wires(s.Delay)
	s.Fabrics = slices.Clone(s.Fabrics)
	for i := range s.Fabrics {
		s.Fabrics[i].Delay = wires(s.Fabrics[i].Delay)
	}
	s.Prices = r.placePrices()
	text, err := json.Marshal(&s)
	return sha256.Sum256(append(text, files[:]...)), err
}

// placePrices are the prices without those that do not decide between placements of the same boxes. Contingency is a
// share of the total, which rises with the total; boxes and adapters are the same at all places,
// and add as much to the bill of each, unless freight is rounded with them.
func (r *resolved) placePrices() spec.Prices {
	p := r.spec.Prices
	p.Contingency, p.Ranges, p.RatesDate, p.Seed = 0, nil, "", 0
	if p.Freight != 0 {
		return p
	}
	boxes := []catalog.Kind{catalog.KindNode, catalog.KindService, catalog.KindSwitch, catalog.KindAdapter}
	p.Unit = maps.Clone(p.Unit)
	for id := range p.Unit {
		if part := r.catalog.Part(id); part != nil && slices.Contains(boxes, part.Kind) {
			delete(p.Unit, id)
		}
	}
	p.Spares = maps.Clone(p.Spares)
	for _, kind := range boxes {
		delete(p.Spares, string(kind))
	}
	return p
}

// pathDelays are what paths of a network are measured for.
type pathDelays struct {
	delay   *delay.Result
	stretch *delay.Stretch
}

// copied shares nothing with the original, which may be kept while a plan is changed by whoever has it.
func (d *pathDelays) copied() *pathDelays {
	times, stretch := *d.delay, *d.stretch
	times.Histogram.Pairs = slices.Clone(times.Histogram.Pairs)
	return &pathDelays{&times, &stretch}
}

// kilobyte is more than delays take besides their histograms.
const kilobyte = 1 << 10

// pathsOr returns a copy of what was measured of the same inputs before, or else measures it.
func (k *known) pathsOr(ctx context.Context, of delay.Inputs, fresh func() (*pathDelays, error)) (*pathDelays, error) {
	if k == nil {
		return fresh()
	}
	d, err := k.paths.Get(ctx, of, func() (*pathDelays, int64, error) {
		d, err := fresh()
		if err != nil {
			return nil, -1, err
		}
		return d, kilobyte + 8*int64(len(d.delay.Histogram.Pairs)), nil
	})
	if err != nil {
		return nil, err
	}
	return d.copied(), nil
}

// routedInputs sum up what the delays along a routing function are measured of: what those of shortest paths are, the
// network as the function knows it, and the function.
type routedInputs struct {
	paths   delay.Inputs
	network [sha256.Size]byte
	name    string
}

// routedOr returns what was measured along a routing function of the same inputs before, or else follows packets.
func (k *known) routedOr(
	ctx context.Context, of routedInputs, fresh func() (*delay.Routed, error),
) (*delay.Routed, error) {
	if k == nil {
		return fresh()
	}
	d, err := k.Planner.routed.Get(ctx, of, func() (*delay.Routed, int64, error) {
		d, err := fresh()
		return d, kilobyte, err
	})
	if err != nil {
		return nil, err
	}
	own := *d
	return &own, nil
}

// networkSum is a hash of all that a routing function may see of a network: the family with its parameters, and the
// links with the ports that they are plugged into.
func networkSum(given *topology.Spec, g topology.Graph) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	text, err := json.Marshal(given)
	if err != nil {
		return sum, err
	}
	h.Write(text)
	var row []byte
	for l := range g.Links() {
		if row, err = binary.Append(row[:0], binary.LittleEndian, &l); err != nil {
			return sum, err
		}
		h.Write(row)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}
