// Package galois computes in finite fields, from which graphs of low diameter are built.
package galois

// Field is the finite field GF(q) of a prime power q = p^m. Its elements are
// the numbers 0 ... q-1; written in base p, the digits of an element are the
// coefficients of a polynomial over GF(p), the lowest first. Products are taken
// modulo a primitive polynomial of degree m, the first in ascending order, so
// that the powers of one element, generator, are all elements but 0 (R. Lidl and H.
// Niederreiter, Introduction to Finite Fields and Their Applications, 1986,
// chapters 2 and 3).
type Field struct {
	q, p, m int
	exp     []int32 // exp[i] is generator^i, for i up to 2q-3
	log     []int32 // log[exp[i]] = i; log[0] is not used
	zech    []int32 // zech[i] = log(1 + generator^i), -1 for the sum 0; for odd p and m > 1 only
}

// MaxOrder is the order of the largest field that New makes.
const MaxOrder = 1 << 15

// PrimePower writes q as a power of a prime: q = p^m, with p = 0 if q is not a power of a prime.
func PrimePower(q int) (p, m int) {
	if q < 2 {
		return 0, 0
	}
	for p = 2; q%p != 0; p++ {
		if p*p > q {
			p = q
			break
		}
	}
	for ; q%p == 0; q /= p {
		m++
	}
	if q > 1 {
		return 0, 0
	}
	return p, m
}

// New makes GF(q). Q must be a prime power (see PrimePower) up to MaxOrder.
func New(q int) *Field {
	f := &Field{q: q, exp: make([]int32, 2*q-2), log: make([]int32, q)}
	f.p, f.m = PrimePower(q)
	for tail := 1; !f.powers(tail); tail++ {
	}
	copy(f.exp[q-1:], f.exp)
	for i, x := range f.exp[:q-1] {
		f.log[x] = int32(i)
	}
	if f.m > 1 && f.p > 2 {
		f.zech = make([]int32, q-1)
		for i, x := range f.exp[:q-1] {
			f.zech[i] = -1
			if sum := f.addDigits(1, int(x)); sum != 0 {
				f.zech[i] = f.log[sum]
			}
		}
	}
	return f
}

// powers fills exp with the powers of the element x modulo x^m - tail, tail
// being a polynomial of lower degree. It reports whether they are all different,
// that is whether the polynomial is primitive. For m = 1 the element x is tail
// itself.
func (f *Field) powers(tail int) bool {
	top := f.q / f.p // x^(m-1)
	v := 1
	for i := range f.q - 1 {
		if v == 0 || v == 1 && i > 0 {
			return false
		}
		f.exp[i] = int32(v)
		if f.m == 1 {
			v = v * tail % f.p
			continue
		}
		lead := v / top
		v = v % top * f.p
		for range lead {
			v = f.addDigits(v, tail)
		}
	}
	return v == 1
}

// addDigits adds digit by digit. It needs no tables.
func (f *Field) addDigits(a, b int) int {
	sum := 0
	for place := 1; place < f.q; place *= f.p {
		digit := a%f.p + b%f.p
		if digit >= f.p {
			digit -= f.p
		}
		sum += digit * place
		a, b = a/f.p, b/f.p
	}
	return sum
}

// Add is a + b.
func (f *Field) Add(a, b int) int {
	switch {
	case f.m == 1:
		if a += b; a >= f.q {
			a -= f.q
		}
		return a
	case f.p == 2:
		return a ^ b
	case a == 0:
		return b
	case b == 0:
		return a
	}
	d := f.log[b] - f.log[a]
	if d < 0 {
		d += int32(f.q - 1)
	}
	z := f.zech[d]
	if z < 0 {
		return 0
	}
	return int(f.exp[f.log[a]+z])
}

// Neg is -a; -1 is generator^((q-1)/2) for odd q.
func (f *Field) Neg(a int) int {
	if a == 0 || f.p == 2 {
		return a
	}
	return int(f.exp[int(f.log[a])+(f.q-1)/2])
}

// Mul is a b.
func (f *Field) Mul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return int(f.exp[f.log[a]+f.log[b]])
}

// Inv is 1/a; a is not 0.
func (f *Field) Inv(a int) int { return int(f.exp[f.q-1-int(f.log[a])]) }

// Power is generator^i for any i >= 0.
func (f *Field) Power(i int) int { return int(f.exp[i%(f.q-1)]) }

// AddAll sets row to the sums of e and every element: row[x] = x + e.
func (f *Field) AddAll(e int, row []int32) {
	for x := range row {
		row[x] = int32(f.Add(x, e))
	}
}
