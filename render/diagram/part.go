package diagram

import (
	"iter"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// part is a fabric of a machine with its uplinks, as a graph of boxes: a box with several ports in the fabric is one
// vertex, where the graph of the fabric itself has one for each place.
type part struct {
	plan     *machine.Result
	family   string
	kinds    []topology.Kind
	levels   []topology.Level
	level    []int32 // of each level of the machine, that of the part, or -1
	vertices []int32 // of each vertex, that of the machine
	number   []int32 // of each vertex of the machine, that of the part, or -1
}

var _ topology.Graph = (*part)(nil)

// newPart is the part of a fabric that is drawn in tiers; nil for any other network, and for one that is too large to
// be drawn vertex by vertex.
func newPart(r *machine.Result, network *machine.Network) *part {
	d := graphDrawing{Subject: &Subject{Graph: network.Graph}, kinds: network.Graph.Kinds()}
	if network == &r.Network || r.Names == nil || topology.Vertices(network.Graph) > 4*MostVertices || !d.isTiered() {
		return nil
	}
	p := &part{plan: r, family: network.Graph.Family()}
	for _, l := range r.Graph.Levels() {
		own, is := strings.CutPrefix(l.Name, network.Name+"/")
		if !is {
			p.level = append(p.level, -1)
			continue
		}
		p.level = append(p.level, int32(len(p.levels)))
		l.Name = own
		p.levels = append(p.levels, l)
	}
	used := make([]bool, topology.Vertices(r.Graph))
	for l := range r.Graph.Links() {
		if p.level[l.Level] >= 0 {
			used[l.A], used[l.B] = true, true
		}
	}
	p.number = slices.Repeat([]int32{-1}, len(used))
	for i, k := range r.Graph.Kinds() {
		own := topology.Kind{Name: k.Name, First: len(p.vertices), Ports: k.Ports, Role: topology.Terminal}
		isOwn := slices.Contains(network.SwitchKinds(), i)
		if isOwn {
			own.Role = topology.Switch
			own.Name = strings.TrimPrefix(k.Name, network.Name+"-")
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if isOwn || used[v] {
				p.number[v] = int32(len(p.vertices))
				p.vertices = append(p.vertices, int32(v))
			}
		}
		if own.Count = len(p.vertices) - own.First; own.Count > 0 {
			p.kinds = append(p.kinds, own)
		}
	}
	return p
}

func (p *part) Family() string                 { return p.family }
func (p *part) Kinds() []topology.Kind         { return p.kinds }
func (p *part) Levels() []topology.Level       { return p.levels }
func (p *part) Groupings() []topology.Grouping { return nil }

// Label is the name of a box.
func (p *part) Label(v int) string { return p.plan.Names.NameOrAddress(int(p.vertices[v])) }

// Links yields those of the fabric and its uplinks.
func (p *part) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range p.plan.Graph.Links() {
			level := p.level[l.Level]
			if level < 0 {
				continue
			}
			l.A, l.B, l.Level = p.number[l.A], p.number[l.B], level
			if !yield(l) {
				return
			}
		}
	}
}
