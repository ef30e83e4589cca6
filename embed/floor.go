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

// placeInRoom fills racks and stands what is pinned where it belongs.
func placeInRoom(ctx context.Context, p *Problem) (*Placement, error) {
	if p.Optimizer != nil {
		return optimizeRoom(ctx, p)
	}
	r, err := p.fillRoom(ctx)
	if err != nil {
		return nil, err
	}
	return r.f.placement(r.room, r.places), nil
}

// fillRoom places the boxes in the racks of a room. Where the room has twice the positions that racks take, and Fill
// names no way, rows are filled without holes if that makes links shorter by a factor of mostLonger: switches at the
// ends and in the middle of rows, or of the room, then stand beside the racks that they serve.
func (p *Problem) fillRoom(ctx context.Context) (*filled, error) {
	r, err := p.fillRoomBy(ctx)
	if err != nil || p.Fill != FillByGroups || !r.spacious() {
		return r, err
	}
	best, least := r, r.lengths()/mostLonger
	for _, way := range []Fill{FillRows, FillColdAisles, FillHotAisles} {
		q := *p
		q.Fill = way
		compact, err := q.fillRoomBy(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // not every room can be filled so
			continue
		}
		if length := compact.lengths(); length < least {
			best, least = compact, length
		}
		q.Fill = FillByGroups // holes may come, as boxes are moved
	}
	return best, nil
}

// mostLonger is how much longer links may be for groups of racks to be kept together.
const mostLonger = 1.02

// spacious reports whether at least half of a room of given size is free, and it has racks without a name that stand at
// the ends or in the middle.
func (r *filled) spacious() bool {
	shared := func(rack filledRack) bool { return rack.home.class != InRack && rack.home.name == "" }
	return r.f.p.Room.Rows > 0 && r.f.p.Room.PerRow > 0 && 2*len(r.f.racks) <= len(r.room.Places) &&
		slices.ContainsFunc(r.f.racks, shared)
}

// lengths is the sum over all cables, as long as from rack to rack along rows and across them, in metres.
func (r *filled) lengths() float64 {
	site, sum := r.site(), int64(0) // of millimetres, so that the order of links does not matter
	for l := range topology.Cables(r.f.p.Graph) {
		a, b := &r.room.Places[site[l.A]], &r.room.Places[site[l.B]]
		away := (a.X - b.X).Abs() + (a.Y - b.Y).Abs()
		sum += int64(l.Width) * int64(math.Round(1000*float64(away)))
	}
	return float64(sum) / 1000
}

// fillRoomBy fills racks, sizes the room if it is not given, arranges the racks on
// the floor, and stands what is pinned where it belongs.
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
	if all { // the filling has only told the size of the room
		r.f, r.places = newFiller(p), nil
	}
	if r.room, r.places, err = r.f.pin(r.room, r.places); err != nil {
		return nil, err
	}
	return r, r.checkRequests()
}

// checkRequests reports the first request of the file that pinned boxes, or what they displaced, prevent.
func (r *filled) checkRequests() error {
	if err := r.torn(); err != nil {
		return err
	}
	if err := r.checkTemplatePlaces(); err != nil {
		return err
	}
	if err := r.holes(); err != nil {
		return err
	}
	return r.f.antiAffinityViolation(r.room, r.places)
}

// inRoom fills racks and gives them places.
func (f *filler) inRoom(ctx context.Context) (*layout.Room, []int32, error) {
	p := f.p
	fl := &floor{p: p, f: f}
	for b := range len(p.Contiguous) {
		fl.blocks = append(fl.blocks, &floor{p: p, f: f, block: b + 1})
	}
	if err := f.fillTemplates(); err != nil {
		return nil, nil, err
	}
	perRow := 0
	var sequences []sequence
	for _, part := range append([]*floor{fl}, fl.blocks...) {
		s, suggested, err := f.inRacks(part.block)
		if err != nil {
			return nil, nil, err
		}
		sequences, perRow = append(sequences, s), max(perRow, suggested)
	}
	if err := f.fillOthers(); err != nil {
		return nil, nil, err
	}
	if err := f.beside(nil, p.Sizing || len(p.Pins) > 0); err != nil {
		return nil, nil, err
	}
	for i, part := range append([]*floor{fl}, fl.blocks...) {
		part.groupRacks(sequences[i])
	}
	return fl.arrange(ctx, perRow)
}

// inRacks fills the racks of the nodes of a block, and tells what racks of a row they suggest, 0 for nothing.
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
	first, before := len(f.racks), f.undealt(&s)
	if err := f.fill(s, at); err != nil {
		return s, 0, err
	}
	if err := f.distribute(loose, first); err != nil || before == nil {
		return s, perRow, err
	}
	filled := *f
	*f = *before
	f.home, f.open = at, false
	all := sequence{order: slices.Concat(s.order, loose)}
	if !f.deal(&all, 0, len(all.order), len(filled.racks)-first) {
		*f = filled
	}
	return s, perRow, nil
}

// fillOthers fills the racks of what does not stand in those of the nodes.
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
			case at.name != "":
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
		if own := ownNest(strategy, p.Graph); own >= 0 {
			s.nests[own].own = true
		} else if p.ByPlace {
			s.nests = slices.DeleteFunc(s.nests, func(n grouping) bool { return !f.holdsGroups(&s, &n) })
		}
		return s, 0, nil
	}
	lattice := topology.GridOf(p.Graph)
	perRack := f.capacity(lattice, want)
	if perRack == 0 {
		perRack = 1 // the filler says what does not fit
	}
	rack := cells{name: "rack", count: [3]int{perRack, 1, 1}, fixed: p.Blocks["rack"]}
	row := cells{name: "row", count: [3]int{p.Room.PerRow, 1, 1}, fixed: p.Blocks["row"], whole: true}
	rows := p.Room.Rows
	if p.Room.Spare {
		rows = 1
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
		of := s.nests[0].of
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
	groups [][]int32 // groups[k][i]: group of inRack[i], finest first; only nests that span racks
	rows   []bool    // groups[k] start new rows
	stood  int       // how many of inRack found a place when racks were last assigned
	// tooClose is true if they did not fail for want of positions, but for a rule for failure domains.
	tooClose bool
	block    int      // of kinds that these racks are of, 0 for those of none
	blocks   []*floor // those of kinds that have rows of their own
	cramped  int      // the block that found no rows when racks were last assigned, 0 for none
}

// groupRacks finds the groups of racks that should stand in one row.
func (fl *floor) groupRacks(s sequence) {
	for i := range fl.f.racks {
		if at := fl.f.racks[i].home; at.class == InRack && at.block == fl.block &&
			fl.f.placedTemplate(int32(i)) == nil {
			fl.inRack = append(fl.inRack, int32(i))
		}
	}
	of := make([]int32, len(fl.f.spots))
	names := map[string]int32{}
	named := func(name string) int32 { // the group of racks of a name: none of a nest
		if _, ok := names[name]; !ok {
			names[name] = math.MinInt32 + int32(len(names))
		}
		return names[name]
	}
	for _, nest := range s.nests {
		for i, v := range s.order {
			of[v] = nest.of[i]
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
		if spans || nest.row {
			fl.groups = append(fl.groups, groups)
			fl.rows = append(fl.rows, nest.row)
		}
	}
}

// arrange returns the room and the place of every rack. In a room whose number of rows is not given, rows are taken up
// until everything stands well, and a few more to keep groups on one side of a gap; in a given one, groups are torn
// over rows if there is no other way. A room between walls has all rows that it holds, used or not.
func (fl *floor) arrange(ctx context.Context, perRow int) (*layout.Room, []int32, error) {
	room, places, err := fl.inRows(ctx, perRow)
	if err == nil && room.Spec.Rows < fl.p.Room.Rows { // the first rows of more
		room, err = newRoom(*fl.p.Room)
	}
	return room, places, err
}

// size is the room with racks enough in a row where their number is not given, and how many rows it has at least and at
// most.
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
	case spec.Spare:
		return spec, min(least, spec.Rows), spec.Rows
	}
	return spec, spec.Rows, spec.Rows
}

// inRows returns the rows that are used and the place of every rack.
func (fl *floor) inRows(ctx context.Context, perRow int) (*layout.Room, []int32, error) {
	spec, rows, most := fl.size(perRow)
	pinned := 0 // rows that hold pinned boxes; they do not change how many the others need
	for _, pin := range fl.p.Pins {
		pinned = max(pinned, pin.Row+1)
	}
	// With every attempt, more rows are added at a time: a room that does not
	// grow beyond its keep-outs is given up soon.
	for step := 1; ; step++ {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		spec.Rows = rows
		room, err := newRoom(spec)
		if err != nil {
			return nil, nil, err
		}
		places, ok := fl.assign(room, tidy)
		if !ok {
			if places, ok = fl.assign(room, wholeRows); ok && rows >= pinned && rows < most {
				return fl.untorn(ctx, room, places)
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

// untorn adds rows to a room of unknown size whose groups of racks stand astride a gap, as long as these are few: a
// group is cabled within itself the most, and copper that spans its racks may not span a gap. Where the rows that it
// may add do not suffice, or the racks are not of such groups, the room stays as it is.
func (fl *floor) untorn(ctx context.Context, room *layout.Room, places []int32) (*layout.Room, []int32, error) {
	if len(room.Spec.Gaps) == 0 ||
		!slices.Contains([]Strategy{Groups, RackPairs, Pods, Hierarchy}, fl.p.EffectiveStrategy()) {
		return room, places, nil
	}
	spec := room.Spec
	for range max(1, room.Spec.Rows/mostRowsForGaps) {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		spec.Rows++
		larger, err := newRoom(spec)
		if err != nil { // halls have the rows that they have
			break
		}
		if tidied, ok := fl.assign(larger, tidy); ok {
			return larger, tidied, nil
		}
	}
	return room, places, nil
}

// mostAttempts bounds the search for a room with enough rows.
const mostAttempts = 64

// mostRowsForGaps bounds the rows that a room gets more to keep groups of racks from standing astride gaps: one for as
// many rows as this.
const mostRowsForGaps = 4

// rowLength chooses the racks of a row: about as long as makes the floor
// square, and a multiple of a group's racks.
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

// takeNetwork stands the network racks in the middle: in whole rows of their
// own where there are rows enough, otherwise at the places nearest to the
// middle of the room. It returns the rows that nobody else uses; nil where there are too few places for racks of the
// type. All racks are of one type.
func (fl *floor) takeNetwork(room *layout.Room, network, places []int32, taken []bool, wholeRows bool) []bool {
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
	if len(candidates) < len(room.Places) && len(room.Spec.Types) == 0 { // the middle of what may be taken
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
		return fl.takeNetwork(room, network, places, taken, false)
	}
	slices.Sort(candidates)
	for i, r := range network {
		places[r] = candidates[i]
		taken[candidates[i]] = true
	}
	return own
}

// rowsBound is the floor from the first row to the last.
func rowsBound(room *layout.Room) orb.Bound {
	first, last := &room.Rows[0], &room.Rows[len(room.Rows)-1]
	x0, x1 := first.X0, last.X1
	for i := range room.Spec.List {
		x0, x1 = min(x0, room.Rows[i].X0), max(x1, room.Rows[i].X1)
	}
	return orb.Bound{Min: layout.FloorPoint(x0, first.Y), Max: layout.FloorPoint(x1, last.Y)}
}

// freeByRow lists the free places of every row that is not somebody's own.
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

// placement lays the slots out.
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

func (f *filler) rackSummary(i int, place int32) Rack {
	r := &f.racks[i]
	return Rack{
		Place: place, Class: r.home.class, Name: r.home.name, Boxes: r.state.boxes, Used: r.state.used.Len(),
		Power: units.Power(r.state.power), Weight: units.Mass(r.state.weight),
	}
}
