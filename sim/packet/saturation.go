package packet

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/internal/interval"
)

// FindSaturation encloses the load at which a network saturates between one that is
// carried and one that is not, until the interval is at most the share Tolerance of its
// upper end, or below 1/1000 of a phit per cycle. The load of open does not matter. Errors are those of Run.
//
// The first load is 1. What is accepted there tells where to look: a network that carries
// as much at other loads leaves 5 % behind at that load over 0.95. What a network holds is
// carried on to a lower load, without what waits at terminals: where that is carried, it
// is in an empty network. If it saturates, that may be what the network held, and some
// fall into another state late and at random: only runs that begin in an empty network
// tell that a load is too much. A run ends before its last batch as soon as it is plain
// on which side of 5 % the growth of the backlog is, and what is accepted is known to the
// share Tolerance.
func FindSaturation(ctx context.Context, cfg Config, open OpenLoop) (*Saturation, error) {
	m, err := open.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, cfg: cfg, open: open, m: m, found: Saturation{Above: 1}, step: 1}
	found := &s.found
	for load := 1.0; ; load = s.next() {
		l, err := s.try(load)
		if err != nil {
			return nil, err
		}
		if load == 1 {
			found.Full = l.accepted
		}
		if l.isSaturated() {
			found.Above, s.capacity = load, l.accepted
		} else {
			found.Load, found.Accepted = load, l.accepted
		}
		if load == 1 && !l.isSaturated() || found.Above-found.Load <= s.width() {
			return found, nil
		}
	}
}

// search is the state of a search for saturation.
type search struct {
	ctx   context.Context
	cfg   Config
	open  OpenLoop
	m     Measurement
	found Saturation

	crew     *crew
	load     float64 // the last one
	cycles   int64   // of crews before
	capacity float64 // what was accepted at the lowest load that is too much
	up       bool    // the last load was carried
	step     float64 // to the next load, in least steps
}

// look is what is seen at a load.
type look struct{ behind, accepted float64 }

// isSaturated reports the same as Result.IsSaturated, while a simulation runs.
func (l look) isSaturated() bool { return l.behind > mostBehind }

// width is that of an interval which is small enough.
func (s *search) width() float64 { return max(s.m.Tolerance*s.found.Above, 0.001) }

// boldRuns is the runs after which intervals are halved.
const boldRuns = 10

// next is the load to try: a little below what was accepted above it, so that this load
// and the next one enclose the guess. While loads turn out alike the steps from them
// double. The middle of the interval is tried where that leads nowhere.
func (s *search) next() float64 {
	below, above := s.found.Load, s.found.Above
	up := s.load == below
	if up != s.up {
		s.step, s.up = 1, up
	}
	step := 0.9 * s.m.Tolerance * s.step // of the load; two of them one step apart are near enough
	s.step *= 2
	load := below * (1 + step)
	if guess := s.capacity / (1 - mostBehind); !up {
		load = min(guess*(1-0.65*s.m.Tolerance), above*(1-step))
	}
	if load <= below || load >= above || s.found.Runs > boldRuns {
		return (below + above) / 2
	}
	return load
}

// try plays a load and tells what was seen.
func (s *search) try(load float64) (look, error) {
	if s.crew != nil && load < s.load {
		if err := s.down(load); err != nil {
			return look{}, err
		}
		if l, err := s.look(); err != nil || !l.isSaturated() {
			return l, err
		}
	}
	if err := s.begin(load); err != nil {
		return look{}, err
	}
	return s.look()
}

// begin starts a load in an empty network.
func (s *search) begin(load float64) error {
	if s.crew != nil {
		s.cycles += s.crew.engines[0].now
	}
	e, err := newEngine(s.cfg)
	if err != nil {
		return err
	}
	open := s.open
	open.Load, s.load = load, load
	if err := e.startOpen(&open); err != nil {
		return err
	}
	s.crew = newCrew(e)
	s.setProgress()
	_, err = s.crew.until(s.ctx, int64(*s.m.Warmup))
	return err
}

// carriedOn is the part of the warm-up that a load takes in a network that is warm.
const carriedOn = 4

// down goes on with a lower load.
func (s *search) down(load float64) error {
	e := s.crew.engines[0]
	open := *e.open
	open.Load = load
	rate := e.injection.Rate * load / s.load
	for _, o := range s.crew.engines {
		o.open, o.injection.Rate = &open, rate
	}
	for t := range e.senders { // what waits at terminals is of the higher load
		if s := &e.senders[t]; s.nextMade < e.now {
			e.streams.use(e.net.Routers() + t)
			s.nextMade = e.now + e.injection.Gap(e.rng)
		}
	}
	s.load = load
	s.setProgress()
	_, err := s.crew.until(s.ctx, e.now+int64(*s.m.Warmup)/carriedOn)
	return err
}

// look measures until the verdict is plain, all batches at most.
func (s *search) look() (look, error) {
	s.found.Runs++
	c := s.crew
	if _, err := c.runUntilSettled(s.ctx, s.m); err != nil {
		return look{}, err
	}
	parts := min(batchParts, s.m.Batch)
	part := int64(s.m.Batch / parts)
	var growth, accepted []float64
	var l look
	for range s.m.Batches * parts {
		e := c.engines[0]
		before := c.backlog()
		e.stats.window.clear()
		e, err := c.until(s.ctx, e.now+part)
		if err != nil {
			return l, err
		}
		growth = append(growth, (c.backlog()-before)/float64(part))
		accepted = append(accepted, e.rate(e.stats.window.packets, part))
		var off, unsure float64
		l.behind, off = interval.Mean(growth)
		l.accepted, unsure = interval.Mean(accepted)
		batches := len(growth) / parts
		plain := math.Abs(l.behind-mostBehind) > 2*off && unsure <= s.m.Tolerance*l.accepted
		if plain && len(growth)%parts == 0 &&
			(l.isSaturated() && len(growth) >= batchParts || batches >= fewestBatches) {
			break
		}
	}
	return l, c.audit()
}

// batchParts is the parts of a batch, for a confidence interval after the first one. A verdict is looked for after each
// batch, so that it takes twice the 95 % interval: 99 % for all batches together.
const batchParts = 5

// fewestBatches is how many it takes to say that a load is carried: a network may fall into a worse state late.
const fewestBatches = 3

// setProgress sets the cycles done and still expected (a load or two more) for the progress of the crew.
func (s *search) setProgress() {
	c, tell := s.crew, s.open.Progress
	if tell == nil {
		return
	}
	least := s.m.least()
	c.expected = c.engines[0].now + least
	rest := int64(0)
	switch {
	case s.found.Runs == 0:
		rest = 2 * least
	case s.found.Above-s.found.Load > 3*s.width():
		rest = least
	}
	before := s.cycles
	c.tell = func(cycles, of int64) { tell(before+cycles, before+of+rest) }
}
