package machine

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Planner plans one spec after another, as of a file that is being edited, and measures delays of paths only where what
// they are measured of has changed since the last plan: vertices and links, lengths and media of cables, hop delays,
// places, samples and seed. All else is made anew. Its plans are those of PlanWith.
//
// It keeps no more than the delays of the last plan that came to an end. The zero value is ready, and any number of
// goroutines may plan with one.
type Planner struct {
	last atomic.Pointer[measuredPaths]
}

// PlanWith is as the function PlanWith.
func (p *Planner) PlanWith(ctx context.Context, given *spec.Spec, opt Options) (*Result, error) {
	k := &known{now: measuredPaths{}}
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

// measuredPaths are delays by what they were measured of. Those of a plan that came to an end do not change.
type measuredPaths map[delay.Inputs]*pathDelays

// known are the delays of the plan before and of the one that is being made.
type known struct{ before, now measuredPaths }

// or returns what was measured of the same inputs before, or else measures them.
func (k *known) or(fresh func() (*pathDelays, error), inputs func() delay.Inputs) (*pathDelays, error) {
	if k == nil {
		return fresh()
	}
	of := inputs()
	d := k.before[of]
	if d == nil {
		var err error
		if d, err = fresh(); err != nil {
			return nil, err
		}
	}
	k.now[of] = d
	return d.copied(), nil
}
