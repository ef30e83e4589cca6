package exchange

import (
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// ErrSummary says that a plan has no list of cables.
var ErrSummary = errors.New("the plan is a summary, which has no list of cables")

// PlannedLink is a channel of a plan between two boxes, over patch panels or not. Traces are none.
type PlannedLink struct {
	A, B         int32  // vertices
	PortA, PortB uint16 // from 0, in the order of cabling.Box.Ports
	Fabric       int16  // of machine.Result.Fabrics; 0 where a machine has one network
	// Segments is its cable; over panels, a cord at A, positions of trunks and a cord at B.
	Segments []cabling.Segment
}

// PlannedLinks yields the links of a fabric of a plan, of all where the name is empty.
func PlannedLinks(r *machine.Result, fabric string) iter.Seq[PlannedLink] {
	return func(yield func(PlannedLink) bool) {
		s := r.Schedule
		of := FabricOfLevels(r, fabric)
		start := 0
		for i := range s.Segments {
			seg := &s.Segments[i]
			if seg.Product == cabling.IsTrace || of[seg.Level] < 0 {
				continue
			}
			if !s.Continues(seg) {
				start = i
			}
			if s.Panel(seg.B) >= 0 {
				continue // goes on beyond a panel
			}
			first := &s.Segments[start]
			if !yield(PlannedLink{first.A, seg.B, first.PortA, seg.PortB, of[seg.Level], s.Segments[start : i+1]}) {
				return
			}
		}
	}
}

// FabricOfLevels is, for every level of the topology, the number of its fabric among machine.Result.Fabrics, 0 where a
// machine has one network; of levels of other fabrics than that named, -1.
func FabricOfLevels(r *machine.Result, fabric string) []int16 {
	var of []int16
	for _, level := range r.Schedule.Graph.Levels() {
		i := slices.IndexFunc(r.Fabrics, func(n *machine.Network) bool { return machine.InFabric(level.Name, n.Name) })
		if i = max(i, 0); !machine.InFabric(level.Name, fabric) {
			i = -1
		}
		of = append(of, int16(i))
	}
	return of
}

// PlannedWiring returns the wiring of a plan, or of one of its fabrics: boxes by name, ports by number from 1, as in a
// subnet.
func PlannedWiring(r *machine.Result, fabric string) (*Wiring, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, ErrSummary
	}
	w := &Wiring{}
	kinds := s.Graph.Kinds()
	for v := range topology.Vertices(s.Graph) {
		k := topology.KindOf(kinds, v)
		b := Box{Name: r.Names.Name(v), Role: "adapter", Ports: len(s.Boxes[k].Ports), Listed: true}
		if kinds[k].Role == topology.Switch {
			b.Role = "switch"
		}
		w.Boxes = append(w.Boxes, b)
	}
	number := func(v int32, p uint16) string {
		return strconv.Itoa(s.PortNumber(v, p))
	}
	for l := range PlannedLinks(r, fabric) {
		link := Link{
			A: End{Box: int(l.A), Port: number(l.A, l.PortA), Form: Subnet},
			B: End{Box: int(l.B), Port: number(l.B, l.PortB), Form: Subnet},
		}
		if i := l.Segments[0].Product; i >= 0 {
			link.Product = s.Products[i].Item().String()
		}
		w.Links = append(w.Links, link)
	}
	return w, nil
}

// PlannedAdapters returns the wiring of a plan, or of one of its fabrics, as an InfiniBand subnet has it: as Planned,
// but of a node whose part tells the RDMA devices of all ports that are plugged in, every such device is an adapter of
// one port, called by the node and the device, "dgx-1 mlx5_11".
func PlannedAdapters(r *machine.Result, fabric string) (*Wiring, error) {
	w, err := PlannedWiring(r, fabric)
	if err != nil {
		return nil, err
	}
	s := r.Schedule
	known := make([]bool, len(w.Boxes))
	for v := range w.Boxes {
		known[v] = w.Boxes[v].Role == "adapter"
	}
	var devices [][2]string // of the ends of links
	for l := range PlannedLinks(r, fabric) {
		d := [2]string{s.PortIdentity(l.A, l.PortA).Device, s.PortIdentity(l.B, l.PortB).Device}
		devices = append(devices, d)
		known[l.A], known[l.B] = known[l.A] && d[0] != "", known[l.B] && d[1] != ""
	}
	for i := range w.Links {
		for side, e := range []*End{&w.Links[i].A, &w.Links[i].B} {
			if !known[e.Box] {
				continue
			}
			w.Boxes = append(w.Boxes, Box{
				Name: w.Boxes[e.Box].Name + " " + devices[i][side], Role: "adapter", Ports: 1, Listed: true,
			})
			e.Box, e.Port = len(w.Boxes)-1, "1"
			known = append(known, false)
		}
	}
	return w, nil
}
