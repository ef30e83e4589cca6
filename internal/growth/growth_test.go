package growth

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawGrowth draws boxes of two kinds with links, a larger network, and positions.
func drawGrowth(t *rapid.T) (*Growth, []int32) {
	kinds := func(name string, lo, hi int) []int32 {
		var out []int32
		for k := range 2 {
			n := rapid.IntRange(lo, hi).Draw(t, name)
			out = append(out, slices.Repeat([]int32{int32(k)}, n)...)
		}
		return out
	}
	links := func(name string, n int) [][2]int32 {
		box := rapid.Int32Range(0, int32(n-1))
		var out [][2]int32
		for range rapid.IntRange(0, 12).Draw(t, name) {
			if a, b := box.Draw(t, "a"), box.Draw(t, "b"); a != b {
				out = append(out, [2]int32{a, b})
			}
		}
		return out
	}
	old, new := kinds("old", 1, 3), kinds("new", 1, 4)
	g := New(old, new, links("old links", len(old)), links("new links", len(new)))
	var position []int32
	taken := map[int32]bool{}
	for _, k := range old {
		at := slices.IndexFunc(g.ofKind[k], func(v int32) bool { return !taken[v] })
		if at < 0 {
			position = append(position, -1)
			continue
		}
		taken[g.ofKind[k][at]] = true
		position = append(position, g.ofKind[k][at])
	}
	return g, position
}

// bruteMoves counts moves link by link.
func (g *Growth) bruteMoves(position []int32) int64 {
	left := map[[2]int32]int32{}
	for pair, n := range g.multitude {
		left[pair] = n
	}
	moved := int64(0)
	for a := range g.old {
		for _, n := range g.old[a] {
			for range n.links {
				if int(n.at) <= a {
					continue
				}
				v, w := position[a], position[n.at]
				pair := [2]int32{min(v, w), max(v, w)}
				if v < 0 || w < 0 || left[pair] == 0 {
					moved++
					continue
				}
				left[pair]--
			}
		}
	}
	return moved
}

// bruteLeast tries all positions.
func (g *Growth) bruteLeast() int64 {
	least := g.exist
	position := slices.Repeat([]int32{-1}, len(g.OldKind))
	taken := make([]bool, len(g.NewKind))
	var try func(b int)
	try = func(b int) {
		if b == len(position) {
			least = min(least, g.bruteMoves(position))
			return
		}
		try(b + 1)
		for v, k := range g.NewKind {
			if k == g.OldKind[b] && !taken[v] {
				taken[v], position[b] = true, int32(v)
				try(b + 1)
				taken[v], position[b] = false, -1
			}
		}
	}
	try(0)
	return least
}

// TestLeastMoves holds the bound against all positions of small networks, and positions that are found against the
// bound and those that they began with.
func TestLeastMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, position := drawGrowth(t)
		moves, bound, least := g.Moves(position), g.Least(), g.bruteLeast()
		if want := g.bruteMoves(position); moves != want {
			t.Fatalf("%d moves, one by one %d", moves, want)
		}
		if bound > least {
			t.Fatalf("the bound is %d, and positions are found with %d", bound, least)
		}
		if g.best != nil && !slices.Contains(g.kindsOfOld, 1) && bound != least {
			t.Fatalf("the search of all positions ends at %d, the least is %d", bound, least)
		}
		held := rapid.Int32Range(-1, int32(len(position))).Draw(t, "held")
		better := g.Settle(position, func(b int32) bool { return b != held })
		if n := g.Moves(better); n > moves || n < least {
			t.Fatalf("%d moves became %d, the least is %d", moves, n, least)
		}
		taken := map[int32]bool{}
		for b, v := range better {
			if v >= 0 && (taken[v] || g.NewKind[v] != g.OldKind[b]) || v < 0 != (position[b] < 0) {
				t.Fatalf("%v became %v", position, better)
			}
			taken[v] = true
			if int32(b) == held && v != position[b] {
				t.Fatalf("box %d did not stay", b)
			}
		}
	})
}

// TestLeastMovesOfNetworks: leaves that get a second pair of spines give up half of their links, which the bound shows,
// new leaves none, and a ring is opened once.
func TestLeastMovesOfNetworks(t *testing.T) {
	ring := func(n int32) (out [][2]int32) {
		for i := range n {
			out = append(out, [2]int32{i, (i + 1) % n})
		}
		return out
	}
	clos := func(leaves, spines, links int32) (out [][2]int32) {
		for l := range leaves {
			for s := range spines {
				for range links {
					out = append(out, [2]int32{l, leaves + s})
				}
			}
		}
		return out
	}
	kinds := func(counts ...int) (out []int32) {
		for k, n := range counts {
			out = append(out, slices.Repeat([]int32{int32(k)}, n)...)
		}
		return out
	}
	torus := func(a, b int32) (out [][2]int32) {
		for i := range a {
			for j := range b {
				out = append(out, [2]int32{i*b + j, (i+1)%a*b + j}, [2]int32{i*b + j, i*b + (j+1)%b})
			}
		}
		return out
	}
	for _, c := range []struct {
		name string
		g    *Growth
		want int64
	}{
		// Of six leaves with 6 links each, four stay.
		{"fewer leaves", New(kinds(6, 2), kinds(4, 2), clos(6, 2, 3), clos(4, 2, 5)), 12},
		// Four rings are opened: of the 64 ends of links at 16 vertices, 8 at least lead out.
		{"torus", New(kinds(16), kinds(24), torus(4, 4), torus(6, 4)), 4},
		{"larger torus", New(kinds(64), kinds(80), torus(8, 8), torus(10, 8)), 8},
		{"both ways", New(kinds(16), kinds(36), torus(4, 4), torus(6, 6)), 7},
		{"spines", New(kinds(4, 2), kinds(6, 4), clos(4, 2, 8), clos(6, 4, 4)), 32},
		{"leaves", New(kinds(4, 2), kinds(6, 2), clos(4, 2, 8), clos(6, 2, 8)), 0},
		// Two spines have two leaves in common only if they are alike, and no two are.
		{"dealt out", New(kinds(2, 2), kinds(4, 4), clos(2, 2, 1), [][2]int32{
			{0, 4}, {0, 5}, {1, 5}, {1, 6}, {2, 6}, {2, 7}, {3, 7}, {3, 4},
		}), 1},
	} {
		if got := c.g.Least(); got != c.want {
			t.Errorf("%s: at least %d move, want %d", c.name, got, c.want)
		}
	}
	g := New(kinds(4), kinds(6), ring(4), ring(6))
	if got, least := g.Moves([]int32{0, 1, 2, 3}), g.bruteLeast(); got != 1 || least != 1 {
		t.Errorf("a ring of 4 in one of 6: %d links move, %d at least; want 1 and 1", got, least)
	}
}

// TestAssign compares assignments with all of them.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		columns := rapid.IntRange(rows, 5).Draw(t, "columns")
		table := make([][]int64, rows)
		for i := range table {
			table[i] = rapid.SliceOfN(rapid.Int64Range(0, 20), columns, columns).Draw(t, "row")
		}
		var best func(i int, taken int) int64
		best = func(i, taken int) int64 {
			if i == rows {
				return 0
			}
			most := int64(-1)
			for j := range columns {
				if taken>>j&1 == 0 {
					most = max(most, table[i][j]+best(i+1, taken|1<<j))
				}
			}
			return most
		}
		sum, taken := int64(0), map[int]bool{}
		for i, j := range assign(table) {
			sum += table[i][j]
			taken[j] = true
		}
		if want := best(0, 0); sum != want || len(taken) != rows {
			t.Fatalf("%v: %d, want %d", table, sum, want)
		}
	})
}

// TestMostAmong compares the most links among some vertices with those of all choices.
func TestMostAmong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "vertices")
		pairs := map[[2]int32]int32{}
		for range rapid.IntRange(0, 16).Draw(t, "pairs") {
			a, b := rapid.Int32Range(0, int32(n-1)).Draw(t, "a"), rapid.Int32Range(0, int32(n-1)).Draw(t, "b")
			if a < b {
				pairs[[2]int32{a, b}] = rapid.Int32Range(1, 3).Draw(t, "links")
			}
		}
		chosen := rapid.IntRange(0, n).Draw(t, "chosen")
		want := int64(0)
		for mask := range 1 << n {
			sum := int64(0)
			for pair, links := range pairs {
				if mask>>pair[0]&1 > 0 && mask>>pair[1]&1 > 0 {
					sum += int64(links)
				}
			}
			if bits.OnesCount(uint(mask)) == chosen {
				want = max(want, sum)
			}
		}
		if got, ok := mostAmong(neighbors(n, pairs), chosen); got != want || !ok {
			t.Fatalf("%v: %d links among %d, want %d", pairs, got, chosen, want)
		}
	})
}

// TestGroupsChangePlaces grows a dragonfly of 9 groups, whose global links are numbered by the distance to the other
// group, to 11: groups that exchange their positions, with the nodes at their switches, keep more links. Boxes that are
// not free stay.
func TestGroupsChangePlaces(t *testing.T) {
	const a, h, p = 4, 2, 1
	dragonfly := func(groups int32) (kinds []int32, links [][2]int32) {
		kinds = append(slices.Repeat([]int32{0}, int(groups*a)), slices.Repeat([]int32{1}, int(groups*a*p))...)
		router := func(x, y int32) int32 { return x*a + ((y-x-1+groups)%groups)/h%a }
		for x := range groups {
			for i := range int32(a) {
				links = append(links, [2]int32{x*a + i, groups*a + x*a + i})
				for j := range i {
					links = append(links, [2]int32{x*a + j, x*a + i})
				}
			}
			for y := range x {
				links = append(links, [2]int32{router(x, y), router(y, x)})
			}
		}
		return kinds, links
	}
	oldKinds, old := dragonfly(9)
	newKinds, new := dragonfly(11)
	g := New(oldKinds, newKinds, old, new)
	var position []int32
	for b := range int32(9 * a) {
		position = append(position, b)
	}
	for b := range int32(9 * a) {
		position = append(position, 11*a+b)
	}
	before := g.Moves(position)
	found := g.settleGroups(0, position, func(int32) bool { return true })
	if found == nil {
		t.Fatalf("none better than %d", before)
	}
	if after := g.Moves(found); after != g.bruteMoves(found) || after >= before {
		t.Errorf("%d moves became %d, one by one %d", before, after, g.bruteMoves(found))
	} else {
		t.Logf("%d moves became %d", before, after)
	}
	held := func(b int32) bool { return b != 3 && b != 9*a+7 } // a switch of group 0, a node of group 1
	if found := g.settleGroups(0, position, held); found != nil &&
		!slices.Equal(found[:2*a], position[:2*a]) {
		t.Errorf("boxes of groups that are held moved: %v", found[:2*a])
	}
	taken := map[int32]bool{}
	for b, v := range found {
		if taken[v] || g.NewKind[v] != g.OldKind[b] {
			t.Fatalf("box %d at %d", b, v)
		}
		taken[v] = true
	}
}
