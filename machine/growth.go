package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/growth"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// grow plans the machine that the racks of the file grow to, and holds this one against it. It returns the plan, anew
// with more trays where these are reserved.
func (p *planning) grow(ctx context.Context, stages []stage) (*planning, error) {
	larger, reserve := p.given.Grown()
	if larger == nil {
		return p, nil
	}
	racks := racksOf(p.given, larger)
	q := &planning{given: larger, opt: Options{Summary: true, Progress: func(string, int, int) {}}}
	if err := q.run(ctx, stages); err != nil {
		if ctx.Err() != nil {
			return p, err
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if slices.ContainsFunc(diag.Fields(err), func(e *diag.FieldError) bool {
			return strings.HasPrefix(e.Path, "racks[") && strings.HasSuffix(e.Path, ".at")
		}) {
			first += "; at lists more positions than count, as many as growth.to"
		}
		p.violations.Add(cabling.RuleGrowth, racks, "the larger machine cannot be planned: %s", first)
		return p, nil
	}
	now, then := p.cables.schedule.Trays, q.cables.schedule.Trays
	if t := &p.given.Room.Trays; reserve && now != nil && then != nil && t.Count == 0 && t.Part == "" &&
		len(t.Levels) == 0 && then.Rules[0].Count > now.Rules[0].Count { // their number is left to Plenum
		given := *p.given
		given.Room.Trays.Count = then.Rules[0].Count
		wide := &planning{given: &given, opt: p.opt, known: p.known, trays: given.Room.Trays.Count, sized: true}
		if err := wide.run(ctx, stages); err != nil {
			return p, err
		}
		p, now = wide, wide.cables.schedule.Trays
	}
	p.compareGrown(q, racks, now, then)
	return p, nil
}

// racksOf names the racks of templates that grow, with their numbers in the larger machine: "16 nvl and 8 net".
func racksOf(given, larger *spec.Spec) string {
	var out []string
	for i := range given.Racks {
		if given.Racks[i].Growth != nil {
			out = append(out, fmt.Sprintf("%d %s", larger.Racks[i].Count, larger.Racks[i].Name))
		}
	}
	return english.List(out)
}

// compareGrown reports what of this plan keeps it from growing to the larger one, and notes what suffices.
func (p *planning) compareGrown(larger *planning, racks string, now, then *cabling.Trays) {
	g, position := linksKept(p.names, larger.names)
	moved := g.Moves(position)
	if moved > 0 {
		bound := "no lower bound is known"
		if least := g.Least(); least > 0 {
			bound = "at least " + english.Grouped(least) + " in any way"
		}
		p.violations.Add(cabling.RuleGrowth, racks, "the larger machine lacks %s of this one between the same boxes, "+
			"which move; %s", english.Count(moved, "link"), bound)
	}
	over := false
	if now != nil && then != nil {
		if n, m := now.Rules[0].Count, then.Rules[0].Count; n < m {
			over = true
			p.violations.Add(cabling.RuleGrowth, racks,
				"the larger machine needs %d trays side by side, and %d are laid", m, n)
		}
	}
	broken := p.brokenGrown(larger)
	for _, v := range broken {
		rule := ""
		if v.Rule != cabling.RuleTrayFill.ID {
			rule = v.Rule + ": "
		}
		p.violations.Add(cabling.RuleGrowth, v.Where, "with %s: %s%s", racks, rule, v.Message)
	}
	if moved == 0 && !over && len(broken) == 0 {
		p.names.passed = append(slices.Clone(p.names.passed), "the racks can grow to "+racks+
			": the room has the positions, no link moves, and the larger machine breaks no rule that this one keeps")
	}
}

// brokenGrown lists the violations that count of the larger machine: errors, but for those of rules that this one
// breaks at the same place, and warnings of rules that this one keeps everywhere. Trays that are too full are always
// listed.
func (p *planning) brokenGrown(larger *planning) []cabling.Violation {
	type place struct{ rule, where string }
	now := map[place]bool{}
	for _, v := range p.violations.List() {
		if v.Rule != cabling.RuleTrayFill.ID {
			now[place{v.Rule, v.Where}] = true
			now[place{v.Rule, ""}] = v.Severity == diag.Warning
		}
	}
	return slices.DeleteFunc(larger.violations.List(), func(v cabling.Violation) bool {
		return v.Suppressed != "" || v.Rule == cabling.RuleGrowth.ID || now[place{v.Rule, v.Where}] ||
			now[place{v.Rule, ""}]
	})
}

// linksKept is the links of a machine and those of a larger one, and the position of every box in the larger one by its
// label, -1 for none. Links at boxes that are plugged in once those that exist have vertices are left out.
func linksKept(r, larger *resolved) (*growth.Growth, []int32) {
	kinds := map[string]int32{}
	vertices := map[string]int32{}
	list := func(r *resolved, each func(v, kind int32, key string)) (links [][2]int32) {
		for _, k := range r.graph.Kinds() {
			if _, ok := kinds[k.Name]; !ok {
				kinds[k.Name] = int32(len(kinds))
			}
			for v := k.First; v < k.First+k.Count; v++ {
				each(int32(v), kinds[k.Name], k.Name+"\n"+identity.Key(r.graph.Label(v)))
			}
		}
		later := r.pluggedAfterwards()
		for l := range topology.Cables(r.graph) {
			if !later(l.Level) {
				for range l.Width {
					links = append(links, [2]int32{l.A, l.B})
				}
			}
		}
		return links
	}
	var of [2][]int32
	var position []int32
	new := list(larger, func(v, kind int32, key string) {
		of[1] = append(of[1], kind)
		vertices[key] = v
	})
	old := list(r, func(_, kind int32, key string) {
		of[0] = append(of[0], kind)
		at, ok := vertices[key]
		if !ok {
			at = -1
		}
		position = append(position, at)
	})
	return growth.New(of[0], of[1], old, new), position
}
