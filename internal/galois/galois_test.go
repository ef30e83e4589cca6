package galois

import "testing"

func TestPrimePower(t *testing.T) {
	for q := -1; q < 3000; q++ {
		p, m := PrimePower(q)
		if p == 0 {
			for d := 2; d <= q; d++ { // a prime power has one prime divisor
				if q%d == 0 {
					n := q
					for n%d == 0 {
						n /= d
					}
					if n == 1 {
						t.Fatalf("%d is a power of %d", q, d)
					}
					break
				}
			}
			continue
		}
		n := 1
		for range m {
			n *= p
		}
		if n != q {
			t.Fatalf("%d is not %d^%d", q, p, m)
		}
		for d := 2; d*d <= p; d++ {
			if p%d == 0 {
				t.Fatalf("%d is not a prime", p)
			}
		}
	}
}

// TestField checks the axioms of a field in full.
func TestField(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49} {
		f := New(q)
		for a := range q {
			if f.Add(a, 0) != a || f.Mul(a, 1) != a || f.Mul(a, 0) != 0 || f.Add(a, f.Neg(a)) != 0 {
				t.Fatalf("GF(%d): 0, 1 or -%d", q, a)
			}
			if a > 0 && f.Mul(a, f.Inv(a)) != 1 {
				t.Fatalf("GF(%d): 1/%d", q, a)
			}
			for b := range q {
				if sum := f.Add(a, b); sum != f.addDigits(a, b) {
					t.Fatalf("GF(%d): %d + %d is %d by tables, %d by digits", q, a, b, sum, f.addDigits(a, b))
				}
				if f.Add(a, b) != f.Add(b, a) || f.Mul(a, b) != f.Mul(b, a) {
					t.Fatalf("GF(%d): %d and %d do not commute", q, a, b)
				}
				for c := range q {
					if f.Add(f.Add(a, b), c) != f.Add(a, f.Add(b, c)) ||
						f.Mul(f.Mul(a, b), c) != f.Mul(a, f.Mul(b, c)) ||
						f.Mul(a, f.Add(b, c)) != f.Add(f.Mul(a, b), f.Mul(a, c)) {
						t.Fatalf("GF(%d): %d, %d and %d", q, a, b, c)
					}
				}
			}
		}
	}
	for q := 2; q < 1000; q++ {
		if p, _ := PrimePower(q); p == 0 {
			continue
		}
		f, seen := New(q), make([]bool, q)
		for i := range q - 1 {
			if x := f.Power(i); x == 0 || seen[x] {
				t.Fatalf("GF(%d): the generator is not primitive", q)
			} else {
				seen[x] = true
			}
		}
	}
	New(MaxOrder)
	New(181 * 181)
}
