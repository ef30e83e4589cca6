package section

import (
	"cmp"
	"container/heap"
	"math"
)

// disc is the cross-section of a cable in a tray: its middle (x from the left wall, y above the bottom) and its radius,
// in metres.
type disc struct{ x, y, r float64 }

// slip is the overlap of discs, in metres, that counts as a rounding error.
const slip = 1e-9

// pack lays discs into a tray of the given width (or as wide as the largest disc) with sides of any height, and returns
// them in the order of radii. Each goes to the lowest place on the bottom, on two others, or on one and a wall; of
// equally low places, to the leftmost. Radii have to descend, so that small cables fill the gaps between large ones.
func pack(width float64, radii []float64) []disc {
	if len(radii) == 0 {
		return nil
	}
	p := &packer{width: max(width, 2*radii[0]), cell: 2 * radii[0], cells: map[[2]int][]int32{}}
	for _, r := range radii {
		if r != p.r {
			p.begin(r)
		}
		p.place()
	}
	return p.discs
}

// packer packs discs. places is a heap of the places for discs of radius r; those that are taken meanwhile are dropped
// when they are popped.
type packer struct {
	width, cell, r float64
	discs          []disc
	cells          map[[2]int][]int32 // discs by the square, with side cell, of their middle
	places         spots
}

// begin finds the places for discs of another radius.
func (p *packer) begin(r float64) {
	p.r, p.places = r, p.places[:0]
	p.offer(r, r)
	for i := range p.discs {
		p.beside(int32(i), true)
	}
}

// place lays the next disc.
func (p *packer) place() {
	d := disc{p.r, 0, p.r}
	found := false
	for len(p.places) > 0 && !found {
		s := heap.Pop(&p.places).(spot)
		d.x, d.y = s.x, s.y
		found = p.free(d)
	}
	if !found { // on top of all others, where there is always room
		d = disc{p.r, p.r, p.r}
		for _, o := range p.discs {
			d.y = max(d.y, o.y+o.r+p.r)
		}
	}
	n := int32(len(p.discs))
	p.discs = append(p.discs, d)
	at := p.at(d)
	p.cells[at] = append(p.cells[at], n)
	p.beside(n, false)
}

func (p *packer) at(d disc) [2]int {
	return [2]int{int(math.Floor(d.x / p.cell)), int(math.Floor(d.y / p.cell))}
}

// near calls visit for each disc whose edge is within a gap of the edge of d.
func (p *packer) near(d disc, gap float64, visit func(i int32, o disc)) {
	at := p.at(d)
	reach := int(math.Ceil((d.r+p.cell/2+gap)/p.cell)) + 1
	for x := at[0] - reach; x <= at[0]+reach; x++ {
		for y := at[1] - reach; y <= at[1]+reach; y++ {
			for _, i := range p.cells[[2]int{x, y}] {
				o := p.discs[i]
				if math.Hypot(o.x-d.x, o.y-d.y) <= d.r+o.r+gap {
					visit(i, o)
				}
			}
		}
	}
}

// free reports whether d overlaps no other disc.
func (p *packer) free(d disc) bool {
	free := true
	p.near(d, 0, func(_ int32, o disc) {
		free = free && math.Hypot(o.x-d.x, o.y-d.y) >= d.r+o.r-slip
	})
	return free
}

// beside offers the places that touch disc n: on the bottom, at the walls, and on n and another disc. If earlier is
// true, the other one is an earlier disc: enough where beside is called for every disc.
func (p *packer) beside(n int32, earlier bool) {
	d := p.discs[n]
	out := d.r + p.r
	if rise := d.y - p.r; math.Abs(rise) <= out {
		dx := math.Sqrt(max(0, float64(out*out)-float64(rise*rise)))
		p.offer(d.x-dx, p.r)
		p.offer(d.x+dx, p.r)
	}
	for _, x := range [...]float64{p.r, p.width - p.r} { // a disc between n and a wall
		if dx := x - d.x; math.Abs(dx) <= out {
			p.offer(x, d.y+math.Sqrt(float64(out*out)-float64(dx*dx)))
		}
	}
	p.near(d, 2*p.r, func(i int32, o disc) {
		if i == n || earlier && i > n {
			return
		}
		if x, y, ok := onBoth(d, o, p.r); ok {
			p.offer(x, y)
		}
	})
}

// onBoth returns the middle of a disc of radius r that lies on discs a and b; false if it would not rest between their
// middles.
func onBoth(a, b disc, r float64) (x, y float64, ok bool) {
	if a.x > b.x {
		a, b = b, a
	}
	dx, dy := b.x-a.x, b.y-a.y
	apart := math.Hypot(dx, dy)
	ra, rb := a.r+r, b.r+r
	if apart > ra+rb || apart < math.Abs(ra-rb) || apart == 0 {
		return 0, 0, false
	}
	along := (float64(apart*apart) + float64(ra*ra) - float64(rb*rb)) / (2 * apart)
	up := math.Sqrt(max(0, float64(ra*ra)-float64(along*along)))
	x = a.x + float64(along*dx/apart) - float64(up*dy/apart)
	y = a.y + float64(along*dy/apart) + float64(up*dx/apart)
	return x, y, x >= a.x-slip && x <= b.x+slip
}

// offer adds a place, unless the disc would reach beyond the tray.
func (p *packer) offer(x, y float64) {
	if x >= p.r-slip && x <= p.width-p.r+slip && y >= p.r-slip {
		heap.Push(&p.places, spot{x, y})
	}
}

// spot is a place for the middle of a disc.
type spot struct{ x, y float64 }

// spots is a heap with the lowest spot first.
type spots []spot

func (s spots) Len() int { return len(s) }
func (s spots) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].y, s[j].y), cmp.Compare(s[i].x, s[j].x)) < 0
}
func (s spots) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *spots) Push(v any)   { *s = append(*s, v.(spot)) }
func (s *spots) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}
