package embed

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// fillRoom places the boxes in the racks of a room. Where the room has at least twice the positions that racks take and
// Problem.Fill is FillByGroups, it also tries to fill rows without free positions, and takes the shortest result if its
// cables are shorter by a factor of mostLonger at least: switches at the ends and in the middle of rows, or of the
// room, are nearer to the racks that they serve then.
func (p *Problem) fillRoom(ctx context.Context) (*filled, error) {
	r, err := p.fillRoomBy(ctx)
	if err != nil || p.Fill != FillByGroups || !r.isSpacious() {
		return r, err
	}
	best, least := r, r.cableLength()/mostLonger
	for _, way := range []Fill{FillRows, FillColdAisles, FillHotAisles} {
		q := *p
		q.Fill = way
		compact, err := q.fillRoomBy(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // not every room can be filled this way
			continue
		}
		if length := compact.cableLength(); length < least {
			best, least = compact, length
		}
		q.Fill = FillByGroups // compact keeps a pointer to q; later moves of boxes may leave positions free
	}
	return best, nil
}

// mostLonger is the factor by which cables may be longer for groups of racks to be kept together.
const mostLonger = 1.02

// isSpacious reports whether the room has a given size, at least half of its positions are free, and there are unnamed
// racks for the ends or middle of rows or for network rows.
func (r *filled) isSpacious() bool {
	shared := func(rack filledRack) bool { return rack.home.class != InRack && rack.home.name == "" }
	return r.f.p.Room.Rows > 0 && r.f.p.Room.PerRow > 0 && 2*len(r.f.racks) <= len(r.room.Places) &&
		slices.ContainsFunc(r.f.racks, shared)
}

// cableLength returns the sum of the taxicab distances between the racks at the ends of all cables, in metres.
func (r *filled) cableLength() float64 {
	site, sum := r.site(), int64(0) // whole millimetres, so that the sum does not depend on the order of links
	for l := range topology.Cables(r.f.p.Graph) {
		a, b := &r.room.Places[site[l.A]], &r.room.Places[site[l.B]]
		away := (a.X - b.X).Abs() + (a.Y - b.Y).Abs()
		sum += int64(l.Width) * int64(math.Round(1000*float64(away)))
	}
	return float64(sum) / 1000
}

// fillRoomBy fills racks, sizes the room if its size is not given, gives the racks positions by Problem.Fill, and moves
// pinned boxes to their places.
func (p *Problem) fillRoomBy(ctx context.Context) (*filled, error) {
	r := &filled{f: newFiller(p)}
	if err := r.f.check(); err != nil {
		return nil, err
	}
	all := len(p.Pins) == len(r.f.spots)
	var err error
	if all && p.Room.Rows > 0 && p.Room.PerRow > 0 {
		r.room, err = newRoom(*p.Room)
	} else {
		r.room, r.places, err = r.f.inRoom(ctx)
	}
	if err != nil {
		return nil, err
	}
	if all { // racks were filled only to find the size of the room
		r.f, r.places = newFiller(p), nil
	}
	if r.room, r.places, err = r.f.pin(r.room, r.places); err != nil {
		return nil, err
	}
	return r, r.checkRequests()
}

// checkRequests returns an error about the first request (Contiguous, templates, Fill, anti-affinity) that pinned
// boxes, or boxes that they displaced, violate; nil if there is none.
func (r *filled) checkRequests() error {
	if err := r.checkContiguous(); err != nil {
		return err
	}
	if err := r.checkTemplatePlaces(); err != nil {
		return err
	}
	if err := r.checkHoles(); err != nil {
		return err
	}
	return r.f.antiAffinityViolation(r.room, r.places)
}

// inRoom fills racks and returns the room and the position of every rack.
func (f *filler) inRoom(ctx context.Context) (*layout.Room, []int32, error) {
	fl, perRow, err := f.fillRacks()
	if err != nil {
		return nil, nil, err
	}
	return fl.arrange(ctx, perRow)
}

// fillRacks fills racks. It returns a floor for them, and the number of racks in a row that a lattice suggests, 0 for
// none.
func (f *filler) fillRacks() (fl *floor, perRow int, err error) {
	p := f.p
	fl = &floor{p: p, f: f}
	for b := range len(p.Contiguous) {
		fl.blocks = append(fl.blocks, &floor{p: p, f: f, block: b + 1})
	}
	if err := f.fillTemplates(); err != nil {
		return nil, 0, err
	}
	var sequences []sequence
	for _, part := range append([]*floor{fl}, fl.blocks...) {
		s, suggested, err := f.inRacks(part.block)
		if err != nil {
			return nil, 0, err
		}
		sequences, perRow = append(sequences, s), max(perRow, suggested)
	}
	if err := f.fillOthers(); err != nil {
		return nil, 0, err
	}
	if err := f.beside(nil, p.Sizing || len(p.Pins) > 0); err != nil {
		return nil, 0, err
	}
	for i, part := range append([]*floor{fl}, fl.blocks...) {
		part.groupRacks(sequences[i])
	}
	return fl, perRow, nil
}

// inRacks fills the racks that the nodes of a block (0: of no block) stand in. It returns their sequence, and the
// number of racks in a row that a lattice suggests, 0 for none.
func (f *filler) inRacks(block int) (sequence, int, error) {
	p, at := f.p, home{block: block}
	has := func(k Kind) bool { return k.home() == at }
	if block > 0 && !slices.ContainsFunc(p.Kinds, has) {
		return sequence{}, 0, nil
	}
	s, perRow, err := p.inRackSequence(f, func(v int32) bool { return has(p.Kinds[topology.KindOf(f.kinds, int(v))]) })
	if err != nil {
		return s, 0, err
	}
	var loose []int32
	if p.EffectiveStrategy() != Hilbert {
		s, loose = s.split(p.Graph)
	}
	first, before := len(f.racks), f.snapshotForDeal(&s)
	hard := slices.ContainsFunc(s.groupings, func(n groupLevel) bool { return n.hard })
	if p.packing != packGroups && !hard {
		return s, perRow, f.fillDensely(s, loose, at)
	}
	if err := f.fill(s, at); err != nil {
		return s, 0, err
	}
	if err := f.distribute(loose, first); err != nil || before == nil {
		return s, perRow, err
	}
	filled := *f
	*f = *before
	f.home, f.open = at, false
	dealt, err := f.dealByTypes(slices.Concat(s.order, loose), len(filled.racks)-first)
	if err != nil || !dealt {
		*f = filled
	}
	return s, perRow, nil
}

// fillOthers fills racks with the boxes that do not stand in the racks of the nodes.
func (f *filler) fillOthers() error {
	shared := map[home]bool{}
	for block := range len(f.p.Contiguous) + 1 {
		shared[home{block: block}] = true
	}
	for _, class := range []Class{InRack, EndOfRow, MiddleOfRow, NetworkRow} {
		for i := range f.kinds {
			var err error
			switch at := f.p.Kinds[i].home(); {
			case at.class != class || shared[at]:
			case at.name != "", f.p.packing == packTallest:
				shared[at] = true
				err = f.share(at)
			default: // in racks of the kind alone
				err = f.fill(f.ofKind(i), at)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// newRoom lays out a room of known size.
func newRoom(spec layout.RoomSpec) (*layout.Room, error) {
	room, err := layout.NewRoom(spec.Complete())
	return room, diag.Under("Room", err)
}

// inRackSequence orders the vertices that stand in ordinary racks. For a
// lattice it also returns the number of racks in a row that the blocks suggest,
// 0 for none.
func (p *Problem) inRackSequence(f *filler, want wanted) (sequence, int, error) {
	strategy := p.EffectiveStrategy()
	switch strategy {
	case Folded:
	case Random:
		return shuffledOrder(p.Graph, want, p.Seed), 0, nil
	case Hilbert:
		return byNeighbours(p.Graph, want), 0, nil
	default:
		s := byHierarchy(p.Graph, want)
		if own := ownGrouping(strategy, p.Graph); own >= 0 {
			s.groupings[own].own = true
		} else if p.ByPlace {
			s.groupings = slices.DeleteFunc(s.groupings, func(n groupLevel) bool { return !f.holdsGroups(&s, &n) })
		}
		return s, 0, nil
	}
	lattice := topology.GridOf(p.Graph)
	perRack := f.capacity(lattice, want)
	if perRack == 0 {
		perRack = 1 // the filler returns the error about the box that does not fit
	}
	rack := cells{name: "rack", count: [3]int{perRack, 1, 1}, fixed: p.Blocks["rack"]}
	row := cells{name: "row", count: [3]int{p.Room.PerRow, 1, 1}, fixed: p.Blocks["row"], whole: true}
	rows := p.Room.Rows
	if p.Room.Spare {
		rows = 1
		if p.Room.List != nil {
			rows = p.Room.LeastRows()
		}
	}
	levels := []cells{{name: "hall", count: [3]int{max(rows, 1), 1, 1}}, row, rack}
	if c := p.Kinds[0].chassis(); c >= 0 && lattice.TerminalsPerRouter() == 0 {
		chassis := &p.Chassis[c]
		levels[2].count[0] = max(perRack/chassis.Cells(), 1)
		levels = append(levels, cells{name: chassis.Name, count: chassis.Slots, fixed: p.Blocks[chassis.Name]})
	}
	if p.Room.PerRow == 0 {
		racks := (product(lattice.Dims()) + perRack - 1) / perRack
		levels[1].count[0] = nearSquare(p.Room, racks)
	}
	c, err := cutLattice(lattice, levels, p.Fold, p.Straight)
	if err != nil {
		return sequence{}, 0, err
	}
	s := c.sequence(levels, want)
	if len(levels) == 4 {
		of := s.groupings[0].of
		s.seal = make([]bool, len(of))
		for i := range of {
			s.seal[i] = i == 0 || of[i] != of[i-1]
		}
	}
	perRow := product(c.factor[1])
	if 2*perRow < levels[1].count[0] && row.fixed == nil {
		perRow = 0
	}
	return s, perRow, nil
}

// nearSquare returns the number of rack positions in a row that makes the
// floor about square.
func nearSquare(r *layout.RoomSpec, racks int) int {
	pitch := float64(r.Rack.Depth) + (float64(r.Cold)+float64(r.Hot))/2
	n := int(math.Round(math.Sqrt(float64(racks) * pitch / float64(r.Rack.Width))))
	return min(max(n, 1), max(racks, 1))
}

// floor arranges filled racks on rack positions.
type floor struct {
	p      *Problem
	f      *filler
	inRack []int32   // racks of class InRack, in order of filling
	groups [][]int32 // groups[k][i]: group of inRack[i], the finest level first; only levels whose groups span racks
	rows   []bool    // rows[k]: every group of groups[k] starts a new row
	placed int       // number of inRack that found a position at the last attempt
	// tooClose is true if the last attempt failed on an anti-affinity rule, not for want of positions.
	tooClose bool
	block    int      // number of the block whose racks the floor arranges, 0 for the racks of no block
	blocks   []*floor // one for each of Problem.Contiguous
	cramped  int      // number of the block that found no rows at the last attempt, 0 for none
}

// groupRacks fills inRack, groups and rows: the racks of class InRack and the groups of them that should stand in one
// row.
func (fl *floor) groupRacks(s sequence) {
	for i := range fl.f.racks {
		if at := fl.f.racks[i].home; at.class == InRack && at.block == fl.block &&
			fl.f.placedTemplate(int32(i)) == nil {
			fl.inRack = append(fl.inRack, int32(i))
		}
	}
	of := make([]int32, len(fl.f.spots))
	names := map[string]int32{}
	named := func(name string) int32 { // racks of the same name are a group, whose number no group of vertices has
		if _, ok := names[name]; !ok {
			names[name] = math.MinInt32 + int32(len(names))
		}
		return names[name]
	}
	for _, grouping := range s.groupings {
		for i, v := range s.order {
			of[v] = grouping.of[i]
		}
		groups := make([]int32, len(fl.inRack))
		spans := false
		for i, r := range fl.inRack {
			groups[i] = of[fl.f.racks[r].first]
			if name := fl.f.racks[r].home.name; name != "" {
				groups[i] = named(name)
			}
			spans = spans || i > 0 && groups[i] == groups[i-1]
		}
		if spans || grouping.row {
			fl.groups = append(fl.groups, groups)
			fl.rows = append(fl.rows, grouping.row)
		}
	}
}

// arrange returns the room and the position of every rack. If the number of rows is not given, rows are added until all
// groups of racks are in one row each, and a few more to keep groups on one side of a gap. In a room of given size,
// groups are divided among rows if there is no other way. A room between walls has all rows that it holds, used or not.
func (fl *floor) arrange(ctx context.Context, perRow int) (*layout.Room, []int32, error) {
	room, places, err := fl.inRows(ctx, perRow)
	if err == nil && room.Spec.Rows < fl.p.Room.Rows { // only the first rows are used
		room, err = newRoom(*fl.p.Room)
	}
	return room, places, err
}

// size returns the room with PerRow set to a suitable number where it is not given, and the lowest and the highest
// number of rows that it may have.
func (fl *floor) size(perRow int) (spec layout.RoomSpec, least, most int) {
	spec = *fl.p.Room
	n := len(fl.f.racks)
	if spec.PerRow == 0 {
		spec.PerRow = perRow
		if spec.PerRow == 0 {
			spec.PerRow = fl.rowLength(n)
		}
		if spec.Rows > 0 {
			spec.PerRow = max(spec.PerRow, (n+spec.Rows-1)/spec.Rows)
		}
		for _, pin := range fl.p.Pins {
			spec.PerRow = max(spec.PerRow, pin.Rack)
		}
	}
	least = (n + spec.PerRow - 1) / spec.PerRow
	switch {
	case spec.Rows == 0:
		return spec, least, math.MaxInt
	case spec.Spare && spec.List != nil:
		return spec, min(max(least, spec.LeastRows()), spec.Rows), spec.Rows
	case spec.Spare:
		return spec, min(least, spec.Rows), spec.Rows
	}
	return spec, spec.Rows, spec.Rows
}

// inRows returns a room of the rows that are used, and the position of every rack.
func (fl *floor) inRows(ctx context.Context, perRow int) (*layout.Room, []int32, error) {
	whole, rows, most := fl.size(perRow)
	pinned := 0 // rows that hold pinned boxes; they do not change how many the others need
	for _, pin := range fl.p.Pins {
		pinned = max(pinned, pin.Row+1)
	}
	// The number of rows grows faster with every attempt, so that few attempts are made for a room
	// whose keep-outs cover all further rows.
	for step := 1; ; step++ {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		spec := whole.FirstRows(rows)
		room, err := newRoom(spec)
		if err != nil {
			return nil, nil, err
		}
		places, ok := fl.assign(room, tidy)
		if !ok {
			if places, ok = fl.assign(room, wholeRows); ok && rows >= pinned && rows < most {
				return fl.addRowsForGaps(ctx, room, places)
			}
		}
		if ok && rows >= pinned {
			return room, places, nil
		}
		last := rows == most || step >= mostAttempts
		switch {
		case rows < pinned && (ok || last):
			rows = pinned
		case last && spec.Spare && rows < most:
			rows = most
		case last:
			places, ok := fl.assign(room, anywhere)
			if !ok {
				return nil, nil, fl.refuse(ctx, room, places)
			}
			return room, places, nil
		default:
			rows = min(rows+1+step/8+rows*(step/16)/16, most)
		}
	}
}

// addRowsForGaps adds a few rows to a room of unknown size, so that no group of racks is on both sides of a gap: most
// cables run within a group, and copper that reaches across the racks of a group may not reach across a gap. If the
// rows that it may add do not suffice, or the strategy does not make such groups, it returns the room and places as
// they are.
func (fl *floor) addRowsForGaps(ctx context.Context, room *layout.Room, places []int32) (*layout.Room, []int32, error) {
	if len(room.Spec.Gaps) == 0 ||
		!slices.Contains([]Strategy{Groups, RackPairs, Pods, Hierarchy}, fl.p.EffectiveStrategy()) {
		return room, places, nil
	}
	spec := room.Spec
	for range max(1, room.Spec.Rows/mostRowsForGaps) {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if spec.Rows++; spec.List != nil {
			if spec.Rows > len(fl.p.Room.List) {
				break
			}
			spec = fl.p.Room.FirstRows(spec.Rows)
		}
		larger, err := newRoom(spec)
		if err != nil { // the number of rows of halls is fixed
			break
		}
		if tidied, ok := fl.assign(larger, tidy); ok {
			return larger, tidied, nil
		}
	}
	return room, places, nil
}

// mostAttempts bounds the number of rooms that inRows tries.
const mostAttempts = 64

// mostRowsForGaps bounds the rows that addRowsForGaps adds: one row for every mostRowsForGaps rows of the room, at
// least one.
const mostRowsForGaps = 4

// rowLength returns a number of racks in a row that makes the floor about square and is a multiple of the racks of the
// largest group.
func (fl *floor) rowLength(racks int) int {
	n := nearSquare(fl.p.Room, racks)
	if len(fl.groups) == 0 {
		return n
	}
	size, run := 1, 1
	of := fl.groups[len(fl.groups)-1]
	for i := 1; i < len(of) && fl.f.racks[fl.inRack[i]].home.name == ""; i++ {
		if run++; of[i] != of[i-1] {
			run = 1
		}
		size = max(size, run)
	}
	if size <= 2*n {
		n = max(size, n/size*size)
	}
	return n
}

// placeNetworkRacks gives network racks, all of one rack type, positions in the middle of the room: in rows of their
// own if wholeRows is true and there are rows enough, else the free positions nearest to the middle. It returns which
// rows are for network racks alone; nil if there are too few positions for racks of the type.
func (fl *floor) placeNetworkRacks(room *layout.Room, network, places []int32, taken []bool, wholeRows bool) []bool {
	own := make([]bool, len(room.Rows))
	perRow := room.Spec.PerRow
	needed := (len(network) + perRow - 1) / perRow
	others := (len(fl.f.racks) - len(network) + perRow - 1) / perRow
	candidates := make([]int32, 0, len(room.Places))
	bound := rowsBound(room)
	of := fl.f.racks[network[0]].state.of
	for i, is := range taken {
		if !is && room.Places[i].Type == of {
			candidates = append(candidates, int32(i))
		}
	}
	if len(candidates) < len(room.Places) && len(room.Spec.Types) == 0 { // the middle of the free positions
		bound = orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
		for _, i := range candidates {
			bound = bound.Extend(layout.FloorPoint(room.Places[i].X, room.Places[i].Y))
		}
	}
	first := (len(room.Rows) - needed) / 2
	if room.Spec.List != nil && wholeRows {
		first, needed = networkRows(room, len(network), len(fl.f.racks))
		others = 0
	}
	if wholeRows && len(room.Rows) > 1 && needed+others <= len(room.Rows) {
		for k := range needed {
			own[first+k] = true
		}
		candidates = slices.DeleteFunc(candidates, func(i int32) bool { return !own[room.Places[i].Row] })
	}
	centre := bound.Center()
	micrometres := make([]float64, len(room.Places)) // from the middle
	for i := range room.Places {
		at := &room.Places[i]
		away := (at.X - units.Length(centre[0])).Abs() + (at.Y - units.Length(centre[1])).Abs()
		micrometres[i] = math.Round(float64(away) * 1e6)
	}
	slices.SortFunc(candidates, func(a, b int32) int {
		return cmp.Or(cmp.Compare(micrometres[a], micrometres[b]), cmp.Compare(a, b))
	})
	candidates = candidates[:min(len(candidates), len(network))]
	if len(candidates) < len(network) && !wholeRows {
		return nil
	}
	if len(candidates) < len(network) { // keep-outs in the rows of their own
		return fl.placeNetworkRacks(room, network, places, taken, false)
	}
	slices.Sort(candidates)
	for i, r := range network {
		places[r] = candidates[i]
		taken[candidates[i]] = true
	}
	return own
}

// rowsBound returns the rectangle from the first row to the last, in metres.
func rowsBound(room *layout.Room) orb.Bound {
	first, last := &room.Rows[0], &room.Rows[len(room.Rows)-1]
	x0, x1 := first.X0, last.X1
	for i := range room.Spec.List {
		x0, x1 = min(x0, room.Rows[i].X0), max(x1, room.Rows[i].X1)
	}
	return orb.Bound{Min: layout.FloorPoint(x0, first.Y), Max: layout.FloorPoint(x1, last.Y)}
}

// freeByRow lists the free positions of every row but the rows of network racks (own; nil for none).
func freeByRow(room *layout.Room, taken, own []bool) [][]int32 {
	var rows [][]int32
	for i, row := range room.Rows {
		if own != nil && own[i] {
			continue
		}
		var free []int32
		for _, place := range row.Position {
			if place >= 0 && !taken[place] {
				free = append(free, place)
			}
		}
		rows = append(rows, free)
	}
	return rows
}

// placement returns the slots of all vertices, given the position of each filled rack.
func (f *filler) placement(room *layout.Room, places []int32) *Placement {
	f.recount()
	b := layout.NewRackBuilder(room, f.p.Chassis, len(f.spots))
	out := &Placement{Slot: make([]int32, len(f.spots))}
	number := make([]int32, len(f.chassis))
	for i, c := range f.chassis {
		if c.rack >= 0 {
			number[i] = b.AddChassis(c.kind,
				layout.ChassisPlace{Place: places[c.rack], Number: c.number, Unit: int(c.unit)})
		}
	}
	beside := make([]int, len(f.racks))
	for v, s := range f.spots {
		if k := &f.p.Kinds[topology.KindOf(f.kinds, v)]; k.Class == Beside {
			out.Slot[v] = b.AddBeside(places[s.rack], int(s.unit), beside[s.rack], s.rear, k.Box)
			beside[s.rack]++
		} else if s.chassis >= 0 {
			out.Slot[v] = b.AddCell(f.chassis[s.chassis].kind, number[s.chassis], int(s.cell))
		} else {
			out.Slot[v] = b.AddBox(places[s.rack], int(s.unit), s.rear)
		}
	}
	out.Layout = b.Layout()
	for i := range f.racks {
		if f.racks[i].state.boxes > 0 {
			out.Racks = append(out.Racks, f.rackSummary(i, places[i]))
		}
	}
	slices.SortFunc(out.Racks, func(a, b Rack) int { return cmp.Compare(a.Place, b.Place) })
	out.Notes = f.dealtNotes()
	return out
}

// rackSummary returns what the result says about filled rack i.
func (f *filler) rackSummary(i int, place int32) Rack {
	r := &f.racks[i]
	return Rack{
		Place: place, Class: r.home.class, Name: r.home.name, Boxes: r.state.boxes, Used: r.state.used.Len(),
		Power: units.Power(r.state.power), Weight: units.Mass(r.state.weight),
	}
}
