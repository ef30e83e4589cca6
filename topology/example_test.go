package topology_test

import (
	"encoding/json"
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// A torus: every link with its level and the ports it uses.
func ExampleNew() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{3, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range g.Links() {
		fmt.Printf("%s port %d - %s port %d (%s)\n",
			g.Label(int(l.A)), l.PortA, g.Label(int(l.B)), l.PortB, g.Levels()[l.Level].Name)
	}
	// Output:
	// (0,0) port 0 - (1,0) port 1 (dim1)
	// (1,0) port 0 - (2,0) port 1 (dim1)
	// (2,0) port 0 - (0,0) port 1 (dim1)
	// (0,1) port 0 - (1,1) port 1 (dim1)
	// (1,1) port 0 - (2,1) port 1 (dim1)
	// (2,1) port 0 - (0,1) port 1 (dim1)
	// (0,0) port 2 - (0,1) port 2 (dim2)
	// (1,0) port 2 - (1,1) port 2 (dim2)
	// (2,0) port 2 - (2,1) port 2 (dim2)
}

// New reports all mistakes at once.
func ExampleNew_mistakes() {
	_, err := topology.New(topology.HyperX{Dims: topology.Ints{8, 0}})
	fmt.Println(err)
	// Output:
	// hyperx: terminals: is missing: the number of nodes on each switch, at least 1
	// hyperx: dims[1]: a side has at least 1 point, not 0
}

// A topology section names its family, which may lack a parameter that another has.
func ExampleSpec() {
	var s topology.Spec
	err := json.Unmarshal([]byte(`{"family": "torus", "dims": [8, 8], "radix": 64}`), &s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s)
	_, err = topology.New(s)
	fmt.Println(err)
	// Output:
	// {family: torus, dims: [8, 8]}
	// torus: radix: is not a parameter of this family, which takes dims, wrap, doubled_sides and terminals
}

// The compute fabric of an NVIDIA DGX SuperPOD with 127 nodes of 8 rails.
func ExampleCount() {
	g, err := topology.New(topology.FatTree{Nodes: 127, Radix: 64, Rails: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range g.Kinds() {
		fmt.Printf("%4d %s\n", k.Count, k.Name)
	}
	for i, n := range topology.Count(g).ByLevel {
		fmt.Printf("%4d %s cables\n", n, g.Levels()[i].Name)
	}
	// Output:
	//   32 leaf
	//   16 spine
	//  127 node
	// 1016 terminal cables
	// 1024 tier1 cables
}

// Distances in a mesh from one of its corners.
func ExampleHopDistances() {
	g, err := topology.New(topology.Mesh{Dims: topology.Ints{4, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	dist := make([]int32, topology.Vertices(g))
	topology.HopDistances(topology.NewCSR(g), 0, dist, nil)
	for row := range 3 {
		fmt.Println(dist[4*row : 4*row+4])
	}
	// Output:
	// [0 1 2 3]
	// [1 2 3 4]
	// [2 3 4 5]
}

func ExampleFamilies() {
	for _, f := range topology.Families() {
		fmt.Print(f.Name, ":")
		for _, p := range f.Params {
			if p.Required {
				fmt.Print(" ", p.Name)
			}
		}
		fmt.Println()
	}
	// Output:
	// torus: dims
	// mesh: dims
	// hypercube: dims
	// ibt: dims bypass_dims bypass_lengths
	// pec: dims
	// srt: dims
	// rdt: dims
	// ccc: dims
	// barrel-shifter: nodes
	// de-bruijn: base digits
	// hybrid-fat-tree: nodes
	// clex: clique levels
	// hyperx: dims terminals
	// flattened-butterfly: dims terminals
	// k-ary-n-tree: down levels
	// thin-tree: down up levels
	// fat-tree: nodes radix
	// folded-clos: nodes radix
	// dragonfly:
	// dragonfly-plus: p a h
	// fat-clique: s_c s_b blocks
	// moore: graph
	// slim-fly: q
	// polarfly: q
	// angelfish:
	// flying-fish: side
	// random-regular: nodes degree
	// rail-only: nodes rails radix
	// bcube: radix levels
	// dcell: radix levels
	// hammingmesh: dims board
	// zcube: side
	// hexagonal-torus: dims
	// access: nodes
	// leaf-pair: nodes
	// leaf-spine: nodes up spines
	// cray-dragonfly: dims terminals groups
	// ocs-torus: dims
	// file: path
}
