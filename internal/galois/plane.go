package galois

// Plane is the projective plane over GF(q). Its q^2 + q + 1 points are numbered: (1,y,z) is
// point y q + z, (0,1,z) is q^2 + z and (0,0,1) the last. The line of a point has the q + 1
// points whose product with it, the sum of the products of their coordinates, is 0.
type Plane struct{ field *Field }

// NewPlane makes the plane over GF(q) for a prime power q up to MaxOrder.
func NewPlane(q int) *Plane { return &Plane{New(q)} }

// Point is the coordinates of point v.
func (p *Plane) Point(v int) (x, y, z int) {
	switch q := p.field.q; {
	case v < q*q:
		return 1, v / q, v % q
	case v < q*q+q:
		return 0, 1, v - q*q
	}
	return 0, 0, 1
}

// Neighbours calls yield with the points whose product with v is 0, v itself among
// them if it is a quadric, until yield returns false; it reports whether it never did.
func (p *Plane) Neighbours(v int, yield func(int) bool) bool {
	f, q := p.field, p.field.q
	x, y, z := p.Point(v)
	affine := func(b, c int) bool { return yield(b*q + c) } // (1,b,c)
	switch {
	case z != 0: // c = -(x + y b)/z
		by := f.Neg(f.Inv(z))
		for b := range q {
			if !affine(b, f.Mul(by, f.Add(x, f.Mul(y, b)))) {
				return false
			}
		}
		return yield(q*q + f.Mul(by, y))
	case y != 0: // b = -x/y for every c
		b := f.Neg(f.Mul(x, f.Inv(y)))
		for c := range q {
			if !affine(b, c) {
				return false
			}
		}
		return yield(q*q + q)
	}
	for c := range q {
		if !yield(q*q + c) {
			return false
		}
	}
	return yield(q*q + q)
}

// Port is the number from 0 to q of w among the points of the line of v, by a coordinate.
func (p *Plane) Port(v, w int) int {
	q := p.field.q
	_, y, z := p.Point(v)
	switch {
	case w == q*q+q:
		return q
	case w >= q*q:
		if y == 0 && z == 0 {
			return w - q*q
		}
		return q
	case z != 0:
		return w / q
	}
	return w % q
}

// Quadric reports whether the product of a point with itself is 0.
func (p *Plane) Quadric(v int) bool {
	f := p.field
	x, y, z := p.Point(v)
	return f.Add(x, f.Add(f.Mul(y, y), f.Mul(z, z))) == 0
}

// Class is 0 for a quadric, 1 for a point that is joined to quadrics, 2 for
// another. For even q all points are joined to a quadric: there the point that
// is joined to all of them is class 1.
func (p *Plane) Class(v int) int {
	if p.Quadric(v) {
		return 0
	}
	if p.field.p == 2 {
		if v == p.field.q+1 {
			return 1
		}
		return 2
	}
	if p.Neighbours(v, func(w int) bool { return !p.Quadric(w) }) {
		return 2
	}
	return 1
}
