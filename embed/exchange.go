package embed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Exchange moves the rack of a box, or one of the containers that the box is in, to another position. The rack or
// container that was at that position takes the old one. If it is at that position already, nothing changes.
type Exchange struct {
	Vertex int32
	At     string // rack position, such as A03, or container, such as cube-0.1.2
}

// Exchange returns the placement after the given exchanges, made one after the other. Limits of power, weight and
// number of boxes are not checked. Errors are diag.FieldErrors in Racks, or in the field of another request that the
// exchanges violate.
func (p *Problem) Exchange(ctx context.Context, pl *Placement, all []Exchange) (*Placement, error) {
	if len(all) == 0 {
		return pl, nil
	}
	if pl.Layout.Tree != nil {
		return p.exchangeContainers(pl, all)
	}
	return p.exchangeRacks(ctx, pl, all)
}

// exchangeContainers exchanges the contents of containers of the same level, which are all of the same size.
func (p *Problem) exchangeContainers(pl *Placement, all []Exchange) (*Placement, error) {
	l, out := pl.Layout, *pl
	out.Slot = slices.Clone(pl.Slot)
	owner := map[[2]int32]int{} // statements by level and container
	for i, e := range all {
		level, to, ok := containerNumber(l.Tree, e.At)
		if !ok || level == 0 {
			return nil, diag.Fieldf(diag.Elem("Racks", i)+".At", "there is no container %q\nthe last is %s", e.At,
				lastContainer(l.Tree))
		}
		if err := claim(owner, [2]int32{int32(level), int32(to)}, i, e.At); err != nil {
			return nil, err
		}
		cells := int32(l.Tree.Cells(level))
		from := out.Slot[e.Vertex] / cells
		if from == int32(to) {
			continue
		}
		if j, ok := owner[[2]int32{int32(level), from}]; ok {
			return nil, p.tornApart(all, i, j)
		}
		for v, slot := range out.Slot {
			switch slot / cells {
			case from:
				out.Slot[v] = int32(to)*cells + slot%cells
			case int32(to):
				out.Slot[v] = from*cells + slot%cells
			}
		}
	}
	return &out, nil
}

// claim records that statement i moves a rack or container to a place, and returns an error if another one does too.
func claim[K comparable](owner map[K]int, place K, i int, name string) error {
	if j, twice := owner[place]; twice {
		return diag.Fieldf(diag.Elem("Racks", i)+".At", "%s is where entry %d has another rack stand", name, j+1)
	}
	owner[place] = i
	return nil
}

// tornApart returns the error about statements i and j, which move the same rack or container to different places.
func (p *Problem) tornApart(all []Exchange, i, j int) error {
	return diag.Fieldf(diag.Elem("Racks", i),
		"%s stands together with %s, which entry %d has at %s\nremove one of them",
		p.vertexNames().Name(int(all[i].Vertex)), p.vertexNames().Name(int(all[j].Vertex)), j+1, all[j].At)
}

// exchangeRacks moves racks by pinning every box to the position that its rack moves to.
func (p *Problem) exchangeRacks(ctx context.Context, pl *Placement, all []Exchange) (*Placement, error) {
	goes, err := p.exchangeTargets(pl, all)
	if err != nil || goes == nil {
		return pl, err
	}
	q := *p
	q.Optimizer, q.Pins = nil, nil
	q.Room = new(*p.Room)
	q.Room.Rows, q.Room.PerRow = pl.Layout.Room.Spec.Rows, pl.Layout.Room.Spec.PerRow
	l := pl.Layout
	for v, slot := range pl.Slot {
		place := &l.Room.Places[goes[l.Container(layout.RackLevel, slot)]]
		pin := Pin{
			Vertex: int32(v), Row: place.Row, Rack: place.Number, Unit: l.Unit(slot), Rear: l.Rear(slot), Chassis: -1,
		}
		if kind, c, ok := l.Chassis(slot); ok {
			pin.Chassis, pin.Number, pin.Cell = kind, c.Number, l.Cell(slot)
		}
		q.Pins = append(q.Pins, pin)
	}
	out, err := Place(ctx, &q)
	if err != nil {
		return nil, err
	}
	out.Optimized, out.SharesRacks, out.Notes = pl.Optimized, pl.SharesRacks, pl.Notes
	return out, nil
}

// exchangeTargets returns, for every rack position, the position that its rack moves to; nil if no rack moves.
func (p *Problem) exchangeTargets(pl *Placement, all []Exchange) ([]int32, error) {
	s := p.sitesOf(pl, layout.RackLevel)
	a, err := s.arrange(all)
	if err != nil || !a.changed {
		return nil, err
	}
	return a.goes, p.checkRackTypes(pl, a.goes, func(place int32) int { return a.owner[place] })
}

// sites are the rack positions of a room, or the containers of a level, whose contents are exchanged.
type sites struct {
	p     *Problem
	pl    *Placement
	level int // of containers; layout.RackLevel in a room
	count int
	at    map[string]int32 // rack positions by name; nil for containers
}

// sitesOf returns the rack positions of a placement in a room, else its containers of a level.
func (p *Problem) sitesOf(pl *Placement, level int) *sites {
	s := &sites{p: p, pl: pl, level: level}
	if room := pl.Layout.Room; room != nil {
		s.count, s.at = len(room.Places), make(map[string]int32, len(room.Places))
		for i := range room.Places {
			s.at[room.Name(i)] = int32(i)
		}
		return s
	}
	s.count = pl.Layout.Slots() / pl.Layout.Tree.Cells(level)
	return s
}

// of returns the site of a vertex before any exchange.
func (s *sites) of(v int32) int32 { return s.pl.Layout.Container(s.level, s.pl.Slot[v]) }

// find returns the site of a name.
func (s *sites) find(name string) (int32, error) {
	if s.pl.Layout.Room != nil {
		if i, ok := s.at[name]; ok {
			return i, nil
		}
		return 0, errors.New(noPosition(s.pl.Layout.Room, name))
	}
	switch level, i, ok := containerNumber(s.pl.Layout.Tree, name); {
	case !ok || level == 0:
		return 0, fmt.Errorf("there is no container %q\nthe last is %s", name, lastContainer(s.pl.Layout.Tree))
	case level != s.level:
		return 0, fmt.Errorf("%s is a container of another level\nwrite it into embedding.racks", name)
	default:
		return int32(i), nil
	}
}

// arrangement is a permutation of the contents of sites.
type arrangement struct {
	goes    []int32       // of each site: where its contents move to
	from    []int32       // of each site: where its new contents come from
	owner   map[int32]int // index of the statement that moves a rack or container to a site
	changed bool
}

// arrange returns the result of statements that are carried out one after the other.
func (s *sites) arrange(all []Exchange) (*arrangement, error) {
	a := &arrangement{goes: make([]int32, s.count), from: make([]int32, s.count), owner: map[int32]int{}}
	for i := range a.goes {
		a.goes[i], a.from[i] = int32(i), int32(i)
	}
	for i, e := range all {
		to, err := s.find(e.At)
		if err != nil {
			return nil, diag.Fieldf(diag.Elem("Racks", i)+".At", "%v", err)
		}
		if err := claim(a.owner, to, i, e.At); err != nil {
			return nil, err
		}
		was := s.of(e.Vertex)
		now := a.goes[was]
		if now == to {
			continue
		}
		if j, twice := a.owner[now]; twice {
			return nil, s.p.tornApart(all, i, j)
		}
		a.exchange(now, to)
	}
	return a, nil
}

// exchange swaps the present contents of two sites.
func (a *arrangement) exchange(p, q int32) {
	x, y := a.from[p], a.from[q]
	a.goes[x], a.goes[y] = q, p
	a.from[p], a.from[q] = y, x
	a.changed = true
}

// WithMove returns exchanges that have the same result as the given ones, except that the contents of two rack
// positions or containers, from and to, have changed places. The given exchanges come first, unchanged and in their
// order. The placement is the one before any exchange. The error names a position or container that does not exist, or
// two that cannot change places.
func (p *Problem) WithMove(pl *Placement, all []Exchange, from, to string) ([]Exchange, error) {
	level := layout.RackLevel
	if pl.Layout.Tree != nil {
		var ok bool
		if level, _, ok = containerNumber(pl.Layout.Tree, from); !ok || level == 0 {
			return nil, fmt.Errorf("there is no container %q\nthe last is %s", from, lastContainer(pl.Layout.Tree))
		}
	}
	s := p.sitesOf(pl, level)
	name := func(site int32) string { return pl.Layout.ContainerName(s.level, site) }
	a, err := s.arrange(all)
	if err != nil {
		return nil, err
	}
	x, err := s.find(from)
	if err != nil {
		return nil, err
	}
	y, err := s.find(to)
	if err != nil {
		return nil, err
	}
	first := make([]int32, s.count) // vertex that stood at each site, -1 for none
	for i := range first {
		first[i] = -1
	}
	for v := len(pl.Slot) - 1; v >= 0; v-- {
		first[s.of(int32(v))] = int32(v)
	}
	switch {
	case first[a.from[x]] < 0:
		return nil, fmt.Errorf("nothing stands at %s", from)
	case x == y:
		return all, nil
	}
	a.exchange(x, y)
	out := slices.Clone(all)
	for i := range out {
		out[i].At = name(a.goes[s.of(out[i].Vertex)])
	}
	for {
		b, err := s.arrange(out)
		if err != nil {
			return nil, err
		}
		wrong := slices.IndexFunc(first, func(v int32) bool { return v >= 0 && b.goes[s.of(v)] != a.goes[s.of(v)] })
		if wrong < 0 {
			return out, nil
		}
		out = append(out, Exchange{Vertex: first[wrong], At: name(a.goes[wrong])})
	}
}

// checkRackTypes returns an error if a box moves to a rack type that may not hold it or is too small for it; nil
// otherwise. entry returns the index of the statement about a place, 0 if there is none.
func (p *Problem) checkRackTypes(pl *Placement, goes []int32, entry func(place int32) int) error {
	l, kinds := pl.Layout, p.Graph.Kinds()
	for v, slot := range pl.Slot {
		place := l.Container(layout.RackLevel, slot)
		to := goes[place]
		if l.Room.Places[place].Type == l.Room.Places[to].Type {
			continue
		}
		path := diag.Elem("Racks", max(entry(to), entry(place)))
		kind, t, name := topology.KindOf(kinds, v), l.Room.Type(to), l.Room.Name(int(to))
		k := &p.Kinds[kind]
		top := l.Unit(slot) + max(l.ChassisUnits(slot), k.Box.Units) - 1
		switch {
		case !slices.Contains(k.types(), l.Room.Places[to].Type):
			return diag.Fieldf(path, "a %s may not stand at %s, in a rack of type %s", kinds[kind].Name, name, t.Listed)
		case top > t.Units:
			return diag.Fieldf(path, "%s reaches up to unit %d, and the rack at %s has %d",
				p.vertexNames().Name(v), top,
				name, t.Units)
		case k.Box.Width > t.Width || k.Box.Depth > t.Depth:
			return diag.Fieldf(path, "%s is larger than the rack at %s", p.vertexNames().Name(v), name)
		}
	}
	return nil
}

// noPosition returns the message about a name that is not the name of a rack position.
func noPosition(room *layout.Room, name string) string {
	var all []string
	for i := range room.Rows {
		for k, place := range room.Rows[i].Position {
			if place >= 0 {
				all = append(all, room.Name(int(place)))
			} else if room.PositionName(i, k+1) == name {
				return "position " + name + " is kept free of racks"
			}
		}
	}
	hint := "write the name of one, such as " + all[0]
	if near, ok := diag.Closest(name, all); ok {
		hint = diag.DidYouMean(near)
	}
	return fmt.Sprintf("there is no rack position %q\n%s", name, hint)
}
