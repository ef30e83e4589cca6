package loggops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/sim/goal"
)

// operation is what the player knows of an operation, in one line of a cache.
type operation struct {
	size    int64
	latency int64 // of a send
	ready   int64 // when what it required had ended, as far as that has begun
	rank    int32
	peer    int32
	partner int32 // the only receive that its message may meet, or the other way round; -1 if there are several
	channel int32 // of several, -1 at ranks with receives from any source or of any tag
	next    int32 // behind it in its channel
	waits   int32 // dependences that are left
	lane    int32
	there   int32 // lane of a message at its receiver
	first   goal.Dependent
	needs   dependents
	kind    goal.Kind
	waiting bool // for its partner, which has not come yet
	done    bool // it ended; of a send, its message has met a receive
}

// dependents is how many operations depend on one.
type dependents uint8

const (
	nobody dependents = iota
	one               // the first
	several
)

// lane is a CPU and an interface of a rank that an operation or a message takes.
type lane struct{ cpu, nic int32 }

// busy is when a CPU and an interface of the same number are free. With one of each for
// every rank, they are those of the rank, in one line of a cache.
type busy struct{ cpu, send, recv int64 }

// laneKey is what a lane is numbered by.
type laneKey struct {
	rank     int32
	cpu, nic uint8
}

// mostNanoseconds bounds the end of all: what every operation takes if nothing goes on
// at the same time.
const mostNanoseconds = 8e15

const block = 1 << 12 // operations that are prepared at a time

// prepare makes the player of a schedule.
func prepare(ctx context.Context, s *goal.Schedule, opt Options) (*player, error) {
	if err := opt.Params.Check(); err != nil {
		return nil, err
	}
	if opt.Latency == nil {
		return nil, diag.Fieldf("Latency", "is not given")
	}
	p := &player{schedule: s, opt: opt, ops: make([]operation, len(s.Ops()))}
	ops := s.Ops()
	plain := true
	for rank := range s.Ranks() {
		from, to := s.Of(rank)
		for i := from; i < to; i++ {
			o := &ops[i]
			p.ops[i] = operation{
				size: o.Size, rank: int32(rank), peer: o.Peer, channel: -1, waits: s.Waits(i), lane: int32(rank),
				there: o.Peer, partner: -1, kind: o.Kind,
			}
			if d := s.Dependents(i); len(d) > 0 {
				p.ops[i].first = d[0]
				p.ops[i].needs = dependents(min(len(d), int(several)))
			}
			plain = plain && o.CPU == 0 && o.NIC == 0
		}
	}
	p.addLanes(plain)
	if err := p.addLatencies(ctx); err != nil {
		return nil, err
	}
	if err := p.addChannels(ctx); err != nil {
		return nil, err
	}
	return p, p.checkTimeRange()
}

// addLanes numbers what operations take. With one CPU and interface for each rank,
// lanes are numbered as ranks are.
func (p *player) addLanes(plain bool) {
	ranks := p.schedule.Ranks()
	var cpus, nics int
	if plain {
		cpus, nics = ranks, ranks
		p.lanes = make([]lane, ranks)
		p.owner = make([]int32, ranks)
		for r := range p.lanes {
			p.lanes[r] = lane{int32(r), int32(r)}
			p.owner[r] = int32(r)
		}
	} else {
		cpus, nics = p.numberLanes()
	}
	p.plain = plain
	p.busy = make([]busy, max(cpus, nics))
	p.cpus = cpus
	p.classes = make([]class, 3*len(p.lanes))
}

// numberLanes numbers the pairs of a CPU and a NIC that operations use, and returns how many CPUs and NICs of ranks are
// in use.
func (p *player) numberLanes() (cpus, nics int) {
	lanes, ofCPU, ofNIC := map[laneKey]int32{}, map[laneKey]int32{}, map[laneKey]int32{}
	number := func(in map[laneKey]int32, key laneKey) int32 {
		n, ok := in[key]
		if !ok {
			n = int32(len(in))
			in[key] = n
		}
		return n
	}
	at := func(key laneKey) int32 {
		n := number(lanes, key)
		if int(n) == len(p.lanes) {
			cpu := number(ofCPU, laneKey{rank: key.rank, cpu: key.cpu})
			if int(cpu) == len(p.owner) {
				p.owner = append(p.owner, key.rank)
			}
			p.lanes = append(p.lanes, lane{cpu, number(ofNIC, laneKey{rank: key.rank, nic: key.nic})})
		}
		return n
	}
	for i, o := range p.schedule.Ops() {
		own := &p.ops[i]
		own.lane = at(laneKey{own.rank, o.CPU, o.NIC})
		if o.Kind == goal.Send {
			own.there = at(laneKey{o.Peer, o.CPU, o.NIC})
		}
	}
	return len(ofCPU), len(ofNIC)
}

// addLatencies asks for the latency of every send, on all cores.
func (p *player) addLatencies(ctx context.Context) error {
	return parallel.Each(ctx, (len(p.ops)+block-1)/block, func(_ context.Context, task int) error {
		for i := task * block; i < min((task+1)*block, len(p.ops)); i++ {
			o := &p.ops[i]
			if o.kind != goal.Send {
				continue
			}
			t, err := p.opt.Latency(o.rank, o.peer)
			if err != nil {
				return err
			}
			if !(t >= 0 && t <= mostTime) {
				return fmt.Errorf("loggops: the latency from rank %d to rank %d is %g ns, not from 0 to %g", o.rank,
					o.peer, float64(t), float64(mostTime))
			}
			o.latency = picoseconds(float64(t))
		}
		return nil
	})
}

// end is an end of a message by the rank where it arrives.
type end struct {
	src int32
	tag uint32
	op  int32
}

// addChannels numbers the pairs of ranks with a tag, so that messages and receives
// meet without a search. Ranks that receive from any source or with any tag have
// queues by name.
func (p *player) addChannels(ctx context.Context) error {
	ranks := p.schedule.Ranks()
	at := make([]int64, ranks+1)
	ops := p.schedule.Ops()
	wild := map[int32]*wild{}
	receiver := func(i int) int32 {
		if p.ops[i].kind == goal.Send {
			return p.ops[i].peer
		}
		return p.ops[i].rank
	}
	for i := range ops {
		if ops[i].Kind == goal.Calc {
			continue
		}
		if ops[i].Kind == goal.Recv && (ops[i].Peer == goal.AnySource || ops[i].Tag == goal.AnyTag) {
			wild[p.ops[i].rank] = newWild()
		}
		at[receiver(i)+1]++
	}
	p.wild = wild
	for r := range ranks {
		at[r+1] += at[r]
	}
	ends := make([]end, at[ranks])
	next := slices.Clone(at[:ranks])
	for i := range ops {
		if ops[i].Kind == goal.Calc {
			continue
		}
		r := receiver(i)
		e := end{src: ops[i].Peer, tag: ops[i].Tag, op: int32(i)}
		if ops[i].Kind == goal.Send {
			e.src = p.ops[i].rank
		}
		ends[next[r]] = e
		next[r]++
	}
	// The channels of a rank are numbered from its first end on; some numbers stay
	// without a channel.
	p.channels = make([]channel, len(ends))
	return parallel.Each(ctx, (ranks+63)/64, func(_ context.Context, task int) error {
		for r := task * 64; r < min((task+1)*64, ranks); r++ {
			if wild[int32(r)] != nil {
				continue
			}
			p.join(ends[at[r]:at[r+1]], int32(at[r]))
		}
		return nil
	})
}

// join finds the ends of a rank that may meet. Their channels are numbered from first
// on.
func (p *player) join(ends []end, first int32) {
	slices.SortFunc(ends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.src, b.src), cmp.Compare(a.tag, b.tag), cmp.Compare(a.op, b.op))
	})
	for i := 0; i < len(ends); {
		j := i + 1
		for j < len(ends) && ends[j].src == ends[i].src && ends[j].tag == ends[i].tag {
			j++
		}
		a, b := ends[i].op, ends[j-1].op
		if j == i+2 && p.ops[a].kind != p.ops[b].kind {
			p.ops[a].partner, p.ops[b].partner = b, a
		} else {
			for _, e := range ends[i:j] {
				p.ops[e.op].channel = first
			}
			first++
		}
		i = j
	}
}

// ErrTooLong refuses a schedule that may end later than times can tell.
var ErrTooLong = errors.New("the schedule may take longer than the 92 days that times are kept for")

// checkTimeRange refuses what may end later than times can tell.
func (p *player) checkTimeRange() error {
	total := 0.0
	o := p.opt.Params
	for i := range p.ops {
		switch x := &p.ops[i]; x.kind {
		case goal.Calc:
			total += float64(x.size)
		case goal.Send:
			bytes := float64(x.size) * float64(o.GapByte+o.OverheadByte)
			total += 2*(float64(o.Overhead)+float64(o.Gap)+bytes) + float64(x.latency)/1000
		}
	}
	if total > mostNanoseconds {
		return ErrTooLong
	}
	return nil
}
