package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
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
	// WrongPolarity is a right link with a cable of another type, such as a trunk of type A in place of B.
	WrongPolarity Kind = "wrong-polarity"
	WrongRate     Kind = "wrong-rate"  // the link is right, and its lanes run at another rate than planned
	WrongWidth    Kind = "wrong-width" // the link is right, and has fewer lanes than its rate needs
	Degraded      Kind = "degraded"    // the link is right, and the source has counted errors
	// Conflict is links of the same port that sources or rows have; none of them is taken to be there.
	Conflict Kind = "conflict"
	// UnknownPort is a link to the right box, but not in the planned port, and the source does not tell which it is in.
	UnknownPort Kind = "unknown-port"
	// NotIdentified is a link from a port with a planned one to a box that is not identified.
	NotIdentified Kind = "not-identified"
)

// Confidence is how sure it is which ports a source means.
type Confidence int8

// The grades of confidence.
const (
	Guess   Confidence = iota // by a number in a name, or not at all
	Likely                    // by how boxes are cabled, or a port by its box
	Certain                   // by names
)

// String is the word for it.
func (c Confidence) String() string { return [...]string{"guess", "likely", "certain"}[c] }

// MarshalText writes the word for it.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Identification counts how boxes and ports that sources name were identified, each in the surest way that a source has
// for it.
type Identification struct {
	Boxes map[identity.Way]int `json:"boxes"` // boxes of the plan by the way
	Ports map[identity.Way]int `json:"ports"` // ports of the plan by the way
	// Unidentified is the ends of links, at boxes of the plan, whose port is not identified.
	Unidentified int `json:"unidentified"`
	// NotPorts is what sources call these, the most frequent first; no more than 100.
	NotPorts []NotPort `json:"not_ports"`
}

// NotPort is a text that names no port of the plan.
type NotPort struct {
	Text string `json:"text"` // as the source has it
	Ends int    `json:"ends"` // ends of links that are called so
}

// Guesses is how many boxes and ports were identified by anything else than what they are called.
func (i *Identification) Guesses() (boxes, ports int) {
	for _, w := range identity.Ways {
		if w.Guess() {
			boxes, ports = boxes+i.Boxes[w], ports+i.Ports[w]
		}
	}
	return boxes, ports
}

// Exchanged is two boxes that are cabled in each other's place.
type Exchanged struct {
	Boxes [2]string `json:"boxes"` // their names
	Links int       `json:"links"` // of each
}

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
	// Identification is how boxes and ports were identified.
	Identification Identification `json:"identification"`
	// Exchanged is the pairs of boxes all links of which are exchanged.
	Exchanged []Exchanged `json:"exchanged,omitempty"`
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
	Kind Kind `json:"kind"` // what is wrong
	// Confidence is how sure it is which ports the found links are in: certain, likely or guess.
	Confidence Confidence `json:"confidence"`
	Plan       []Link     `json:"plan"`  // what is planned
	Found      []Link     `json:"found"` // what is there
}

// Link is a planned or a found link.
type Link struct {
	Cable   string `json:"cable,omitempty"`   // the id of a planned one
	Product string `json:"product,omitempty"` // of the cable, where it is known
	// Polarity is the types of its cables in order from a to b, with commas between them, where they are wrong.
	Polarity string `json:"polarity,omitempty"`
	A        End    `json:"a"` // one end
	B        End    `json:"b"` // the other
	// Lanes is how wide a found link is, where its rate or width is wrong.
	Lanes int `json:"lanes,omitempty"`
	// Rate is that of all lanes together, planned or found, where the rate or the width is wrong.
	Rate float64 `json:"rate_gbps,omitempty"`
	// Errors is how many errors the source has counted.
	Errors int64 `json:"errors,omitempty"`
	// Source is where a link stands that is in conflict with others.
	Source string `json:"source,omitempty"`
}

// End is a port of a box.
type End struct {
	Box   string `json:"box"`             // its name
	Port  string `json:"port"`            // as the box prints it
	Place string `json:"place,omitempty"` // rack and rack unit; empty for a box that the plan does not have
}

// found is a found link between two ports. Ports that are not identified are numbered on from the last of the plan.
type found struct {
	a, b    int32
	product string
	// polarity is the types of its cables in order from a to b, with commas between them; "" where no source tells.
	polarity string
	lanes    int        // 0 where the source does not tell
	rate     units.Rate // of a lane, likewise
	errors   int64
	sure     Confidence
}

// strange is a port that is not identified, on a box of the plan or on one that is not identified either.
type strange struct {
	End
	v int32 // -1 for a box that is not identified
}

// sight is all that the sources see.
type sight struct {
	p       *Plan
	facts   []fact
	sources int
	at      []int32 // by port, the number of the found link, -1 for none
	torn    []bool  // by port of the plan, whether sources have several links of it
	unclear []bool  // by port of the plan, whether one of several neighbours is in it, and not known which
	listed  []bool  // by fabric and vertex, whether a source lists its links
	links   []found
	foreign []strange      // the ports that are not identified
	openAt  map[int32]bool // vertices with such ports
	torns   []fault        // links in conflict
	strange map[string]bool
	notes   []string
	// identified is the boxes that were found by structure.
	identified []Identified
	places     []Misplaced
	byName     []bool         // of each kind, whether some source has a box of it by name
	boxWay     []identity.Way // by vertex
	portWay    []identity.Way // by port of the plan
	unknown    map[portText]int
	panels     map[string]bool // the names of patch panels, as identity.Host writes them
}

// newSight returns a sight without sources: no link is found, and no box is listed.
func (p *Plan) newSight() *sight {
	return &sight{
		p: p, at: slices.Repeat([]int32{-1}, len(p.planned)), torn: make([]bool, len(p.planned)),
		unclear: make([]bool, len(p.planned)),
		listed:  make([]bool, p.fabrics*(len(p.first)-1)), strange: map[string]bool{},
		boxWay: make([]identity.Way, len(p.first)-1), portWay: make([]identity.Way, len(p.planned)),
		unknown: map[portText]int{}, openAt: map[int32]bool{}, byName: make([]bool, len(p.kinds)),
	}
}

// Compare compares the plan with what sources see; without sources all planned links are Unknown. The order of the
// sources, and of what each lists, does not matter. It does not change the sources. FindLeft and FindOrder add more to
// the result.
func (p *Plan) Compare(sources []*exchange.Wiring) *Result {
	s := p.newSight()
	sources = exchange.JoinPages(sources)
	together := s.together(sources)
	for _, w := range together {
		s.findNames(w)
	}
	for _, w := range together {
		s.compareLinks(s.throughPanels(w))
	}
	s.comparePlaces(sources)
	s.settle()
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
	s.noteWiring()
	r.faults, r.Racks = faults, s.racks(faults)
	slices.Sort(r.Strangers)
	slices.Sort(s.notes)
	r.Notes = append(r.Notes, slices.Compact(s.notes)...)
	slices.SortFunc(s.identified, func(a, b Identified) int {
		return cmp.Or(cmp.Compare(a.Found, b.Found), cmp.Compare(a.Box, b.Box))
	})
	r.Identified = append([]Identified{}, slices.Compact(s.identified)...)
	r.Identification, r.Exchanged = s.identification(), s.exchanged(faults)
	slices.SortStableFunc(s.places, func(a, b Misplaced) int { return cmp.Compare(a.What, b.What) })
	r.Places = s.places
	r.OK = len(r.Differences)+len(r.Places) == 0
	return r
}

// faults returns the paths and rings that are not as planned, and the conflicts. It counts planned links in Checked,
// Right and Unknown of r.
func (s *sight) faults(r *Result) []fault {
	p := s.p
	done, met := make([]bool, len(p.links)), make([]bool, len(s.links))
	var out []fault
	for i := range p.links {
		l := int32(i)
		if done[l] || p.only >= 0 && p.links[l].fabric != p.only {
			continue
		}
		if s.torn[p.links[l].a] || s.torn[p.links[l].b] {
			r.Checked++ // told among those in conflict
			done[l] = true
			continue
		}
		if x := s.at[p.links[l].a]; x >= 0 && x == s.at[p.links[l].b] {
			done[l], met[x] = true, true
			r.Checked++
			if kind := s.unlike(l, x); kind != "" {
				out = append(out, fault{
					kind: kind, plan: []int32{l}, found: []int32{x}, ports: []int32{p.links[l].a, p.links[l].b},
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
		out = append(out, s.cut(f)...)
	}
	for x := range s.links {
		if !met[x] { // where nothing is planned
			f := fault{found: []int32{int32(x)}, ports: []int32{s.links[x].a, s.links[x].b}, foundFirst: true}
			out = append(out, f)
		}
	}
	return append(out, s.torns...)
}

// cut divides a path at its links to ports that are not identified: such a link and the planned one that is next to it
// are a fault by themselves, as nothing can be proposed for them.
func (s *sight) cut(f fault) []fault {
	if f.ring || len(f.plan) == 0 {
		return []fault{f}
	}
	foreign := func(x int32) bool { return s.open(&s.links[x]) }
	last := len(f.plan) + len(f.found) // ports are one more
	startsOpen := f.foundFirst && foreign(f.found[0])
	endsFound := f.foundFirst == (last%2 == 1)
	endsOpen := endsFound && foreign(f.found[len(f.found)-1])
	var out []fault
	if startsOpen {
		out = append(out, fault{
			plan: f.plan[:1:1], found: f.found[:1:1], ports: f.ports[:3:3], foundFirst: true,
		})
		f.plan, f.found, f.ports = f.plan[1:], f.found[1:], f.ports[2:]
	}
	if endsOpen {
		x, ports := f.found[len(f.found)-1], f.ports[len(f.ports)-2:]
		if len(f.plan) == 0 { // both ends of the one planned link lead to such ports
			out[0].found, out[0].ports = append(out[0].found, x), append(out[0].ports, ports[1])
			return out
		}
		n := len(f.plan) - 1
		out = append(out, fault{plan: f.plan[n : n+1 : n+1], found: []int32{x}, ports: f.ports[len(f.ports)-3:]})
		f.plan, f.found, f.ports = f.plan[:n], f.found[:len(f.found)-1], f.ports[:len(f.ports)-2]
	}
	if len(f.plan)+len(f.found) > 0 {
		out = append(out, f)
	}
	return out
}

// open reports whether a port of a found link is not identified.
func (s *sight) open(x *found) bool { return int(max(x.a, x.b)) >= len(s.p.planned) }

// list takes in whose links a source lists: of its switches' own fabrics, as a subnet manager sees one subnet; without
// switches of the fabrics in which it has seen links, as a host does not see what its ports of another kind are for.
func (s *sight) list(w *exchange.Wiring, touched []bool, boxes []meant) {
	p := s.p
	own := make([]bool, p.fabrics)
	switches := false
	for i := range w.Boxes {
		v := boxes[i].Vertex
		if v >= 0 && w.Boxes[i].Listed && w.Boxes[i].Role == "switch" && p.home[v] >= 0 {
			own[p.home[v]], switches = true, true
		}
	}
	if !switches {
		own = touched
	}
	for i := range w.Boxes {
		if boxes[i].Vertex < 0 || !w.Boxes[i].Listed {
			continue
		}
		for f := range own {
			if own[f] {
				s.listed[f*(len(p.first)-1)+int(boxes[i].Vertex)] = true
			}
		}
	}
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

// sees reports whether a source lists the links of an end of a planned link, and it is clear what is in its ports.
func (s *sight) sees(l int32) bool {
	if s.unclear[s.p.links[l].a] || s.unclear[s.p.links[l].b] {
		return false
	}
	of := s.listed[int(s.p.links[l].fabric)*(len(s.p.first)-1):]
	return of[s.p.vertex(s.p.links[l].a)] || of[s.p.vertex(s.p.links[l].b)]
}

// wrongProduct reports whether a right link is made of another product than planned, as far as the source says.
func (s *sight) wrongProduct(l, x int32) bool {
	want := s.product(l)
	return s.links[x].product != "" && want != "" && s.links[x].product != want
}

// turnedTypes returns the types of the cables of a link, which have commas between them, in the opposite order.
func turnedTypes(types string) string {
	words := strings.Split(types, ",")
	slices.Reverse(words)
	return strings.Join(words, ",")
}

// typesFound returns the polarities of the cables of found link x, with commas, in the direction of planned link l.
func (s *sight) typesFound(l, x int32) string {
	if s.links[x].a != s.p.links[l].a {
		return turnedTypes(s.links[x].polarity)
	}
	return s.links[x].polarity
}

// wrongPolarity reports whether a cable of a right link is of another type than planned, as far as the source says.
// Where it has another number of cables, none is compared.
func (s *sight) wrongPolarity(l, x int32) bool {
	is, want := strings.Split(s.typesFound(l, x), ","), strings.Split(s.p.links[l].polarity, ",")
	if len(is) != len(want) {
		return false
	}
	for i := range is {
		if is[i] != "" && want[i] != "" && is[i] != want[i] {
			return true
		}
	}
	return false
}

// unlike returns how found link x differs from planned link l, which joins the same ports: the first of another
// product, another type of cable, a total rate more than 1 % below the planned one, and errors. It is "" if nothing
// differs or the source does not say. Too few lanes of the right rate, up to mostWidth, are a WrongWidth, not a
// WrongRate.
func (s *sight) unlike(l, x int32) Kind {
	f := &s.links[x]
	if s.wrongProduct(l, x) {
		return WrongProduct
	}
	if f.polarity != "" && s.wrongPolarity(l, x) {
		return WrongPolarity
	}
	if want := s.rate(l); want > 0 && f.lanes > 0 && f.rate > 0 && f.rate*units.Rate(f.lanes) < want*99/100 {
		if n := math.Round(float64(want / f.rate)); n <= mostWidth && math.Abs(n*float64(f.rate/want)-1) < 1e-6 {
			return WrongWidth
		}
		return WrongRate
	}
	if f.errors > 0 {
		return Degraded
	}
	return ""
}

// mostWidth is the most lanes that a link of a subnet has. If the planned rate takes more lanes at the found rate of a
// lane, the fault is the rate, not the width.
const mostWidth = 4

// rate is the rate in Gb/s of a planned link: that of its slower port, or of the one port that states a rate; 0 where
// neither does.
func (s *sight) rate(l int32) units.Rate {
	var least units.Rate
	for _, port := range [2]int32{s.p.links[l].a, s.p.links[l].b} {
		v := s.p.vertex(port)
		box := s.p.schedule.Boxes[topology.KindOf(s.p.kinds, int(v))]
		if rate := box.PortRate(int(port - s.p.first[v])); least == 0 || rate > 0 && rate < least {
			least = rate
		}
	}
	return least
}

// product is the product of a planned link as an item of the bill, "" where no product can make the link.
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
	claims     []*claim // of links in conflict
	sure       Confidence
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

// end returns the box, name and place of a port; of one that is not identified, what the source calls them.
func (s *sight) end(port int32) End {
	if n := int(port) - len(s.p.planned); n >= 0 {
		return s.foreign[n].End
	}
	return s.p.end(port)
}

// place is the lowest place, as a slot of the layout, of the boxes of the plan that a fault has; -1 if it has none.
// Sorted by it, faults are in the order in which people walk.
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

// difference returns a fault, whose kind has to be set, as the Difference of a Result.
func (s *sight) difference(f *fault) Difference {
	d := Difference{Kind: f.kind, Confidence: s.confidence(f), Plan: []Link{}, Found: []Link{}}
	slow := f.kind == WrongRate || f.kind == WrongWidth
	for _, l := range f.plan {
		link := s.planned(l)
		if slow {
			link.Rate = float64(s.rate(l))
		}
		if f.kind == WrongPolarity {
			link.Polarity = s.p.links[l].polarity
		}
		d.Plan = append(d.Plan, link)
	}
	for _, x := range f.found {
		it := &s.links[x]
		link := Link{Product: it.product, A: s.end(it.a), B: s.end(it.b), Errors: it.errors}
		if slow {
			link.Lanes, link.Rate = it.lanes, float64(it.rate*units.Rate(it.lanes))
		}
		if f.kind == WrongPolarity {
			link.A, link.B, link.Polarity = d.Plan[0].A, d.Plan[0].B, s.typesFound(f.plan[0], x)
		}
		d.Found = append(d.Found, link)
	}
	for _, c := range f.claims {
		link := Link{Product: c.product, A: s.end(c.a), B: s.end(c.b), Source: c.source}
		if c.line > 0 {
			link.Source = fmt.Sprintf("%s:%d", c.source, c.line)
		}
		d.Found = append(d.Found, link)
	}
	return d
}

// confidence is that of the least sure of what is found; of what is missing, that of the boxes.
func (s *sight) confidence(f *fault) Confidence {
	sure := Certain
	for _, x := range f.found {
		sure = min(sure, s.links[x].sure)
	}
	for _, c := range f.claims {
		sure = min(sure, c.sure)
	}
	for _, port := range f.ports {
		if int(port) < len(s.p.planned) {
			sure = min(sure, confidence(s.boxWay[s.p.vertex(port)]))
		}
	}
	return sure
}

// exchanged finds pairs of boxes of which all links are exchanged with each other.
func (s *sight) exchanged(faults []fault) []Exchanged {
	p := s.p
	links := func(v int32) int {
		n := 0
		for _, l := range p.planned[p.first[v]:p.first[v+1]] {
			if l >= 0 && (p.only < 0 || p.links[l].fabric == p.only) {
				n++
			}
		}
		return n
	}
	count := map[[2]int32]int{}
	for i := range faults {
		f := &faults[i]
		if f.kind != Swapped {
			continue
		}
		// The planned links join ports 0 and 1, 2 and 3; the found ones 1 and 2, 3 and 0.
		for k := range 2 {
			if a, b := p.vertex(f.ports[k]), p.vertex(f.ports[k+2]); a != b {
				count[[2]int32{min(a, b), max(a, b)}]++
			}
		}
	}
	var out []Exchanged
	for pair, n := range count {
		if n > 1 && n == links(pair[0]) && n == links(pair[1]) {
			out = append(out, Exchanged{[2]string{p.schedule.Device(pair[0]), p.schedule.Device(pair[1])}, n})
		}
	}
	slices.SortFunc(out, func(a, b Exchanged) int { return slices.Compare(a.Boxes[:], b.Boxes[:]) })
	return out
}

// planned returns planned link l with its cable and product.
func (s *sight) planned(l int32) Link {
	return Link{
		Cable: s.p.cableName(l), Product: s.product(l), A: s.end(s.p.links[l].a), B: s.end(s.p.links[l].b),
	}
}
