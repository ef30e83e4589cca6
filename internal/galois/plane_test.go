package galois

import "testing"

// TestPlane: the line of every point has q+1 points, numbered by Port, and any two
// lines have one point in common, as in every projective plane.
func TestPlane(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9} {
		p := NewPlane(q)
		n := q*q + q + 1
		f := p.field
		on := make([][]bool, n)
		quadrics := 0
		for v := range n {
			on[v] = make([]bool, n)
			ports := make([]bool, q+1)
			x, y, z := p.Point(v)
			p.Neighbours(v, func(w int) bool {
				a, b, c := p.Point(w)
				if f.Add(f.Mul(x, a), f.Add(f.Mul(y, b), f.Mul(z, c))) != 0 {
					t.Fatalf("GF(%d): the product of points %d and %d is not 0", q, v, w)
				}
				if port := p.Port(v, w); on[v][w] || ports[port] {
					t.Fatalf("GF(%d): point %d has %d or port %d twice", q, v, w, port)
				} else {
					on[v][w], ports[port] = true, true
				}
				return true
			})
			if on[v][v] != p.Quadric(v) || on[v][v] != (p.Class(v) == 0) {
				t.Fatalf("GF(%d): quadric %d", q, v)
			}
			if on[v][v] {
				quadrics++
			}
		}
		if quadrics != q+1 {
			t.Errorf("GF(%d): %d quadrics", q, quadrics)
		}
		for v := range n {
			for w := range v {
				common := 0
				for u := range n {
					if on[v][u] && on[w][u] {
						common++
					}
				}
				if common != 1 {
					t.Fatalf("GF(%d): lines %d and %d have %d points in common", q, v, w, common)
				}
			}
		}
	}
}
