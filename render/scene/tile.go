package scene

import (
	"math"
	"slices"
)

// Part is the marks of a part of a scene, clipped at its edge and moved so that its corner comes to a point.
func (s *Scene) Part(part Box, x, y float64) []Mark {
	m := mover{1, x - part.X0, y - part.Y0}
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

// Moved is the marks of a scene, moved so that its corner comes to a point.
func (s *Scene) Moved(x, y float64) []Mark {
	out := make([]Mark, len(s.Marks))
	for i, mark := range s.Marks {
		out[i] = mover{1, x, y}.mark(mark)
	}
	return out
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

// Scaled is the scene with all marks k times as large.
func (s *Scene) Scaled(k float64) *Scene {
	out := *s
	out.W, out.H, out.Scale, out.Paper, out.X, out.Y = k*s.W, k*s.H, k*s.Scale, s.Paper/k, k*s.X, k*s.Y
	out.Marks = make([]Mark, len(s.Marks))
	for i, mark := range s.Marks {
		out.Marks[i] = mover{k: k}.mark(mark)
	}
	return &out
}

// mover scales marks by k, then moves them.
type mover struct{ k, x, y float64 }

func (m mover) at(x, y float64) (float64, float64) { return float64(m.k*x) + m.x, float64(m.k*y) + m.y }

func (m mover) box(b Box) Box {
	b.X0, b.Y0 = m.at(b.X0, b.Y0)
	b.X1, b.Y1 = m.at(b.X1, b.Y1)
	return b
}

func (m mover) points(line [][2]float64) [][2]float64 {
	out := make([][2]float64, len(line))
	for i, p := range line {
		out[i][0], out[i][1] = m.at(p[0], p[1])
	}
	return out
}

// mark is a mark, scaled and moved.
func (m mover) mark(mark Mark) Mark {
	switch k := mark.(type) {
	case Fill:
		k.Box = m.box(k.Box)
		return k
	case Frame:
		k.Box, k.Width = m.box(k.Box), m.k*k.Width
		return k
	case Path:
		if len(k.Dash) > 0 && m.k != 1 {
			k.Dash = slices.Clone(k.Dash)
			for i := range k.Dash {
				k.Dash[i] *= m.k
			}
		}
		k.Width *= m.k
		lines := make([][][2]float64, len(k.Lines))
		for i, line := range k.Lines {
			lines[i] = m.points(line)
		}
		k.Lines = lines
		return k
	case Circle:
		k.X, k.Y = m.at(k.X, k.Y)
		k.Radius, k.Width = m.k*k.Radius, m.k*k.Width
		return k
	case Hatch:
		k.Points, k.Gap = m.points(k.Points), m.k*k.Gap
		return k
	case Text:
		k.X, k.Y = m.at(k.X, k.Y)
		k.Size *= m.k
		return k
	case Picture:
		for i := range k.At {
			k.At[i] *= m.k
		}
		k.At[2], k.At[5] = k.At[2]+m.x, k.At[5]+m.y
		k.Within = m.box(k.Within)
		return k
	case Turn:
		k.X, k.Y = m.at(k.X, k.Y)
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
