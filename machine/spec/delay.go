package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Keys of Delay.Hop that stand for all kinds of switches and, in a machine of several fabrics, for all boxes that pass
// messages on.
const (
	AllSwitches = "switch"
	AllNodes    = "node"
)

// SetHop gives all switches and routers the same per-hop latency, in every fabric, and drops all others. The error is
// that of the topology, if it is not valid. As the other setters, it leaves alone what copies of the spec share.
func (s *Spec) SetHop(alpha units.Time) error {
	s.eachFabric(func(d *Delay) { d.Hop = nil })
	if len(s.Fabrics) > 0 {
		s.Delay.Hop = map[string]units.Time{AllNodes: alpha, AllSwitches: alpha}
		return nil
	}
	g, err := topology.New(s.Topology)
	if err != nil {
		return err
	}
	s.Delay.Hop = map[string]units.Time{}
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			s.Delay.Hop[k.Name] = alpha
		}
	}
	return nil
}

// eachFabric changes the delays of every fabric, on a copy of the fabrics.
func (s *Spec) eachFabric(change func(*Delay)) {
	s.Fabrics = slices.Clone(s.Fabrics)
	for i := range s.Fabrics {
		change(&s.Fabrics[i].Delay)
	}
}

// SetRouting has delays measured along the paths of routing functions, the same in every fabric.
func (s *Spec) SetRouting(names []string) {
	s.eachFabric(func(d *Delay) { d.Routing = nil })
	s.Delay.Routing = names
}

// SetPropagation gives all links the same propagation delay and none at their
// ends, in every fabric.
func (s *Spec) SetPropagation(beta units.Propagation) {
	s.eachFabric(func(d *Delay) { d.Propagation, d.Ends = nil, nil })
	s.Delay.Propagation, s.Delay.Ends = map[string]units.Propagation{}, map[string]units.Time{}
	for _, m := range append(slices.Clone(catalog.Media), catalog.Trace) {
		s.Delay.Propagation[string(m)], s.Delay.Ends[string(m)] = beta, 0
	}
}

// Words of Delay.Routing besides the names of routing functions. OwnRouting is the usual function of the topology's
// family. NoRouting stands alone in a list; in the section of a fabric it switches off what the machine asks for.
const (
	OwnRouting = "own"
	NoRouting  = "none"
)

// RoutingNames are the words that a machine file may use.
func RoutingNames() []string {
	names := []string{OwnRouting, NoRouting}
	for _, f := range routing.Functions() {
		names = append(names, f.Name)
	}
	return names
}

// Lengths that delays may be measured over.
const (
	Routed  = "routed"  // the length that a cable needs, slack included
	Stocked = "stocked" // the length that is bought
)

// Delay replaces the delays of the parts.
type Delay struct {
	Length      string                       `yaml:"length,omitempty" json:"length,omitempty"`
	Hop         map[string]units.Time        `yaml:"hop,omitempty" json:"hop,omitempty"`
	Propagation map[string]units.Propagation `yaml:"propagation,omitempty" json:"propagation,omitempty"`
	Ends        map[string]units.Time        `yaml:"ends,omitempty" json:"ends,omitempty"`
	Routing     []string                     `yaml:"routing,omitempty" json:"routing,omitempty"`

	ExactLimit int `yaml:"exact_limit,omitempty" json:"exact_limit,omitempty" jsonschema:"minimum=1"`
	Samples    int `yaml:"samples,omitempty" json:"samples,omitempty" jsonschema:"minimum=2"`
}
