package loggops

import (
	"context"
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// PerByte is a time for each byte, in nanoseconds.
type PerByte float64

// PerByteAt is what a byte takes of an interface that sends at a rate above 0.
func PerByteAt(rate units.Rate) PerByte {
	const bits = 8
	return PerByte(bits / float64(rate)) // Gb/s are bits a nanosecond
}

// Params are the parameters of the model but for the latency.
type Params struct {
	Overhead     units.Time `json:"overhead_ns"`            // `o`: of a CPU for a message, at either end
	Gap          units.Time `json:"gap_ns"`                 // `g`: of an interface from message to message
	GapByte      PerByte    `json:"gap_ns_per_byte"`        // `G`: of an interface for each byte after the first
	OverheadByte PerByte    `json:"overhead_ns_per_byte"`   // `O`: of a CPU for each byte after the first
	Rendezvous   int64      `json:"rendezvous_above_bytes"` // `S`: longer messages wait for their receive
}

// DefaultParams are those that LogGOPSim takes when it is given none.
func DefaultParams() Params {
	return Params{Overhead: 1500, Gap: 1000, GapByte: 6, Rendezvous: 65535}
}

// Bounds of Params.
const (
	mostTime    units.Time = 1e9
	mostPerByte PerByte    = 1e6
)

// Check refuses parameters that are not from 0 to 1e9 ns, 1e6 ns a byte, as
// diag.FieldErrors.
func (p Params) Check() error {
	var wrong diag.FieldErrors
	time := func(field string, t units.Time) {
		if !(t >= 0 && t <= mostTime) {
			wrong.Add(field, "must be from 0 to %g ns, not %g", float64(mostTime), float64(t))
		}
	}
	perByte := func(field string, t PerByte) {
		if !(t >= 0 && t <= mostPerByte) {
			wrong.Add(field, "must be from 0 to %g ns a byte, not %g", float64(mostPerByte), float64(t))
		}
	}
	time("Overhead", p.Overhead)
	time("Gap", p.Gap)
	perByte("GapByte", p.GapByte)
	perByte("OverheadByte", p.OverheadByte)
	if p.Rendezvous < 0 {
		wrong.Add("Rendezvous", "must be at least 0 bytes, not %d", p.Rendezvous)
	}
	return wrong.Err()
}

// Latency is what the first byte of a message takes from one rank to another.
type Latency func(src, dst int32) (units.Time, error)

// Constant is the same latency between all ranks.
func Constant(t units.Time) Latency {
	return func(int32, int32) (units.Time, error) { return t, nil }
}

// Options of Play.
type Options struct {
	Params
	// Latency is asked once for each send, from several goroutines at once.
	Latency Latency
	// Progress, if not nil, receives how many events of how many there have been.
	Progress func(done, total int)
}

// Result is what a schedule took.
type Result struct {
	Ranks    int   `json:"ranks"`      // those of the schedule
	Ops      int   `json:"operations"` // calculations, sends and receives
	Messages int   `json:"messages"`   // sends
	Events   int64 `json:"events"`     // operations that began and messages that arrived
	// Finish is when each rank has done its last operation, 0 for one that has none.
	Finish      []units.Time `json:"-"`
	Makespan    units.Time   `json:"finish_max_ns"`   // when the last rank has ended
	Last        int          `json:"last_rank"`       // the first of the ranks that end then
	FinishMean  units.Time   `json:"finish_mean_ns"`  // mean over the ranks
	FinishMin   units.Time   `json:"finish_min_ns"`   // when the first rank has ended
	LatencyMean units.Time   `json:"latency_mean_ns"` // mean over the messages, 0 where there are none
	LatencyMax  units.Time   `json:"latency_max_ns"`  // the greatest of any message
	// Prepared is the seconds that latencies and the order of messages took; left out unless `--timing` asks for it.
	Prepared units.Elapsed `json:"prepare_s,omitzero"`
	// Wall is the seconds that the events took; left out unless `--timing` asks for it.
	Wall units.Elapsed `json:"wall_s,omitzero"`
}

// picoseconds turns nanoseconds into the unit of the clock, rounded to the nearest, of two to the even one.
func picoseconds(t float64) int64 { return int64(math.RoundToEven(t * 1000)) }

// checkContext returns the error of a context, which it looks at every 16384 events.
func checkContext(ctx context.Context, event int64) error {
	if event&(1<<14-1) == 0 {
		return ctx.Err()
	}
	return nil
}
