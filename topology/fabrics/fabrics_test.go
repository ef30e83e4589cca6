package fabrics_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// wires lists the channels of a graph: both vertices, their ports and the level.
func wires(g topology.Graph) [][5]int32 {
	var out [][5]int32
	for l := range g.Links() {
		for c := range l.Width {
			out = append(out, [5]int32{l.A, l.B, l.PortA + c, l.PortB + c, l.Level})
		}
	}
	return out
}

// check checks what every graph promises of its ports and links; fabrics need not be connected.
func check(t graphtest.T, g topology.Graph) {
	t.Helper()
	kinds := g.Kinds()
	used, pairs := map[[2]int32]bool{}, map[[3]int32]bool{}
	for l := range g.Links() {
		if pair := [3]int32{min(l.A, l.B), max(l.A, l.B), l.Level}; pairs[pair] || l.Width < 1 {
			t.Fatalf("%+v is there twice or has no channel", l)
		} else {
			pairs[pair] = true
		}
		if int(l.Level) >= len(g.Levels()) {
			t.Fatalf("%+v is of no level", l)
		}
		for c := range l.Width {
			for _, end := range [][2]int32{{l.A, l.PortA + c}, {l.B, l.PortB + c}} {
				k := topology.KindOf(kinds, int(end[0]))
				if k < 0 || end[1] < 0 || int(end[1]) >= kinds[k].Ports || used[end] {
					t.Fatalf("%+v: port %d of vertex %d is used twice or is not there", l, end[1], end[0])
				}
				used[end] = true
			}
		}
	}
}

// tree draws a rail-optimised tree.
func tree(t *rapid.T) topology.Graph {
	p := topology.FatTree{
		Nodes: rapid.IntRange(2, 40).Draw(t, "nodes"), Radix: 2 * rapid.IntRange(2, 8).Draw(t, "half radix"),
		Rails: rapid.IntRange(1, 8).Draw(t, "rails"),
	}
	g, err := topology.New(p)
	if err != nil {
		t.Skip(err)
	}
	return g
}

// TestPlugEqualsPorts draws boxes of several kinds and compares the links of the plugged graph with those of the tree,
// one channel at a time: a channel is there if and only if both of its ports are plugged in, and leads to the box that
// has the port when boxes are dealt to the ports of places one after the other.
func TestPlugEqualsPorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := tree(t)
		places := fabrics.PlacesOf(g)
		var ends []fabrics.Ends
		type port struct{ place, port int }
		owner := map[port]port{} // a port of a place: the box, and its port
		at, next, box := 0, 0, 0
		for i := range rapid.IntRange(1, 4).Draw(t, "kinds") {
			e := fabrics.Ends{Name: fmt.Sprint("kind", i), Ports: rapid.IntRange(1, places.Ports).Draw(t, "ports")}
			for range rapid.IntRange(1, 12).Draw(t, "count") {
				if next+e.Ports > places.Ports {
					at, next = at+1, 0
				}
				if at >= places.Count {
					break
				}
				for p := range e.Ports {
					owner[port{at, next + p}] = port{box, p}
				}
				next += e.Ports
				e.Count++
				box++
			}
			if e.Count > 0 {
				ends = append(ends, e)
			}
		}
		plugged, err := fabrics.Plug(g, ends, fabrics.InTurn(ends))
		if err != nil {
			t.Fatal(err)
		}
		if plugged == g {
			return // see TestPlugKeepsFullGraphs
		}
		check(t, plugged)
		if n := fabrics.PlacesOf(plugged).Count; n != box {
			t.Fatalf("%d boxes of %d", n, box)
		}
		number := map[int]int{} // of the switches of the tree, in the plugged graph; others are places
		place := map[int]int{}
		for _, k := range g.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				if k.Role == topology.Switch {
					number[v] = box + len(number)
				} else {
					place[v] = len(place)
				}
			}
		}
		var want [][5]int32
		for _, w := range wires(g) {
			keep := true
			for end := range 2 {
				v := int(w[end])
				if n, ok := number[v]; ok {
					w[end] = int32(n)
					continue
				}
				own, ok := owner[port{place[v], int(w[2+end])}]
				keep = keep && ok
				w[end], w[2+end] = int32(own.place), int32(own.port)
			}
			if keep {
				want = append(want, w)
			}
		}
		if got := wires(plugged); !slices.Equal(got, want) {
			t.Fatalf("%v\n got %v\nwant %v", ends, got, want)
		}
	})
}

// TestPlugInAnyOrder plugs boxes of several kinds in in a drawn order: those that share a place are not in the order of
// their numbers there. Every port of every box has a link.
func TestPlugInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := tree(t)
		places := fabrics.PlacesOf(g)
		var ends []fabrics.Ends
		for i := range rapid.IntRange(1, 3).Draw(t, "kinds") {
			ends = append(ends, fabrics.Ends{
				Name: fmt.Sprint("kind", i), Ports: rapid.IntRange(1, places.Ports).Draw(t, "ports"),
				Count: rapid.IntRange(1, 6).Draw(t, "count"),
			})
		}
		order := rapid.Permutation(fabrics.InTurn(ends)).Draw(t, "order")
		if places.CountTaken(ends, order) > places.Count {
			t.Skip("too many boxes")
		}
		plugged, err := fabrics.Plug(g, ends, order)
		if err != nil {
			t.Fatal(err)
		}
		check(t, plugged)
		linked := map[int32]int{} // ports of every box
		for _, w := range wires(plugged) {
			linked[w[0]]++
			linked[w[1]]++
		}
		for _, k := range plugged.Kinds() {
			for v := k.First; v < k.First+k.Count && k.Role != topology.Switch; v++ {
				if linked[int32(v)] != k.Ports {
					t.Fatalf("%d of the %d ports of box %d of %s have links", linked[int32(v)], k.Ports, v-k.First,
						k.Name)
				}
			}
		}
	})
}

// TestPlugKeepsFullGraphs leaves a graph as it is where boxes of one kind fill it, so that it keeps what it knows.
func TestPlugKeepsFullGraphs(t *testing.T) {
	g := graphtest.New(t, topology.FatTree{Nodes: 16, Radix: 8, Rails: 2})
	ends := []fabrics.Ends{{Name: "dgx", Count: 16, Ports: 2}}
	if full, err := fabrics.Plug(g, ends, fabrics.InTurn(ends)); err != nil || full != g {
		t.Errorf("%v, %v", full, err)
	}
	torus := graphtest.New(t, topology.Torus{Dims: topology.Ints{4, 4}})
	ends = []fabrics.Ends{{Name: "blade", Count: 16, Ports: 4}}
	if full, err := fabrics.Plug(torus, ends, fabrics.InTurn(ends)); err != nil ||
		full != torus {
		t.Errorf("%v, %v", full, err)
	}
}

// TestPlugRefuses boxes for which there is no place.
func TestPlugRefuses(t *testing.T) {
	g := graphtest.New(t, topology.FatTree{Nodes: 16, Radix: 8, Rails: 2})
	for _, ends := range [][]fabrics.Ends{
		{{Name: "a", Count: 17, Ports: 2}},
		{{Name: "a", Count: 16, Ports: 2}, {Name: "b", Count: 1, Ports: 1}},
		{{Name: "a", Count: 1, Ports: 3}},
	} {
		if _, err := fabrics.Plug(g, ends, fabrics.InTurn(ends)); err == nil {
			t.Errorf("%v were plugged in", ends)
		}
	}
}

// TestUplinksAreEven: every switch below has its links, no two of them on one switch above unless there are too few,
// and those above have as many as one another, but for one.
func TestUplinksAreEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := fabrics.Uplinks{
			From: rapid.IntRange(1, 20).Draw(t, "from"), To: rapid.IntRange(1, 9).Draw(t, "to"),
			Each: rapid.IntRange(1, 12).Draw(t, "each"),
		}
		check(t, u)
		above := make([]int, u.To)
		for l := range u.Links() {
			above[int(l.B)-u.From] += int(l.Width)
			if most := (u.Each + u.To - 1) / u.To; int(l.Width) > most {
				t.Fatalf("%d links of %d to one of %d switches", l.Width, u.Each, u.To)
			}
		}
		if slices.Max(above)-slices.Min(above) > 1 {
			t.Fatalf("uneven: %v", above)
		}
		if got := int(topology.Count(u).Links); got != u.From*u.Each {
			t.Fatalf("%d links", got)
		}
	})
}

// TestJoin joins two trees over the same servers, the second of which plugs in the switches of the first as well.
func TestJoin(t *testing.T) {
	compute := graphtest.New(t, topology.FatTree{Nodes: 8, Radix: 8})
	oob := graphtest.New(t, topology.FatTree{Nodes: 16, Radix: 8})
	var leaves, spines int
	for _, k := range compute.Kinds() {
		switch k.Name {
		case "leaf":
			leaves = k.Count
		case "spine":
			spines = k.Count
		}
	}
	ends := []fabrics.Ends{{Name: "server", Count: 8, Ports: 1}, {Name: "compute-leaf", Count: leaves, Ports: 1}}
	managed, err := fabrics.Plug(oob, ends, fabrics.InTurn(ends))
	if err != nil {
		t.Fatal(err)
	}
	kinds := []topology.Kind{{Name: "server", Count: 8, Role: topology.Terminal, Ports: 2}}
	add := func(name string, k topology.Kind, more int) int {
		last := kinds[len(kinds)-1]
		k.Name, k.First, k.Ports = name, last.First+last.Count, k.Ports+more
		kinds = append(kinds, k)
		return len(kinds) - 1
	}
	at := map[string]int{"server": 0}
	for _, k := range compute.Kinds() {
		if k.Role == topology.Switch {
			at["compute-"+k.Name] = add("compute-"+k.Name, k, 1)
		}
	}
	for _, k := range managed.Kinds() {
		if k.Role == topology.Switch {
			at[k.Name] = add("oob-"+k.Name, k, 0)
		}
	}
	first := fabrics.Fabric{Name: "compute", Graph: compute}
	for _, k := range compute.Kinds() {
		name := "compute-" + k.Name
		if k.Role != topology.Switch {
			name = "server"
		}
		first.Attached = append(first.Attached, fabrics.Attachment{Kind: at[name]})
	}
	second := fabrics.Fabric{Name: "oob", Graph: managed}
	for _, k := range managed.Kinds() {
		a := fabrics.Attachment{Kind: at[k.Name]}
		switch k.Name {
		case "server":
			a.Port = 1
		case "compute-leaf":
			a.Port = compute.Kinds()[1].Ports
		}
		second.Attached = append(second.Attached, a)
	}
	m := fabrics.Join(kinds, []fabrics.Fabric{first, second})
	check(t, m)
	if got, want := m.Counts(), topology.Count(m); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, the links are %+v", got, want)
	}
	if got, want := topology.Count(m).Links, topology.Count(compute).Links+topology.Count(managed).Links; got != want {
		t.Errorf("%d links, %d of the fabrics", got, want)
	}
	if got := m.Label(m.Vertex(1, 8)); got != "compute-leaf-1" {
		t.Errorf("the first managed switch is %s", got)
	}
	if leaves == 0 || spines == 0 {
		t.Error("the tree has no leaves or no spines")
	}
}
