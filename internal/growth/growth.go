// Package growth counts the links that move where a network grows, and bounds how few can.
package growth

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Growth is the links that exist between boxes and those of the network that they become part of. A box takes a
// position in the network, a vertex of its kind; which box takes which decides how many links move.
type Growth struct {
	OldKind []int32 // of every box that exists, -1 where the network has no such kind
	NewKind []int32 // of every vertex of the network

	old, new   [][]neighbor       // in ascending order
	multitude  map[[2]int32]int32 // links of the network between two vertices, the lower first
	exist      int64
	ofKind     map[int32][]int32 // vertices
	boxes      map[int32][]int32 // boxes that exist, by kind
	kindsOfOld []int32           // in ascending order

	bounded bool    // whether the bound is known
	least   int64   // the bound
	best    []int32 // positions that search found, nil for none
}

// neighbor is a box or vertex, and how many links lead to it.
type neighbor struct{ at, links int32 }

// New takes links between boxes and between vertices; each pair is one link.
func New(oldKind, newKind []int32, old, new [][2]int32) *Growth {
	g := &Growth{
		OldKind: oldKind, NewKind: newKind, multitude: countPairs(new), exist: int64(len(old)),
		ofKind: map[int32][]int32{}, boxes: map[int32][]int32{},
	}
	g.old, g.new = neighbors(len(oldKind), countPairs(old)), neighbors(len(newKind), g.multitude)
	for v, k := range newKind {
		g.ofKind[k] = append(g.ofKind[k], int32(v))
	}
	for b, k := range oldKind {
		if k < 0 {
			continue
		}
		if len(g.boxes[k]) == 0 {
			g.kindsOfOld = append(g.kindsOfOld, k)
		}
		g.boxes[k] = append(g.boxes[k], int32(b))
	}
	slices.Sort(g.kindsOfOld)
	return g
}

func countPairs(links [][2]int32) map[[2]int32]int32 {
	out := map[[2]int32]int32{}
	for _, l := range links {
		out[[2]int32{min(l[0], l[1]), max(l[0], l[1])}]++
	}
	return out
}

func neighbors(n int, pairs map[[2]int32]int32) [][]neighbor {
	out := make([][]neighbor, n)
	for pair, links := range pairs {
		out[pair[0]] = append(out[pair[0]], neighbor{pair[1], links})
		if pair[0] != pair[1] {
			out[pair[1]] = append(out[pair[1]], neighbor{pair[0], links})
		}
	}
	for _, all := range out {
		slices.SortFunc(all, func(a, b neighbor) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}

// Moves counts the links that exist and that the network does not have between the same boxes, where every box takes
// the given position, -1 for none. No way to plug links in moves fewer, as the others need not move.
func (g *Growth) Moves(position []int32) int64 {
	kept := int64(0)
	for b, v := range position {
		for _, n := range g.old[b] {
			if n.at >= int32(b) {
				kept += int64(g.countKept(v, position[n.at], n.links))
			}
		}
	}
	return g.exist - kept
}

// countKept returns how many of some links stay between two vertices, -1 for none.
func (g *Growth) countKept(v, w, links int32) int32 {
	if v < 0 || w < 0 {
		return 0
	}
	return min(links, g.multitude[[2]int32{min(v, w), max(v, w)}])
}

// mostAssigned is the most boxes of a kind for which the best positions are found; the work grows with the third power.
const mostAssigned = 400

// mostExchanges is the most pairs of a box and a position of which exchanges are tried.
const mostExchanges = 20_000

// Least is a lower bound on Moves, for any positions of boxes. For every two kinds, links that stay are counted at
// the boxes of either: in a position, a box keeps at most what it would if its neighbours were the best ones of the
// position's, the most links to the most links. The best assignment of boxes to positions bounds the sum (Gilmore and
// Lawler's bound of quadratic assignment, P. C. Gilmore, J. SIAM 10 (2), 1962; E. L. Lawler, Management Science 9 (4),
// 1963), which is what each box has in its own best position where a kind has more than 400 boxes. Links within a kind
// are also at most those that the network has among so many vertices, see mostWithin, and links between two kinds those
// that a choice of positions for the boxes of one allows, see mostChosen.
//
// In networks with links within a kind, a search of all positions raises the bound as far as it comes, see search.
func (g *Growth) Least() int64 {
	if !g.bounded {
		g.least, g.best = g.leastBySearch(g.leastByKinds())
		g.bounded = true
	}
	return g.least
}

// leastByKinds is the bound of Least without a search.
func (g *Growth) leastByKinds() int64 {
	kept := int64(0)
	for i, k := range g.kindsOfOld {
		for _, l := range g.kindsOfOld[i:] {
			if k == l {
				kept += min(g.mostKept(k, l)/2, g.mostWithin(k))
			} else {
				kept += min(g.mostKept(k, l), g.mostKept(l, k), g.mostChosen(k, l), g.mostChosen(l, k))
			}
		}
	}
	return max(0, g.exist-kept)
}

// mostKept bounds the links from boxes of one kind to boxes of another that stay, counted at the former.
func (g *Growth) mostKept(kind, other int32) int64 {
	boxes, vertices := g.boxes[kind], g.ofKind[kind]
	toOther := func(all []neighbor, of []int32) []int32 {
		return linksTo(all, func(at int32) bool { return of[at] == other })
	}
	there := make([][]int32, len(vertices))
	var distinct [][]int32
	seen := map[string]bool{}
	for i, v := range vertices {
		there[i] = toOther(g.new[v], g.NewKind)
		if key := keyOf(there[i]); !seen[key] {
			seen[key] = true
			distinct = append(distinct, there[i])
		}
	}
	if len(distinct) == 1 || max(len(boxes), len(vertices)) > mostAssigned {
		best := make([]int64, len(boxes))
		for i, b := range boxes {
			have := toOther(g.old[b], g.OldKind)
			for _, d := range distinct {
				best[i] = max(best[i], worth(have, d))
			}
		}
		return sumOfLargest(best, len(vertices)) // a vertex takes one box
	}
	rows, columns := boxes, vertices
	transposed := len(rows) > len(columns)
	if transposed {
		rows, columns = columns, rows
	}
	have := make([][]int32, len(boxes))
	for i, b := range boxes {
		have[i] = toOther(g.old[b], g.OldKind)
	}
	table := make([][]int64, len(rows))
	for i := range rows {
		table[i] = make([]int64, len(columns))
		for j := range columns {
			if transposed {
				table[i][j] = worth(have[j], there[i])
			} else {
				table[i][j] = worth(have[i], there[j])
			}
		}
	}
	sum := int64(0)
	for i, j := range assign(table) {
		sum += table[i][j]
	}
	return sum
}

// linksTo lists how many links lead to each neighbour for which in reports true, the most first.
func linksTo(all []neighbor, in func(at int32) bool) []int32 {
	var out []int32
	for _, n := range all {
		if in(n.at) {
			out = append(out, n.links)
		}
	}
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(b, a) })
	return out
}

// worth bounds the links that a box keeps in a position, from the links of both to their neighbours, the most first.
func worth(a, b []int32) int64 {
	sum := int64(0)
	for i := range min(len(a), len(b)) {
		sum += int64(min(a[i], b[i]))
	}
	return sum
}

// mostChoices is the most neighbours that mostChosen looks at, in all choices together.
const mostChoices = 2_000_000

// mostChosen bounds the links from boxes of one kind to boxes of another that stay, for every choice of the positions
// that the boxes of the other kind take, or of its boxes that stay where it has more boxes than positions: boxes of the
// former then keep what they do in their best positions. It returns the largest int64 where there is no choice, or too
// many.
func (g *Growth) mostChosen(kind, other int32) int64 {
	elements, adjacent, pool, kinds := g.ofKind[kind], g.new, g.ofKind[other], g.NewKind
	fixed, adjacentFixed, kindsFixed := g.boxes[kind], g.old, g.OldKind
	n := len(g.boxes[other])
	if n > len(pool) {
		n, pool = len(pool), g.boxes[other]
		elements, fixed = fixed, elements
		adjacent, adjacentFixed = adjacentFixed, adjacent
		kinds, kindsFixed = kindsFixed, kinds
	}
	ends := 0
	for _, e := range elements {
		ends += len(adjacent[e])
	}
	if n == len(pool) || !fewChoices(len(pool), n, mostChoices/max(ends, 1)) {
		return math.MaxInt64
	}
	distinct := map[string][]int32{}
	for _, f := range fixed {
		links := linksTo(adjacentFixed[f], func(at int32) bool { return kindsFixed[at] == other })
		distinct[keyOf(links)] = links
	}
	chosen := make([]bool, len(kinds))
	best := make([]int64, len(elements))
	most := int64(0)
	var choose func(from, left int)
	choose = func(from, left int) {
		if left > 0 {
			for i := from; i <= len(pool)-left; i++ {
				chosen[pool[i]] = true
				choose(i+1, left-1)
				chosen[pool[i]] = false
			}
			return
		}
		for i, e := range elements {
			best[i] = 0
			links := linksTo(adjacent[e], func(at int32) bool { return chosen[at] })
			for _, f := range distinct {
				best[i] = max(best[i], worth(links, f))
			}
		}
		most = max(most, sumOfLargest(best, len(fixed)))
	}
	choose(0, n)
	return most
}

// fewChoices reports whether there are at most so many ways to choose k of n.
func fewChoices(n, k, most int) bool {
	ways := 1
	for i := range min(k, n-k) {
		if ways = ways * (n - i) / (i + 1); ways > most {
			return false
		}
	}
	return true
}

// sumOfLargest is the sum of the n largest values, of all where there are fewer. It sorts the values.
func sumOfLargest(values []int64, n int) int64 {
	slices.SortFunc(values, func(a, b int64) int { return cmp.Compare(b, a) })
	sum := int64(0)
	for _, v := range values[:min(n, len(values))] {
		sum += v
	}
	return sum
}

// mostWithin bounds the links that the network has among as many vertices of a kind as there are boxes with links to
// boxes of their kind. n of N vertices have at least a*n*(N-n)/N links to the other ones, where a is the second
// smallest eigenvalue of the Laplacian of the links within the kind (M. Fiedler, Czechoslovak Mathematical Journal 23
// (98), 1973): each of these takes one from the sum of the n largest degrees, and half of what is left is among them.
// It is the number of all links where a kind has more than 400 vertices.
func (g *Growth) mostWithin(kind int32) int64 {
	vertices := g.ofKind[kind]
	number := map[int32]int{}
	for i, v := range vertices {
		number[v] = i
	}
	degree, links := make([]int64, len(vertices)), make([][]neighbor, len(vertices))
	for i, v := range vertices {
		for _, n := range g.new[v] {
			j, ok := number[n.at]
			if ok {
				degree[i] += int64(n.links)
			}
			if ok && j != i {
				links[i] = append(links[i], neighbor{int32(j), n.links})
			}
		}
	}
	boxes := 0
	for _, b := range g.boxes[kind] {
		if slices.ContainsFunc(g.old[b], func(n neighbor) bool { return g.OldKind[n.at] == kind }) {
			boxes++
		}
	}
	all := len(vertices)
	boxes = min(boxes, all)
	if all > mostAssigned || boxes == 0 || boxes == all {
		return sumOfLargest(degree, boxes) / 2
	}
	if most, ok := mostAmong(links, boxes); ok && !slices.ContainsFunc(vertices, g.hasLoop) {
		return most
	}
	laplacian := mat.NewSymDense(all, nil)
	for i, v := range vertices {
		laplacian.SetSym(i, i, float64(degree[i]))
		for _, n := range g.new[v] {
			if j, ok := number[n.at]; ok {
				laplacian.SetSym(i, j, -float64(n.links))
			}
		}
	}
	var eigen mat.EigenSym
	across := 0.0
	if eigen.Factorize(laplacian, false) {
		const rounding = 1e-6 // more than what rounding adds to an eigenvalue
		second := max(0, eigen.Values(nil)[1]-rounding*float64(slices.Max(degree)))
		across = second * float64(boxes) * float64(all-boxes) / float64(all)
	}
	return int64((float64(sumOfLargest(degree, boxes)) - across) / 2)
}

// hasLoop reports whether a link leads from a vertex to itself.
func (g *Growth) hasLoop(v int32) bool {
	return slices.ContainsFunc(g.new[v], func(n neighbor) bool { return n.at == v })
}

func keyOf(links []int32) string {
	var key []byte
	for _, n := range links {
		key = append(key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	return string(key)
}

// Settle finds positions in which fewer links move than in the given ones, as long as it finds any: of the boxes of a
// kind that are not linked to each other the best ones while those of other kinds stay; else it exchanges the
// positions of two boxes, or moves one to a position that is free, and last exchanges whole groups of vertices, see
// settleGroups. Boxes for which free reports false stay, and so do kinds of more than 400 vertices; single boxes of
// kinds linked to each other are exchanged where these have at most 20,000 pairs of a box and a vertex.
func (g *Growth) Settle(position []int32, free func(box int32) bool) []int32 {
	out := slices.Clone(position)
	const rounds = 20 // each moves fewer links than the one before; a few do
	least := g.Least()
	for range rounds {
		before := g.Moves(out)
		if before == least {
			break
		}
		for _, k := range g.kindsOfOld {
			boxes, vertices := len(g.boxes[k]), len(g.ofKind[k])
			switch linked := g.isLinked(k); {
			case linked && boxes*vertices <= mostExchanges:
				g.exchange(k, out, free)
			case !linked && max(boxes, vertices) <= mostAssigned:
				g.reassign(k, out, free)
			}
		}
		if g.Moves(out) == before {
			break
		}
	}
	if found := g.settleAsFound(position, free); found != nil && g.Moves(found) < g.Moves(out) {
		return found
	}
	for _, k := range g.kindsOfOld {
		if g.Moves(out) > least && g.isLinked(k) {
			if found := g.settleGroups(k, out, free); found != nil {
				out = found
			}
		}
	}
	return out
}

// settleAsFound returns positions with those that search found, the best ones for boxes of kinds that do not take part;
// nil where there are none, or some box is not free to take its own.
func (g *Growth) settleAsFound(position []int32, free func(box int32) bool) []int32 {
	if g.best == nil {
		return nil
	}
	out := slices.Clone(position)
	held := map[int32]bool{} // kinds that take part
	for b, v := range g.best {
		if v < 0 {
			continue
		}
		if position[b] < 0 || position[b] != v && !free(int32(b)) {
			return nil
		}
		out[b], held[g.OldKind[b]] = v, true
	}
	for _, k := range g.kindsOfOld {
		if !held[k] && max(len(g.boxes[k]), len(g.ofKind[k])) <= mostAssigned {
			g.reassign(k, out, free)
		}
	}
	return out
}

// isLinked reports whether boxes of a kind are linked to each other.
func (g *Growth) isLinked(kind int32) bool {
	for _, b := range g.boxes[kind] {
		if slices.ContainsFunc(g.old[b], func(n neighbor) bool { return g.OldKind[n.at] == kind }) {
			return true
		}
	}
	return false
}

// keeps counts the links of a box that stay in a position.
func (g *Growth) keeps(box, v int32, position []int32) int64 {
	sum := int64(0)
	for _, n := range g.old[box] {
		if n.at != box {
			sum += int64(g.countKept(v, position[n.at], n.links))
		}
	}
	return sum
}

// reassign gives the boxes of a kind the best positions while all others stay, those that they have where that costs
// nothing.
func (g *Growth) reassign(kind int32, position []int32, free func(box int32) bool) {
	var boxes []int32
	held := map[int32]bool{}
	for _, b := range g.boxes[kind] {
		if position[b] >= 0 && free(b) {
			boxes = append(boxes, b)
		} else {
			held[position[b]] = true
		}
	}
	vertices := slices.DeleteFunc(slices.Clone(g.ofKind[kind]), func(v int32) bool { return held[v] })
	table := make([][]int64, len(boxes))
	for i, b := range boxes {
		for _, v := range vertices {
			worth := g.keeps(b, v, position) * int64(len(boxes)+1)
			if v == position[b] {
				worth++
			}
			table[i] = append(table[i], worth)
		}
	}
	for i, j := range assign(table) {
		position[boxes[i]] = vertices[j]
	}
}

// exchange exchanges the positions of two boxes of a kind, or moves a box to one that is free, while that keeps more
// links.
func (g *Growth) exchange(kind int32, position []int32, free func(box int32) bool) {
	at := map[int32]int32{} // the box in a position
	for _, b := range g.boxes[kind] {
		if position[b] >= 0 {
			at[position[b]] = b
		}
	}
	for _, a := range g.boxes[kind] {
		if position[a] < 0 || !free(a) {
			continue
		}
		for _, v := range g.ofKind[kind] {
			was := position[a]
			b, taken := at[v]
			if v == was || taken && !free(b) {
				continue
			}
			both := func() int64 {
				sum := g.keeps(a, position[a], position)
				if taken {
					sum += g.keeps(b, position[b], position)
					if i, ok := slices.BinarySearchFunc(g.old[a], b, func(n neighbor, b int32) int {
						return cmp.Compare(n.at, b)
					}); ok { // counted twice
						sum -= int64(g.countKept(position[a], position[b], g.old[a][i].links))
					}
				}
				return sum
			}
			before := both()
			position[a] = v
			if taken {
				position[b] = was
			}
			if both() <= before {
				position[a] = was
				if taken {
					position[b] = v
				}
				continue
			}
			at[v] = a
			delete(at, was)
			if taken {
				at[was] = b
			}
		}
	}
}

// assign returns the column of every row such that the sum of the table there is largest, each column once; rows are
// not more than columns. It is the Hungarian method with potentials, row by row (H. W. Kuhn, Naval Research Logistics
// Quarterly 2, 1955; J. Munkres, J. SIAM 5 (1), 1957).
func assign(table [][]int64) []int {
	if len(table) == 0 {
		return nil
	}
	rows, columns := len(table), len(table[0])
	u, v := make([]int64, rows+1), make([]int64, columns+1)
	match, way := make([]int, columns+1), make([]int, columns+1) // from 1; 0 for none
	for i := 1; i <= rows; i++ {
		match[0] = i
		j := 0
		slack := slices.Repeat([]int64{1 << 62}, columns+1)
		used := make([]bool, columns+1)
		for match[j] != 0 {
			used[j] = true
			row, least, next := match[j], int64(1<<62), 0
			for k := 1; k <= columns; k++ {
				if used[k] {
					continue
				}
				if d := -table[row-1][k-1] - u[row] - v[k]; d < slack[k] {
					slack[k], way[k] = d, j
				}
				if slack[k] < least {
					least, next = slack[k], k
				}
			}
			for k := 0; k <= columns; k++ {
				if used[k] {
					u[match[k]] += least
					v[k] -= least
				} else {
					slack[k] -= least
				}
			}
			j = next
		}
		for j != 0 {
			match[j] = match[way[j]]
			j = way[j]
		}
	}
	out := make([]int, rows)
	for k := 1; k <= columns; k++ {
		if match[k] > 0 {
			out[match[k]-1] = k - 1
		}
	}
	return out
}
