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
	plain    map[string]int32 // of boxes, in the letters that InfiniBand's and Omni-Path's tools read; likewise
	whole    map[string]int32 // of boxes, as withDomain writes them; likewise
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
		plain: make(map[string]int32, count), whole: make(map[string]int32, count),
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
		for _, by := range []struct {
			names map[string]int32
			key   string
		}{
			{p.whole, withDomain(r.Names.Name(v))},
			{p.names, folded(r.Names.Name(v))},
			{p.plain, folded(exchange.PlainName(r.Names.Name(v)))},
		} {
			if other, ok := by.names[by.key]; ok && other != int32(v) {
				by.names[by.key] = -1
			} else {
				by.names[by.key] = int32(v)
			}
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
	name = strings.TrimSpace(name)
	if host, _, ok := strings.Cut(name, "."); ok && host != "" && strings.Trim(host, "0123456789") != "" {
		name = host
	}
	return withDomain(name)
}

// withDomain writes a name as folded does, with its domain: boxes may differ in what follows a dot alone.
func withDomain(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
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

// called is the box of a name, -1 where there is none, or more than one.
func (p *Plan) called(name string) int32 {
	if v, ok := p.whole[withDomain(name)]; ok && v >= 0 {
		return v
	}
	key := folded(name)
	for _, names := range []map[string]int32{p.names, p.plain} {
		if v, ok := names[key]; ok {
			return v
		}
	}
	return -1
}

// adapterNames begin what adapters that count from 0 are called.
var adapterNames = []string{"mlx5_", "hfi1_"}

// box finds the box that a source means. An adapter may be called by its node and a number, as "node-7 HCA-3",
// "node-7 mlx5_2" or "node-7 hfi1_2": that number, from 1, comes with it, else 0.
func (p *Plan) box(b *exchange.Box) (v int32, adapter int, ok bool) {
	if v := p.called(b.Name); v >= 0 {
		return v, 0, true
	}
	name := strings.TrimSpace(b.Name)
	cut := strings.LastIndexByte(name, ' ')
	if cut < 0 {
		return -1, 0, false
	}
	device := strings.ToLower(name[cut+1:])
	v = p.called(name[:cut])
	if v < 0 {
		return -1, 0, false
	}
	for _, begins := range adapterNames {
		if number, found := strings.CutPrefix(device, begins); found {
			if n, err := strconv.Atoi(number); err == nil && n >= 0 {
				return v, n + 1, true
			}
		}
	}
	n, err := strconv.Atoi(strings.TrimLeft(device, "abcdefghijklmnopqrstuvwxyz-_ "))
	if err != nil || n < 1 {
		return v, 0, true
	}
	return v, n, true
}

// ports finds the ports that a source means by an end, on a box; adapter is as box tells it. There are several where a
// port is broken out and the source does not tell which lane it means, and none where the box has no such port.
func (p *Plan) ports(v int32, adapter int, e exchange.End) []int32 {
	count := p.first[v+1] - p.first[v]
	if adapter > 0 {
		n, err := strconv.Atoi(e.Port)
		if at := adapter + n - 2; err == nil && n >= 1 && at < int(count) {
			return []int32{p.first[v] + int32(at)}
		}
		return nil
	}
	if found := p.printed(v, e); found != nil {
		return found
	}
	text := e.Port
	for _, tray := range []string{"0/", "1/"} { // of ports that have none in their names
		text = strings.TrimPrefix(text, tray)
	}
	n, err := strconv.Atoi(text[len(strings.TrimRight(text, "0123456789")):])
	if err != nil || n < 1 || int32(n) > count || strings.ContainsAny(text, "/.:") {
		return nil
	}
	return []int32{p.first[v] + int32(n) - 1}
}

// printed finds ports by what is printed at them, or at those that they are broken out of.
func (p *Plan) printed(v int32, e exchange.End) []int32 {
	var whole, used []int32
	for i, port := range p.schedule.Boxes[topology.KindOf(p.kinds, int(v))].Ports {
		at := p.first[v] + int32(i)
		switch {
		case strings.EqualFold(port.Name, e.Port):
			return []int32{at}
		case port.Whole != "" && strings.EqualFold(port.Whole, e.Port) && (e.Lane == 0 || e.Lane == port.Lane):
			whole = append(whole, at)
			if p.planned[at] >= 0 {
				used = append(used, at)
			}
		}
	}
	if used != nil {
		return used
	}
	return whole
}

// lanes are the links of a cable between ports: lane by lane where both are broken out. Of one that is, the other port
// has the lane that is planned for it, else the first.
func (p *Plan) lanes(a, b []int32) [][2]int32 {
	if len(a) > 1 && len(b) > 1 {
		var out [][2]int32
		for i := range min(len(a), len(b)) {
			out = append(out, [2]int32{a[i], b[i]})
		}
		return out
	}
	of := func(many []int32, one int32) int32 {
		for _, port := range many {
			if l := p.planned[max(port, 0)]; len(many) > 1 && l >= 0 && (p.links[l].a == one || p.links[l].b == one) {
				return port
			}
		}
		return many[0]
	}
	return [][2]int32{{of(a, b[0]), of(b, a[0])}}
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
