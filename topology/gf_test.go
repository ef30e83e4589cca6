package topology

import "testing"

func TestPrimePower(t *testing.T) {
	for q := -1; q < 3000; q++ {
		p, m := primePower(q)
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
				t.Fatalf("%d is no prime", p)
			}
		}
	}
}

// TestField checks the axioms of a field in full.
func TestField(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49} {
		f := newField(q)
		for a := range q {
			if f.add(a, 0) != a || f.mul(a, 1) != a || f.mul(a, 0) != 0 || f.add(a, f.neg(a)) != 0 {
				t.Fatalf("GF(%d): 0, 1 or -%d", q, a)
			}
			if a > 0 && f.mul(a, f.inv(a)) != 1 {
				t.Fatalf("GF(%d): 1/%d", q, a)
			}
			for b := range q {
				if sum := f.add(a, b); sum != f.addDigits(a, b) {
					t.Fatalf("GF(%d): %d + %d is %d by tables, %d by digits", q, a, b, sum, f.addDigits(a, b))
				}
				if f.add(a, b) != f.add(b, a) || f.mul(a, b) != f.mul(b, a) {
					t.Fatalf("GF(%d): %d and %d do not commute", q, a, b)
				}
				for c := range q {
					if f.add(f.add(a, b), c) != f.add(a, f.add(b, c)) ||
						f.mul(f.mul(a, b), c) != f.mul(a, f.mul(b, c)) ||
						f.mul(a, f.add(b, c)) != f.add(f.mul(a, b), f.mul(a, c)) {
						t.Fatalf("GF(%d): %d, %d and %d", q, a, b, c)
					}
				}
			}
		}
	}
	for q := 2; q < 1000; q++ {
		if p, _ := primePower(q); p == 0 {
			continue
		}
		f, seen := newField(q), make([]bool, q)
		for i := range q - 1 {
			if x := f.power(i); x == 0 || seen[x] {
				t.Fatalf("GF(%d): the generator is not primitive", q)
			} else {
				seen[x] = true
			}
		}
	}
	newField(maxField)
	newField(181 * 181)
}
