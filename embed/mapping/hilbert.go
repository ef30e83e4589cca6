package mapping

// Hilbert lists the places of a w x h grid, numbered as Grid does, along a
// space-filling curve: consecutive places are neighbours, except that one step
// may be diagonal where a side is odd. It generalises Hilbert's curve to
// rectangles of any sides (J. Cerveny, "Gilbert: space-filling curve for
// rectangular domains of arbitrary size", 2019).
func Hilbert(w, h int) []int32 {
	if w < 1 || h < 1 {
		return nil
	}
	order := make([]int32, 0, w*h)
	if w >= h {
		curve(&order, w, 0, 0, w, 0, 0, h)
	} else {
		curve(&order, w, 0, 0, 0, h, w, 0)
	}
	return order
}

// curve fills the rectangle at (x, y) that a and b span, along a.
func curve(order *[]int32, width, x, y, ax, ay, bx, by int) {
	w, h := max(ax+ay, -ax-ay), max(bx+by, -bx-by)
	dax, day, dbx, dby := sign(ax), sign(ay), sign(bx), sign(by)
	line := func(n, dx, dy int) {
		for range n {
			*order = append(*order, int32(x+width*y))
			x, y = x+dx, y+dy
		}
	}
	if h == 1 {
		line(w, dax, day)
		return
	}
	if w == 1 {
		line(h, dbx, dby)
		return
	}
	// Halves are rounded down, also where they point backwards.
	ax2, ay2, bx2, by2 := ax>>1, ay>>1, bx>>1, by>>1
	w2, h2 := max(ax2+ay2, -ax2-ay2), max(bx2+by2, -bx2-by2)
	if 2*w > 3*h {
		if w2%2 == 1 && w > 2 { // even steps
			ax2, ay2 = ax2+dax, ay2+day
		}
		curve(order, width, x, y, ax2, ay2, bx, by)
		curve(order, width, x+ax2, y+ay2, ax-ax2, ay-ay2, bx, by)
		return
	}
	if h2%2 == 1 && h > 2 {
		bx2, by2 = bx2+dbx, by2+dby
	}
	curve(order, width, x, y, bx2, by2, ax2, ay2)
	curve(order, width, x+bx2, y+by2, ax, ay, bx-bx2, by-by2)
	curve(order, width, x+ax-dax+bx2-dbx, y+ay-day+by2-dby, -bx2, -by2, ax2-ax, ay2-ay)
}

func sign(x int) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// InOrder returns the placement of n vertices, in the order of their numbers, that fills one place after the other:
// places[0] first. Place p takes capacity[p] vertices. If there is too little room, the last place gets the rest; Map
// mends such starts.
func InOrder(n int, places []int32, capacity []int64) []int32 {
	place := make([]int32, 0, n)
	for _, p := range places {
		for i := int64(0); i < capacity[p] && len(place) < n; i++ {
			place = append(place, p)
		}
	}
	for len(place) < n { // there is too little room: left to be mended
		place = append(place, places[len(places)-1])
	}
	return place
}

// Random returns a random placement of n vertices, of which place p takes at most capacity[p]. If there is too little
// room, place 0 gets the rest.
func Random(n int, capacity []int64, seed uint64) []int32 {
	var slots []int32
	for p, c := range capacity {
		for range min(c, int64(n)) {
			slots = append(slots, int32(p))
		}
	}
	newRandom(seed, 1<<41).shuffle(slots)
	for len(slots) < n {
		slots = append(slots, 0)
	}
	return slots[:n]
}
