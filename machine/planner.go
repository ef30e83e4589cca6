package machine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync/atomic"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// Planner plans one spec after another, as of a file that is being edited, and measures delays of paths, shortest and
// routed, only where what they are measured of has changed since the last plan: vertices and links, lengths and media
// of cables, hop delays, places, samples and seed. All else is made anew. Its plans are those of PlanWith.
//
// It keeps no more than the delays of the last plan that came to an end. The zero value is ready, and any number of
// goroutines may plan with one.
type Planner struct {
	last atomic.Pointer[measured]
}

// PlanWith is as the function PlanWith.
func (p *Planner) PlanWith(ctx context.Context, given *spec.Spec, opt Options) (*Result, error) {
	k := &known{now: newMeasured()}
	if last := p.last.Load(); last != nil {
		k.before = *last
	}
	r, err := planWith(ctx, given, opt, k)
	if err == nil {
		p.last.Store(&k.now)
	}
	return r, err
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

// measured are delays by what they were measured of. Those of a plan that came to an end do not change.
type measured struct {
	paths  map[delay.Inputs]*pathDelays
	routed map[routedInputs]*delay.Routed
}

func newMeasured() measured {
	return measured{map[delay.Inputs]*pathDelays{}, map[routedInputs]*delay.Routed{}}
}

// known are the delays of the plan before and of the one that is being made.
type known struct{ before, now measured }

// or returns what was measured of the same inputs before, or else measures them.
func (k *known) or(of delay.Inputs, fresh func() (*pathDelays, error)) (*pathDelays, error) {
	if k == nil {
		return fresh()
	}
	d := k.before.paths[of]
	if d == nil {
		var err error
		if d, err = fresh(); err != nil {
			return nil, err
		}
	}
	k.now.paths[of] = d
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
func (k *known) routedOr(of routedInputs, fresh func() (*delay.Routed, error)) (*delay.Routed, error) {
	if k == nil {
		return fresh()
	}
	d := k.before.routed[of]
	if d == nil {
		var err error
		if d, err = fresh(); err != nil {
			return nil, err
		}
	}
	k.now.routed[of] = d
	own := *d
	return &own, nil
}

// networkSum is that of all a routing function may see of a network: the family with its parameters, and the links with
// the ports that they are plugged into.
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
