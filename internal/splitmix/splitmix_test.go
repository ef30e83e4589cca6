package splitmix

import "testing"

// The first numbers from the states 0 and 1234567, as in S. Vigna's splitmix64.c
// (https://prng.di.unimi.it/splitmix64.c) and in the test of Java's SplittableRandom.
func TestNumbersAreThoseOfVigna(t *testing.T) {
	for _, c := range []struct {
		state uint64
		want  []uint64
	}{
		{0, []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}},
		{1234567, []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423}},
	} {
		state := c.state
		if First(state) != c.want[0] {
			t.Errorf("the hash of %d is %#x, not %#x", state, First(state), c.want[0])
		}
		for i, want := range c.want {
			if got := Next(&state); got != want {
				t.Errorf("number %d from %d is %#x, not %#x", i, c.state, got, want)
			}
		}
	}
}
