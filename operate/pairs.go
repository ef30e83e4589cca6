package operate

import (
	"cmp"
	"context"
	"slices"
)

// Pairs are the losses of two things of a kind at once. Where Worst and Beyond order by nodes and bandwidth and these
// are equal, the loss with more links comes first, then the pair that was measured first.
type Pairs struct {
	Count int64 `json:"count"` // of all pairs of the kind
	// Tried is how many of them were measured: all if they are few, else those that share a node, and those of the
	// worst by themselves, as far as there are not too many.
	Tried int64 `json:"tried"`
	// Hidden is how many of those take a node down or cut one off while neither alone does.
	Hidden int64 `json:"harmful_together_only"`
	// Worst are those with the most nodes down and cut off, then the most bandwidth lost, then the first by number.
	Worst []Loss `json:"worst"`
	// Beyond are those with the most nodes that neither takes alone; none without such nodes.
	Beyond []Loss `json:"worst_beyond"`
}

// mostPairs is how many pairs of a kind are measured, and mostWorst how many of the worst things by themselves are
// paired with each other where not all pairs are.
const (
	mostPairs = 20_000
	mostWorst = 50
)

// measurePairs measures the loss of pairs of things, which have to be of one kind. Alone has, for each thing, how many
// nodes its loss alone takes. The error is that of ctx.
func (m *lossMeter) measurePairs(ctx context.Context, things []failure, alone []int) (*Pairs, error) {
	n := int64(len(things))
	p := &Pairs{Count: n * (n - 1) / 2, Worst: []Loss{}, Beyond: []Loss{}}
	beyond := func(x, y *Loss) int { return cmp.Or(cmp.Compare(y.Beyond, x.Beyond), compareLosses(x, y)) }
	for _, pair := range m.choosePairs(things, alone) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, y := &things[pair[0]], &things[pair[1]]
		boxes, channels := slices.Concat(x.boxes, y.boxes), slices.Concat(x.channels, y.channels)
		l := m.measure(nil, boxes, channels)
		l.boxes, l.channels = boxes, channels
		single := alone[pair[0]] + alone[pair[1]]
		l.Beyond = max(0, l.nodes()-single)
		p.Tried++
		if single == 0 && l.nodes() > 0 {
			p.Hidden++
		}
		name := func() string { return x.name() + " + " + y.name() }
		p.Worst = insert(p.Worst, m.most, &l, compareLosses, name)
		if l.Beyond > 0 {
			p.Beyond = insert(p.Beyond, m.most, &l, beyond, name)
		}
	}
	return p, nil
}

// choosePairs lists the pairs to measure, as indices into things, the lower first: all pairs if they are no more than
// mostPairs, else first those among the mostWorst that take most nodes alone, then those that have a node in common, as
// far as mostPairs goes. No pair is listed twice.
func (m *lossMeter) choosePairs(things []failure, alone []int) [][2]int {
	var out [][2]int
	n := len(things)
	if n*(n-1)/2 <= mostPairs {
		for x := range n {
			for y := x + 1; y < n; y++ {
				out = append(out, [2]int{x, y})
			}
		}
		return out
	}
	seen := map[[2]int]bool{}
	add := func(all []int) bool {
		for i, x := range all {
			for _, y := range all[i+1:] {
				pair := [2]int{min(x, y), max(x, y)}
				if !seen[pair] {
					seen[pair] = true
					out = append(out, pair)
				}
				if len(out) >= mostPairs {
					return false
				}
			}
		}
		return true
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(alone[y], alone[x]) })
	add(order[:min(n, mostWorst)])
	at := make([][]int, len(m.probe.node)) // by vertex of a node, the things that take a channel of it
	for i := range things {
		touch := func(channel int32) {
			for _, v := range [2]int32{m.probe.a[channel], m.probe.b[channel]} {
				if k := len(at[v]); m.probe.node[v] && (k == 0 || at[v][k-1] != i) {
					at[v] = append(at[v], i)
				}
			}
		}
		for _, v := range things[i].boxes {
			for _, channel := range m.probe.channels(v) {
				touch(channel)
			}
		}
		for _, channel := range things[i].channels {
			touch(channel)
		}
	}
	for v := range at {
		if !add(at[v]) {
			break
		}
	}
	return out
}
