package measure

import "golang.org/x/sys/cpu"

var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
)

// pull is pullPlain, in the widest instructions that the processor has.
func pull(s *lines, in, out *arcs) pulled {
	switch {
	case len(s.seen) == 0:
		return pulled{}
	case hasAVX512:
		return pullAVX512(newPullArgs(s, in, out))
	case hasAVX2:
		return pullAVX2(newPullArgs(s, in, out))
	}
	return pullPlain(s, in, out)
}

func newPullArgs(s *lines, in, out *arcs) *pullArgs {
	return &pullArgs{
		cur: &s.cur[0], nxt: &s.nxt[0], seen: &s.seen[0], full: &s.full, mask: &s.nxtMask[0],
		in: &in.first[0], to: &in.to[:cap(in.to)][0], out: &out.first[0], n: len(s.seen),
	}
}

// pullArgs is what assembly works on, each the first element of as many as
// there are vertices or arcs. There are pullAhead arcs more, which lead to any
// vertex.
type pullArgs struct {
	cur, nxt, seen, full *line
	mask                 *uint8
	in                   *int64
	to                   *int32
	out                  *int64
	n                    int // vertices, at least 1
}

//go:noescape
func pullAVX2(args *pullArgs) pulled

//go:noescape
func pullAVX512(args *pullArgs) pulled
