package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// Left is what is left of a network, as it is found and without what has failed. Links that no source sees are taken to
// be there, and traces of boards as well.
type Left struct {
	Fabric string `json:"fabric,omitempty"` // its name, where the machine has several
	// OK says that all nodes reach each other that do so in the plan.
	OK           bool `json:"ok"`
	LinksPlanned int  `json:"links_planned"` // links of the plan, traces left out
	LinksLeft    int  `json:"links_left"`    // links that are there, planned so or not
	Assumed      int  `json:"assumed"`       // links among them that no source sees
	Nodes        int  `json:"nodes"`         // nodes with planned links
	// CutOff is the nodes without which all others reach each other as planned, as few as are found by leaving out
	// those first that lack the most others.
	CutOff []string `json:"cut_off"`
	// SwitchesCutOff is the switches that none of the other nodes reaches.
	SwitchesCutOff []string `json:"switches_cut_off"`
	// Routes is how packets are routed over what is left, between the nodes that are not cut off.
	Routes Routes `json:"routes"`
	// Levels is the channels of each level of links.
	Levels []LevelLeft `json:"levels"`
	// Fewer is the nodes that have fewer channels than planned and are not cut off.
	Fewer []NodeLeft `json:"fewer"`
	// Uniform bounds what all nodes together send to all others.
	Uniform *CarriedLeft `json:"uniform,omitempty"`
	// Notes say what was not looked at, and why.
	Notes []string `json:"notes"`
}

// Routes is what routing tables make of a network.
type Routes struct {
	// OK says that every path that was followed arrives, and no channels wait for each other in a circle.
	OK bool `json:"ok"`
	// Function is the routing function: minimal, or updown where that needs more than 8 virtual lanes.
	Function string `json:"function"`
	Lanes    int    `json:"lanes"`    // virtual lanes that it needs
	Followed int    `json:"followed"` // pairs of switches with nodes whose paths were followed, one after the other
	// Problem says why there are no routes, or why they were not looked at: then there is no function.
	Problem string `json:"problem,omitempty"`
}

// LevelLeft is a level of links.
type LevelLeft struct {
	Name    string `json:"name"`    // as the topology has it
	Planned int    `json:"planned"` // channels, traces included
	Left    int    `json:"left"`    // channels that are there
}

// NodeLeft is a node with fewer channels than planned.
type NodeLeft struct {
	Box     string `json:"box"`     // its name
	Place   string `json:"place"`   // where it stands
	Planned int    `json:"planned"` // its channels
	Left    int    `json:"left"`    // channels that are there
}

// CarriedLeft is what a network carries at most of traffic from every node to all others, for any routing, in
// channels' worth: the channels of the nodes, or fewer where those between the switches are used up before.
type CarriedLeft struct {
	Planned float64 `json:"planned"` // as planned
	Left    float64 `json:"left"`    // by what is left
}

// joint is a link between two boxes.
type joint struct {
	a, b  int32 // vertices
	level int16 // of the machine's topology, -1 for a link that is planned nowhere
}

// FindLeft adds to Left, for each network that was compared, what is left of it without what has failed; failed may be
// nil. The error is that of ctx.
func (r *Result) FindLeft(ctx context.Context, failed *Failed) error {
	s := r.sight
	if failed == nil {
		failed = &Failed{boxes: make([]bool, len(s.p.first)-1), links: make([]bool, len(s.p.links))}
	}
	for f := range s.p.fabrics {
		if s.p.only >= 0 && int(s.p.only) != f {
			continue
		}
		l, err := s.left(ctx, int16(f), failed, true)
		if err != nil {
			return err
		}
		if l != nil {
			r.Left = append(r.Left, *l)
		}
	}
	return nil
}

// RoutesWithout finds out what routes are left of each network that loses a link when boxes and channels of the plan
// fail, all others being as planned: Left without Uniform. Channels count from 0 in the order of the segments that
// begin them. The error is that of ctx.
func (p *Plan) RoutesWithout(ctx context.Context, boxes, channels []int32) ([]Left, error) {
	s, failed := p.newSight(), p.failChannels(boxes, channels)
	var out []Left
	for f := range p.fabrics {
		l, err := s.left(ctx, int16(f), failed, false)
		if err != nil {
			return nil, err
		}
		if l != nil && l.LinksLeft < l.LinksPlanned {
			out = append(out, *l)
		}
	}
	return out, nil
}

// left returns what is left of a network, nil for one without links. If carried is true it also bounds what the network
// carries, which takes long.
func (s *sight) left(ctx context.Context, fabric int16, failed *Failed, carried bool) (*Left, error) {
	p := s.p
	l := &Left{
		CutOff: []string{}, SwitchesCutOff: []string{}, Levels: []LevelLeft{}, Fewer: []NodeLeft{}, Notes: []string{},
	}
	if len(p.result.Fabrics) > 0 {
		l.Fabric = p.result.Fabrics[fabric].Name
	}
	plan := p.traces(fabric)
	for i := range p.links {
		if p.links[i].fabric == fabric {
			plan = append(plan, p.joint(int32(i)))
			l.LinksPlanned++
		}
	}
	if len(plan) == 0 {
		return nil, nil
	}
	member := make([]bool, len(p.first)-1)
	for _, j := range plan {
		member[j.a], member[j.b] = true, true
	}
	rest := s.remaining(fabric, member, failed, l)
	l.levels(p, plan, rest)
	planned, now := p.network(fabric, plan, plan, nil), p.network(fabric, plan, rest, nil)
	l.Nodes = planned.nodes
	out := now.cutOff(planned)
	for _, v := range now.vertices {
		switch {
		case out[v]:
			l.CutOff = append(l.CutOff, p.schedule.Device(v))
		case !now.forwards(v):
			l.fewer(p, v, planned, now)
		}
	}
	l.OK = len(l.CutOff) == 0
	for _, v := range now.idle(out) {
		l.SwitchesCutOff = append(l.SwitchesCutOff, p.schedule.Device(v))
	}
	now = p.network(fabric, plan, rest, out)
	if now.oneWay {
		l.Notes = append(l.Notes, "links carry one way only: routes and what they carry are not looked at")
		return l, ctx.Err()
	}
	l.Routes = now.routes()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if carried {
		l.Uniform = l.carried(ctx, planned, now)
	}
	return l, ctx.Err()
}

// joint returns a planned link as a link between boxes.
func (p *Plan) joint(l int32) joint {
	return joint{p.vertex(p.links[l].a), p.vertex(p.links[l].b), p.links[l].level}
}

// traces returns the channels of a network on boards and backplanes.
func (p *Plan) traces(fabric int16) []joint {
	var out []joint
	s := p.schedule
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Cable == 0 && p.levelOf[seg.Level] == fabric {
			out = append(out, joint{seg.A, seg.B, int16(seg.Level)})
		}
	}
	return out
}

// remaining returns the links of a network, between members of it, that exist and have not failed, and counts them in
// l. A link from a port of one network to a port of another belongs to none.
func (s *sight) remaining(fabric int16, member []bool, failed *Failed, l *Left) []joint {
	p := s.p
	lost := func(j joint) bool { return failed.boxes[j.a] || failed.boxes[j.b] }
	var out []joint
	for _, j := range p.traces(fabric) {
		if !lost(j) {
			out = append(out, j)
		}
	}
	traces := len(out)
	for i := range p.links {
		x := &p.links[i]
		if x.fabric != fabric || failed.links[i] || s.at[x.a] >= 0 || s.at[x.b] >= 0 || s.sees(int32(i)) {
			continue
		}
		if j := p.joint(int32(i)); !lost(j) {
			out = append(out, j)
			l.Assumed++
		}
	}
	for i := range s.links {
		x := &s.links[i]
		if int(max(x.a, x.b)) >= len(p.planned) {
			continue // to a port that the plan does not have, which leads nowhere
		}
		a, b := p.planned[x.a], p.planned[x.b]
		of, level := p.home[p.vertex(x.a)], int16(-1)
		for _, at := range []int32{b, a} {
			if at >= 0 {
				of, level = p.links[at].fabric, p.links[at].level
			}
		}
		j := joint{p.vertex(x.a), p.vertex(x.b), level}
		if !member[j.a] || !member[j.b] || a >= 0 && b >= 0 && p.links[a].fabric != p.links[b].fabric {
			continue
		}
		if of == fabric && !lost(j) && (a != b || a < 0 || !failed.links[a]) {
			out = append(out, j)
		}
	}
	l.LinksLeft = len(out) - traces
	return out
}

// levels counts the channels of each level, planned and left.
func (l *Left) levels(p *Plan, plan, rest []joint) {
	names := p.schedule.Graph.Levels()
	planned, left := make([]int, len(names)), make([]int, len(names))
	for _, j := range plan {
		planned[j.level]++
	}
	for _, j := range rest {
		if j.level >= 0 {
			left[j.level]++
		}
	}
	for i, level := range names {
		if planned[i] > 0 {
			l.Levels = append(l.Levels, LevelLeft{level.Name, planned[i], left[i]})
		}
	}
}

// fewer adds node v to Fewer if it has fewer channels than planned.
func (l *Left) fewer(p *Plan, v int32, planned, now *network) {
	if was, is := planned.degree[v], now.degree[v]; is < was {
		slot := p.schedule.Placement.Slot[v]
		l.Fewer = append(l.Fewer, NodeLeft{p.schedule.Device(v), p.schedule.Placement.Layout.Path(slot), was, is})
	}
}

// carried returns bounds on what a network carries, as planned and now; nil, with a note, if there is no bound.
func (l *Left) carried(ctx context.Context, planned, now *network) *CarriedLeft {
	if len(planned.vertices) > mostRouters {
		l.Notes = append(l.Notes, fmt.Sprintf("what it carries is looked at for %d boxes at most", mostRouters))
		return nil
	}
	var c CarriedLeft
	for _, x := range []struct {
		to *float64
		n  *network
	}{{&c.Planned, planned}, {&c.Left, now}} {
		b, err := measure.Throughput(ctx, x.n.graph(), nil)
		if err != nil {
			l.Notes = append(l.Notes, fmt.Sprintf("what it carries is not looked at: %v", err))
			return nil
		}
		*x.to = math.Round(min(b.Uniform, 1)*float64(b.Ports)*1e6) / 1e6
	}
	return &c
}

// network is the part of one network of a machine that exists.
type network struct {
	p *Plan
	// vertices has the vertices with planned links, in ascending order.
	vertices []int32
	nodes    int
	ends     map[int32]bool // vertices that do not forward
	home     map[int32]bool // vertices that send and receive
	links    []joint
	degree   map[int32]int   // channels of a vertex
	part     map[int32]int32 // of a vertex that forwards: its parent in a union-find forest of connected parts
	oneWay   bool
}

// network returns the network of the given links, among the vertices of planned links except those in without.
func (p *Plan) network(fabric int16, plan, links []joint, without map[int32]bool) *network {
	n := &network{
		p: p, ends: map[int32]bool{}, home: map[int32]bool{}, degree: map[int32]int{}, part: map[int32]int32{},
		oneWay: p.oneWay,
	}
	has := map[int32]bool{}
	for _, j := range plan {
		for _, v := range []int32{j.a, j.b} {
			if !has[v] && !without[v] {
				has[v] = true
				n.vertices = append(n.vertices, v)
			}
		}
	}
	slices.Sort(n.vertices)
	for _, v := range n.vertices {
		role := p.role(fabric, v)
		n.ends[v], n.home[v] = role == topology.Terminal, role != topology.Switch
		n.part[v] = v
		if n.home[v] {
			n.nodes++
		}
	}
	for _, j := range links {
		if has[j.a] && has[j.b] && j.a != j.b {
			n.links = append(n.links, j)
			n.degree[j.a]++
			n.degree[j.b]++
			if n.forwards(j.a) && n.forwards(j.b) {
				n.part[n.root(j.a)] = n.root(j.b)
			}
		}
	}
	return n
}

// role returns the role of a box in a network: its own switches forward, and its nodes do if it has no switches.
// Switches of other networks are terminals in it.
func (p *Plan) role(fabric int16, v int32) topology.Role {
	k := topology.KindOf(p.kinds, int(v))
	if len(p.result.Fabrics) == 0 || p.result.Fabrics[0].Name == "" {
		return p.kinds[k].Role
	}
	var of *machine.Network = p.result.Fabrics[fabric]
	switch kinds := of.SwitchKinds(); {
	case slices.Contains(kinds, k):
		return topology.Switch
	case len(kinds) == 0:
		return topology.Node
	}
	return topology.Terminal
}

func (n *network) forwards(v int32) bool { return !n.ends[v] }

// root returns the vertex that identifies the connected part of a vertex that forwards.
func (n *network) root(v int32) int32 {
	for n.part[v] != v {
		n.part[v] = n.part[n.part[v]]
		v = n.part[v]
	}
	return v
}

// parts returns, for each node, the connected parts that it is in or connected to, in ascending order.
func (n *network) parts() map[int32][]int32 {
	out := map[int32][]int32{}
	for _, v := range n.vertices {
		if n.home[v] && n.forwards(v) {
			out[v] = []int32{n.root(v)}
		}
	}
	for _, j := range n.links {
		for _, e := range [][2]int32{{j.a, j.b}, {j.b, j.a}} {
			if n.ends[e[0]] && n.forwards(e[1]) {
				out[e[0]] = append(out[e[0]], n.root(e[1]))
			}
		}
	}
	for v, parts := range out {
		slices.Sort(parts)
		out[v] = slices.Compact(parts)
	}
	return out
}

// meet reports whether two lists of parts have an element in common.
func meet(a, b []int32) bool {
	return slices.ContainsFunc(a, func(x int32) bool { return slices.Contains(b, x) })
}

// cutOff returns nodes without which all others reach each other as planned. It removes, again and again, the nodes
// that miss the most others (those connected to the same parts all at once), so the set need not be the smallest.
func (n *network) cutOff(planned *network) map[int32]bool {
	type group struct {
		planned, parts []int32
		nodes          []int32
		lacking        int // number of nodes, of this group too, that its nodes should reach but do not
	}
	var groups []*group
	by := map[string]*group{}
	were, parts := planned.parts(), n.parts()
	for _, v := range n.vertices {
		if !n.home[v] {
			continue
		}
		key := fmt.Sprint(were[v], parts[v])
		if by[key] == nil {
			by[key] = &group{planned: were[v], parts: parts[v]}
			groups = append(groups, by[key])
		}
		by[key].nodes = append(by[key].nodes, v)
	}
	lacks := func(g, h *group) int {
		if meet(g.parts, h.parts) || !meet(g.planned, h.planned) {
			return 0
		}
		return len(h.nodes)
	}
	for _, g := range groups {
		for _, h := range groups {
			g.lacking += lacks(g, h)
		}
	}
	out := map[int32]bool{}
	for len(groups) > 0 {
		worst := slices.MaxFunc(groups, func(a, b *group) int {
			return cmp.Or(cmp.Compare(a.lacking, b.lacking), cmp.Compare(a.nodes[0], b.nodes[0]))
		})
		if worst.lacking == 0 {
			break
		}
		gone := worst.nodes
		if lacks(worst, worst) == worst.lacking { // its nodes miss only each other: one may stay
			gone = gone[1:]
		}
		groups = slices.DeleteFunc(groups, func(g *group) bool { return g == worst })
		for _, v := range gone {
			out[v] = true
		}
		for _, g := range groups {
			g.lacking -= lacks(g, worst)
		}
	}
	return out
}

// idle returns the switches that no node reaches, except nodes in out.
func (n *network) idle(out map[int32]bool) []int32 {
	used := map[int32]bool{}
	for v, parts := range n.parts() {
		for _, part := range parts {
			used[part] = used[part] || !out[v]
		}
	}
	var idle []int32
	for _, v := range n.vertices {
		if n.forwards(v) && !n.home[v] && !used[n.root(v)] {
			idle = append(idle, v)
		}
	}
	return idle
}
