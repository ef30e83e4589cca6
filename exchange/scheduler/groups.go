package scheduler

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Topology is the groups of the nodes of a network.
type Topology struct {
	// Tiers are the groups of a tree, from the leaves up; empty for a network that is not one.
	Tiers [][]Group
	// Blocks are the groups of a network that is not a tree, in the order of their nodes.
	Blocks []Group
	// BlocksAre says what a block is: "group", "rack".
	BlocksAre string
	// Larger are the sizes, in nodes, of the larger groups that blocks make up, ascending.
	Larger []int
}

// Group is the nodes that a group of switches joins.
type Group struct {
	Name     string
	Nodes    []string
	Switches []string // of the highest tier of the group
	// Inner are the groups of the tier below, by number.
	Inner []int
}

// hostNames are the names that Slurm and Kubernetes both take for a node.
var hostNames = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?$`)

// New groups the nodes of a fabric of a plan; of a machine with one topology, fabric is empty. The error is an
// exchange.LimitError for nodes whose names are not names of hosts.
func New(p *machine.Result, fabric string) (*Topology, error) {
	n, err := p.Fabric(fabric)
	if err != nil {
		return nil, err
	}
	n = n.Seen()
	for _, k := range n.Graph.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			name := n.Names.Name(v)
			if k.Role != topology.Switch && !hostNames.MatchString(name) {
				return nil, exchange.LimitError(fmt.Sprintf(
					"%q is not the name of a host: letters, digits, dots and hyphens\nname boxes under names.boxes",
					name))
			}
		}
	}
	if isTree(n.Graph) {
		out := &Topology{Tiers: tree(n)}
		taken := map[string]bool{}
		for _, groups := range out.Tiers {
			renameGroups(groups, taken)
		}
		return out, nil
	}
	out := blocks(p, n)
	renameGroups(out.Blocks, map[string]bool{})
	return out, nil
}

// renameGroups writes the names of groups and of their switches in letters, digits, dots and hyphens, so that groups
// differ from those that are taken.
func renameGroups(groups []Group, taken map[string]bool) {
	for i := range groups {
		g := &groups[i]
		for k, name := range g.Switches {
			g.Switches[k] = plainName(name)
		}
		for g.Name = plainName(g.Name); taken[g.Name]; {
			g.Name += "-x"
		}
		taken[g.Name] = true
	}
}

// plainName is a name with a hyphen for every letter that Slurm or Kubernetes may not take.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, name)
}

// isTree reports whether nodes are plugged into switches, and no link joins two switches of one tier.
func isTree(g topology.Graph) bool {
	for _, k := range g.Kinds() {
		if k.Role == topology.Node && k.Count > 0 {
			return false
		}
	}
	tiers := topology.Tiers(g)
	for l := range g.Links() {
		if tiers[l.A] == tiers[l.B] {
			return false
		}
	}
	return true
}

// tree makes the groups of a tree.
func tree(n *machine.Network) [][]Group {
	var out [][]Group
	tiers := topology.Tiers(n.Graph)
	below, lower := []int32(nil), 0 // the groups of the tier below, by vertex, and how many they are
	for _, t := range topology.GroupsByTier(n.Graph) {
		groups := make([]Group, t.Count)
		inside := make([]bool, lower) // groups of the tier below that are in one of these
		for _, k := range n.Graph.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				if t.Of[v] < 0 {
					continue
				}
				g := &groups[t.Of[v]]
				switch {
				case k.Role != topology.Switch:
					g.Nodes = append(g.Nodes, n.Names.Name(v))
					if below != nil && !inside[below[v]] {
						inside[below[v]] = true
						g.Inner = append(g.Inner, int(below[v]))
					}
				case int(tiers[v]) == t.Tier:
					g.Switches = append(g.Switches, n.Names.Name(v))
				}
			}
		}
		for i := range groups {
			groups[i].Name = groupName(n, &groups[i], t.Tier, i)
		}
		out = append(out, groups)
		below, lower = t.Of, t.Count
	}
	return out
}

// groupName calls a group by its switch, or by the tier and a number where it has several.
func groupName(n *machine.Network, g *Group, tier, i int) string {
	if len(g.Switches) == 1 {
		return g.Switches[0]
	}
	name := "tier" + strconv.Itoa(tier) + "-" + strconv.Itoa(i+1)
	for {
		if _, taken := n.Names.Lookup(name); !taken {
			return name
		}
		name += "x"
	}
}

// blocks makes the blocks of a network that is not a tree.
func blocks(p *machine.Result, n *machine.Network) *Topology {
	out := &Topology{}
	nodes := nodesOf(n.Graph)
	nests := n.Graph.Groupings()
	for i, nest := range nests {
		count := map[int32]int{}
		for _, v := range nodes {
			count[nest.Of(int(v))]++
		}
		size := evenSize(count)
		if size < 2 || len(count) < 2 {
			continue
		}
		if out.Blocks == nil {
			out.BlocksAre = nest.Name
			out.Blocks = collect(nodes, func(v int32) int32 { return nests[i].Of(int(v)) }, n,
				func(g int32) string { return nest.Name + "-" + strconv.Itoa(int(g)+1) })
			continue
		}
		out.Larger = append(out.Larger, size)
	}
	if out.Blocks != nil {
		return out
	}
	// Racks, or the innermost containers: the cables within them are the shortest.
	l := p.Placement.Layout
	number := map[string]int32{}
	var racks []string
	of := make(map[int32]int32, len(nodes))
	for _, v := range nodes {
		at, _ := p.Names.Lookup(n.Names.Name(int(v))) // a fabric's vertices have other numbers
		slot := p.Placement.Slot[at]
		rack := l.Rack(slot)
		if l.Room == nil && l.LevelOf(layout.RoleRack) < 0 {
			rack = l.Innermost(slot)
		}
		g, ok := number[rack]
		if !ok {
			g = int32(len(racks))
			number[rack] = g
			racks = append(racks, rack)
		}
		of[v] = g
	}
	out.BlocksAre = "rack"
	out.Blocks = collect(nodes, func(v int32) int32 { return of[v] }, n, func(g int32) string { return racks[g] })
	return out
}

// nodesOf lists the vertices that are not switches.
func nodesOf(g topology.Graph) []int32 {
	var out []int32
	for _, k := range g.Kinds() {
		for v := k.First; k.Role != topology.Switch && v < k.First+k.Count; v++ {
			out = append(out, int32(v))
		}
	}
	return out
}

// evenSize is the size of groups that all have one, without those of no group; 0 where they differ.
func evenSize(count map[int32]int) int {
	size := -1
	for g, n := range count {
		switch {
		case g < 0 || size >= 0 && n != size:
			return 0
		case size < 0:
			size = n
		}
	}
	return max(size, 0)
}

// collect makes groups of nodes, in the order of their first nodes.
func collect(nodes []int32, of func(v int32) int32, n *machine.Network, name func(g int32) string) []Group {
	var out []Group
	number := map[int32]int{}
	for _, v := range nodes {
		g := of(v)
		i, ok := number[g]
		if !ok {
			i = len(out)
			number[g] = i
			out = append(out, Group{Name: name(g)})
		}
		out[i].Nodes = append(out[i].Nodes, n.Names.Name(int(v)))
	}
	return out
}
