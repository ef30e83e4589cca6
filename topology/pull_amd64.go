package topology

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// pull is pullPlain, in AVX2 instructions where the processor has them.
func pull(s *lines, in, out *arcs) pulled {
	if !hasAVX2 || len(s.seen) == 0 {
		return pullPlain(s, in, out)
	}
	return pullAVX2(&pullArgs{
		cur: &s.cur[0], nxt: &s.nxt[0], seen: &s.seen[0], full: &s.full, mask: &s.nxtMask[0],
		in: &in.first[0], to: &in.to[:cap(in.to)][0], out: &out.first[0], n: len(s.seen),
	})
}

// pullArgs is what pullAVX2 works on, each the first element of as many as
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
