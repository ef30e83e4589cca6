package layout

import "github.com/plenum-planner/plenum/units"

// Box has the outer dimensions of a device and the positions of its ports.
type Box struct {
	Units        int // height in rack units; 0 for a device that is mounted beside the rack units
	Width, Depth units.Length
	Power        units.Power
	Weight       units.Mass
	ports        []Point // as Port returns them
}

// Ports describes a run of equal ports on one face of a box.
type Ports struct {
	Count   int
	PerCage int  // ports that share a cage
	Rows    int  // rows of cages
	Rear    bool // at the rear face, else at the front
	// At is where each port is on the face, across and up from its lower left
	// corner as seen from the face; spread evenly when nil.
	At [][2]units.Length
}

// NewBox returns a box of the given size whose ports are spread evenly over
// their faces: cages left to right as seen from the face, the top row first
// within a column. Without a height, ports are all at the height of its middle.
func NewBox(height int, width, depth units.Length, groups []Ports) *Box {
	b := &Box{Units: height, Width: width, Depth: depth}
	for _, g := range groups {
		per, rows := max(g.PerCage, 1), max(g.Rows, 1)
		cages := (g.Count + per - 1) / per
		columns := (cages + rows - 1) / rows
		h := units.Length(height) * units.RackUnit
		for i := range g.Count {
			cage := i / per
			column, row := cage/rows, cage%rows
			x := width * units.Length((float64(column)+0.5)/float64(columns)-0.5)
			z := h * units.Length(1-(float64(row)+0.5)/float64(rows))
			y := -depth / 2
			if g.At != nil {
				x, z = g.At[i][0]-width/2, g.At[i][1]
			}
			if g.Rear {
				x, y = -x, -y
			}
			b.ports = append(b.ports, Point{x, y, z})
		}
	}
	return b
}

// WithPorts returns a copy of the box with only the ports of the given indices, from 0, in that order.
func (b *Box) WithPorts(order []int) *Box {
	out := *b
	out.ports = make([]Point, len(order))
	for i, p := range order {
		out.ports[i] = b.ports[p]
	}
	return &out
}

// BreakOut returns a copy of the box in which port i is replaced by into[i] ports at the same position (by one, if
// into[i] is less).
func (b *Box) BreakOut(into []int) *Box {
	out := *b
	out.ports = nil
	for i, p := range b.ports {
		for range max(into[i], 1) {
			out.ports = append(out.ports, p)
		}
	}
	return &out
}

// Port returns the position of port i (from 0) relative to the centre of the box's footprint, at its bottom, front
// towards -y; that centre itself if the box has fewer ports.
func (b *Box) Port(i int) Point {
	if i < len(b.ports) {
		return b.ports[i]
	}
	return Point{}
}

// PortCount returns the number of ports.
func (b *Box) PortCount() int { return len(b.ports) }
