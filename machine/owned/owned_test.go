package owned_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// boxed is a topology with the boxes of its kinds.
func boxed(t interface {
	Fatal(args ...any)
}, p topology.Params,
) (topology.Graph, []*cabling.Box) {
	g, err := topology.New(topology.Spec{Params: p})
	if err != nil {
		t.Fatal(err)
	}
	var boxes []*cabling.Box
	for _, k := range g.Kinds() {
		part := "generic-switch-64x400g"
		if k.Role != topology.Switch {
			part = "generic-gpu-node-8u"
		}
		boxes = append(boxes, cabling.NewBox(catalog.Default().Part(part)))
	}
	return g, boxes
}

// TestPlugKeepsAllPorts cables a tree in ports that are drawn among all that its switches have: planned once more,
// every link is where its cable lies. A larger tree keeps those between boxes that stay linked, and uses no port twice.
func TestPlugKeepsAllPorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := topology.FatTree{Nodes: 24, Radix: 16, Rails: rapid.IntRange(1, 4).Draw(t, "rails")}
		g, boxes := boxed(t, small)
		kinds, called := g.Kinds(), names.Of(g)
		name := func(v, p int32) string { return boxes[topology.KindOf(kinds, int(v))].Ports[p].Name }
		drawn := map[int32][]int{}
		port := func(v, p int32) int {
			if drawn[v] == nil {
				k := topology.KindOf(kinds, int(v))
				all := make([]int, len(boxes[k].Ports))
				for i := range all {
					all[i] = i
				}
				drawn[v] = rapid.Permutation(all).Draw(t, fmt.Sprint("ports of ", v))
			}
			return drawn[v][p]
		}
		var cables []owned.Cable
		want := map[string]bool{}
		for l := range g.Links() {
			for c := range l.Width {
				a, b := port(l.A, l.PortA+c), port(l.B, l.PortB+c)
				cables = append(cables, owned.Cable{
					Level: g.Levels()[l.Level].Name, Box: [2]string{called.Name(int(l.A)), called.Name(int(l.B))},
					Port: [2]string{name(l.A, int32(a)), name(l.B, int32(b))},
				})
				want[fmt.Sprint(l.A, a, l.B, b)] = true
			}
		}
		m, _ := owned.NewMachine(g, names.Of(g), boxes, nil)
		plugs, kept, err := m.Plug(cables, make([]int, len(g.Levels())), catalog.Default())
		if err != nil {
			t.Fatal(err)
		}
		if kept.Links != len(cables) || kept.Unknown > 0 {
			t.Fatalf("%+v of %d cables", kept, len(cables))
		}
		n := 0
		for l := range g.Links() {
			for range l.Width {
				if key := fmt.Sprint(l.A, plugs.A[n], l.B, plugs.B[n]); !want[key] {
					t.Fatalf("%s is not among the cables", key)
				}
				n++
			}
		}
		larger := small
		larger.Nodes = 40
		g, boxes = boxed(t, larger)
		m, _ = owned.NewMachine(g, names.Of(g), boxes, nil)
		if plugs, kept, err = m.Plug(cables, make([]int, len(g.Levels())), catalog.Default()); err != nil {
			t.Fatal(err)
		}
		used := map[[2]int32]bool{}
		n = 0
		for l := range g.Links() {
			for range l.Width {
				for _, end := range [2][2]int32{{l.A, int32(plugs.A[n])}, {l.B, int32(plugs.B[n])}} {
					if used[end] || int(end[1]) >= len(boxes[topology.KindOf(g.Kinds(), int(end[0]))].Ports) {
						t.Fatalf("port %d of %d is used twice or is not there", end[1], end[0])
					}
					used[end] = true
				}
				n++
			}
		}
		if kept.Links == 0 {
			t.Fatal("no cable is kept")
		}
	})
}

// write writes a table.
func write(t testing.TB, text string) string {
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBoxesAreFound by label before their names, regardless of the digits of their numbers, and places keep their
// lines.
func TestBoxesAreFound(t *testing.T) {
	g, boxes := boxed(t, topology.Torus{Dims: topology.Ints{5, 4}})
	list, _, err := owned.ReadBoxes(write(t, "label,kind,container,unit,address\n"+
		"N01,node,A01,1,\"(0,0)\"\n\nN16,node,A01,3,\"(4,3)\"\nN003,node,A01,5,\"(7,7)\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, vertex := owned.NewMachine(g, names.Of(g), boxes, list)
	// (7,7) is none of this torus; by its name it is the third node, (2,0).
	if got := fmt.Sprint(vertex); got != "[0 19 2]" {
		t.Errorf("%s", got)
	}
	places := strings.Split(m.Places(list, vertex), "\n")
	if len(places) < 5 || places[1] != "0,A01,,1," || places[3] != "19,A01,,3," ||
		places[4] != "2,A01,,5," {
		t.Errorf("%q", places)
	}
	if left := owned.Left(list, []int32{0, -1, -1}); left != "N16, N003" {
		t.Errorf("%s", left)
	}
}

// TestTables: links over panels are one, those in one jacket share it, and mistakes have their places.
func TestTables(t *testing.T) {
	cables, err := owned.ReadCables(write(t, "cable_id,level,product,a_device,a_port,b_device,b_port,link,leg\n"+
		"C1,tier1,fibre@2 m,LF1,1,PP1,1,1,1\nC2,tier1,trunk@9 m,PP1,1R,PP2,1R,1,1\n"+
		"C3,tier1,fibre@2 m,PP2,1,SP1,7,1,1\n"+
		"C4,terminal,dac@1 m,LF1,2,N1,1,2,1\nC4,terminal,dac@1 m,LF1,3,N2,1,3,2\nC5,terminal,dac@1 m,LF1,4,N3,1,4,1\n"))
	if err != nil || len(cables) != 4 {
		t.Fatalf("%d cables, %v", len(cables), err)
	}
	if c := cables[0]; c.Box != [2]string{"LF1", "SP1"} || c.Port != [2]string{"1", "7"} {
		t.Errorf("over panels: %+v", c)
	}
	if pieces := owned.Pieces(cables); len(pieces) != 1 {
		t.Errorf("%v", pieces)
	}
	for text, want := range map[string]string{
		"":                                  "does not name columns",
		"part\nx\n":                         "there is no column quantity",
		"part,quantity\ndac,-1\n":           `2:5: "-1" is not a number of pieces`,
		"part,quantity\n@,1\n":              "2:1: ",
		"part,quantity,spares\ndac,1,x\n":   `2:7: "x" is not a number of pieces`,
		"part,quantity\n\"dac\nx\",9,1,1\n": "",
	} {
		_, err := owned.ReadParts(write(t, text))
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one that says %q", text, err, want)
		}
	}
	if _, _, err := owned.ReadBoxes(t.TempDir()); err == nil {
		t.Error("a directory is read")
	}
}

// FuzzTables reads any bytes as any of the tables.
func FuzzTables(f *testing.F) {
	f.Add("label,kind,container,cell\n\"(0,1)\",node,A01,2\n")
	f.Add("a_device,a_port,b_device,b_port,link,product\nN1,1,SW1,2,1,dac@1 m\nN1,1,SW1,2,1,\n")
	f.Add("part,quantity,spares,kind\ndac@1 m,1,2,cable\n,total,,\n")
	g, boxes := boxed(f, topology.Torus{Dims: topology.Ints{3}})
	f.Fuzz(func(t *testing.T, text string) {
		path := write(t, text)
		list, _, err := owned.ReadBoxes(path)
		m, vertex := owned.NewMachine(g, names.Of(g), boxes, list)
		if err == nil && strings.Count(m.Places(list, vertex), "\n") > strings.Count(text, "\n")+2 {
			t.Errorf("more lines than the table: %q", m.Places(list, vertex))
		}
		cables, _ := owned.ReadCables(path)
		m.Plug(cables, make([]int, len(g.Levels())), catalog.Default()) //nolint:errcheck // it must not panic
		owned.Pieces(cables)
		owned.ReadParts(path) //nolint:errcheck // it must not panic
	})
}

// named is the tree of TestNamesOfAllKinds, with nodes and switches whose ports have names of all kinds.
func named(t interface {
	Fatal(args ...any)
},
) (topology.Graph, []*cabling.Box) {
	g, err := topology.New(topology.Spec{Params: topology.FatTree{Nodes: 8, Radix: 8, Rails: 4}})
	if err != nil {
		t.Fatal(err)
	}
	var boxes []*cabling.Box
	for _, k := range g.Kinds() {
		part := "nvidia-qm9700"
		if k.Role != topology.Switch {
			part = "nvidia-dgx-h100"
		}
		boxes = append(boxes, cabling.NewBox(catalog.Default().Part(part)))
	}
	return g, boxes
}

// TestNamesOfAllKinds plugs the links of a tree in by cables whose ports and boxes are called by any of their names:
// the ports are those that their printed names say.
func TestNamesOfAllKinds(t *testing.T) {
	g, boxes := named(t)
	kinds, called := g.Kinds(), names.Of(g)
	rapid.Check(t, func(t *rapid.T) {
		box := func(v int32) string {
			name := called.Name(int(v))
			return rapid.SampledFrom([]string{
				name, strings.ToLower(name), name + ".example.org", strings.ToUpper(name) + ".local",
			}).Draw(t, "box")
		}
		port := func(v, p int32) string {
			id := boxes[topology.KindOf(kinds, int(v))].Ports[p].Identity()
			all := append([]string{id.Label, strings.ToUpper(id.System())}, id.Aliases...)
			for _, name := range []string{id.Device, id.PCI} {
				if name != "" {
					all = append(all, name)
				}
			}
			return rapid.SampledFrom(all).Draw(t, "port")
		}
		// Ports in the reverse order within a group, so that those of the topology are not taken by chance.
		turned := func(v, p int32) int32 {
			n := int32(8)
			if kinds[topology.KindOf(kinds, int(v))].Role == topology.Switch {
				n = 64
			}
			return n - 1 - p
		}
		var cables []owned.Cable
		var want []string
		for l := range g.Links() {
			for c := range l.Width {
				a, b := turned(l.A, l.PortA+c), turned(l.B, l.PortB+c)
				cables = append(cables, owned.Cable{
					Box: [2]string{box(l.A), box(l.B)}, Port: [2]string{port(l.A, a), port(l.B, b)},
				})
				want = append(want, fmt.Sprint(l.A, a, l.B, b))
			}
		}
		m, _ := owned.NewMachine(g, called, boxes, nil)
		plugs, kept, err := m.Plug(cables, make([]int, len(g.Levels())), catalog.Default())
		if err != nil || kept.Links != len(cables) || kept.Unknown > 0 {
			t.Fatalf("%+v of %d cables, %v", kept, len(cables), err)
		}
		var got []string
		n := 0
		for l := range g.Links() {
			for range l.Width {
				got = append(got, fmt.Sprint(l.A, plugs.A[n], l.B, plugs.B[n]))
				n++
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v\n%v", got, want)
		}
	})
}

// TestNotIdentified: a port or box that no name proves is refused with its place, never found by a number; ports of
// management and boxes of which nothing fits are passed over.
func TestNotIdentified(t *testing.T) {
	g, boxes := named(t)
	const head = "a_device,a_port,b_device,b_port\nN1,OSFP1P1,LF1,1\n"
	exist := []owned.Box{{Name: "N1", Address: "N1", Kind: "node"}, {Name: "LF1", Address: "LF1", Kind: "leaf"}}
	for _, c := range []struct {
		row  string
		want string // "" where the row is passed over
	}{
		{"N1,1,LF1,2", `:3:4: N1 has no port "1"; its ports are OSFP1P1, OSFP1P2, `},
		{"N1,OSFP1P3,LF1,2", `:3:4: N1 has no port "OSFP1P3"; did you mean "OSFP1P1"?`},
		{"N1,OSFP1P2,LF1,sw1p3", `:3:16: LF1 has no port "sw1p3"; did you mean "sw1p1"?`},
		{"N1,mlx5_2x,LF1,2", `:3:4: N1 has no port "mlx5_2x"`},
		{"N1,OSFP1P2,LF11,2", `:3:12: there is no box "LF11"; did you mean "LF1"?`},
		{"N1,eno1,office,2", `:3:9: there is no box "office"`},
		{"N1,eno1,LF1,mgmt0", ""},
		{"N1,OSFP1P2,LF1,2/1/1", ""}, // was broken out
	} {
		cables, err := owned.ReadCables(write(t, head+c.row+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := owned.NewMachine(g, names.Of(g), boxes, exist, "N7")
		_, kept, err := m.Plug(cables, make([]int, len(g.Levels())), catalog.Default())
		switch {
		case c.want == "" && (err != nil || kept.Unknown != 1):
			t.Errorf("%s: %+v, %v", c.row, kept, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.row, err, c.want)
		}
	}
	for _, text := range []string{
		"N7,OSFP1P1,LF1,3\n",                            // a box that is not there
		"N1,HGX1,LF1,2\nN2,HGX1,LF1,3\nN3,HGX2,LF1,4\n", // nodes of another part
	} {
		cables, err := owned.ReadCables(write(t, "a_device,a_port,b_device,b_port\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := owned.NewMachine(g, names.Of(g), boxes, nil, "N7")
		_, kept, err := m.Plug(cables, make([]int, len(g.Levels())), catalog.Default())
		if err != nil || kept.Links > 0 || kept.Unknown != len(cables) {
			t.Errorf("%q: %+v, %v", text, kept, err)
		}
	}
}
