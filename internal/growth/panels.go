package growth

import "slices"

// Panels is a layer of patch panels between lower blocks (of servers) and upper blocks (of spines) of switches. The
// ports of a block are spread over all panels alike and stay plugged into them; a link between two blocks is a jumper
// on one panel. A fabric grows by other jumpers (S. Zhao, R. Wang, J. Zhou, J. Ong, J. C. Mogul and A. Vahdat, "Minimal
// Rewiring: Efficient Live Expansion for Clos Data Center Networks", NSDI 2019).
type Panels struct {
	Count        int   // panels
	Lower, Upper []int // ports that every block has on each panel
}

// Jumpers are those on each panel, between each lower and each upper block.
type Jumpers [][][]int

// links are those between every two blocks on all panels.
func (j Jumpers) links(lower, upper int) [][]int {
	out := table(lower, upper)
	for _, panel := range j {
		for a, row := range panel {
			for b, n := range row {
				out[a][b] += n
			}
		}
	}
	return out
}

func table(rows, columns int) [][]int {
	out := make([][]int, rows)
	for i := range out {
		out[i] = make([]int, columns)
	}
	return out
}

// CountMoved counts the jumpers that are pulled between two ways to plug them in. New blocks come after the others.
func CountMoved(old, new Jumpers) int {
	moved := 0
	for p, panel := range old {
		for a, row := range panel {
			for b, n := range row {
				moved += max(0, n-new[p][a][b])
			}
		}
	}
	return moved
}

// Rewire plugs in all ports of the lower blocks such that each has as many links to every upper block, or one more,
// while few jumpers of the old fabric are pulled, none if there is none. Least is a lower bound on those that any way
// pulls: the least with one panel in place of all, which is a minimum-cost flow. Upper blocks must have equal ports,
// and in all no fewer than the lower ones.
//
// Links are dealt out and put on panels as Rounds does. Then jumpers change places as long as more of the old ones
// stay: along the best cycles of blocks on a panel, and on two panels at once, whose common jumpers are split anew. On
// two panels each split is the best one; on all panels together the result may miss the least.
func (f *Panels) Rewire(old Jumpers) (new Jumpers, least int) {
	lower, upper := len(f.Lower), len(f.Upper)
	had, count, n := table(lower, upper), 0, table(lower, upper)
	for a, row := range old.links(lower, upper) {
		for b := range row {
			had[a][b] = row[b]
			count += row[b]
		}
	}
	dealt := 0
	least0, most := table(lower, upper), table(lower, upper)
	for a, ports := range f.Lower {
		for range ports * f.Count {
			n[a][dealt%upper]++
			dealt++
		}
		for b := range upper {
			least0[a][b] = ports * f.Count / upper
			most[a][b] = (ports*f.Count + upper - 1) / upper
		}
	}
	whole := f.grid(n, f.Count, func(a, b, x int) (int, bool) { return below(x, had[a][b]), x < most[a][b] },
		func(a, b, x int) bool { return x > least0[a][b] })
	whole.improve()
	kept := 0
	for a := range n {
		for b := range n[a] {
			n[a][b] = whole.x[a][b]
			kept += min(n[a][b], had[a][b])
		}
	}
	new = f.putOnPanels(n)
	before := make(Jumpers, f.Count)
	for p := range before {
		before[p] = table(lower, upper)
		if p < len(old) {
			for a, row := range old[p] {
				copy(before[p][a], row)
			}
		}
	}
	for moved := CountMoved(before, new); moved > count-kept; {
		for p := range new {
			for q := p + 1; q < f.Count; q++ {
				f.resplit(new[p], new[q], before[p], before[q])
			}
			f.shift(new, p, before[p], least0, most)
		}
		next := CountMoved(before, new)
		if next == moved {
			break
		}
		moved = next
	}
	return new, count - kept
}

func below(x, limit int) int {
	if x < limit {
		return 1
	}
	return 0
}

// putOnPanels distributes the links between blocks over the panels.
func (f *Panels) putOnPanels(n [][]int) Jumpers {
	var links [][2]int32
	most := slices.Concat(f.Lower, f.Upper)
	for v := range most {
		most[v] = max(most[v], 1)
	}
	for a, row := range n {
		for b, count := range row {
			for range count {
				links = append(links, [2]int32{int32(a), int32(len(f.Lower) + b)})
			}
		}
	}
	round, _ := Rounds(most, links)
	out := make(Jumpers, f.Count)
	for p := range out {
		out[p] = table(len(f.Lower), len(f.Upper))
	}
	for i, p := range round {
		out[p][links[i][0]][int(links[i][1])-len(f.Lower)]++
	}
	return out
}

// resplit splits the jumpers of two panels anew, so that the most of the old ones stay.
func (f *Panels) resplit(p, q, oldP, oldQ [][]int) {
	sum := table(len(f.Lower), len(f.Upper))
	for a := range p {
		for b := range p[a] {
			sum[a][b] = p[a][b] + q[a][b]
		}
	}
	g := f.grid(p, 1, func(a, b, x int) (int, bool) {
		return below(x, oldP[a][b]) - below(sum[a][b]-x-1, oldQ[a][b]), x < sum[a][b]
	}, func(_, _, x int) bool { return x > 0 })
	// A port that is free on one of the panels stays free on one of them.
	for a := range f.Lower {
		free := f.Lower[a]*2 - total(sum[a])
		g.most[[2]int{a, len(f.Upper)}] = free
	}
	for b := range f.Upper {
		used := 0
		for a := range sum {
			used += sum[a][b]
		}
		g.most[[2]int{len(f.Lower), b}] = f.Upper[b]*2 - used
	}
	g.improve()
	for a := range p {
		for b := range p[a] {
			p[a][b] = g.x[a][b]
			q[a][b] = sum[a][b] - p[a][b]
		}
	}
}

// shift changes jumpers of a panel within the limits of links between blocks.
func (f *Panels) shift(all Jumpers, p int, old, least, most [][]int) {
	others := all.links(len(f.Lower), len(f.Upper))
	for a := range others {
		for b := range others[a] {
			others[a][b] -= all[p][a][b]
		}
	}
	g := f.grid(all[p], 1, func(a, b, x int) (int, bool) {
		return below(x, old[a][b]), x+others[a][b] < most[a][b]
	}, func(a, b, x int) bool { return x > 0 && x+others[a][b] > least[a][b] })
	g.improve()
	for a := range all[p] {
		copy(all[p][a], g.x[a])
	}
}

func total(row []int) int {
	sum := 0
	for _, n := range row {
		sum += n
	}
	return sum
}

// grid is jumpers between blocks, and free ports in a row and a column behind, so that all sums of rows and columns
// stay as they are. Gain is what one more jumper than x keeps, which does not rise with x, and whether it is allowed.
type grid struct {
	x            [][]int
	lower, upper int
	gain         func(a, b, x int) (int, bool)
	less         func(a, b, x int) bool // reports whether there may be one jumper less than x
	most         map[[2]int]int         // free ports, where they are limited
}

// grid takes jumpers on some panels as one. All ports of lower blocks that are in use stay so.
func (f *Panels) grid(x [][]int, panels int, gain func(a, b, x int) (int, bool), less func(a, b, x int) bool) *grid {
	lower, upper := len(f.Lower), len(f.Upper)
	g := &grid{x: table(lower+1, upper+1), lower: lower, upper: upper, gain: gain, less: less, most: map[[2]int]int{}}
	for a := range x {
		copy(g.x[a], x[a])
		g.x[a][upper] = f.Lower[a]*panels - total(x[a])
		g.most[[2]int{a, upper}] = g.x[a][upper]
	}
	for b := range upper {
		used := 0
		for a := range x {
			used += x[a][b]
		}
		g.x[lower][b] = f.Upper[b]*panels - used
	}
	return g
}

// more is what one more of a cell keeps; false where that is not allowed.
func (g *grid) more(a, b int) (int, bool) {
	if a < g.lower && b < g.upper {
		return g.gain(a, b, g.x[a][b])
	}
	limit, limited := g.most[[2]int{a, b}]
	return 0, !limited || g.x[a][b] < limit
}

// fewer is what one less of a cell keeps.
func (g *grid) fewer(a, b int) (int, bool) {
	if a < g.lower && b < g.upper {
		n := g.x[a][b]
		if n == 0 || !g.less(a, b, n) {
			return 0, false
		}
		gained, _ := g.gain(a, b, n-1)
		return -gained, true
	}
	return 0, a == g.lower && b == g.upper || g.x[a][b] > 0
}

// improve changes cells along cycles that keep more, until there is none: the most are kept then (M. Klein, Management
// Science 14, 1967). Cycles are found as R. Bellman (1958) and L. R. Ford find paths.
func (g *grid) improve() {
	for g.cycle() {
	}
}

// cycle finds a cycle of cells, in turn one more and one less, that keeps more, and changes it.
func (g *grid) cycle() bool {
	n := g.lower + g.upper + 2 // rows, then columns
	best, from := make([]int, n), slices.Repeat([]int{-1}, n)
	on := -1 // a row or column on the cycle
	for on < 0 {
		changed := false
		for a := range g.lower + 1 {
			for b := range g.upper + 1 {
				column := g.lower + 1 + b
				if gain, ok := g.more(a, b); ok && best[a]+gain > best[column] {
					best[column], from[column], changed = best[a]+gain, a, true
				}
				if gain, ok := g.fewer(a, b); ok && best[column]+gain > best[a] {
					best[a], from[a], changed = best[column]+gain, column, true
				}
			}
		}
		if !changed {
			return false
		}
		on = onCycle(from)
	}
	last := on
	for at := last; ; {
		before := from[at]
		if at > g.lower {
			g.x[before][at-g.lower-1]++
		} else {
			g.x[at][before-g.lower-1]--
		}
		if at = before; at == last {
			return true
		}
	}
}

// onCycle follows from where paths come, and returns a place to which one comes back, -1 where none does. A cycle of
// these places keeps more: Bellman and Ford's paths have no others.
func onCycle(from []int) int {
	seen := make([]int, len(from)) // the place from which the walk began that came by
	for start := range from {
		at := start
		for at >= 0 && seen[at] == 0 {
			seen[at] = start + 1
			at = from[at]
		}
		if at >= 0 && seen[at] == start+1 {
			return at
		}
	}
	return -1
}

// Stages puts the panels at which jumpers move in stages, from 0, so that no block has fewer links in service in a
// stage than the residual share of those that it had before: all that changes on a panel changes at once. A panel at
// which some block loses more than that has a stage of its own, and kept is false. A panel without moves has stage -1.
func (f *Panels) Stages(old, new Jumpers, residual float64) (stage []int, kept bool) {
	kept = true
	limit := make([]int, len(f.Lower)+len(f.Upper))
	for a, row := range old.links(len(f.Lower), len(f.Upper)) {
		for b, n := range row {
			limit[a] += n
			limit[len(f.Lower)+b] += n
		}
	}
	for v, n := range limit {
		for limit[v] = 0; float64(n-limit[v]-1) >= residual*float64(n)-1e-9 && limit[v] < n; {
			limit[v]++
		}
	}
	var out [][]int // by stage and block
	for p, panel := range new {
		lost, moves := make([]int, len(limit)), 0
		if p < len(old) {
			for a, row := range old[p] {
				for b, n := range row {
					moved := max(0, n-panel[a][b])
					lost[a] += moved
					lost[len(f.Lower)+b] += moved
					moves += moved
				}
			}
		}
		if moves == 0 {
			stage = append(stage, -1)
			continue
		}
		fits := func(taken []int) bool {
			for v, n := range lost {
				if n > 0 && taken[v]+n > limit[v] {
					return false
				}
			}
			return true
		}
		at := slices.IndexFunc(out, fits)
		if at < 0 {
			at = len(out)
			out = append(out, make([]int, len(limit)))
			kept = kept && fits(out[at])
		}
		for v, n := range lost {
			out[at][v] += n
		}
		stage = append(stage, at)
	}
	return stage, kept
}
