package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Routers are the vertices that forward packets in a machine.
type Routers struct {
	Hops    []units.Time // the different hop delays, ascending; none where no delays were measured
	Parts   []string     // the different parts
	Ports   []int        // the different numbers of ports, ascending
	InNodes bool         // some are built into nodes
}

// Term is one condition of a comparison: what a machine brings besides the shape of its network.
type Term struct {
	Term string `json:"term"` // what it is: `hop delay`, `nodes a rack`
	// Held is whether `--equal` has set it.
	Held bool `json:"held"`
	// Known is whether the value of every machine is known.
	Known bool `json:"known"`
	// Equal is whether all machines have the same value, as it is written; false where none is known.
	Equal  bool     `json:"equal"`
	Values []string `json:"values"` // with their units, one for each machine in order; `-` where it is not known
}

// hopTerm, pricedTerm and densityTerm are terms that figures of merit depend on.
const (
	hopTerm     = "hop delay"
	pricedTerm  = "priced routers"
	densityTerm = "nodes a rack"
	notStated   = "not stated"

	unpricedRouters = "without a price"
)

// Terms are the conditions of a comparison, always the same ones in the same order, each with a value for every
// machine.
func (c *Comparison) Terms() []Term {
	each := func(m *Compared, v float64, unit string) string {
		if m.Nodes == 0 || !(v > 0) {
			return "-"
		}
		return strings.TrimSpace(threeDigits(v/float64(m.Nodes)) + " " + unit)
	}
	terms := []struct {
		name string
		held bool
		of   func(m *Compared) string
	}{
		{hopTerm, c.Equal.Hop != nil, func(m *Compared) string {
			if m.Delay.AtLeast() {
				return notStated
			}
			return listed(m.Routers.Hops, func(t units.Time) string { return threeDigits(float64(t)) + " ns" })
		}},
		{"router", c.Equal.Switch != "", func(m *Compared) string { return listed(m.Routers.Parts, nil) }},
		{"ports a router", c.Equal.Switch != "", func(m *Compared) string {
			return listed(m.Routers.Ports, strconv.Itoa)
		}},
		{pricedTerm, false, (*Compared).priced},
		{densityTerm, c.Equal.PerRack > 0, func(m *Compared) string {
			if m.Racks == 0 {
				return "-"
			}
			return threeDigits(float64(m.Nodes) / float64(m.Racks))
		}},
		{"nodes", false, func(m *Compared) string { return english.Grouped(int64(m.Nodes)) }},
		{"injection bandwidth", false, func(m *Compared) string {
			if m.Throughput == nil {
				return "-"
			}
			return each(m, float64(m.Rate)*float64(m.Throughput.Ports), "Gb/s a node")
		}},
		{"bisection", false, func(m *Compared) string {
			if m.Whole {
				return "-"
			}
			if m.Rate > 0 {
				return each(m, float64(m.Rate)*float64(m.Bisection.Upper), "Gb/s a node")
			}
			return each(m, float64(m.Bisection.Upper), "channels a node")
		}},
		{"capacity of links", false, func(m *Compared) string {
			var all []int32
			for _, l := range m.Levels {
				all = append(all, max(l.Capacity, 1))
			}
			slices.Sort(all)
			return listed(slices.Compact(all), func(n int32) string { return strconv.Itoa(int(n)) })
		}},
		{"network cost", false, func(m *Compared) string {
			return each(m, m.Cost.Network.Float(), m.Currency+" a node")
		}},
	}
	var out []Term
	for _, of := range terms {
		t := Term{Term: of.name, Held: of.held}
		for i := range c.Machines {
			t.Values = append(t.Values, of.of(&c.Machines[i]))
		}
		t.Known = !slices.Contains(t.Values, "-") && !slices.Contains(t.Values, notStated)
		t.Equal = t.Known && len(slices.Compact(slices.Clone(t.Values))) == 1
		out = append(out, t)
	}
	return out
}

// threeDigits writes a number with three digits that count, or with all before the point.
func threeDigits(v float64) string {
	places := 2
	if v != 0 {
		places -= int(math.Floor(math.Log10(math.Abs(v))))
	}
	text := english.Fixed(v, max(places, 0))
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// listed writes different values in a row; a dash for none.
func listed[T any](values []T, text func(T) string) string {
	var out []string
	for _, v := range values {
		if text == nil {
			out = append(out, fmt.Sprint(v))
			continue
		}
		out = append(out, text(v))
	}
	if out == nil {
		return "-"
	}
	return strings.Join(out, ", ")
}

// priced says whether the cost of the network has all routers in it.
func (m *Compared) priced() string {
	switch {
	case m.Routers.InNodes:
		return "built into nodes"
	case slices.ContainsFunc(m.Routers.Parts, func(part string) bool { return slices.Contains(m.Cost.Excludes, part) }):
		return unpricedRouters
	case len(m.Routers.Parts) == 0:
		return "-"
	}
	return "priced"
}

// hasUnpricedRouters reports whether the cost leaves out the routers of the machine: switches without a price, or
// routers inside nodes without one.
func (m *Compared) hasUnpricedRouters() bool {
	return m.priced() == unpricedRouters ||
		m.Routers.InNodes && slices.ContainsFunc(m.Cost.UnpricedKinds, func(k UnpricedKind) bool {
			return k.Kind == catalog.KindNode
		})
}

// CostWarning says, for the space beside costs, which machines the costs favour since their routers have no price:
// "Cost favours 1 and 3, whose routers have no price." It is empty where the routers of all or of none have one.
func (c *Comparison) CostWarning() string {
	var favoured []string
	for i := range c.Machines {
		if c.Machines[i].hasUnpricedRouters() {
			favoured = append(favoured, strconv.Itoa(i+1))
		}
	}
	if favoured == nil || len(favoured) == len(c.Machines) {
		return ""
	}
	return "Cost favours " + english.List(favoured) + ", whose routers have no price."
}

// TermWords is one line on what is equal, what is not, and what is not known of every machine.
func (c *Comparison) TermWords() string {
	var same, differ, unknown []string
	for _, t := range c.Terms() {
		switch {
		case !t.Known:
			unknown = append(unknown, t.Term)
		case !t.Equal:
			differ = append(differ, t.Term)
		case t.Held:
			same = append(same, t.Term+" (set to "+t.Values[0]+")")
		default:
			same = append(same, t.Term)
		}
	}
	words := func(list []string) string {
		if len(list) == 0 {
			return "nothing"
		}
		return strings.Join(list, ", ")
	}
	out := "equal: " + words(same) + "; differs: " + words(differ)
	if unknown != nil {
		out += "; not known of all: " + words(unknown)
	}
	return out
}

// TermWarnings says which figures of merit compare something else than topologies: where hop delays, priced routers or
// nodes a rack differ, or are known of some machines only.
func (c *Comparison) TermWarnings() []string {
	var out []string
	for _, t := range c.Terms() {
		values := differentWords(t.Values)
		if t.Equal || slices.Contains(t.Values, values) { // the same of all, known or not
			continue
		}
		switch t.Term {
		case hopTerm:
			out = append(out, "own delays compare hop delays, "+values+", besides topologies; --equal hop=TIME holds "+
				"them equal, and D has one alpha for all")
		case pricedTerm:
			out = append(out, "costs compare routers that are "+values+": rankings by cost favour those whose "+
				"routers are not priced")
		case densityTerm:
			var racks []string
			for i := range c.Machines {
				racks = append(racks, english.Grouped(int64(c.Machines[i].Racks)))
			}
			help := "--equal per_rack=N holds the packaging of nodes equal"
			if t.Held {
				help = "racks without nodes, of switches, count"
			}
			out = append(out, "lengths compare "+values+" nodes a rack ("+english.List(racks)+
				" racks) besides topologies; "+help)
		}
	}
	return out
}

// differentWords lists the different values of machines.
func differentWords(values []string) string {
	var out []string
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return english.List(out)
}
