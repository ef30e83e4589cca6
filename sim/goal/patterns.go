package goal

import (
	"math/bits"

	"github.com/plenum-planner/plenum/diag"
)

// PatternInfo describes a pattern that NewPattern knows.
type PatternInfo struct {
	Name string
	Doc  string // one line
}

type pattern struct {
	PatternInfo
	ops  func(ranks int64) int64 // the number of operations
	rank func(p *patternBuilder, rank int32)
}

var patterns = []pattern{
	{
		PatternInfo{
			"dissemination",
			"in step i, rank r sends to r + 2^i and receives from r - 2^i, ceil(log2 n) times; bytes of a message",
		},
		func(n int64) int64 { return 2 * n * steps(n) },
		(*patternBuilder).dissemination,
	},
	{
		PatternInfo{"linear-all-to-all", "every rank sends to r + 1, r + 2 ..., all at once; bytes of a message"},
		func(n int64) int64 { return 2 * n * (n - 1) },
		(*patternBuilder).linearAllToAll,
	},
	{
		PatternInfo{
			"ring-all-reduce",
			"2(n-1) steps along a ring, with the n-th part of the vector; bytes of the vector",
		},
		func(n int64) int64 { return 4 * n * (n - 1) },
		(*patternBuilder).ringAllReduce,
	},
	{
		PatternInfo{
			"recursive-doubling-all-reduce",
			"exchanges with r xor 1, r xor 2, r xor 4 ...; a power of two of ranks; bytes of the vector",
		},
		func(n int64) int64 { return 2 * n * steps(n) },
		(*patternBuilder).recursiveDoubling,
	},
	{
		PatternInfo{"binomial-broadcast", "rank 0 to all others along a binomial tree; bytes of a message"},
		func(n int64) int64 { return 2 * (n - 1) },
		(*patternBuilder).binomialBroadcast,
	},
}

// Patterns lists the patterns that NewPattern knows.
func Patterns() []PatternInfo {
	out := make([]PatternInfo, len(patterns))
	for i, p := range patterns {
		out[i] = p.PatternInfo
	}
	return out
}

// steps is the logarithm of n, rounded up.
func steps(n int64) int64 { return int64(bits.Len64(uint64(n - 1))) }

// NewPattern makes the schedule of a collective operation on a number of ranks. Of
// an all-reduce, bytes are those of the vector, of all others those of a message.
// Errors are diag.FieldErrors of Name, Ranks or Bytes.
func NewPattern(name string, ranks int, bytes int64) (*Schedule, error) {
	found, err := patternOf(name, ranks, bytes)
	if err != nil {
		return nil, err
	}
	b, err := NewBuilder(ranks)
	if err != nil {
		return nil, err
	}
	b.s.ops = make([]Op, 0, found.ops(int64(ranks)))
	p := &patternBuilder{Builder: b, n: int32(ranks), bytes: bytes}
	for rank := range int32(ranks) {
		if err := b.Rank(rank); err != nil {
			return nil, err
		}
		found.rank(p, rank)
		if p.err != nil {
			return nil, p.err
		}
	}
	return b.Schedule(), nil
}

// PatternOps returns how many operations a pattern has, without making it. Errors are those of NewPattern for Name and
// Ranks, but a number of ranks that only this pattern cannot have is not refused.
func PatternOps(name string, ranks int) (int64, error) {
	found, err := patternOf(name, ranks, 1)
	if err != nil {
		return 0, err
	}
	return found.ops(int64(ranks)), nil
}

// patternOf finds a pattern of which so many ranks can have a schedule.
func patternOf(name string, ranks int, bytes int64) (*pattern, error) {
	var found *pattern
	var names []string
	for i := range patterns {
		names = append(names, patterns[i].Name)
		if patterns[i].Name == name {
			found = &patterns[i]
		}
	}
	var wrong diag.FieldErrors
	if found == nil {
		wrong.Add("Name", "no pattern %q; %s", name,
			diag.Suggest(name, names, "there are "))
	}
	if ranks < 1 || ranks > MaxRanks {
		wrong.Add("Ranks", "must be from 1 to %d, not %d", MaxRanks, ranks)
	}
	if bytes < 1 || bytes > MaxBytes {
		wrong.Add("Bytes", "must be from 1 to %d, not %d", int64(MaxBytes), bytes)
	}
	if wrong != nil {
		return nil, wrong.Err()
	}
	if ops := found.ops(int64(ranks)); ops > MaxOps {
		return nil, diag.Fieldf("Ranks", "%s of %d ranks has %d operations; a schedule has at most %d", name, ranks,
			ops, MaxOps)
	}
	return found, nil
}

// patternBuilder keeps the first error.
type patternBuilder struct {
	*Builder
	n     int32
	bytes int64
	err   error
}

func (p *patternBuilder) add(kind Kind, bytes int64, peer int32) int32 {
	op, err := p.Add(Op{Kind: kind, Size: bytes, Peer: peer})
	if p.err == nil {
		p.err = err
	}
	return op
}

// exchange adds a send that waits for the receive before it, if there is one, and a
// receive.
func (p *patternBuilder) exchange(bytes int64, to, from, before int32) int32 {
	send := p.add(Send, bytes, to)
	if before >= 0 {
		p.Requires(send, before)
	}
	return p.add(Recv, bytes, from)
}

func (p *patternBuilder) dissemination(rank int32) {
	before := int32(-1)
	for d := int32(1); d < p.n; d *= 2 {
		before = p.exchange(p.bytes, (rank+d)%p.n, (rank-d+p.n)%p.n, before)
	}
}

func (p *patternBuilder) linearAllToAll(rank int32) {
	for d := int32(1); d < p.n; d++ {
		p.exchange(p.bytes, (rank+d)%p.n, (rank-d+p.n)%p.n, -1)
	}
}

func (p *patternBuilder) ringAllReduce(rank int32) {
	part := (p.bytes + int64(p.n) - 1) / int64(p.n)
	before := int32(-1)
	for range 2 * (p.n - 1) {
		before = p.exchange(part, (rank+1)%p.n, (rank-1+p.n)%p.n, before)
	}
}

func (p *patternBuilder) recursiveDoubling(rank int32) {
	if p.n&(p.n-1) != 0 {
		p.err = diag.Fieldf("Ranks", "recursive-doubling-all-reduce needs a power of two of ranks, not %d", p.n)
		return
	}
	before := int32(-1)
	for d := int32(1); d < p.n; d *= 2 {
		before = p.exchange(p.bytes, rank^d, rank^d, before)
	}
}

// binomialBroadcast: rank r gets the message from r less its highest bit and passes
// it on to r + 2^i for all 2^i above r.
func (p *patternBuilder) binomialBroadcast(rank int32) {
	got := int32(-1)
	d := int32(1)
	if rank > 0 {
		high := int32(1) << (bits.Len32(uint32(rank)) - 1)
		got = p.add(Recv, p.bytes, rank-high)
		d = 2 * high
	}
	for ; int64(rank)+int64(d) < int64(p.n); d *= 2 {
		send := p.add(Send, p.bytes, rank+d)
		if got >= 0 {
			p.Requires(send, got)
		}
	}
}
