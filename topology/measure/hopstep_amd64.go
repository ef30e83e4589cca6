package measure

import "golang.org/x/sys/cpu"

var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
)

// advance is advancePlain, in the widest instructions that the processor has.
func (s *step) advance() stepped {
	switch {
	case s.begin >= s.end:
		return stepped{}
	case hasAVX512:
		return advanceAVX512(s.args(nil))
	case hasAVX2:
		return advanceAVX2(s.args(nil))
	}
	return s.advancePlain()
}

// uncovered is uncoveredPlain, likewise.
func (s *step) uncovered(rows []int32) int {
	switch {
	case s.begin >= s.end:
		return 0
	case hasAVX512:
		return uncoveredAVX512(s.args(rows))
	case hasAVX2:
		return uncoveredAVX2(s.args(rows))
	}
	return s.uncoveredPlain(rows)
}

func (s *step) args(rows []int32) *stepArgs {
	a := &stepArgs{
		now: &s.now[0], next: &s.next[0], full: s.full, in: &s.in.first[s.begin], to: &s.in.to[:cap(s.in.to)][0],
		begin: int(s.begin), n: int(s.end - s.begin),
	}
	if rows != nil {
		a.rows = &rows[:a.n][0]
	}
	return a
}

// stepArgs is what assembly works on. There are arcsAhead arcs more than the
// vertices have, which lead to any vertex, and rowsAhead entries more of in.
type stepArgs struct {
	now, next *line  // of vertex 0
	full      *line  // one
	in        *int64 // first arc of vertex begin, and so on
	to        *int32 // all arcs
	begin, n  int    // n vertices, at least 1
	rows      *int32 // room for n vertices
}

//go:noescape
func advanceAVX2(args *stepArgs) stepped

//go:noescape
func advanceAVX512(args *stepArgs) stepped

//go:noescape
func uncoveredAVX2(args *stepArgs) int

//go:noescape
func uncoveredAVX512(args *stepArgs) int
