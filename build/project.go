package build

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// work is pieces of an activity that one figure is for.
type work struct {
	of     Activity
	figure int // index into Labour.Figures
	pieces int64
	metres float64 // of all pieces together
}

// job is what a task of a project is about.
type job struct {
	of     Activity
	work   []work
	racks  [2]int32 // in which it is done; -1 for none
	fabric int      // index of the fabric that it brings into service, else -1
	group  int      // index of the group of cables that it belongs to, else -1
	links  int64    // that it plugs in
	cables []int32  // numbers of those that it patches or lays, from 1
	waits  string   // the part on whose delivery it waits longest; empty for none
	// needs is all parts with a lead time without which it cannot begin.
	needs []catalog.Item
}

// group is the cables that are patched together: those of a bundle, the others between the same two racks, or those
// within a rack.
type group struct {
	racks  [2]int32 // the lower first
	bundle int32    // its number in Schedule.Bundles, from 1; 0 for none
	order  int32    // when the bundle is pulled, from 1; 0 for none
	step   int32    // of a growth, from 1; 0 without one
	cables map[product]*count
	list   []int32 // numbers of its cables that are left to plug in, from 1
	links  int64
	left   int64    // of the links, those that a cable of the group is the first one left to plug in of
	plugs  [2]int64 // of passive fibre: with one or two fibres, with more
	after  []int    // groups over whose cables its links go on
	fabric []bool   // of which it has links
}

// product is an index into Schedule.Products, or cabling.NoProduct.
type product = int16

type count struct {
	cables int64
	metres float64
}

// project turns a plan into tasks.
type project struct {
	plan   *machine.Result
	opt    *Options
	labour *Labour
	lead   map[catalog.Item]int64 // in working minutes, of parts that are bought and whose lead time is known
	noLead map[string]bool        // ids of parts that are bought and have none

	racks     []string // names, by number
	rackOf    []int32  // by vertex, panels after the boxes
	preCabled []bool   // by rack: it arrives with boxes and cables in it
	rows      []int32  // by rack: the row, -1 where there are none
	groups    []*group
	optics    []map[*catalog.Part]int64 // by rack
	boxes     [][]int64                 // by rack and kind
	inlets    []int64                   // by rack
	panels    []int64                   // by rack
	trunks    map[trunked][]int         // indices of Patching.Trunks
	fabrics   []string
	touched   []map[int]int64 // by rack and fabric: boxes with links

	tasks   []Task
	jobs    []job
	unknown map[Activity]int64 // pieces of activities that no figure covers
	old     struct{ cables, boxes int64 }
	done    int64 // cables that the progress says are done
	// built are the racks in which some are, and traysLaid says that some are between racks: racks, boxes and trays are
	// there for them.
	built     []bool
	traysLaid bool

	// Of a growth, see Options.From: the step of each cable and of each box and panel, 0 for what stays. They are nil
	// without one.
	cableStep, boxStep []int32
	// late are boxes that are mounted in a step in which, or before which, others are taken away, by rack and step;
	// firstAway is the first such step, 0 where nothing is taken away.
	late      map[[2]int32]*lateBoxes
	firstAway int32
	pulled    *project // what a growth pulls out; nil without one
	stands    []bool   // by rack: it holds boxes that stay
}

// trunked is the racks that trunks join, the lower first, and the step of a growth in which they are laid.
type trunked struct {
	racks [2]int32
	step  int32
}

// lateBoxes are boxes of a rack that are mounted in one step of a growth.
type lateBoxes struct {
	kinds  []int64 // boxes by kind
	inlets int64
	optics map[*catalog.Part]int64
}

// newProject counts the work of a plan. The plan must have a list of its cables.
func newProject(plan *machine.Result, opt *Options) *project {
	p := &project{plan: plan, opt: opt}
	if d := opt.From; d != nil {
		p.cableStep, p.boxStep = d.Connected(), d.Stood()
		for _, step := range d.TakenAway() {
			if step > 0 && (p.firstAway == 0 || step < p.firstAway) {
				p.firstAway = step
			}
		}
	}
	p.readLeadTimes()
	p.countWork()
	if opt.From != nil {
		p.pulled = newPulled(opt)
	}
	return p
}

// newPulled counts what is pulled out of the old plan of a growth, and taken away.
func newPulled(opt *Options) *project {
	p := &project{plan: opt.From.Old, opt: opt}
	p.cableStep, p.boxStep = opt.From.Disconnected(), opt.From.TakenAway()
	p.firstAway = 1
	p.countWork()
	return p
}

// countWork counts the racks, boxes, cables and trunks of a project.
func (p *project) countWork() {
	p.labour, p.trunks, p.unknown = p.opt.Labour, map[trunked][]int{}, map[Activity]int64{}
	p.late = map[[2]int32]*lateBoxes{}
	p.findRacks()
	p.countBoxes()
	for r, stands := range p.stands {
		p.preCabled[r] = p.preCabled[r] && !stands // it has arrived already
	}
	p.countCables()
	p.countTrunks()
}

// lateIn are the boxes of a rack that are mounted in the step of one of them; nil where it is mounted with the others.
func (p *project) lateIn(v int32) *lateBoxes {
	if p.firstAway == 0 || p.boxStep[v] < p.firstAway {
		return nil
	}
	key := [2]int32{p.rackOf[v], p.boxStep[v]}
	if p.late[key] == nil {
		p.late[key] = &lateBoxes{make([]int64, len(p.plan.Schedule.Kinds)), 0, map[*catalog.Part]int64{}}
	}
	return p.late[key]
}

// notDelivered are the kinds of lines of a bill that no delivery brings.
var notDelivered = []catalog.Kind{catalog.KindLabour, catalog.KindFreight, catalog.KindContingency}

// readLeadTimes reads the lead times of ordered parts.
func (p *project) readLeadTimes() {
	p.lead, p.noLead = map[catalog.Item]int64{}, map[string]bool{}
	if p.plan.Bill == nil {
		return
	}
	c := &p.opt.Calendar
	before := 0.0 // days between the order and the first day of work
	if !p.opt.Ordered.IsZero() {
		before = c.Start.Sub(p.opt.Ordered).Hours() / 24
	}
	for i := range p.plan.Bill.Rows {
		r := &p.plan.Bill.Rows[i]
		switch {
		case r.Buy == 0 || slices.Contains(notDelivered, r.Kind):
		case r.Lead > 0:
			p.lead[r.Item] = max(p.lead[r.Item], c.after(float64(r.Lead)-before))
		default:
			p.noLead[r.Item.Part] = true
		}
	}
}

// findRacks finds the rack of every vertex and panel.
func (p *project) findRacks() {
	pl := p.plan.Schedule.Placement // with the panels
	l := pl.Layout
	number := map[int32]int32{}
	row := l.LevelOf(layout.RoleRow)
	for _, slot := range pl.Slot {
		c := l.Container(l.Stands(), slot)
		if c < 0 {
			p.rackOf = append(p.rackOf, -1)
			continue
		}
		if _, ok := number[c]; !ok {
			number[c] = int32(len(p.racks))
			p.racks = append(p.racks, l.ContainerName(l.Stands(), c))
			at, kind := int32(-1), ""
			if row >= 0 {
				at = l.Container(row, slot)
			}
			if room := p.plan.Room(); room != nil {
				kind = room.Type(c).Name
			}
			p.rows = append(p.rows, at)
			p.preCabled = append(p.preCabled, slices.ContainsFunc(p.opt.Integrated, func(name string) bool {
				return name == All || name == kind && kind != "" || name == p.racks[number[c]]
			}))
		}
		p.rackOf = append(p.rackOf, number[c])
	}
	n := len(p.racks)
	p.optics, p.inlets, p.panels = make([]map[*catalog.Part]int64, n), make([]int64, n), make([]int64, n)
	p.stands = make([]bool, n)
	p.boxes, p.touched, p.built = make([][]int64, n), make([]map[int]int64, n), make([]bool, n)
	for i := range n {
		p.boxes[i] = make([]int64, len(p.plan.Schedule.Kinds))
		p.optics[i], p.touched[i] = map[*catalog.Part]int64{}, map[int]int64{}
	}
}

// countBoxes counts the boxes of every rack, their power inlets, and the panels.
func (p *project) countBoxes() {
	s := p.plan.Schedule
	exists := map[int32]bool{}
	for _, v := range p.plan.Existing {
		exists[v] = true
	}
	for kind, k := range s.Kinds {
		inlets := int64(0)
		for of, n := range s.Boxes[kind].Part.Inlets {
			if of != "busbar" {
				inlets += int64(n)
			}
		}
		for v := k.First; v < k.First+k.Count; v++ {
			rack := p.rackOf[v]
			switch {
			case p.boxStep == nil && exists[int32(v)] || p.boxStep != nil && p.boxStep[v] == 0:
				p.old.boxes++
				if rack >= 0 {
					p.stands[rack] = true
				}
			case rack < 0:
			case p.lateIn(int32(v)) != nil:
				late := p.lateIn(int32(v))
				late.kinds[kind]++
				late.inlets += inlets
			default:
				p.boxes[rack][kind]++
				p.inlets[rack] += inlets
			}
		}
	}
	if s.Patching == nil {
		return
	}
	for i := range s.Patching.Panels {
		v := s.Patching.Vertex(int32(i))
		if rack := p.rackOf[v]; rack >= 0 && (p.boxStep == nil || p.boxStep[v] > 0) {
			p.panels[rack]++
		}
	}
}

// countCables puts cables into groups, and optics into racks.
func (p *project) countCables() {
	s := p.plan.Schedule
	levels := s.Graph.Levels()
	fabricOf := p.fabricOf(len(levels))
	index := map[[4]int32]int{}
	find := func(seg *cabling.Segment) int {
		a, b := p.rackOf[seg.A], p.rackOf[seg.B]
		key := [4]int32{min(a, b), max(a, b), seg.Bundle, p.step(seg.Cable)}
		i, ok := index[key]
		if !ok {
			i = len(p.groups)
			index[key] = i
			p.groups = append(p.groups, &group{
				racks: [2]int32{key[0], key[1]}, bundle: seg.Bundle, step: key[3],
				cables: map[product]*count{},
				fabric: make([]bool, len(p.fabrics)),
			})
		}
		return i
	}
	caged, boxed := map[[2]int32]bool{}, map[[2]int32]bool{}
	channel, first := -1, -1 // the channel of a segment, and the group of its first cable
	kept := false            // whether its cables lie already
	counted := false         // whether it is among the links that are left to plug in
	legs := s.Legs()
	for i := range s.Segments {
		seg := &s.Segments[i]
		if !s.Continues(seg) {
			channel++
			first, counted = -1, false
			kept = p.cableStep == nil && p.plan.Plugs != nil && p.plan.Plugs.Cable[channel] >= 0
			for _, v := range [...]int32{seg.A, seg.B} {
				p.touch(v, int(fabricOf[seg.Level]), boxed)
			}
		} else if v := seg.B; s.Panel(v) < 0 {
			p.touch(v, int(fabricOf[seg.Level]), boxed)
		}
		if seg.Product == cabling.IsTrace {
			continue
		}
		leg := legs.Next(seg)
		a, b := p.rackOf[seg.A], p.rackOf[seg.B]
		if a < 0 || b < 0 {
			continue
		}
		if kept || p.cableStep != nil && p.step(seg.Cable) == 0 {
			if leg == 1 {
				p.old.cables++
			}
			continue
		}
		if s.Panel(seg.A) >= 0 && s.Panel(seg.B) >= 0 && s.Patching.Shuffles == nil {
			continue // the position of a trunk
		}
		at := find(seg)
		g := p.groups[at]
		if first < 0 {
			first = at
			g.links++
			g.fabric[fabricOf[seg.Level]] = true
		} else if first != at && !slices.Contains(p.groups[first].after, at) {
			p.groups[first].after = append(p.groups[first].after, at)
		}
		if p.opt.Progress.isDone(seg.Cable) { // its link may still have to be tested
			p.built[a], p.built[b], p.traysLaid = true, true, p.traysLaid || a != b
			if leg == 1 {
				p.done++
			}
			continue
		}
		if !counted {
			counted = true
			g.left++
		}
		p.plug(g, seg, leg, caged)
	}
	p.sortGroups()
}

// step is the step of a growth in which a cable is plugged in, or pulled out; 0 where it stays, and without a growth.
func (p *project) step(cable int32) int32 {
	if p.cableStep == nil || cable == 0 {
		return 0
	}
	return p.cableStep[cable-1]
}

// fabricOf lists the fabrics of a plan, and returns the fabric of every topology level.
func (p *project) fabricOf(levels int) []uint8 {
	out := make([]uint8, levels)
	if len(p.plan.Fabrics) == 0 {
		p.fabrics = []string{""}
		return out
	}
	for i, f := range p.plan.Fabrics {
		p.fabrics = append(p.fabrics, f.Name)
		for level, l := range p.plan.Graph.Levels() {
			if machine.InFabric(l.Name, f.Name) {
				out[level] = uint8(i)
			}
		}
	}
	return out
}

// touch counts a box of a fabric once.
func (p *project) touch(v int32, fabric int, seen map[[2]int32]bool) {
	key := [2]int32{v, int32(fabric)}
	if rack := p.rackOf[v]; rack >= 0 && p.plan.Schedule.Panel(v) < 0 && !seen[key] {
		seen[key] = true
		p.touched[rack][fabric]++
	}
}

// plug counts a cable with its optics and its plugs of fibre.
func (p *project) plug(g *group, seg *cabling.Segment, leg int, caged map[[2]int32]bool) {
	s := p.plan.Schedule
	c := g.cables[seg.Product]
	if c == nil {
		c = &count{}
		g.cables[seg.Product] = c
	}
	made := s.Product(seg)
	if leg == 1 {
		c.cables++
		g.list = append(g.list, seg.Cable)
		length := seg.Length
		if made != nil {
			length = made.Length
			if made.Part.Cable.Medium.Fibre() {
				many := 0
				if cabling.MultiFibre(made.Part.Cable.Connector) {
					many = 1
				}
				g.plugs[many] += int64(1 + made.Part.Cable.FarPlugs())
			}
		}
		c.metres += float64(length)
	}
	if made == nil {
		return
	}
	for side, optic := range made.Transceivers() {
		v, port := seg.A, seg.PortA
		if side == 1 {
			v, port = seg.B, seg.PortB
		}
		if optic == nil || s.Panel(v) >= 0 {
			continue
		}
		kind := p.kind(v)
		key := [2]int32{v, int32(s.Boxes[kind].Ports[port].Cage)}
		if !caged[key] {
			caged[key] = true
			if late := p.lateIn(v); late != nil {
				late.optics[optic]++
			} else {
				p.optics[p.rackOf[v]][optic]++
			}
		}
	}
}

// kind is the kind of a box.
func (p *project) kind(v int32) int {
	return slices.IndexFunc(p.plan.Schedule.Kinds, func(k topology.Kind) bool { return int(v) < k.First+k.Count })
}

// sortGroups sorts the groups: bundles in the order in which they are pulled, then cables between racks, then those
// within one.
func (p *project) sortGroups() {
	s := p.plan.Schedule
	pull := make([]int32, len(s.Bundles)+1)
	for i, b := range s.PullOrder() {
		pull[b+1] = int32(i) + 1
	}
	old := slices.Clone(p.groups)
	for _, g := range p.groups {
		g.order = pull[g.bundle]
	}
	slices.SortFunc(p.groups, func(x, y *group) int {
		inside := func(g *group) int {
			if g.racks[0] == g.racks[1] {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(x.step, y.step), cmp.Compare(inside(x), inside(y)),
			cmp.Compare(uint32(x.order)-1, uint32(y.order)-1),
			cmp.Compare(x.racks[0], y.racks[0]), cmp.Compare(x.racks[1], y.racks[1]))
	})
	now := map[*group]int{}
	for i, g := range p.groups {
		now[g] = i
	}
	for _, g := range p.groups {
		for i, after := range g.after {
			g.after[i] = now[old[after]]
		}
		slices.Sort(g.after)
	}
}

// countTrunks lists the trunks between racks that are laid.
func (p *project) countTrunks() {
	k := p.plan.Schedule.Patching
	if k == nil {
		return
	}
	for i := range k.Trunks {
		t := &k.Trunks[i]
		a, b := p.rackOf[k.Vertex(t.A)], p.rackOf[k.Vertex(t.B)]
		if a < 0 || b < 0 || p.opt.Progress.isDone(t.Cable) {
			continue
		}
		if p.cableStep != nil && p.step(t.Cable) == 0 {
			continue
		}
		key := trunked{[2]int32{min(a, b), max(a, b)}, p.step(t.Cable)}
		p.trunks[key] = append(p.trunks[key], i)
	}
}
