package packet

import (
	"math/rand/v2"

	"github.com/plenum-planner/plenum/routing"
)

// A kind is the routers that are alike: as many ports, and terminals, as each other. In regular networks they have as
// much to do. Those of a tree's leaves, where packets begin and wait, have several times as much as its roots.
type kind struct{ ports, terminals int32 }

// shareOut gives each router to one of n engines. Of each kind every engine has as many as the others, in the order of
// the routers, so that those of a subtree or a slab stay together. Kinds of fewer routers than engines go together, by
// ports.
func (e *engine) shareOut(n int) []uint8 {
	routers := e.net.Routers()
	of := make([]kind, routers)
	for _, r := range e.net.Home {
		if r >= 0 {
			of[r].terminals++
		}
	}
	count := map[kind]int{}
	for r := range of {
		of[r].ports = e.firstPort[r+1] - e.firstPort[r]
		count[of[r]]++
	}
	var few kind // its ports are not router's
	few.ports = -1
	var order []kind
	members := map[kind][]int32{}
	for r, k := range of {
		if count[k] < n {
			k = few
		}
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], int32(r))
	}
	part := make([]uint8, routers)
	has := make([]int, n) // ports of each engine
	total := 0            // of the kinds so far
	for _, k := range order {
		list := members[k]
		for _, r := range list {
			total += e.weight(r)
		}
		p := 0
		for _, r := range list {
			// What rounding gave an engine too much of one kind it gets less of the next.
			for p < n-1 && n*(2*has[p]+e.weight(r)) > 2*total {
				p++
			}
			part[r] = uint8(p)
			has[p] += e.weight(r)
		}
	}
	return part
}

// weight is what a router counts where engines share them out.
func (e *engine) weight(r int32) int { return int(e.firstPort[r+1]-e.firstPort[r]) + 1 }

// span is the routers of an engine: all of them lie from the first to before the last.
func span(part []uint8, engine int) (routers [2]int32) {
	for r, p := range part {
		if int(p) != engine {
			continue
		}
		if routers[1] == 0 {
			routers[0] = int32(r)
		}
		routers[1] = int32(r) + 1
	}
	return routers
}

// sampledPaths is how many paths tell how many hops a packet makes.
const sampledPaths = 64

// hopsPerPacket is about what packets make on their way, the one to their terminal included, on an idle network between
// terminals that are drawn.
func (e *engine) hopsPerPacket() float64 {
	rng := rand.New(rand.NewPCG(1, 0))
	var path []int32
	hops, paths := 0, 0
	for range sampledPaths {
		src, dst := e.net.Home[rng.IntN(len(e.net.Home))], e.net.Home[rng.IntN(len(e.net.Home))]
		if src < 0 || dst < 0 {
			continue
		}
		var err error
		if path, err = routing.PathFrom(e.net, e.fn, src, dst, &routing.State{Rand: rng}, path[:0]); err == nil {
			hops += len(path) + 1
			paths++
		}
	}
	return float64(hops) / float64(max(paths, 1))
}
