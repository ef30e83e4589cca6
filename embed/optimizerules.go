package embed

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/topology"
)

// addRules adds the affinity and anti-affinity rules to a mapping problem whose vertices are bodies. of has the body of
// each vertex.
func (o *optimizer) addRules(m *mapping.Problem, r *filled, of []int32) error {
	if err := o.addAffinity(m, of); err != nil {
		return err
	}
	layers := map[Domain]int{}
	for _, g := range r.f.antiAffinity.groups {
		rule := mapping.AntiAffinity{AtMost: int(g.atMost), Layer: o.p.layer(m, layers, g.within, r.room, r.places)}
		at := map[int32]int{} // index of a body in the rule
		for _, v := range g.Vertices {
			if _, listed := at[of[v]]; !listed {
				at[of[v]] = len(rule.Vertices)
				rule.Vertices, rule.Times = append(rule.Vertices, of[v]), append(rule.Times, 0)
			}
			rule.Times[at[of[v]]]++
		}
		if len(rule.Vertices) > 0 {
			m.AntiAffinity = append(m.AntiAffinity, rule)
		}
	}
	return nil
}

// addAffinity adds the affinity rules: the groups whose boxes must share a rack. It refuses groups that have a body in
// common.
func (o *optimizer) addAffinity(m *mapping.Problem, of []int32) error {
	in := map[int32]string{} // level of the group that a body is in
	for k, name := range o.p.Together {
		path := diag.Elem("Together", k)
		groups, err := o.groups(path, name)
		if err != nil {
			return err
		}
		for _, g := range groups {
			b := bodiesOf(g, of)
			if len(b) < 2 {
				continue
			}
			for _, v := range g {
				switch other, taken := in[of[v]]; {
				case taken && other == name:
					return diag.Fieldf(path, "%s shares a chassis with boxes of another %s: the two cannot be kept "+
						"in different racks, nor apart", o.p.vertexNames().Name(int(v)), name)
				case taken:
					return diag.Fieldf(path, "%s is in a %s and in a %s, and both are to share a rack\n"+
						"name the larger of the two only", o.p.vertexNames().Name(int(v)), other, name)
				}
			}
			if err := checkShares(m, b, path, name); err != nil {
				return err
			}
			for _, body := range b {
				in[body] = name
			}
			m.Together = append(m.Together, b)
		}
	}
	return nil
}

// checkShares returns an error if no rack offers what the bodies of a group, of a level of the given name, take
// together.
func checkShares(m *mapping.Problem, bodies []int32, path, name string) error {
	kinds := len(m.Resources)
	for r, what := range m.Resources {
		need, most := int64(0), int64(0)
		for _, b := range bodies {
			need += m.Size[int(b)*kinds+r]
		}
		for at := r; at < len(m.Capacity); at += kinds {
			most = max(most, m.Capacity[at])
		}
		if need > most {
			return diag.Fieldf(path, "a %s takes %d %s, and no rack offers more than %d\n"+
				"leave %s out of together, or make groups of the topology smaller", name, need, what, most, name)
		}
	}
	return nil
}

// groups lists the vertices of every group of a level of groups, which is given by its name.
func (o *optimizer) groups(path, name string) ([][]int32, error) {
	var names []string
	for _, grouping := range o.p.Graph.Groupings() {
		names = append(names, grouping.Name)
		if grouping.Name != name {
			continue
		}
		groups := make([][]int32, grouping.Count)
		for v := range topology.Vertices(o.p.Graph) {
			if g := grouping.Of(v); g >= 0 {
				groups[g] = append(groups[g], int32(v))
			}
		}
		return groups, nil
	}
	if len(names) == 0 {
		return nil, diag.Fieldf(path, "a %s has no groups", o.p.Graph.Family())
	}
	return nil, diag.Fieldf(path, "there is no %q\nthere are %s", name, strings.Join(names, ", "))
}

// bodiesOf lists the bodies of some vertices, each once.
func bodiesOf(vertices, of []int32) []int32 {
	out := make([]int32, len(vertices))
	for i, v := range vertices {
		out[i] = of[v]
	}
	slices.Sort(out)
	return slices.Compact(out)
}
