package machine

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
)

// How often a machine is planned to fit pitches to cables. Longer cables may be of other products, and these thinner or
// thicker; where pitches have not settled after mostFitRounds, gaps only grow, up to as many rounds more.
const mostFitRounds = 8

// fitting is a machine that is planned again and again to fit pitches to cables.
type fitting struct {
	stated []layout.TreeLevel // as the machine file has them
	fit    [][3]bool          // of each level and axis: whether its pitch is fitted
	rounds int                // so far
	done   bool
	short  bool // cables do not fit after all rounds
}

// grows reports whether gaps only grow by now.
func (f *fitting) grows() bool { return f.rounds >= mostFitRounds }

// newFitting is nil where no pitch is fitted.
func newFitting(s *spec.Spec) *fitting {
	if s.Fitted() < 0 {
		return nil
	}
	f := &fitting{stated: levelsOfTree(s)}
	for i := range s.Room.Containers {
		f.fit = append(f.fit, s.Room.Containers[i].Fitted())
	}
	return f
}

// fitted returns the same plan with the pitches that its cables need, to be run; nil where no pitch is fitted, the
// cables are not yet known, the pitches are those that they need, or all rounds are used up.
func (p *planning) fitted() *planning {
	if p.cables == nil || p.names.tree == nil {
		return nil
	}
	f := p.fit
	if f == nil {
		f = newFitting(p.given)
	}
	if f == nil || f.done {
		return nil
	}
	next := *f
	next.rounds++
	gaps, tree := p.cables.schedule.Gaps, p.names.tree
	levels := gaps.Fit(f.stated, f.fit, f.grows())
	same := slices.EqualFunc(levels, tree.Levels, func(a, b layout.TreeLevel) bool {
		for axis := range 3 {
			if (a.Pitch[axis] - b.Pitch[axis]).Abs() > 1e-9 {
				return false
			}
		}
		return true
	})
	if next.done = same || f.rounds >= 2*mostFitRounds; next.done {
		next.short = !same
		p.fit = &next
		return nil
	}
	given := *p.given
	given.Room.Containers = slices.Clone(given.Room.Containers)
	for i := range given.Room.Containers {
		c := &given.Room.Containers[i]
		c.Count = slices.Clone(tree.Levels[i].Count[:])
		if f.fit[i] == [3]bool{} {
			continue
		}
		c.Pitch = nil
		for axis := range 3 {
			c.Pitch = append(c.Pitch, spec.Pitch(levels[i].Pitch[axis]))
		}
	}
	return &planning{given: &given, opt: p.opt, known: p.known, fit: &next}
}

// fitNotes say what fitting pitches has come to.
func (p *planning) fitNotes() []string {
	f := p.fit
	if f == nil {
		return nil
	}
	var out []string
	for i, fit := range f.fit {
		if fit == [3]bool{} {
			continue
		}
		l := &p.names.tree.Levels[i]
		out = append(out, fmt.Sprintf("the pitch of %s is fitted to its cables: %s x %s x %s m", l.Name,
			l.Pitch[0].Number(), l.Pitch[1].Number(), l.Pitch[2].Number()))
	}
	switch {
	case f.short:
		out = append(out, fmt.Sprintf("fitted pitches do not settle: after %d plans cables still do not fit, see "+
			"rule %s",
			f.rounds, cabling.RuleGapFill.ID))
	case f.rounds > mostFitRounds:
		out = append(out, fmt.Sprintf("fitted pitches do not settle in %d plans, as the cables change with them: "+
			"the cables fit, but smaller pitches may do", mostFitRounds))
	}
	return out
}

// unfitted refuses pitches that are fitted to cables in a placement alone, which plans no cables.
func unfitted(s *spec.Spec) error {
	i := s.Fitted()
	if i < 0 {
		return nil
	}
	return s.Locate(diag.FieldErrors{diag.Fieldf(diag.Elem("room.containers", i)+".pitch",
		"a placement alone plans no cables to which it could be fitted\nwrite a length, such as that of plenum plan")})
}
