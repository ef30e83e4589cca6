package bigarray

import "testing"

// TestMakeIsMake: arrays of any size are as long as asked for, zero, and can be written from end to end.
func TestMakeIsMake(t *testing.T) {
	const size = 4 << 20 // from which on pages are asked for
	for _, n := range []int{0, 1, 1000, size/8 - 1, size / 8, size/8 + 1, 3 * size / 8} {
		s := Make[int64](n)
		if len(s) != n {
			t.Errorf("%d of %d", len(s), n)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("%d of %d is %d", i, n, s[i])
			}
			s[i] = int64(i)
		}
	}
}
