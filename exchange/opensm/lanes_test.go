package opensm

import (
	"testing"

	"pgregory.net/rapid"
)

// drawFabric draws switches that are joined, some by several links, with hosts at some of them.
func drawFabric(t *rapid.T) *fabric {
	n := rapid.IntRange(2, 12).Draw(t, "switches")
	f := &fabric{hops: make([][]hop, n), names: make([]string, n)}
	ports := make([]int, n)
	link := func(a, b int) {
		ports[a]++
		ports[b]++
		f.hops[a], f.hops[b] = append(f.hops[a], hop{ports[a], b}), append(f.hops[b], hop{ports[b], a})
	}
	for s := 1; s < n; s++ {
		link(s, rapid.IntRange(0, s-1).Draw(t, "joined"))
	}
	for range rapid.IntRange(0, 3*n).Draw(t, "further") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if a != b {
			link(a, b)
		}
	}
	for s := range n {
		for range rapid.IntRange(0, 3).Draw(t, "hosts") {
			ports[s]++
			f.hosts = append(f.hosts, host{s, ports[s]})
		}
	}
	return f
}

// TestLanesOfAnyFabric holds that any fabric is routed in any number of lanes without a circle of waits, that every
// path ends where it should, and that longer ones are counted.
func TestLanesOfAnyFabric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFabric(t)
		lanes := rapid.IntRange(1, 4).Draw(t, "lanes")
		r, err := f.routeLanes(t.Context(), lanes)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.check(r.tables, r.lane); err != nil {
			t.Fatal(err)
		}
		if r.used > lanes {
			t.Errorf("%d of %d lanes", r.used, lanes)
		}
		longer := 0
		for d := range f.hops {
			least := f.distances([]int{d})
			for s := range f.hops {
				if s != d && walk(t, f, r.tables, s, len(f.hosts)+d, d) > least[s] {
					longer++
				}
			}
			for i, h := range f.hosts {
				if s := d; s != h.at {
					walk(t, f, r.tables, s, i, h.at)
				}
			}
		}
		if longer != r.longer || r.pairs != len(f.hops)*(len(f.hops)-1) {
			t.Errorf("%d of %d pairs are longer, not %d", r.longer, r.pairs, longer)
		}
	})
}

// walk counts the hops from a switch to another by the entries of a column.
func walk(t *rapid.T, f *fabric, tables [][]int, s, column, d int) int {
	n := 0
	for ; s != d; n++ {
		next := -1
		for _, h := range f.hops[s] {
			if h.port == tables[s][column] {
				next = h.to
			}
		}
		if next < 0 || n > len(f.hops) {
			t.Fatalf("switch %d sends by port %d", s, tables[s][column])
		}
		s = next
	}
	return n
}

// TestWaitsKeepAnOrder adds waits in any order: one is refused exactly where it would close a circle.
func TestWaitsKeepAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := channelsOf(drawFabric(t))
		w := newWaits(c)
		var kept [][2]int32
		for range rapid.IntRange(0, 80).Draw(t, "waits") {
			a := rapid.Int32Range(0, int32(len(c.all)-1)).Draw(t, "a")
			to := c.all[a].to
			b := rapid.Int32Range(c.out[to], c.out[to+1]-1).Draw(t, "b")
			if a == b {
				continue
			}
			met := map[int32]bool{b: true} // from b on
			for range kept {
				for _, k := range kept {
					met[k[1]] = met[k[1]] || met[k[0]]
				}
			}
			if got := w.add(a, b); got == met[a] {
				t.Fatalf("%d waits for %d: %v", a, b, got)
			} else if got {
				kept = append(kept, [2]int32{a, b})
			}
			if len(kept) > 0 && rapid.IntRange(0, 9).Draw(t, "drop") == 0 {
				last := kept[len(kept)-1]
				kept = kept[:len(kept)-1]
				again := false
				for _, k := range kept {
					again = again || k == last
				}
				if !again {
					w.drop(last[0], last[1])
				}
			}
		}
	})
}

// BenchmarkLanes routes 512 switches of degree 16 with 4,096 hosts in eight lanes.
func BenchmarkLanes(b *testing.B) {
	f, _, err := fabricOf(planned(b, large))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.routeLanes(b.Context(), 8); err != nil {
			b.Fatal(err)
		}
	}
}
