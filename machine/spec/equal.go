package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Equal is what machines are planned with in place of what their own files say, so that a comparison is not one of it.
type Equal struct {
	// Hop is the per-hop latency of all switches and routers.
	Hop *units.Time `yaml:"hop,omitempty" json:"hop,omitempty"`
	// Switch is the part of all switches, and with it their ports, price and power.
	Switch string `yaml:"switch,omitempty" json:"switch,omitempty"`
	// PerRack is the number of nodes in a rack.
	PerRack int `yaml:"per_rack,omitempty" json:"per_rack,omitempty" jsonschema:"minimum=1"`
}

// equalKeys are the terms that can be held equal.
var equalKeys = []string{"hop", "switch", "per_rack"}

// notHeld says of what follows from a machine, and cannot be set, by which figure it is divided out.
var notHeld = map[string]string{
	"bisection": "it follows from the topology; the table divides it by the nodes and by the cost",
	"cost":      "it follows from the parts; the table divides throughput and bisection by it",
	"injection": "it follows from the ports of nodes; the table has throughput as a share of it",
	"nodes":     "it follows from the topology; plenum topology sizes lists shapes by their number of nodes",
	"capacity":  "it follows from the topology; its key capacity sets it for each level",
	"ports":     "they are those of the part: switch=PART sets it",
	"priced":    "it follows from the parts: switch=PART sets them, and prices in the machine file price them",
}

// ParseEqual reads what is to be equal, each as key=value: hop=100ns, switch=PART, per_rack=32.
func ParseEqual(texts []string) (Equal, error) {
	var e Equal
	for _, text := range texts {
		key, value, given := strings.Cut(text, "=")
		key = strings.ReplaceAll(strings.TrimSpace(key), "-", "_")
		switch {
		case notHeld[key] != "":
			return e, fmt.Errorf("%s cannot be set: %s", key, notHeld[key])
		case !slices.Contains(equalKeys, key):
			return e, fmt.Errorf("%q cannot be held equal\n%s", key, diag.Suggest(key, equalKeys, "there are "))
		case !given || value == "":
			return e, fmt.Errorf("%s needs a value, such as hop=100ns, switch=generic-switch-64x400g or per_rack=32",
				key)
		}
		var err error
		switch key {
		case "hop":
			var t units.Time
			if t, err = units.ParseTime(value); err == nil {
				e.Hop = &t
			}
		case "switch":
			e.Switch = value
		case "per_rack":
			if e.PerRack, err = strconv.Atoi(value); err != nil || e.PerRack < 1 {
				err = fmt.Errorf("%q is not a number of nodes", value)
			}
		}
		if err != nil {
			return e, fmt.Errorf("%s: %w", key, err)
		}
	}
	return e, nil
}

// Words says what is held equal, in the order of the keys.
func (e Equal) Words() []string {
	var out []string
	if e.Hop != nil {
		out = append(out, "hop="+e.Hop.String())
	}
	if e.Switch != "" {
		out = append(out, "switch="+e.Switch)
	}
	if e.PerRack > 0 {
		out = append(out, fmt.Sprintf("per_rack=%d", e.PerRack))
	}
	return out
}

// Apply returns a copy of a machine in which the terms of e replace its own, the machine itself where e has none. The
// error says why a term cannot be held equal for it: for a machine of several fabrics only Hop can.
func (e Equal) Apply(s *Spec) (*Spec, error) {
	if len(e.Words()) == 0 {
		return s, nil
	}
	own := *s
	if e.Hop != nil {
		if *e.Hop < 0 || *e.Hop > 1e9 {
			return nil, fmt.Errorf("the hop delay %v cannot be held equal: it is from 0 to 1 s", *e.Hop)
		}
		if err := own.SetHop(*e.Hop); err != nil {
			return nil, err
		}
	}
	if e.Switch == "" && e.PerRack == 0 {
		return &own, nil
	}
	if len(s.Fabrics) > 0 {
		return nil, fmt.Errorf("only the hop delay can be held equal for a machine of several fabrics, whose boxes " +
			"name their parts and racks")
	}
	if e.Switch != "" {
		if err := own.setSwitch(e.Switch); err != nil {
			return nil, err
		}
	}
	if e.PerRack > 0 {
		if len(s.Racks) > 0 {
			return nil, fmt.Errorf("the nodes in a rack cannot be held equal: templates of racks (racks) say how " +
				"many there are")
		}
		if len(s.Room.Containers) > 0 {
			return nil, fmt.Errorf("the nodes in a rack cannot be held equal: the machine stands in nested " +
				"containers, whose levels say how many they hold; give it racks")
		}
		node := Box{}
		if own.Packaging.Node != nil {
			node = *own.Packaging.Node
		}
		if node.Chassis != "" || len(node.Units) > 0 || node.Racks != "" {
			return nil, fmt.Errorf("the nodes in a rack cannot be held equal: packaging.node puts them into a " +
				"chassis, units or racks of its own, which say how many there are")
		}
		node.PerRack = e.PerRack
		own.Packaging.Node = &node
	}
	return &own, nil
}

// setSwitch has all switches be of a part.
func (s *Spec) setSwitch(part string) error {
	g, err := topology.New(s.Topology)
	if err != nil {
		return err
	}
	found := false
	for _, k := range g.Kinds() {
		if k.Role == topology.Node {
			return fmt.Errorf("the part of the switches cannot be held equal: the routers of the %s are its nodes; "+
				"give the topology terminals, such as terminals: 1, to put it on switches", s.Topology.Family())
		}
		if k.Role != topology.Switch {
			continue
		}
		found = true
		entry, _ := s.Packaging.Entry(k.Name, k.Role)
		box := Box{}
		if *entry != nil {
			box = **entry
		}
		box.Part = part
		if s.Packaging.Kinds[k.Name] != nil {
			s.Packaging.SetKind(k.Name, &box)
			continue
		}
		*entry = &box
	}
	if !found {
		return fmt.Errorf("the part of the switches cannot be held equal: the %s has none", s.Topology.Family())
	}
	return nil
}
