package scene

import "math"

// Part is the marks of a part of a scene, cut off at its edge and moved so that its corner comes to a point.
func (s *Scene) Part(part Box, x, y float64) []Mark {
	m := mover{x - part.X0, y - part.Y0}
	cut := Clip{m.box(part)}
	out := []Mark{cut}
	depth := 0
	for _, mark := range s.Marks {
		switch k := mark.(type) {
		case Layer: // begins outside of groups
			out = append(out, End{}, k, cut)
			continue
		case Turn, Clip:
			depth++
		case End:
			depth--
		default:
			if b, ok := bound(mark); ok && depth == 0 && !b.Overlaps(part) {
				continue
			}
		}
		out = append(out, m.mark(mark))
	}
	return append(out, End{})
}

// bound is a box around marks of which there are many.
func bound(mark Mark) (Box, bool) {
	switch k := mark.(type) {
	case Fill:
		return k.Box, true
	case Frame:
		return k.Box, true
	case Path:
		b := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
		for _, line := range k.Lines {
			for _, p := range line {
				b = Box{min(b.X0, p[0]), min(b.Y0, p[1]), max(b.X1, p[0]), max(b.Y1, p[1])}
			}
		}
		w := k.Width + 1 // of what has no width, the box has one
		return Box{b.X0 - w, b.Y0 - w, b.X1 + w, b.Y1 + w}, true
	case Circle:
		w := k.Radius + k.Width
		return Box{k.X - w, k.Y - w, k.X + w, k.Y + w}, true
	case Text: // letters are no wider than they are high
		wide := k.Size * float64(len(k.Text))
		return Box{k.X - wide, k.Y - 2*k.Size, k.X + wide, k.Y + k.Size}, true
	}
	return Box{}, false
}

// mover moves marks.
type mover struct{ x, y float64 }

func (m mover) box(b Box) Box { return Box{b.X0 + m.x, b.Y0 + m.y, b.X1 + m.x, b.Y1 + m.y} }

func (m mover) points(line [][2]float64) [][2]float64 {
	out := make([][2]float64, len(line))
	for i, p := range line {
		out[i] = [2]float64{p[0] + m.x, p[1] + m.y}
	}
	return out
}

// mark is a mark, moved.
func (m mover) mark(mark Mark) Mark {
	switch k := mark.(type) {
	case Fill:
		k.Box = m.box(k.Box)
		return k
	case Frame:
		k.Box = m.box(k.Box)
		return k
	case Path:
		lines := make([][][2]float64, len(k.Lines))
		for i, line := range k.Lines {
			lines[i] = m.points(line)
		}
		k.Lines = lines
		return k
	case Circle:
		k.X, k.Y = k.X+m.x, k.Y+m.y
		return k
	case Hatch:
		k.Points = m.points(k.Points)
		return k
	case Text:
		k.X, k.Y = k.X+m.x, k.Y+m.y
		return k
	case Picture:
		k.At[2], k.At[5] = k.At[2]+m.x, k.At[5]+m.y
		k.Within = m.box(k.Within)
		return k
	case Turn:
		k.X, k.Y = k.X+m.x, k.Y+m.y
		return k
	case Clip:
		k.Box = m.box(k.Box)
		return k
	case Link:
		k.Box = m.box(k.Box)
		return k
	}
	return mark
}
