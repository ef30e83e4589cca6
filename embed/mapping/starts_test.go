package mapping_test

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// A Hilbert curve visits every cell once, in steps to a neighbour but for at most
// one diagonal.
func TestHilbert(t *testing.T) {
	for w := 1; w <= 20; w++ {
		for h := 1; h <= 20; h++ {
			order := mapping.Hilbert(w, h)
			seen := make([]bool, w*h)
			diagonals := 0
			for i, p := range order {
				if seen[p] {
					t.Fatalf("%d x %d: %d is visited twice", w, h, p)
				}
				seen[p] = true
				if i == 0 {
					continue
				}
				q := order[i-1]
				dx, dy := int(p)%w-int(q)%w, int(p)/w-int(q)/w
				switch dx*dx + dy*dy {
				case 1:
				case 2:
					diagonals++
				default:
					t.Fatalf("%d x %d: from %d to %d", w, h, q, p)
				}
			}
			if len(order) != w*h || diagonals > 1 {
				t.Errorf("%d x %d: %d cells, %d diagonals", w, h, len(order), diagonals)
			}
		}
	}
}

// The blocks of columns of a torus cost what adding up says.
func TestBlocks(t *testing.T) {
	g := graph(t, torus16)
	for _, tt := range []struct {
		side, capacity int
		want           int64
	}{{16, 16, 15_360}, {8, 64, 7_168}, {4, 256, 3_072}} {
		best := int64(math.MaxInt64)
		rings := func(int) bool { return true }
		for _, place := range mapping.Blocks([]int{16, 16, 16}, rings, tt.side, tt.side, tt.capacity) {
			if least, most := loads(place, tt.side*tt.side); least != tt.capacity || most != tt.capacity {
				t.Fatalf("loads %d to %d", least, most)
			}
			best = min(best, sum(g, place, tt.side))
		}
		if best != tt.want {
			t.Errorf("%d x %d: %d, want %d", tt.side, tt.side, best, tt.want)
		}
	}
}
