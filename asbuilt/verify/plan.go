package verify

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Plan is what is planned, as links from port to port.
type Plan struct {
	result   *machine.Result
	schedule *cabling.Schedule
	kinds    []topology.Kind
	links    []link
	first    []int32 // by vertex, its first port in planned; one more for the end
	planned  []int32 // by port, the number of its link, -1 for none
	names    *identity.Names
	fabrics  int
	// home is the fabric that has most links of a vertex, -1 for a vertex without links.
	home []int16
	// only is the fabric that is compared, -1 for all.
	only int16
	// levelOf is the fabric of every level of the topology.
	levelOf []int16
	// oneWay says that there are links which carry one way only.
	oneWay bool

	byName, byNumber struct { // for graph
		once sync.Once
		*planGraph
	}
}

// link is a planned link.
type link struct {
	a, b    int32 // ports, counted over all boxes
	cable   int32
	product int16
	fabric  int16
	level   int16 // of the topology
	// polarity is the types of its cables in order from a to b, with commas between them.
	polarity string
}

// NewPlan takes the links of a plan. Of a plan with several fabrics the named one alone is compared; all are where none
// has the name. The error is exchange.ErrSummary for a plan without a list of cables.
func NewPlan(r *machine.Result, fabric string) (*Plan, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, exchange.ErrSummary
	}
	count := topology.Vertices(s.Graph)
	p := &Plan{
		result: r, schedule: s, kinds: s.Kinds, first: make([]int32, count+1), names: identity.New(s, r.Names),
		fabrics: max(len(r.Fabrics), 1), only: -1,
	}
	for i, n := range r.Fabrics {
		if n.Name == fabric {
			p.only = int16(i)
		}
	}
	for v := range count {
		p.first[v+1] = p.first[v] + int32(p.names.PortCount(topology.KindOf(p.kinds, v)))
	}
	p.planned = make([]int32, p.first[count])
	for i := range p.planned {
		p.planned[i] = -1
	}
	types := map[[mostCables]cabling.Polarity]string{}
	for x := range exchange.PlannedLinks(r, "") {
		cord := &x.Segments[0]
		l := link{
			a: p.first[x.A] + int32(x.PortA), b: p.first[x.B] + int32(x.PortB), cable: cord.Cable,
			product: cord.Product, fabric: x.Fabric, level: int16(cord.Level),
			polarity: polarities(s, x.Segments, types),
		}
		p.planned[l.a], p.planned[l.b] = int32(len(p.links)), int32(len(p.links))
		p.links = append(p.links, l)
	}
	p.levelOf = exchange.FabricOfLevels(r, "")
	for l := range s.Graph.Links() {
		p.oneWay = p.oneWay || l.Simplex
	}
	p.home = make([]int16, count)
	links := make([]int, p.fabrics)
	for v := range count {
		clear(links)
		p.home[v] = -1
		for _, l := range p.planned[p.first[v]:p.first[v+1]] {
			if l < 0 {
				continue
			}
			f := p.links[l].fabric
			links[f]++
			if h := p.home[v]; h < 0 || links[f] > links[h] {
				p.home[v] = f
			}
		}
	}
	return p, nil
}

// mostCables is the most cables that a link consists of: a cord, a trunk and a cord.
const mostCables = 3

// polarities writes the types of the cables of a link; known are those that were written before.
func polarities(s *cabling.Schedule, way []cabling.Segment, known map[[mostCables]cabling.Polarity]string) string {
	var of [mostCables]cabling.Polarity
	for i := range way {
		of[i] = s.Polarity(&way[i])
	}
	text, ok := known[of]
	if !ok {
		var words []string
		for _, p := range of[:len(way)] {
			words = append(words, string(p))
		}
		text = strings.Join(words, ",")
		known[of] = text
	}
	return text
}

// vertex is the box of a port.
func (p *Plan) vertex(port int32) int32 {
	next, _ := slices.BinarySearch(p.first, port+1)
	return int32(next - 1)
}

// Use takes a map of what others call boxes and ports, for comparisons that follow. The error tells what of it the plan
// does not have.
func (p *Plan) Use(m *identity.Map) error {
	names, err := p.names.With(m)
	if err != nil {
		return err
	}
	p.names = names
	return nil
}

// called is the box of a name, -1 where there is none, or more than one.
func (p *Plan) called(name string) int32 { return p.names.FindBox(name) }

// ports finds the ports that a claim means on a box: several where one is broken out and the source does not tell which
// lane it means, and none where it is not identified. Of ports that the plan has more than once, and of lanes that are
// not told, those with links are meant.
func (p *Plan) ports(v int32, c *identity.Claim) ([]int32, identity.Way) {
	on, way := p.names.Port(v, c)
	var all, used []int32
	for _, n := range on {
		at := p.first[v] + n
		all = append(all, at)
		if p.planned[at] >= 0 {
			used = append(used, at)
		}
	}
	if used != nil {
		return used, way
	}
	return all, way
}

// lanes are the links of a cable between ports: lane by lane where both are broken out. Of one that is, the other port
// has the lane that is planned for it; none where there is no such lane, as the source does not tell which it is in.
func (p *Plan) lanes(a, b []int32) [][2]int32 {
	if len(a) > 1 && len(b) > 1 {
		var out [][2]int32
		for i := range min(len(a), len(b)) {
			out = append(out, [2]int32{a[i], b[i]})
		}
		return out
	}
	of := func(many []int32, one int32) int32 {
		if len(many) == 1 {
			return many[0]
		}
		for _, port := range many {
			if l := p.planned[port]; l >= 0 && (p.links[l].a == one || p.links[l].b == one) {
				return port
			}
		}
		return -1
	}
	if pair := [2]int32{of(a, b[0]), of(b, a[0])}; pair[0] >= 0 && pair[1] >= 0 {
		return [][2]int32{pair}
	}
	return nil
}

// end writes a port for people.
func (p *Plan) end(port int32) End {
	v := p.vertex(port)
	s := p.schedule
	return End{
		Box: s.Device(v), Port: p.portName(v, port),
		Place: s.Placement.Layout.Path(s.Placement.Slot[v]),
	}
}

// portName is what is printed at a port of a box.
func (p *Plan) portName(v, port int32) string {
	kind, n := topology.KindOf(p.kinds, int(v)), int(port-p.first[v])
	if n < len(p.schedule.Boxes[kind].Ports) {
		return p.schedule.PortName(v, uint16(n))
	}
	return p.names.PortName(kind, n)
}

// cableName is the id of the cable of a planned link.
func (p *Plan) cableName(l int32) string { return p.schedule.CableID(int64(p.links[l].cable)) }

// String names a port, as in messages.
func (e End) String() string {
	if e.Place == "" {
		return fmt.Sprintf("%s %s", e.Box, e.Port)
	}
	return fmt.Sprintf("%s %s (%s)", e.Box, e.Port, e.Place)
}
