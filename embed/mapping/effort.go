package mapping

// Effort is how many steps the optimiser takes.
type Effort string

const (
	Quick    Effort = "quick"    // a start or two and short annealings
	Normal   Effort = "normal"   // the default: what Quick does, and much more
	Thorough Effort = "thorough" // what Normal does, and several times as much again
)

// Efforts lists the efforts, the least first.
func Efforts() []Effort { return []Effort{Quick, Normal, Thorough} }

// plan is what a level of effort does.
type plan struct {
	starts     int   // placements by recursive bipartitioning
	bisections int   // bisections made for each cut, of which the best is taken
	warm       int   // annealings that begin warm, from the best starts; one more if some are given
	hot        int   // annealings that forget their start
	steps      int64 // of each warm annealing
	hotSteps   int64 // of each hot one
	longest    int   // annealings towards a shorter longest edge

	longestSteps int64 // of each of these
}

// plan returns the plan of an effort for the instance: less for large graphs.
func (s *search) plan(e Effort) plan {
	n := int64(s.instance.g.Vertices())
	arcs := int64(len(s.instance.g.To))
	few := func(most int64, size int64) int { // fewer for large graphs
		return int(max(1, min(most, most*size/(n+arcs/4))))
	}
	// An annealing that forgets its start needs many steps a vertex.
	hot := func(most int, largest int64) int {
		if n > largest {
			return 0
		}
		return most
	}
	quick := min(1200*n, 10e6+100*n) + 1<<14
	normal := min(25_000*n, 120e6+3000*n, 300e6) + 1<<18
	thorough := min(150_000*n, 600e6+4000*n) + 1<<21
	p := plan{}
	switch e {
	case Quick:
		p = plan{
			starts: few(4, 12_000), bisections: few(4, 20_000), warm: 1, hot: hot(1, 20_000), longest: 3,
			steps: quick, hotSteps: quick,
		}
	case Normal:
		p = plan{
			starts: few(24, 12_000), bisections: few(4, 50_000), longest: 8,
			warm: 1 + hot(1, 5000), hot: hot(1, 20_000) + hot(1, 5000) + hot(2, 2000),
			steps: normal, hotSteps: max(normal, min(60_000*n, 600e6)*int64(1-hot(1, 5000))),
		}
	default:
		p = plan{
			starts: few(64, 12_000), bisections: few(6, 50_000), warm: 4, hot: hot(6, 200_000), longest: 12,
			steps: thorough, hotSteps: max(thorough, min(120_000*n, 1200e6)),
		}
	}
	p.longestSteps = p.steps / 4
	if s.instance.onGrid() { // steps take less than half the time
		p.steps, p.hotSteps = 2*p.steps, 2*p.hotSteps
		if n > 5000 && n <= 20_000 && e != Quick { // where a long annealing gives more than several
			p.hot = 2
			p.hotSteps = min(180_000*n, 1800e6)
			if e == Thorough {
				p.warm, p.hotSteps = 1, min(1_000_000*n, 10e9)
			}
		}
	}
	return p
}

// expectedSteps returns about how many steps an effort takes, without the efforts below it, which Map runs first, and
// without the search for a shorter longest edge.
func (s *search) expectedSteps(e Effort) int64 {
	p := s.plan(e)
	return int64(p.warm)*p.steps + int64(p.hot)*p.hotSteps + p.steps/10
}
