package fabrics

import (
	"iter"
	"strconv"

	"github.com/plenum-planner/plenum/topology"
)

// UplinkLevel is the level of uplinks.
const UplinkLevel = "uplink"

// Uplinks is a graph of links from switches below to switches above, spread over these in turn.
type Uplinks struct {
	From, To int // switches below and above
	Each     int // links of each switch below
}

var _ topology.Graph = Uplinks{}

// Family is "uplinks".
func (u Uplinks) Family() string { return "uplinks" }

// Kinds are the switches below, then those above.
func (u Uplinks) Kinds() []topology.Kind {
	return []topology.Kind{
		{Name: "from", Count: u.From, Role: topology.Switch, Ports: u.Each},
		{Name: "to", First: u.From, Count: u.To, Role: topology.Switch, Ports: (u.From*u.Each + u.To - 1) / u.To},
	}
}

// Levels is one.
func (u Uplinks) Levels() []topology.Level { return []topology.Level{{Name: UplinkLevel}} }

// Groupings are none.
func (u Uplinks) Groupings() []topology.Grouping { return nil }

// Label is the number of a vertex.
func (u Uplinks) Label(v int) string { return strconv.Itoa(v) }

// Links spreads the links of all switches below over those above in turn, so that a switch with two has them on two
// switches and those above have as many as one another, but for one. Where a switch below has more than there are
// above, several of its links lead to the same one.
func (u Uplinks) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for v := range u.From {
			first := v * u.Each // among all links, which are dealt to the switches above in turn
			port := int32(0)
			for i := range min(u.Each, u.To) {
				above := (first + i) % u.To
				// the ports above before first+i, and those of this switch that lead there
				width := (u.Each - i + u.To - 1) / u.To
				if !yield(topology.Link{
					A: int32(v), B: int32(u.From + above), PortA: port, PortB: int32((first + i) / u.To),
					Width: int32(width),
				}) {
					return
				}
				port += int32(width)
			}
		}
	}
}
