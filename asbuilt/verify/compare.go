package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
)

// Kind is what is wrong.
type Kind string

// The kinds of differences.
const (
	Missing      Kind = "missing"       // a planned link is not there, and nothing else is in its ports
	Extra        Kind = "extra"         // a link is there that is not planned, in ports that have none
	Swapped      Kind = "swapped"       // two cables have exchanged ends
	Rotated      Kind = "rotated"       // three or more cables of a box have exchanged ends in turn
	WrongPort    Kind = "wrong-port"    // plugs are in other ports of the right box
	WrongBox     Kind = "wrong-box"     // plugs are in other boxes
	WrongProduct Kind = "wrong-product" // the link is right, the cable is another product
)

// Result is what a comparison has found.
type Result struct {
	// OK says that nothing differs; there may be what no source sees.
	OK bool `json:"ok"`
	// Checked is the planned links that a source sees.
	Checked int `json:"checked"`
	// Right is those of them that are as planned.
	Right int `json:"right"`
	// Unknown is the planned links that no source sees.
	Unknown int `json:"unknown"`
	// Differences is in the order in which people walk: by place.
	Differences []Difference `json:"differences"`
	// Moves is what makes the cabling as planned, as few as there can be, in an order in which every port is free when
	// a plug goes into it.
	Moves []Move `json:"moves"`
	// Racks is how far every rack is.
	Racks []Rack `json:"racks"`
	// Strangers is the boxes that sources name and the plan does not have.
	Strangers []string `json:"strangers"`
	// Identified is the boxes that sources call otherwise, found by how they are cabled.
	Identified []Identified `json:"identified"`
	// Places is the boxes and racks that sources have elsewhere, or otherwise, than planned.
	Places []Misplaced `json:"places,omitempty"`
	// Notes say what of the sources was passed over, and why.
	Notes []string `json:"notes"`
	// Left is what is left of each network, where FindLeft was asked.
	Left []Left `json:"left,omitempty"`
	// Order is a work order from what is found to the plan, where FindOrder was asked.
	Order *workorder.Order `json:"work_order,omitempty"`

	sight  *sight
	faults []fault // in the order of Differences
}

// Difference is one fault: planned and found links that belong together.
type Difference struct {
	Kind  Kind   `json:"kind"`  // missing, extra, swapped, rotated, wrong-port, wrong-box or wrong-product
	Plan  []Link `json:"plan"`  // what is planned
	Found []Link `json:"found"` // what is there
}

// Link is a planned or a found link.
type Link struct {
	Cable   string `json:"cable,omitempty"`   // the id of a planned one
	Product string `json:"product,omitempty"` // of the cable, where it is known
	A       End    `json:"a"`                 // one end
	B       End    `json:"b"`                 // the other
}

// End is a port of a box.
type End struct {
	Box   string `json:"box"`             // its name
	Port  string `json:"port"`            // as the box prints it
	Place string `json:"place,omitempty"` // rack and rack unit; empty for a box that the plan does not have
}

// found is a found link between two ports. Ports that the plan does not have are numbered on from its last.
type found struct {
	a, b    int32
	product string
}

// sight is all that the sources see.
type sight struct {
	p       *Plan
	at      []int32 // by port, the number of the found link, -1 for none
	listed  []bool  // by fabric and vertex, whether a source lists its links
	links   []found
	foreign []End // the ports that the plan does not have
	strange map[string]bool
	notes   []string
	// identified is the boxes that were found by structure.
	identified []Identified
	places     []Misplaced
}

// Compare compares the plan with what sources see.
func (p *Plan) Compare(sources []*exchange.Wiring) *Result {
	s := &sight{
		p: p, at: make([]int32, len(p.planned)), listed: make([]bool, p.fabrics*(len(p.first)-1)),
		strange: map[string]bool{},
	}
	for i := range s.at {
		s.at[i] = -1
	}
	for _, w := range s.together(sources) {
		s.take(s.throughPanels(w))
		s.stand(w)
	}
	r := &Result{Differences: []Difference{}, Moves: []Move{}, Strangers: []string{}, Notes: []string{}, sight: s}
	faults := s.faults(r)
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(s.place(&a), s.place(&b)) })
	for i := range faults {
		faults[i].kind = s.kind(&faults[i])
		r.Differences = append(r.Differences, s.difference(&faults[i]))
		r.Moves = append(r.Moves, s.moves(&faults[i])...)
	}
	for i := range r.Moves {
		r.Moves[i].Step = i + 1
	}
	for name := range s.strange {
		r.Strangers = append(r.Strangers, name)
	}
	r.faults, r.Racks = faults, s.racks(faults)
	slices.Sort(r.Strangers)
	r.Notes, r.Identified = append(r.Notes, s.notes...), append([]Identified{}, s.identified...)
	r.Places = s.places
	r.OK = len(r.Differences)+len(r.Places) == 0
	return r
}

// faults are the paths and rings that are not as planned. What is, is counted.
func (s *sight) faults(r *Result) []fault {
	p := s.p
	done, met := make([]bool, len(p.links)), make([]bool, len(s.links))
	var out []fault
	for i := range p.links {
		l := int32(i)
		if done[l] || p.only >= 0 && p.links[l].fabric != p.only {
			continue
		}
		if x := s.at[p.links[l].a]; x >= 0 && x == s.at[p.links[l].b] {
			done[l], met[x] = true, true
			r.Checked++
			if s.wrongProduct(l, x) {
				out = append(out, fault{
					kind: WrongProduct, plan: []int32{l}, found: []int32{x}, ports: []int32{p.links[l].a, p.links[l].b},
				})
			} else {
				r.Right++
			}
			continue
		}
		f := s.trace(l, done, met)
		if len(f.found) == 0 && !s.sees(l) {
			r.Unknown++
			continue
		}
		r.Checked += len(f.plan)
		out = append(out, f)
	}
	for x := range s.links {
		if !met[x] { // where nothing is planned
			f := fault{found: []int32{int32(x)}, ports: []int32{s.links[x].a, s.links[x].b}, foundFirst: true}
			out = append(out, f)
		}
	}
	return out
}

// take adds what a source sees.
func (s *sight) take(w *exchange.Wiring) {
	p := s.p
	s.notes = append(s.notes, w.Notes...)
	boxes := s.meant(w)
	locate := func(e exchange.End) []int32 {
		if b := boxes[e.Box]; b.ok {
			if ports := p.ports(b.v, b.adapter, e); ports != nil {
				return ports
			}
		} else {
			s.strange[w.Boxes[e.Box].Name] = true
		}
		return []int32{-1}
	}
	passed, conflicts := 0, 0
	touched := make([]bool, p.fabrics)
	for i := range w.Links {
		l := &w.Links[i]
		for _, ends := range p.lanes(locate(l.A), locate(l.B)) {
			switch s.add(w, l, ends[0], ends[1], touched) {
			case nowhere:
				passed++
			case conflicting:
				conflicts++
			}
		}
	}
	s.list(w, touched, func(i int) (int32, bool) { return boxes[i].v, boxes[i].ok })
	if passed > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: %s between ports that the plan does not have", w.Source,
			english.Count(passed, "link")))
	}
	if conflicts > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: %s of ports that another line or source has elsewhere, which stands",
			w.Source, english.Count(conflicts, "link")))
	}
}

// added is what came of a link that a source has.
type added int

const (
	taken       added = iota
	nowhere           // between ports that the plan does not have
	conflicting       // one of its ports has another link already
)

// add adds a link between two ports, -1 for one that the plan does not have.
func (s *sight) add(w *exchange.Wiring, l *exchange.Link, a, b int32, touched []bool) added {
	p := s.p
	fa, fb := p.fabricAt(a), p.fabricAt(b)
	for _, f := range []int16{fa, fb} {
		if f >= 0 {
			touched[f] = true
		}
	}
	switch {
	case p.only >= 0 && fa != p.only && fb != p.only && (fa >= 0 || fb >= 0):
		return taken // of another fabric
	case a < 0 && b < 0:
		return nowhere
	case a >= 0 && s.at[a] >= 0 || b >= 0 && s.at[b] >= 0:
		if !s.has(a, b) {
			return conflicting
		}
		return taken
	}
	for _, e := range []struct {
		port *int32
		end  exchange.End
	}{{&a, l.A}, {&b, l.B}} {
		if *e.port < 0 {
			*e.port = int32(len(p.planned) + len(s.foreign))
			s.foreign = append(s.foreign, End{Box: w.Boxes[e.end.Box].Name, Port: e.end.Port})
			s.at = append(s.at, -1)
		}
	}
	s.at[a], s.at[b] = int32(len(s.links)), int32(len(s.links))
	s.links = append(s.links, found{a, b, l.Product})
	return taken
}

// meant is the box of the plan that a source means.
type meant struct {
	v       int32
	adapter int // the number of an adapter, from 1; 0 where the source tells none
	ok      bool
}

// meant finds the boxes of a source by name, and the others by structure.
func (s *sight) meant(w *exchange.Wiring) []meant {
	boxes := make([]meant, len(w.Boxes))
	known := make([]int32, len(w.Boxes))
	strangers := false
	for i := range w.Boxes {
		v, adapter, ok := s.p.box(&w.Boxes[i])
		boxes[i] = meant{v, adapter, ok}
		if known[i] = -1; ok {
			known[i] = v
		}
		strangers = strangers || !ok
	}
	if !strangers {
		return boxes
	}
	m := s.p.match(w, known)
	s.identified = append(s.identified, m.identified(func(x int) bool { return boxes[x].ok })...)
	s.notes = append(s.notes, m.choices...)
	for i, v := range m.to {
		if v >= 0 && !boxes[i].ok {
			boxes[i] = meant{v, 0, true}
		}
	}
	return boxes
}

// list takes in whose links a source lists: of its switches' own fabrics, as a subnet manager sees one subnet; without
// switches of the fabrics in which it has seen links, as a host does not see what its ports of another kind are for.
func (s *sight) list(w *exchange.Wiring, touched []bool, box func(i int) (int32, bool)) {
	p := s.p
	own := make([]bool, p.fabrics)
	switches := false
	for i := range w.Boxes {
		if v, ok := box(i); ok && w.Boxes[i].Listed && w.Boxes[i].Role == "switch" && p.home[v] >= 0 {
			own[p.home[v]], switches = true, true
		}
	}
	if !switches {
		own = touched
	}
	for i := range w.Boxes {
		v, ok := box(i)
		if !ok || !w.Boxes[i].Listed {
			continue
		}
		for f := range own {
			if own[f] {
				s.listed[f*(len(p.first)-1)+int(v)] = true
			}
		}
	}
}

// has tells whether a link is found between two ports; one of them may be -1, for a port that the plan does not have.
func (s *sight) has(a, b int32) bool {
	if a < 0 {
		a, b = b, a
	}
	x := s.at[a]
	if x < 0 {
		return false
	}
	far := s.links[x].other(a)
	return far == b || b < 0 && int(far) >= len(s.p.planned)
}

func (f *found) other(port int32) int32 { return f.a + f.b - port }

func (l *link) other(port int32) int32 { return l.a + l.b - port }

// fabricAt is the fabric of the planned link at a port, -1 where none is planned; the port may be -1.
func (p *Plan) fabricAt(port int32) int16 {
	if port < 0 || p.planned[port] < 0 {
		return -1
	}
	return p.links[p.planned[port]].fabric
}

// sees tells whether a source lists the links of an end of a planned link.
func (s *sight) sees(l int32) bool {
	of := s.listed[int(s.p.links[l].fabric)*(len(s.p.first)-1):]
	return of[s.p.vertex(s.p.links[l].a)] || of[s.p.vertex(s.p.links[l].b)]
}

// wrongProduct tells whether a right link is made of another product than planned, as far as the source says.
func (s *sight) wrongProduct(l, x int32) bool {
	want := s.product(l)
	return s.links[x].product != "" && want != "" && s.links[x].product != want
}

// product is that of a planned link, "" where none can make it.
func (s *sight) product(l int32) string {
	if i := s.p.links[l].product; i >= 0 {
		return s.p.schedule.Products[i].Item().String()
	}
	return ""
}

// fault is planned and found links that take turns along a path or round a ring.
type fault struct {
	kind  Kind
	plan  []int32
	found []int32
	// ports are those along the way: where the first link begins, what it shares with the second, and so on.
	ports []int32
	// foundFirst says that the first link is a found one.
	foundFirst bool
	ring       bool
}

// trace follows planned and found links by turns from a planned link, both ways.
func (s *sight) trace(l int32, done, met []bool) fault {
	p := s.p
	f := fault{}
	at, planned := p.links[l].a, false // what would come next
	for {
		if planned {
			next := s.plannedAt(at)
			if next < 0 {
				break
			}
			if next == l {
				f.ring = true
				break
			}
			at = p.links[next].other(at)
		} else {
			next := s.at[at]
			if next < 0 {
				break
			}
			at = s.links[next].other(at)
		}
		planned = !planned
	}
	if f.ring {
		at, planned = p.links[l].a, false
	}
	f.foundFirst = planned // nothing is planned where the path ends: its last link was a found one
	f.ports = append(f.ports, at)
	for planned = !planned; ; planned = !planned {
		if planned {
			next := s.plannedAt(at)
			if next < 0 || done[next] {
				break
			}
			done[next] = true
			f.plan = append(f.plan, next)
			at = p.links[next].other(at)
		} else {
			next := s.at[at]
			if next < 0 || met[next] {
				break
			}
			met[next] = true
			f.found = append(f.found, next)
			at = s.links[next].other(at)
		}
		f.ports = append(f.ports, at)
	}
	return f
}

// plannedAt is the planned link at a port, -1 for none.
func (s *sight) plannedAt(port int32) int32 {
	if int(port) >= len(s.p.planned) {
		return -1
	}
	return s.p.planned[port]
}

// end writes a port for people.
func (s *sight) end(port int32) End {
	if n := int(port) - len(s.p.planned); n >= 0 {
		return s.foreign[n]
	}
	return s.p.end(port)
}

// place orders faults as people walk: by the first of the places of its boxes.
func (s *sight) place(f *fault) int32 {
	least := int32(-1)
	for _, port := range f.ports {
		if int(port) >= len(s.p.planned) {
			continue
		}
		if slot := int32(s.p.schedule.Placement.Slot[s.p.vertex(port)]); least < 0 || slot < least {
			least = slot
		}
	}
	return least
}

// difference writes a fault for people.
func (s *sight) difference(f *fault) Difference {
	d := Difference{Kind: f.kind, Plan: []Link{}, Found: []Link{}}
	for _, l := range f.plan {
		d.Plan = append(d.Plan, s.planned(l))
	}
	for _, x := range f.found {
		d.Found = append(d.Found, Link{Product: s.links[x].product, A: s.end(s.links[x].a), B: s.end(s.links[x].b)})
	}
	return d
}

// planned writes a planned link.
func (s *sight) planned(l int32) Link {
	return Link{
		Cable: s.p.cableName(l), Product: s.product(l), A: s.end(s.p.links[l].a), B: s.end(s.p.links[l].b),
	}
}
