package identity

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// Names is what the boxes of a plan and their ports are called. Safe for use by several goroutines at once.
type Names struct {
	kinds []topology.Kind
	ports []*ports // by kind
	// Boxes by name: as it stands, with its domain, without, and in the letters that InfiniBand's tools read; -1 where
	// two boxes are one of them.
	exact, whole, host, plain map[string]int32
	maps                      *Map
	mapped                    map[portOfBox]entry
}

// New takes the names of the boxes of a plan and of all ports of their parts.
func New(s *cabling.Schedule, called *names.Names) *Names {
	count := topology.Vertices(s.Graph)
	n := &Names{
		kinds: s.Kinds, exact: make(map[string]int32, count), whole: make(map[string]int32, count),
		host: make(map[string]int32, count), plain: make(map[string]int32, count),
	}
	for k := range s.Kinds {
		n.ports = append(n.ports, newPorts(s.Boxes[k], s.Kinds[k].Ports))
	}
	for v := range count {
		name := called.Name(v)
		for _, by := range []struct {
			names map[string]int32
			key   string
		}{{n.exact, name}, {n.whole, fold(name)}, {n.host, Host(name)}, {n.plain, Host(PlainName(name))}} {
			if other, ok := by.names[by.key]; ok && other != int32(v) {
				by.names[by.key] = -1
			} else {
				by.names[by.key] = int32(v)
			}
		}
	}
	return n
}

// With is the names with those of a map besides. The error tells what of the map the plan does not have.
func (n *Names) With(m *Map) (*Names, error) {
	ports, err := m.check(n)
	if err != nil {
		return nil, err
	}
	out := *n
	out.maps, out.mapped = m, ports
	return &out, nil
}

// PortCount is how many ports the boxes of a kind have: those that links of the plan are in, in the order of
// cabling.Box.Ports, and then all others of the part.
func (n *Names) PortCount(kind int) int { return len(n.ports[kind].names) }

// PortName is the printed name of a port of the boxes of a kind.
func (n *Names) PortName(kind, port int) string { return n.ports[kind].names[port].Label }

// PortNumber is the number of a port of the boxes of a kind in a subnet, from 1; 0 where none is known.
func (n *Names) PortNumber(kind, port int) int {
	for number, at := range n.ports[kind].subnet {
		if slices.Contains(at, int32(port)) {
			return number
		}
	}
	return 0
}

// PortIdentity is what a port of the boxes of a kind is called.
func (n *Names) PortIdentity(kind, port int) catalog.PortIdentity { return n.ports[kind].names[port] }

// Devices reports whether the part of a kind says which RDMA devices its ports have.
func (n *Names) Devices(kind int) bool { return n.ports[kind].hasDevice }

// NamesOther reports whether a claim that means no port of the boxes of a kind names another port than theirs: their
// part has names for its ports, and the claim is a name and none of these. Where the part numbers its ports alone, only
// another number is one.
func (n *Names) NamesOther(kind int, c *Claim) bool { return n.ports[kind].namesOther(c) }

// BoxClaim is what a source says of a box.
type BoxClaim struct {
	Name            string
	GUIDs, MACs     []string
	Serial, Address string
}

// Found is a box that was identified.
type Found struct {
	Vertex int32  // -1 where there is none
	Device string // the RDMA device that the source means of it
	Chip   string // the chip that the source means of it
	Way    Way
}

// Box finds the box of a claim: by what a map says, by name, or by the name in a description of InfiniBand.
func (n *Names) Box(c *BoxClaim) Found {
	name, _, chip, device := Description(c.Name)
	f := Found{Vertex: -1, Device: device, Chip: chip}
	if n.maps != nil {
		if known, ok := n.maps.box(c, name); ok {
			if v := n.FindBox(known); v >= 0 {
				f.Vertex, f.Way = v, ByMap
				return f
			}
		}
	}
	if v := n.FindBox(c.Name); v >= 0 { // the plan may call a box as a description reads
		return Found{Vertex: v, Way: ByName}
	}
	if v := n.FindBox(name); v >= 0 {
		f.Vertex, f.Way = v, ByName
		return f
	}
	// Tables call adapters by their box and what the system or the box calls their port.
	if cut := strings.LastIndexByte(name, ' '); cut > 0 {
		v, port := n.FindBox(name[:cut]), name[cut+1:]
		if v < 0 {
			return f
		}
		if found, _ := n.ports[topology.KindOf(n.kinds, int(v))].exact(port, 0); found != nil {
			return Found{Vertex: v, Device: port, Way: ByName}
		}
	}
	return f
}

// FindBox returns the box of a name, in any letters, with a domain or without, with more or fewer leading zeros; -1
// where there is none, or more than one.
func (n *Names) FindBox(name string) int32 {
	if name == "" {
		return -1
	}
	if v, ok := n.exact[name]; ok && v >= 0 {
		return v
	}
	if v, ok := n.whole[fold(name)]; ok && v >= 0 {
		return v
	}
	key := Host(name)
	for _, by := range []map[string]int32{n.host, n.plain} {
		if v, ok := by[key]; ok {
			return v
		}
	}
	return -1
}

// Port finds the ports that a claim means on a box, by their numbers on it: none where it is not identified, and
// several where a port is broken out and the source does not tell the lane, or where the plan has a port twice.
func (n *Names) Port(box int32, c *Claim) ([]int32, Way) {
	p := n.ports[topology.KindOf(n.kinds, int(box))]
	for _, v := range []int32{box, -1} {
		text := c.Text
		if c.Device != "" {
			text = c.Device
		}
		if e, ok := n.mapped[portOfBox{v, fold(text)}]; ok {
			if found, _ := p.exact(e.name, c.Lane); found != nil {
				return found, ByMap
			}
		}
	}
	return p.find(c)
}

// Host is a name as the names of hosts are compared: in small letters, numbers without leading zeros, without a domain.
func Host(name string) string {
	name = strings.TrimSpace(name)
	if host, _, ok := strings.Cut(name, "."); ok && host != "" && !isNumber(host) {
		name = host
	}
	return fold(name)
}

// Key is a name of a port, or a whole name of a box, as names are compared: in small letters, numbers without leading
// zeros.
func Key(name string) string { return fold(name) }

// fold writes a name as names are compared: in small letters, numbers without leading zeros.
func fold(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if begins := i == 0 || name[i-1] < '0' || name[i-1] > '9'; begins && name[i] >= '0' && name[i] <= '9' {
			for i+1 < len(name) && name[i] == '0' && name[i+1] >= '0' && name[i+1] <= '9' {
				i++
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// PlainName is a name in the letters that the tools of InfiniBand and of Omni-Path read, each other one as _.
func PlainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
