package delay

import "golang.org/x/sys/cpu"

var (
	hasAVX2   = cpu.X86.HasAVX2
	hasAVX512 = cpu.X86.HasAVX512F
)

// passAll does the same as passPlain with the widest vector instructions of the processor.
func (s *treeSweeper) passAll(b *block) bool {
	switch {
	case hasAVX512:
		return passAVX512(s.args(b, s.down))
	case hasAVX2:
		return passAVX2(s.args(b, s.down))
	}
	return s.passPlain(b)
}

// backAll does the same as backPlain with the widest vector instructions of the processor.
func (s *treeSweeper) backAll(b *block) bool {
	switch {
	case hasAVX512:
		return backAVX512(s.args(b, s.back))
	case hasAVX2:
		return backAVX2(s.args(b, s.back))
	}
	return s.backPlain(b)
}

// args returns the arguments of the assembly functions for a block and keys of arcs.
func (s *treeSweeper) args(b *block, arcs []uint64) *passArgs {
	return &passArgs{
		keys: &s.keys[0], heads: &s.keys[b.head], nearest: &s.nearest[b.head], tails: &s.tails[b.tail],
		arcs: &arcs[b.arc], count: b.heads, degree: b.tails,
	}
}

// passArgs are the arguments of the assembly functions.
type passArgs struct {
	keys, heads   *keysOf // of the first of all vertices and of the heads
	nearest       *uint64 // of the first head
	tails         *uint32
	arcs          *uint64
	count, degree int // heads and tails, at least 1 each
}

//go:noescape
func passAVX2(args *passArgs) bool

//go:noescape
func passAVX512(args *passArgs) bool

//go:noescape
func backAVX2(args *passArgs) bool

//go:noescape
func backAVX512(args *passArgs) bool
