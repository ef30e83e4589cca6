package layout

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/graph/simple"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// TraySpec describes the trays for data cables: on every level a tray along the
// centre line of every row, and cross trays that join the rows of a hall.
type TraySpec struct {
	Height units.Length // of the only level, where Levels is empty
	// Cross lists the rack positions after which a cross tray runs, ascending;
	// 0 is before the first rack.
	Cross  []int
	Levels []TrayLevel
	Paths  []TrayPath
}

// TrayLevel is one layer of trays. A cable stays on one level.
type TrayLevel struct {
	Name   string
	Height units.Length // above the floor of the racks; negative under a raised floor
	Cross  []int        // as TraySpec.Cross when nil
}

// TrayPath is a declared tray between rack positions of two rows, halls or floors.
type TrayPath struct {
	Name     string
	From, To Position
	Length   units.Length // along the axes when 0
	Levels   []int        // that have it; all when nil
}

// Position is a position along a row, whether or not a rack can stand there.
type Position struct{ Row, Number int } // Row from 0, Number from 1

// TrayNetwork is the network of trays of a room, cut into pieces: along a row
// from stop to stop (the ends of the row, the middle of every rack position, the
// cross trays), along a cross tray from row to row, and every declared path.
// Pieces are numbered level by level: the rows, each from its lower end, then the
// cross trays, each from the first row, then the paths.
//
// Shortest ways go over junctions: where a row's tray meets a cross tray or a
// path. Distances between them are computed once for each junction that a cable
// needs; Graph hands the network to gonum's algorithms.
type TrayNetwork struct {
	Levels []TrayLevel
	Stops  []units.Length // x of the stops of every row, ascending

	room  *Room
	paths []TrayPath
	plans []*trayPlan // of each level; levels alike in the plane share one
	base  []int32     // first piece of each level, and the number of pieces
	stop  []int32     // of each rack position that is free
	at    []int32     // stop of each position along a row
	gap   []int32     // of each row: the number of the gap to the next row of its hall, -1 for none
	gaps  int         // in all
}

// trayPlan is a level as seen from above.
type trayPlan struct {
	crosses []int32 // stops
	paths   []int   // indices of TrayNetwork.paths
	// Junctions are numbered row by row along the rows; first[row] is the first
	// of a row, and stopAt the stop of each.
	first  []int32
	stopAt []int32
	rowOf  []int32
	edges  [][]trayEdge // of each junction
	left   []int32      // of each free rack position: the last junction of its row at or before it; first-1 for none
	dist   []atomic.Pointer[[]units.Length]
}

// trayEdge is a tray to a neighbouring junction: pieces From to To of the level.
type trayEdge struct {
	to     int32
	length units.Length
	pieces TrayLeg
}

// TrayLeg is a run of pieces with consecutive numbers, both ends included; To is
// less than From where a way runs against the numbers.
type TrayLeg struct{ From, To int32 }

func (g TrayLeg) reversed() TrayLeg { return TrayLeg{g.To, g.From} }

// Pieces calls visit with the number of every piece of the leg.
func (g TrayLeg) Pieces(visit func(piece int32)) {
	step := int32(1)
	if g.To < g.From {
		step = -1
	}
	for p := g.From; ; p += step {
		visit(p)
		if p == g.To {
			return
		}
	}
}

// TrayPiece is one piece of tray.
type TrayPiece struct {
	Level    int
	Name     string // "row C", "cross 2", or the name of a path
	From, To Point
	Length   units.Length
}

// stopTolerance is far less than racks and trays are apart.
const stopTolerance units.Length = 1e-6

// unreachable is the distance of what no tray joins: infinite.
var unreachable = units.Length(math.Inf(1))

func newTrayNetwork(r *Room, offset []units.Length) (*TrayNetwork, error) {
	s := &r.Spec
	t := &TrayNetwork{room: r, Levels: slices.Clone(s.Trays.Levels), paths: s.Trays.Paths}
	if len(t.Levels) == 0 {
		t.Levels = []TrayLevel{{Name: "tray", Height: s.Trays.Height}}
	}
	several := false // rows in one hall
	t.gap = make([]int32, s.Rows)
	for row := range s.Rows {
		t.gap[row] = -1
		if row+1 < s.Rows && r.Rows[row].Hall == r.Rows[row+1].Hall {
			t.gap[row], several = int32(t.gaps), true
			t.gaps++
		}
	}
	crosses := make([][]units.Length, len(t.Levels))
	for i := range t.Levels {
		l, field := &t.Levels[i], "Trays.Cross"
		if l.Cross == nil {
			l.Cross = s.Trays.Cross
		} else {
			field = diag.Elem("Trays.Levels", i) + ".Cross"
		}
		for _, c := range l.Cross {
			if c < 0 || c > s.PerRow {
				return nil, diag.Fieldf(field, "a cross tray after rack position %d: a row has %d positions", c, s.PerRow)
			}
			crosses[i] = append(crosses[i], s.cross(c, offset))
		}
		if len(l.Cross) == 0 && several {
			return nil, diag.Fieldf(field, "%d rows need at least one cross tray between them", s.Rows)
		}
	}
	if err := t.checkPaths(); err != nil {
		return nil, err
	}
	t.stops(offset, crosses)
	pieces := int64(0)
	for i := range t.Levels {
		t.plans = append(t.plans, t.plan(i, crosses[i]))
		p := t.plans[i]
		t.base = append(t.base, int32(pieces))
		pieces += int64(s.Rows)*int64(len(t.Stops)-1) + int64(len(p.crosses)*t.gaps+len(p.paths))
		if pieces > math.MaxInt32 {
			return nil, diag.Fieldf("Trays", "more pieces of tray than can be numbered")
		}
	}
	t.base = append(t.base, int32(pieces))
	return t, nil
}

func (t *TrayNetwork) checkPaths() error {
	s := &t.room.Spec
	for i, p := range t.paths {
		for _, end := range []struct {
			key string
			at  Position
		}{{"From", p.From}, {"To", p.To}} {
			if end.at.Row < 0 || end.at.Row >= s.Rows || end.at.Number < 1 || end.at.Number > s.PerRow {
				return diag.Fieldf(diag.Elem("Trays.Paths", i)+"."+end.key, "there is no such rack position in %d rows of %d", s.Rows, s.PerRow)
			}
		}
		if p.From.Row == p.To.Row {
			return diag.Fieldf(diag.Elem("Trays.Paths", i)+".To", "both ends are on one row, whose own tray joins them")
		}
	}
	return nil
}

// stops collects the stops of the rows.
func (t *TrayNetwork) stops(offset []units.Length, crosses [][]units.Length) {
	r := t.room
	half := r.Spec.Rack.Width / 2
	t.Stops = []units.Length{r.Rows[0].X0, r.Rows[0].X1}
	for _, x := range offset {
		t.Stops = append(t.Stops, x+half)
	}
	for _, c := range crosses {
		t.Stops = append(t.Stops, c...)
	}
	slices.Sort(t.Stops)
	t.Stops = slices.CompactFunc(t.Stops, func(a, b units.Length) bool { return (a - b).Abs() < stopTolerance })
	for _, x := range offset {
		t.at = append(t.at, t.stopNear(x+half))
	}
	t.stop = make([]int32, len(r.Places))
	for i := range r.Places {
		t.stop[i] = t.at[r.Places[i].Number-1]
	}
}

func (t *TrayNetwork) stopNear(x units.Length) int32 {
	i, _ := slices.BinarySearch(t.Stops, x-stopTolerance)
	return int32(i)
}

// plan builds the plan of a level, or finds that of an earlier level like it.
func (t *TrayNetwork) plan(level int, crosses []units.Length) *trayPlan {
	p := &trayPlan{}
	for _, x := range crosses {
		p.crosses = append(p.crosses, t.stopNear(x))
	}
	slices.Sort(p.crosses)
	p.crosses = slices.Compact(p.crosses)
	for i := range t.paths {
		if on := t.paths[i].Levels; on == nil || slices.Contains(on, level) {
			p.paths = append(p.paths, i)
		}
	}
	for _, q := range t.plans {
		if slices.Equal(p.crosses, q.crosses) && slices.Equal(p.paths, q.paths) {
			return q
		}
	}
	t.junctions(p)
	t.join(p)
	p.left = make([]int32, len(t.room.Places))
	for i := range t.room.Places {
		row := t.room.Places[i].Row
		first := p.first[row]
		n, found := slices.BinarySearch(p.stopAt[first:p.first[row+1]], t.stop[i])
		if !found {
			n--
		}
		p.left[i] = first + int32(n)
	}
	p.dist = make([]atomic.Pointer[[]units.Length], len(p.stopAt))
	return p
}

// junctions numbers the junctions of a plan.
func (t *TrayNetwork) junctions(p *trayPlan) {
	ends := map[int][]int32{} // of paths, by row
	for _, i := range p.paths {
		for _, end := range []Position{t.paths[i].From, t.paths[i].To} {
			ends[end.Row] = append(ends[end.Row], t.at[end.Number-1])
		}
	}
	for row := range t.room.Rows {
		p.first = append(p.first, int32(len(p.stopAt)))
		stops := p.crosses
		if more := ends[row]; more != nil {
			stops = append(slices.Clone(stops), more...)
			slices.Sort(stops)
			stops = slices.Compact(stops)
		}
		for _, s := range stops {
			p.stopAt = append(p.stopAt, s)
			p.rowOf = append(p.rowOf, int32(row))
		}
	}
	p.first = append(p.first, int32(len(p.stopAt)))
}

// junction finds the junction at a stop of a row.
func (p *trayPlan) junction(row int, stop int32) int32 {
	n, _ := slices.BinarySearch(p.stopAt[p.first[row]:p.first[row+1]], stop)
	return p.first[row] + int32(n)
}

// join lists the edges of a plan.
func (t *TrayNetwork) join(p *trayPlan) {
	p.edges = make([][]trayEdge, len(p.stopAt))
	edge := func(a, b int32, length units.Length, pieces TrayLeg) {
		p.edges[a] = append(p.edges[a], trayEdge{b, length, pieces})
		p.edges[b] = append(p.edges[b], trayEdge{a, length, pieces.reversed()})
	}
	rows := t.room.Rows
	for row := range rows {
		for j := p.first[row] + 1; j < p.first[row+1]; j++ {
			edge(j-1, j, t.Stops[p.stopAt[j]]-t.Stops[p.stopAt[j-1]], t.along(row, p.stopAt[j-1], p.stopAt[j]))
		}
		if g := t.gap[row]; g >= 0 {
			for c, stop := range p.crosses {
				piece := t.crossPiece(c, g)
				edge(p.junction(row, stop), p.junction(row+1, stop), rows[row+1].Y-rows[row].Y, TrayLeg{piece, piece})
			}
		}
	}
	for k, i := range p.paths {
		path := &t.paths[i]
		piece := t.pathPiece(p, k)
		edge(p.junction(path.From.Row, t.at[path.From.Number-1]), p.junction(path.To.Row, t.at[path.To.Number-1]),
			t.pathLength(path), TrayLeg{piece, piece})
	}
}

// pathLength is what is declared, or the way along the axes between its ends.
func (t *TrayNetwork) pathLength(p *TrayPath) units.Length {
	if p.Length > 0 {
		return p.Length
	}
	return t.over(p.From, 0).Manhattan(t.over(p.To, 0))
}

// over is the point on a level above a position.
func (t *TrayNetwork) over(p Position, level int) Point {
	row := &t.room.Rows[p.Row]
	return Point{t.Stops[t.at[p.Number-1]], row.Y, row.Z + t.Levels[level].Height}
}

// Pieces of a level, counted from its first.
func (t *TrayNetwork) rowPiece(row int, stop int32) int32 {
	return int32(row*(len(t.Stops)-1)) + stop
}

func (t *TrayNetwork) crossPiece(cross int, gap int32) int32 {
	return int32(len(t.room.Rows)*(len(t.Stops)-1)+cross*t.gaps) + gap
}

func (t *TrayNetwork) pathPiece(p *trayPlan, path int) int32 {
	return t.crossPiece(len(p.crosses), 0) + int32(path)
}

// along returns the pieces of a row from stop to stop, which differ.
func (t *TrayNetwork) along(row int, from, to int32) TrayLeg {
	if from < to {
		return TrayLeg{t.rowPiece(row, from), t.rowPiece(row, to-1)}
	}
	return TrayLeg{t.rowPiece(row, from-1), t.rowPiece(row, to)}
}

// cross is the x of a cross tray after rack position c: the middle of the gap
// there, or the boundary between two racks.
func (s *RoomSpec) cross(c int, offset []units.Length) units.Length {
	if c == 0 {
		return s.Margin
	}
	end := offset[c-1] + s.Rack.Width
	if c == s.PerRow {
		return end
	}
	return (end + offset[c]) / 2
}

// Floor is the height of the floor under a rack position.
func (t *TrayNetwork) Floor(place int32) units.Length {
	return t.room.Rows[t.room.Places[place].Row].Z
}

// Pieces is the number of pieces of all levels.
func (t *TrayNetwork) Pieces() int { return int(t.base[len(t.Levels)]) }

// LevelOf returns the level of a piece.
func (t *TrayNetwork) LevelOf(piece int32) int {
	i, found := slices.BinarySearch(t.base, piece)
	if !found {
		i--
	}
	return i
}

// Piece describes a piece.
func (t *TrayNetwork) Piece(piece int32) TrayPiece {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])
	rows, per := t.room.Rows, len(t.Stops)-1
	z := t.Levels[level].Height
	if n < len(rows)*per {
		row, i := &rows[n/per], n%per
		return TrayPiece{
			level, "row " + row.Name,
			Point{t.Stops[i], row.Y, row.Z + z},
			Point{t.Stops[i+1], row.Y, row.Z + z},
			t.Stops[i+1] - t.Stops[i],
		}
	}
	n -= len(rows) * per
	if n < len(p.crosses)*t.gaps {
		c, row := n/t.gaps, slices.Index(t.gap, int32(n%t.gaps))
		x, a, b := t.Stops[p.crosses[c]], &rows[row], &rows[row+1]
		return TrayPiece{level, fmt.Sprintf("cross %d", c+1), Point{x, a.Y, a.Z + z}, Point{x, b.Y, b.Z + z}, b.Y - a.Y}
	}
	path := &t.paths[p.paths[n-len(p.crosses)*t.gaps]]
	return TrayPiece{level, path.Name, t.over(path.From, level), t.over(path.To, level), t.pathLength(path)}
}

// Length returns the total length of the trays of a level.
func (t *TrayNetwork) Length(level int) units.Length {
	total := units.Length(0)
	for _, row := range t.room.Rows {
		total += row.X1 - row.X0
	}
	p := t.plans[level]
	for row, g := range t.gap {
		if g >= 0 {
			total += units.Length(len(p.crosses)) * (t.room.Rows[row+1].Y - t.room.Rows[row].Y)
		}
	}
	for _, i := range p.paths {
		total += t.pathLength(&t.paths[i])
	}
	return total
}

// Crosses returns the x of every cross tray of a level, ascending.
func (t *TrayNetwork) Crosses(level int) []units.Length {
	var out []units.Length
	for _, s := range t.plans[level].crosses {
		out = append(out, t.Stops[s])
	}
	return out
}

// Alike tells whether two levels have the same trays as seen from above, so that
// ways on them are equally long.
func (t *TrayNetwork) Alike(a, b int) bool { return t.plans[a] == t.plans[b] }

// Joined tells whether every level joins all rows.
func (t *TrayNetwork) Joined() bool { return len(t.room.Spec.Halls) < 2 }

// Graph returns a level as a gonum graph: its nodes are the junctions, its
// weights the metres of tray between neighbours.
func (t *TrayNetwork) Graph(level int) *simple.WeightedUndirectedGraph {
	g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for a, edges := range t.plans[level].edges {
		if g.Node(int64(a)) == nil {
			g.AddNode(simple.Node(a))
		}
		for _, e := range edges {
			if w, ok := g.Weight(int64(a), int64(e.to)); !ok || float64(e.length) < w {
				g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(a), simple.Node(e.to), float64(e.length)))
			}
		}
	}
	return g
}

// from returns the distances from junction j to all junctions.
func (p *trayPlan) from(j int32) []units.Length {
	if d := p.dist[j].Load(); d != nil {
		return *d
	}
	d := p.dijkstra(j)
	p.dist[j].Store(&d)
	return d
}

// trayStop is a junction at a distance, or a price.
type trayStop[T units.Length | int64] struct {
	at   int32
	cost T
}

// trayQueue is a heap of junctions by distance.
type trayQueue[T units.Length | int64] []trayStop[T]

func (q trayQueue[T]) Len() int { return len(q) }
func (q trayQueue[T]) Less(i, j int) bool {
	return q[i].cost < q[j].cost || (q[i].cost == q[j].cost && q[i].at < q[j].at)
}
func (q trayQueue[T]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *trayQueue[T]) Push(x any)   { *q = append(*q, x.(trayStop[T])) }
func (q *trayQueue[T]) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// dijkstra returns the distances from junction j, to a tenth of a millimetre.
func (p *trayPlan) dijkstra(j int32) []units.Length {
	d := make([]units.Length, len(p.edges))
	for i := range d {
		d[i] = unreachable
	}
	d[j] = 0
	queue := trayQueue[units.Length]{{j, 0}}
	for len(queue) > 0 {
		at := heap.Pop(&queue).(trayStop[units.Length])
		if at.cost > d[at.at] {
			continue
		}
		for _, e := range p.edges[at.at] {
			if x := at.cost + e.length; x < d[e.to]-1e-9 {
				d[e.to] = x
				heap.Push(&queue, trayStop[units.Length]{e.to, x})
			}
		}
	}
	for i := range d {
		d[i] = d[i].Round4()
	}
	return d
}

// Distance returns the length of the shortest way along the trays from above
// one rack position to above another, on any level; infinite where no level
// joins them.
func (t *TrayNetwork) Distance(a, b int32) units.Length {
	best := unreachable
	for i, p := range t.plans {
		if !slices.Contains(t.plans[:i], p) {
			best = min(best, t.DistanceOn(i, a, b))
		}
	}
	return best
}

// DistanceOn is Distance on one level.
func (t *TrayNetwork) DistanceOn(level int, a, b int32) units.Length {
	d, _, _ := t.shortest(t.plans[level], a, b)
	return d
}

// shortest returns the distance and the junctions at which the way leaves the
// row of a and enters that of b; -1 where it stays on one row's tray.
func (t *TrayNetwork) shortest(p *trayPlan, a, b int32) (d units.Length, ja, jb int32) {
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	d, ja, jb = unreachable, -1, -1
	if pa.Row == pb.Row {
		d = (pa.X - pb.X).Abs()
		if len(p.paths) == 0 {
			return d, ja, jb
		}
	}
	for ca := max(p.left[a], p.first[pa.Row]); ca <= min(p.left[a]+1, p.first[pa.Row+1]-1); ca++ {
		da := (pa.X - t.Stops[p.stopAt[ca]]).Abs()
		row := p.from(ca)
		for cb := max(p.left[b], p.first[pb.Row]); cb <= min(p.left[b]+1, p.first[pb.Row+1]-1); cb++ {
			if x := da + row[cb] + (pb.X - t.Stops[p.stopAt[cb]]).Abs(); x < d-1e-6 {
				d, ja, jb = x, ca, cb
			}
		}
	}
	return d, ja, jb
}

// Way returns the pieces of the shortest way on a level from above rack position
// a to above b; nil where there is none. The way back is the same pieces in
// reverse order.
func (t *TrayNetwork) Way(level int, a, b int32) []TrayLeg {
	if a > b {
		return Reversed(t.Way(level, b, a))
	}
	p := t.plans[level]
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	d, ja, jb := t.shortest(p, a, b)
	if d == unreachable || a == b {
		return nil
	}
	w := wayBuilder{base: t.base[level]}
	if ja < 0 {
		w.add(t.along(pa.Row, t.stop[a], t.stop[b]))
		return w.legs
	}
	if t.stop[a] != p.stopAt[ja] {
		w.add(t.along(pa.Row, t.stop[a], p.stopAt[ja]))
	}
	toB := p.from(jb)
	for j := ja; j != jb; {
		e := p.towards(j, toB)
		w.add(e.pieces)
		j = e.to
	}
	if t.stop[b] != p.stopAt[jb] {
		w.add(t.along(pb.Row, p.stopAt[jb], t.stop[b]))
	}
	return w.legs
}

// Reversed returns the same way from its other end.
func Reversed(way []TrayLeg) []TrayLeg {
	out := slices.Clone(way)
	slices.Reverse(out)
	for i := range out {
		out[i] = out[i].reversed()
	}
	return out
}

// wayBuilder joins legs that run on.
type wayBuilder struct {
	base int32
	legs []TrayLeg
}

func (w *wayBuilder) add(g TrayLeg) {
	g.From, g.To = g.From+w.base, g.To+w.base
	if k := len(w.legs) - 1; k >= 0 {
		l := &w.legs[k]
		up, down := l.From <= l.To && g.From <= g.To, l.From >= l.To && g.From >= g.To
		if (up && g.From == l.To+1) || (down && g.From == l.To-1) {
			l.To = g.To
			return
		}
	}
	w.legs = append(w.legs, g)
}

// towards returns the edge from junction j to the next on a shortest way, to the
// lowest numbered of several; dist are the distances to the target.
func (p *trayPlan) towards(j int32, dist []units.Length) *trayEdge {
	best, found := unreachable, (*trayEdge)(nil)
	for i := range p.edges[j] {
		e := &p.edges[j][i]
		if x := e.length + dist[e.to]; found == nil || x < best-1e-6 || (x < best+1e-6 && e.to < found.to) {
			best, found = min(x, best), e
		}
	}
	return found
}

// Segment is a straight piece of a way along the trays.
type Segment struct {
	Name   string // "row C", "cross 2"
	Length units.Length
}

// Describe names the trays of a way, each with the length that the way runs on
// it.
func (t *TrayNetwork) Describe(way []TrayLeg) []Segment {
	var out []Segment
	for _, g := range way {
		g.Pieces(func(piece int32) {
			p := t.Piece(piece)
			if k := len(out) - 1; k >= 0 && out[k].Name == p.Name {
				out[k].Length += p.Length
				return
			}
			out = append(out, Segment{p.Name, p.Length})
		})
	}
	return out
}
