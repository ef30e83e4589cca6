package simulator

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// tierLinks are the links below a tier of switches of a tree.
type tierLinks struct {
	rate            units.Rate // of a channel
	down, up        int        // channels of a switch to the tier below and above
	bundle          int        // channels between two vertices
	least, sum, top units.Time // of the cables: the least, the sum and the greatest
	adapters        units.Time // sum of the hop delays of the hosts at the links
	links           int
	hop             units.Time // of a switch of the tier
}

// htsimTiers are the tiers that htsim knows.
const htsimTiers = 3

// WriteHTSim writes the topology file of htsim (Broadcom's csg-htsim): a fat tree of two or three tiers of switches.
//
// A host of htsim is a port of a host of the plan, in the order of leaves and of their ports, as htsim's hosts have one
// link. The format has one latency for all links below a tier: the mean of the planned cables and, as hosts have no
// delay of their own, of the adapters of hosts, in whole nanoseconds from 1; a comment gives the least and the
// greatest. A network of another shape is refused with an exchange.LimitError before anything is written.
func WriteHTSim(ctx context.Context, w io.Writer, n *Network) error {
	tiers, pod, err := n.htsimTree()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "Nodes %d\nTiers %d\nPodsize %d\n", tiers[0].links, len(tiers), pod)
	for i, t := range tiers {
		mean, adapter := t.sum/units.Time(t.links), t.adapters/units.Time(t.links)
		fmt.Fprintf(out, "\nTier %d\n# cables of %s to %s ns, mean %s ns\n", i, tenths(t.least), tenths(t.top),
			tenths(mean))
		if adapter > 0 {
			fmt.Fprintf(out, "# adapters of hosts, mean %s ns\n", tenths(adapter))
		}
		fmt.Fprintf(out, "Downlink_speed_Gbps %s\nRadix_Down %d\n", number(t.rate), t.down)
		if i+1 < len(tiers) {
			fmt.Fprintf(out, "Radix_Up %d\nOversubscribed %d\n", t.up, oversubscription(t, tiers[i+1]))
		}
		if i > 0 {
			fmt.Fprintf(out, "Bundle %d\n", t.bundle)
		}
		fmt.Fprintf(out, "Downlink_Latency_ns %d\nSwitch_Latency_ns %d\n",
			max(1, int(math.Round(float64(mean+adapter)))), int(math.Round(float64(t.hop))))
	}
	return out.Flush()
}

// tenths writes a delay to a tenth of a nanosecond.
func tenths(t units.Time) string { return number(math.Round(float64(t)*10) / 10) }

// oversubscription is what enters a switch from below for what it can send up.
func oversubscription(t, above tierLinks) int {
	return int(float64(t.down) * float64(t.rate) / (float64(t.up) * float64(above.rate)))
}

// htsimTree holds the network against the shape of htsim's fat trees, and returns its tiers and the hosts of a pod.
func (n *Network) htsimTree() ([]tierLinks, int, error) {
	refuse := func(format string, a ...any) ([]tierLinks, int, error) {
		return nil, 0, exchange.LimitError("htsim has fat trees of two or three tiers only: " +
			fmt.Sprintf(format, a...))
	}
	tier := n.tiers()
	most := int32(0)
	for _, t := range tier {
		most = max(most, t)
	}
	if most < 2 || most > htsimTiers {
		return refuse("the network has %d", most)
	}
	tiers := make([]tierLinks, most)
	down, up := make([]int, len(n.Vertices)), make([]int, len(n.Vertices))
	for i := range n.Links {
		l := &n.Links[i]
		a, b := l.A, l.B // a above b
		if tier[a] < tier[b] {
			a, b = b, a
		}
		if l.Simplex || tier[b] < 0 || tier[a] != tier[b]+1 {
			return refuse("%s - %s does not join one tier with the next", n.Vertices[l.A].Name, n.Vertices[l.B].Name)
		}
		t := &tiers[tier[a]-1]
		rate := l.Rate / units.Rate(l.Channels)
		if t.links == 0 {
			*t = tierLinks{
				rate: rate, bundle: int(l.Channels), least: l.Cable, hop: n.Vertices[a].Hop, down: -1, up: -1,
			}
		}
		if t.rate != rate || t.bundle != int(l.Channels) || t.hop != n.Vertices[a].Hop {
			return refuse("links and switches of tier %d differ", tier[a]-1)
		}
		if rate != units.Rate(math.Round(float64(rate))) {
			return refuse("%s is not a whole number of Gb/s", rate)
		}
		t.links++
		t.sum += l.Cable
		if int(b) < n.Hosts {
			t.adapters += n.Vertices[b].Hop
		}
		t.least, t.top = min(t.least, l.Cable), max(t.top, l.Cable)
		down[a] += int(l.Channels)
		up[b] += int(l.Channels)
	}
	for v := range n.Vertices {
		if tier[v] == 0 {
			continue
		}
		t := &tiers[max(tier[v], 1)-1]
		if tier[v] < 0 || t.down >= 0 && (t.down != down[v] || t.up != up[v]) {
			return refuse("%s has other numbers of links than other switches of its tier", n.Vertices[v].Name)
		}
		t.down, t.up = down[v], up[v]
	}
	if tiers[0].bundle != 1 {
		return refuse("hosts have several links to a leaf")
	}
	for i := range tiers[:most-1] {
		in, out := float64(tiers[i].down)*float64(tiers[i].rate), float64(tiers[i].up)*float64(tiers[i+1].rate)
		if times := in / out; times < 1 || times != math.Round(times) {
			return refuse("switches of tier %d have %s below and %s above", i, units.Rate(in), units.Rate(out))
		}
	}
	pods, err := n.checkPods(tier, most)
	return tiers, tiers[0].links / pods, err
}

// tiers is how far every vertex is from the nearest host.
func (n *Network) tiers() []int32 {
	of := topology.Tiers(n.graph)
	out := make([]int32, len(n.Vertices))
	for v := range n.Vertices {
		out[v] = of[n.Vertices[v].Of]
	}
	return out
}

// checkPods holds the pods of a tree against htsim's: within a pod every upper switch has a link to every lower one;
// every top switch has one to each pod, and two upper switches of a pod have the same top switches or none in common.
// It returns the number of pods, 1 where there are two tiers.
func (n *Network) checkPods(tier []int32, tiers int32) (pods int, err error) {
	below := make([]map[int32]bool, len(n.Vertices)) // vertices of a switch in the tier below it
	for i := range n.Links {
		a, b := n.Links[i].A, n.Links[i].B
		if tier[a] < tier[b] {
			a, b = b, a
		}
		if below[a] == nil {
			below[a] = map[int32]bool{}
		}
		below[a][b] = true
	}
	groups := topology.GroupsByTier(n.graph)
	pod := func(v int32) int32 { return 0 }
	pods = 1
	if tiers == 3 {
		for _, g := range groups {
			if g.Tier == 2 {
				pod, pods = func(v int32) int32 { return g.Of[n.Vertices[v].Of] }, g.Count
			}
		}
	}
	leaves := make([]int, pods)
	for v := range n.Vertices {
		if tier[v] == 1 {
			leaves[pod(int32(v))]++
		}
	}
	for _, count := range leaves {
		if count != leaves[0] {
			return 1, exchange.LimitError("htsim has pods of one size only")
		}
	}
	for v := range n.Vertices {
		if tier[v] == 2 && len(below[v]) != leaves[0] {
			return 1, exchange.LimitError(fmt.Sprintf("htsim has trees in which every switch joins all leaves of its "+
				"pod, and %s does not", n.Vertices[v].Name))
		}
	}
	if tiers < 3 {
		return pods, nil
	}
	plane := map[int32]int32{} // of an upper switch, the first of those that share its top switches
	for v := range n.Vertices {
		if tier[v] != 3 {
			continue
		}
		first := int32(-1)
		met := map[int32]bool{}
		for u := range below[v] {
			met[pod(u)] = true
			if p, ok := plane[u]; ok && (first < 0 || p < first) {
				first = p
			}
		}
		if len(met) != pods || len(below[v]) != pods {
			return 1, exchange.LimitError(fmt.Sprintf("htsim has trees in which every top switch joins each pod "+
				"once, and %s does not", n.Vertices[v].Name))
		}
		if first < 0 {
			first = int32(v)
		}
		for u := range below[v] {
			if p, ok := plane[u]; ok && p != first {
				return 1, exchange.LimitError("htsim has trees in which the top switches make planes, one above each " +
					"upper switch of a pod")
			}
			plane[u] = first
		}
	}
	return pods, nil
}
