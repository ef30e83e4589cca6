package packet

import (
	"math"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/routing"
)

// DrawLinks draws a share from 0 to 1, rounded to whole links, of the links between routers, and returns their numbers
// in the order drawn. The same seed draws more for a greater share: those of a smaller one are among them.
func DrawLinks(n *routing.Network, share float64, seed uint64) []int32 {
	seen := make(map[int32]bool)
	var links []int32
	for _, l := range n.Link {
		if !seen[l] {
			seen[l] = true
			links = append(links, l)
		}
	}
	return draw(links, share, seed, 0x6c696e6b)
}

// DrawRouters draws a share of the routers as DrawLinks does of the links, and returns their vertices.
func DrawRouters(n *routing.Network, share float64, seed uint64) []int32 {
	return draw(append([]int32(nil), n.Vertex...), share, seed, 0x6e6f6465)
}

// draw shuffles from as a seed says and returns the first of it.
func draw(from []int32, share float64, seed, stream uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, stream))
	r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:int(math.Round(share*float64(len(from))))]
}
