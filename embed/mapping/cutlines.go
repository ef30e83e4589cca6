package mapping

import (
	"encoding/binary"
	"math/bits"
)

// cutLines tells how the neighbours of every vertex stand to the cut lines between
// the columns and between the rows of a grid. An edge costs the lines that it
// crosses, so what it costs to take a vertex over a line is twice the neighbours
// behind it less all of them: a step over few lines costs a look at few counts
// and not at every neighbour. Counts are bytes, eight to a word.
type cutLines struct {
	width, height int
	stride        int // bytes of a vertex
	// Of each vertex: the neighbours left of each line between columns, those
	// above each line between rows, and as the last three its degree, column and
	// row.
	data  []byte
	first []int64 // of the graph
	to    []int32
}

const (
	each     = 0x0101010101010101 // 1 in every byte of a word
	longSpan = 8                  // lines that fit a word
)

// newCutLines counts for an instance on a grid.
func newCutLines(t *instance, place []int32) *cutLines {
	const cacheLine = 64
	w, h := t.costs.grid()
	l := &cutLines{width: w, height: h, first: t.g.First, to: t.g.To}
	l.stride = (w + h + longSpan + 3 + cacheLine - 1) / cacheLine * cacheLine
	l.data = make([]byte, l.stride*t.g.Vertices())
	for v := range int32(len(place)) {
		row := l.data[int(v)*l.stride:][:l.stride]
		at := t.costs.at[place[v]]
		row[l.stride-3], row[l.stride-2], row[l.stride-1] = byte(t.g.degree(v)), byte(at.x), byte(at.y)
		for _, u := range l.neighbours(v) {
			there := t.costs.at[place[u]]
			for x := int(there.x); x < w-1; x++ {
				row[x]++
			}
			for y := int(there.y); y < h-1; y++ {
				row[w-1+y]++
			}
		}
	}
	return l
}

// at is where v stands.
func (l *cutLines) at(v int32) (x, y int) {
	end := (*[2]byte)(l.data[int(v+1)*l.stride-2:])
	return int(end[0]), int(end[1])
}

// delta is how much the cost of v changes from column ax and row ay to column bx
// and row by.
func (l *cutLines) delta(v int32, ax, ay, bx, by int) int {
	data, base := l.data, int(v)*l.stride
	degree := int(data[base+l.stride-3])
	x, dx, sx := span(ax, bx)
	y, dy, sy := span(ay, by)
	x, y = base+x, base+y+l.width-1
	cost := 0
	for dx > longSpan || dy > longSpan {
		nx, ny := min(dx, longSpan), min(dy, longSpan)
		cost += sx*(2*total(word(data, x)&lowest(nx))-nx*degree) + sy*(2*total(word(data, y)&lowest(ny))-ny*degree)
		x, y, dx, dy = x+nx, y+ny, dx-nx, dy-ny
	}
	return cost + sx*(2*total(word(data, x)&lowest(dx))-dx*degree) + sy*(2*total(word(data, y)&lowest(dy))-dy*degree)
}

// word is the eight bytes from i on.
func word(data []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(data[i:])[:])
}

// span is the first of the lines between a and b, their number, and 1 or -1 for
// the way up or down.
func span(a, b int) (from, count, sign int) {
	d := b - a
	down := d >> (bits.UintSize - 1) // all ones if b is below
	return a + d&down, (d ^ down) - down, 1 | down
}

// lowest selects the first n bytes of a word, n from 0 to 8.
func lowest(n int) uint64 { return masks[n&15] }

var masks = [16]uint64{
	0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1,
}

// total is the sum of the bytes of a word.
func total(word uint64) int {
	const even = 0x00ff00ff00ff00ff
	return int((word&even + word>>8&even) * 0x0001000100010001 >> 48)
}

func (l *cutLines) neighbours(v int32) []int32 { return l.to[l.first[v]:l.first[v+1]] }

// shift takes v from one place to another.
func (l *cutLines) shift(v int32, ax, ay, bx, by int) {
	neighbours := l.neighbours(v)
	end := (*[2]byte)(l.data[int(v+1)*l.stride-2:])
	end[0], end[1] = byte(bx), byte(by)
	x, dx, sx := span(ax, bx)
	y, dy, sy := span(ay, by)
	y += l.width - 1
	for dx > longSpan || dy > longSpan {
		nx, ny := min(dx, longSpan), min(dy, longSpan)
		l.add(neighbours, x, y, nx, ny, sx, sy)
		x, y, dx, dy = x+nx, y+ny, dx-nx, dy-ny
	}
	l.add(neighbours, x, y, dx, dy, sx, sy)
}

// add takes one off the counts of dx lines from x on, and dy from y on, or adds
// one where the sign is negative.
func (l *cutLines) add(neighbours []int32, x, y, dx, dy, sx, sy int) {
	// No count passes 0 or 255, so nothing is carried from byte to byte.
	left, up := each&lowest(dx)*uint64(-sx), each&lowest(dy)*uint64(-sy)
	data, stride := l.data, l.stride
	for _, u := range neighbours {
		i := int(u) * stride
		a, b := (*[8]byte)(data[i+x:]), (*[8]byte)(data[i+y:])
		binary.LittleEndian.PutUint64(a[:], binary.LittleEndian.Uint64(a[:])+left)
		binary.LittleEndian.PutUint64(b[:], binary.LittleEndian.Uint64(b[:])+up)
	}
}
