package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Plan is what is planned, as links from port to port.
type Plan struct {
	result   *machine.Result
	schedule *cabling.Schedule
	kinds    []topology.Kind
	links    []link
	first    []int32          // by vertex, its first port in partner; one more for the end
	planned  []int32          // by port, the number of its link, -1 for none
	names    map[string]int32 // of boxes, as folded writes them; -1 where two have one
	fabrics  int
	// home is the fabric that has most links of a vertex, -1 for a vertex without links.
	home []int16
	// only is the fabric that is compared, -1 for all.
	only int16
	// levelOf is the fabric of every level of the topology.
	levelOf []int16
	// oneWay says that there are links which carry one way only.
	oneWay bool
}

// link is a planned link.
type link struct {
	a, b    int32 // ports, counted over all boxes
	cable   int32
	product int16
	fabric  int16
	level   int16 // of the topology
}

// NewPlan takes the links of a plan, or of one of its fabrics.
func NewPlan(r *machine.Result, fabric string) (*Plan, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, exchange.ErrSummary
	}
	count := topology.Vertices(s.Graph)
	p := &Plan{
		result: r, schedule: s, kinds: s.Kinds, first: make([]int32, count+1), names: make(map[string]int32, count),
		fabrics: max(len(r.Fabrics), 1), only: -1,
	}
	for i, n := range r.Fabrics {
		if n.Name == fabric {
			p.only = int16(i)
		}
	}
	for v := range count {
		k := topology.KindOf(p.kinds, v)
		p.first[v+1] = p.first[v] + int32(max(len(s.Boxes[k].Ports), p.kinds[k].Ports))
		key := folded(r.Names.Name(v))
		if other, ok := p.names[key]; ok && other != int32(v) {
			p.names[key] = -1
		} else {
			p.names[key] = int32(v)
		}
	}
	p.planned = make([]int32, p.first[count])
	for i := range p.planned {
		p.planned[i] = -1
	}
	for x := range exchange.PlannedLinks(r, "") {
		cord := &x.Segments[0]
		l := link{
			a: p.first[x.A] + int32(x.PortA), b: p.first[x.B] + int32(x.PortB), cable: cord.Cable,
			product: cord.Product, fabric: x.Fabric, level: int16(cord.Level),
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

// vertex is the box of a port.
func (p *Plan) vertex(port int32) int32 {
	lo, hi := 0, len(p.first)-1
	for lo+1 < hi {
		if mid := (lo + hi) / 2; p.first[mid] <= port {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int32(lo)
}

// folded writes a name as names are compared: in small letters, numbers without leading zeros, without a domain.
func folded(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if host, _, ok := strings.Cut(name, "."); ok && host != "" && strings.Trim(host, "0123456789") != "" {
		name = host
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		digit := name[i] >= '0' && name[i] <= '9'
		begins := i == 0 || name[i-1] < '0' || name[i-1] > '9'
		if digit && begins {
			for i+1 < len(name) && name[i] == '0' && name[i+1] >= '0' && name[i+1] <= '9' {
				i++
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// box finds the box that a source means. An adapter may be called by its node and a number, as "node-7 HCA-3" or
// "node-7 mlx5_2": that number, from 1, comes with it, else 0.
func (p *Plan) box(b *exchange.Box) (v int32, adapter int, ok bool) {
	if v, ok := p.names[folded(b.Name)]; ok && v >= 0 {
		return v, 0, true
	}
	host, device, cut := strings.Cut(strings.TrimSpace(b.Name), " ")
	if !cut {
		return -1, 0, false
	}
	v, ok = p.names[folded(host)]
	if !ok || v < 0 {
		return -1, 0, false
	}
	device = strings.ToLower(strings.TrimSpace(device))
	digits := strings.TrimLeft(device, "abcdefghijklmnopqrstuvwxyz-_ ")
	if number, found := strings.CutPrefix(device, "mlx5_"); found { // counts from 0
		if n, err := strconv.Atoi(number); err == nil {
			return v, n + 1, true
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 {
		return v, 0, true
	}
	return v, n, true
}

// port finds the port that a source means by a text, on a box; adapter is as box tells it.
func (p *Plan) port(v int32, adapter int, text string) (int32, bool) {
	k := topology.KindOf(p.kinds, int(v))
	count := p.first[v+1] - p.first[v]
	if adapter > 0 {
		n, err := strconv.Atoi(text)
		if at := adapter + n - 2; err == nil && n >= 1 && at < int(count) {
			return p.first[v] + int32(at), true
		}
		return -1, false
	}
	for i := range p.schedule.Boxes[k].Ports {
		if strings.EqualFold(p.schedule.Boxes[k].Ports[i].Name, text) {
			return p.first[v] + int32(i), true
		}
	}
	digits := text[len(strings.TrimRight(text, "0123456789")):]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || int32(n) > count || strings.ContainsAny(text, "/.:") {
		return -1, false
	}
	return p.first[v] + int32(n) - 1, true
}

// end writes a port for people.
func (p *Plan) end(port int32) End {
	v := p.vertex(port)
	s := p.schedule
	return End{
		Box: s.Device(v), Port: s.PortName(v, uint16(port-p.first[v])),
		Place: s.Placement.Layout.Path(s.Placement.Slot[v]),
	}
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
