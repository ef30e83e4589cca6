package packet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/plenum-planner/plenum/internal/interval"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/units"
)

// Latencies are from the creation of a packet to the arrival of its last phit, with
// the time that it waits at its terminal.
type Latencies[T ~float64] struct {
	Mean T `json:"mean"`
	P50  T `json:"p50"`
	P99  T `json:"p99"`
	Max  T `json:"max"`
	// HalfWidth is half the 95 % confidence interval of the mean, from the means of the batches; 0 for a workload.
	HalfWidth T `json:"half_width"`
	// Hop is the part of the mean in the routers traversed and in terminals: pipelines, adapters, and the injection and
	// ejection of packets.
	Hop         T `json:"hop"`
	Propagation T `json:"propagation"` // the part of the mean on links
	// Serialisation is the part of the mean that a packet takes for its length, after its first phit.
	Serialisation T `json:"serialisation"`
	Queueing      T `json:"queueing"` // the rest of the mean: waiting, at the terminal too
}

// Latency is in cycles.
type Latency = Latencies[float64]

// Times is latencies of a clock's cycles as times.
func Times(l Latency, clock units.Frequency) Latencies[units.Time] {
	in := func(cycles float64) units.Time { return units.Time(cycles * (1 / float64(clock))) }
	return Latencies[units.Time]{
		Mean: in(l.Mean), P50: in(l.P50), P99: in(l.P99), Max: in(l.Max), HalfWidth: in(l.HalfWidth), Hop: in(l.Hop),
		Propagation: in(l.Propagation), Serialisation: in(l.Serialisation), Queueing: in(l.Queueing),
	}
}

// Buffer is the smallest buffer of a virtual channel between switches: whole packets,
// and under wormhole switching phits too.
type Buffer struct {
	// Packets is whole packets that the smallest buffer of a virtual channel between switches holds.
	Packets int `json:"buffer_packets"`
	// Phits is phits that it holds, under wormhole switching; else left out.
	Phits int `json:"buffer_phits,omitempty"`
}

// Use is the use of the channels of a level of links, each direction for itself.
type Use struct {
	Level    string `json:"level"`    // its name
	Channels int    `json:"channels"` // those of the level, each direction for itself
	// Mean is the share of the measured cycles in which a channel carries a phit, mean over the channels.
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"` // that of the busiest channel
}

// Result is what was measured.
type Result struct {
	Load float64 `json:"load"` // asked for, in phits per cycle and terminal
	// Offered is the same without the terminals that send nothing, as a mean over all terminals.
	Offered float64 `json:"offered"`
	// Accepted is delivered in the measured cycles, in phits per cycle and terminal.
	Accepted float64 `json:"accepted"`
	// HalfWidth is half the 95 % confidence interval of `accepted`, from the batches.
	HalfWidth float64 `json:"accepted_half_width"`
	// Behind is the share of the offered load that has stayed behind, in the network or because terminals could not
	// begin to send it.
	Behind float64 `json:"behind"`
	// Settled is whether the warm-up came to an end by itself: what is accepted had stopped changing.
	Settled bool `json:"settled"`
	// Stationary is whether all figures are those of a network that has stopped changing: it is `settled` and not
	// saturated, and neither the half-width of `accepted` nor that of the mean latency is more than a tenth of it.
	Stationary bool `json:"stationary"`

	Cycles   int64 `json:"cycles"`          // all that were simulated, the warm-up included
	Measured int64 `json:"measured_cycles"` // cycles after the warm-up
	Packets  int64 `json:"packets"`         // those that entered the network, in all cycles
	// Delivered is packets that arrived in the measured cycles, over which hops and latencies are taken.
	Delivered int64 `json:"delivered"`
	// Undeliverable is packets without a way to their destination, in all cycles.
	Undeliverable int64 `json:"undeliverable"`
	// Hops is channels between switches that a packet crosses, of nodes with several ports those to and from them
	// too, mean over those delivered.
	Hops     float64 `json:"hops_mean"`
	FlitHops int64   `json:"flit_hops"` // phits over channels between switches, in all cycles
	// Latency is from the creation of a packet to the arrival of its last phit, the wait at its terminal included.
	Latency Latency `json:"latency_cycles"`
	Levels  []Use   `json:"levels"` // how busy the channels are, by level of the topology

	VCs int `json:"vcs"` // virtual channels of each channel
	Buffer
	// Warnings is what may spoil the figures; left out where there is nothing.
	Warnings []string `json:"warnings,omitempty"`
	// Wall is the time that the simulation took; it differs from run to run, and is left out unless
	// `--timing` asks for it.
	Wall units.Elapsed `json:"wall_s,omitzero"`
}

// Run simulates an open loop. Errors are those of Check, of open, of a network in which nothing moves, and of ctx.
func Run(ctx context.Context, cfg Config, open OpenLoop) (*Result, error) {
	start := time.Now()
	m, err := open.withDefaults()
	if err != nil {
		return nil, err
	}
	e, err := newEngine(cfg)
	if err != nil {
		return nil, err
	}
	if err := e.startOpen(&open); err != nil {
		return nil, err
	}
	c := newCrew(e)
	c.tell, c.expected = open.Progress, m.least()
	r := &Result{Load: open.Load, VCs: e.vcs}
	if _, err = c.until(ctx, int64(*m.Warmup)); err != nil {
		return nil, err
	}
	if r.Settled, err = c.runUntilSettled(ctx, m); err != nil {
		return nil, err
	}
	for i := range e.outputs {
		e.outputs[i].sent = 0
	}
	from, backlog := e.now, c.backlog()
	e.stats.clear()
	var total window
	var means, accepted []float64
	for range m.Batches {
		if e, err = c.until(ctx, e.now+int64(m.Batch)); err != nil {
			return nil, err
		}
		w := &e.stats.window
		if w.packets > 0 {
			means = append(means, float64(w.latency)/float64(w.packets))
		}
		accepted = append(accepted, e.rate(w.packets, int64(m.Batch)))
		total.merge(w)
		w.clear()
	}
	if err := c.audit(); err != nil {
		return nil, err
	}
	terminals := float64(e.net.Terminals())
	r.Offered = open.Load * (terminals - float64(e.silent)) / max(terminals, 1)
	r.Accepted, r.HalfWidth = interval.Mean(accepted)
	e.fill(r, &total, from)
	_, r.Latency.HalfWidth = interval.Mean(means)
	r.Behind = (c.backlog() - backlog) / float64(r.Measured)
	r.Stationary = r.Settled && r.steady()
	r.Wall = units.Since(start)
	return r, nil
}

// backlog is the time that the terminals that send take to make what is in the
// network and waits for it, as a mean over them. What waits is not made before its
// turn: counted is how long the next message of each terminal has been due.
func (c *crew) backlog() float64 {
	e := c.engines[0]
	waiting := 0.0
	for t := range e.senders {
		waiting += float64(max(0, e.now-e.senders[t].nextMade))
	}
	alive, _ := c.alive()
	return (waiting + float64(alive*e.phits)/e.open.Load) / float64(max(len(e.senders)-e.silent, 1))
}

// rate is phits per cycle and terminal.
func (e *engine) rate(packets, cycles int64) float64 {
	return float64(packets*e.phits) / float64(cycles) / float64(max(e.net.Terminals(), 1))
}

// settledChecks is the batches in a row that a stationary network has alike.
const settledChecks = 4

// runUntilSettled runs batches until the accepted load of four in a row lies within 5 %.
func (c *crew) runUntilSettled(ctx context.Context, m Measurement) (bool, error) {
	var last []float64
	for range m.Checks {
		before := c.engines[0].stats.delivered
		e, err := c.until(ctx, c.engines[0].now+int64(m.Check))
		if err != nil {
			return false, err
		}
		c.expected = max(c.expected, e.now+int64(m.Batches)*int64(m.Batch))
		last = append(last, e.rate(e.stats.delivered-before, int64(m.Check)))
		if n := len(last); n >= settledChecks {
			lo, hi := math.Inf(1), 0.0
			for _, x := range last[n-settledChecks:] {
				lo, hi = min(lo, x), max(hi, x)
			}
			if hi-lo <= 0.05*hi {
				return true, nil
			}
		}
	}
	return false, nil
}

// fill sets what follows from sums.
func (e *engine) fill(r *Result, w *window, from int64) {
	r.Cycles, r.Measured = e.now, e.now-from
	r.Packets, r.Undeliverable, r.Delivered = e.stats.injected, e.stats.undeliverable, w.packets
	r.FlitHops = e.flitHops()
	r.Levels = e.use(r.Measured)
	r.Buffer, r.Warnings = e.smallestBuffer()
	if w.packets == 0 {
		return
	}
	r.Hops = float64(w.hops) / float64(w.packets)
	r.Latency = e.latencies(w)
}

// latencies are those of the packets of a window, of which there are some.
func (e *engine) latencies(w *window) Latency {
	n := float64(w.packets)
	var l Latency
	l.Mean = float64(w.latency) / n
	l.P50, l.P99 = float64(w.counts.quantile(0.5, w.packets)), float64(w.counts.quantile(0.99, w.packets))
	l.Max = float64(w.most)
	l.Propagation = float64(w.distance) / n
	l.Hop = float64(w.passed) / n
	l.Serialisation = e.serialisation(float64(w.hops) / n)
	l.Queueing = l.Mean - l.Hop - l.Propagation - l.Serialisation
	return l
}

// serialisation is the cycles that a packet takes for its length on so many channels between routers.
func (e *engine) serialisation(hops float64) float64 {
	times := 1.0
	if e.cfg.Switching == StoreAndForward {
		times += hops
		if e.net.Terminals() > 0 && e.cfg.TerminalLatency(0) > 0 {
			times++
		}
	}
	return times * float64(e.phits-1)
}

// flitHops counts phits over channels between switches in all cycles.
func (e *engine) flitHops() int64 { return e.carried * e.cell }

// use sums up the channels of each level; sent counts from the start of the
// measurement.
func (e *engine) use(cycles int64) []Use {
	levels := e.net.Graph.Levels()
	out := make([]Use, 0, len(levels))
	sums := make([]Use, len(levels))
	count := func(level int32, sent int64) {
		u := &sums[level]
		u.Channels++
		busy := float64(sent*e.cell) / float64(max(cycles, 1))
		u.Mean += busy
		u.Max = max(u.Max, busy)
	}
	for c := range e.channels {
		count(e.net.Level[c], e.outputs[c].sent)
	}
	levelOf := e.terminalLevels()
	for t, link := range e.net.TerminalLink {
		if link >= 0 {
			count(levelOf[t], e.outputs[e.channels+t].sent)
		}
	}
	for i, u := range sums {
		if u.Channels > 0 {
			u.Level = levels[i].Name
			u.Mean /= float64(u.Channels)
			out = append(out, u)
		}
	}
	return out
}

// terminalLevels finds the level of the link of each terminal, where it has one.
func (e *engine) terminalLevels() []int32 {
	of := make(map[int32]int32, len(e.net.TerminalLink))
	for t, link := range e.net.TerminalLink {
		if link >= 0 {
			of[link] = int32(t)
		}
	}
	levels := make([]int32, len(e.net.TerminalLink))
	i := int32(0)
	for l := range e.net.Graph.Links() {
		if t, ok := of[i]; ok {
			levels[t] = l.Level
		}
		i++
	}
	return levels
}

// smallestBuffer returns the smallest buffer between switches, and a warning if buffers are
// too small for the round trip of the room that they return.
func (e *engine) smallestBuffer() (buffer Buffer, warnings []string) {
	least, short, need := math.MaxInt, 0, 0
	for c := range e.channels {
		size, trip := e.size(c), e.roundTrip(c)
		least = min(least, size)
		if size < trip && !e.fair {
			short++
			need = max(need, trip)
		}
	}
	if least == math.MaxInt {
		least = 0
	}
	buffer, unit := Buffer{Packets: least}, "packets"
	if e.cfg.Switching == Wormhole {
		buffer, unit = Buffer{least / int(e.phits), least}, "phits"
	}
	if short > 0 {
		warnings = []string{fmt.Sprintf("buffers of %d %s are too small for the round trip of %d of %d channels, "+
			"which takes up to %d %s: one virtual channel cannot fill such a link", least, unit, short, e.channels,
			need, unit)}
	}
	return buffer, warnings
}

// JobResult is how long a workload took.
type JobResult struct {
	Cycles int64 `json:"cycles"` // until the last message had arrived
	// JobCycles is the same for each of several jobs that were played side by side; left out for one.
	JobCycles []int64 `json:"job_cycles,omitempty"`

	Messages int64 `json:"messages"` // those that were delivered
	Packets  int64 `json:"packets"`  // those that entered the network
	// Hops is channels between switches that a packet crosses, of nodes with several ports those to and from them
	// too, mean over all packets.
	Hops     float64 `json:"hops_mean"`
	FlitHops int64   `json:"flit_hops"` // phits over channels between switches
	// Latency is from the creation of a packet to the arrival of its last phit, the wait at its terminal included.
	Latency Latency `json:"latency_cycles"`
	Levels  []Use   `json:"levels"` // how busy the channels are, by level of the topology
	VCs     int     `json:"vcs"`    // virtual channels of each channel
	Buffer
	// Warnings is what may spoil the figures; left out where there is nothing.
	Warnings []string `json:"warnings,omitempty"`
	// Wall is the time that the simulation took; it differs from run to run, and is left out unless
	// `--timing` asks for it.
	Wall units.Elapsed `json:"wall_s,omitzero"`
}

// RunJob plays a workload with task i on terminal place[i], from 0, until all its messages are delivered, and uses the
// workload up. Errors are those of Check, of terminals that fail or are none or have two tasks, of messages that cannot
// be delivered, of a network in which nothing moves, and of ctx.
func RunJob(ctx context.Context, cfg Config, w traffic.Workload, place []int32) (*JobResult, error) {
	start := time.Now()
	e, err := newEngine(cfg)
	if err != nil {
		return nil, err
	}
	if err := e.startJob(w, place); err != nil {
		return nil, err
	}
	c := newCrew(e)
	for e.unsettled > 0 {
		if err := c.step(ctx); err != nil {
			return nil, err
		}
	}
	e = c.sumStats()
	if err := c.audit(); err != nil {
		return nil, err
	}
	if alive, _ := c.alive(); alive != 0 {
		return nil, fmt.Errorf("packet: %d packets are left after the last message", alive)
	}
	var r Result
	e.fill(&r, &e.stats.window, 0)
	return &JobResult{
		Cycles: e.finished, JobCycles: traffic.JobEnds(e.job),
		Messages: e.settledMessages, Packets: r.Packets, Hops: r.Hops, FlitHops: r.FlitHops,
		Latency: r.Latency, Levels: r.Levels, VCs: e.vcs, Buffer: r.Buffer, Warnings: r.Warnings,
		Wall: units.Since(start),
	}, nil
}

// step plays some cycles of a closed loop.
func (c *crew) step(ctx context.Context) error {
	e := c.engines[0]
	c.play(e.now + 1024)
	if e.unsettled == 0 {
		return nil
	}
	if c.sumStats().stats.lost > 0 {
		return fmt.Errorf("packet: a message cannot be delivered by routing %s", e.fn.Name())
	}
	alive, moved := c.alive()
	if alive == 0 && len(e.delayed) > 0 && e.now-moved > e.wheel.mask {
		for _, o := range c.engines {
			o.now = max(e.now, e.delayed[0].at)
			o.moved = o.now
		}
		moved = e.now
	}
	if e.now-moved > int64(e.cfg.Patience) {
		if alive > 0 {
			return c.stuck(alive, moved)
		}
		if len(e.delayed) == 0 {
			return fmt.Errorf("packet: nothing moves, but %d messages of the workload are not delivered", e.unsettled)
		}
	}
	return ctx.Err()
}
