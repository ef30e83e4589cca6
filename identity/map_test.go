package identity

import (
	"errors"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// dgx is the names of a ring of four DGX systems, N1 to N4.
func dgx(t testing.TB) *Names {
	t.Helper()
	g, err := topology.New(topology.Spec{Params: topology.Torus{Dims: topology.Ints{4}}})
	if err != nil {
		t.Fatal(err)
	}
	b := cabling.NewBox(catalog.Default().Part("nvidia-dgx-h100"))
	return New(&cabling.Schedule{Graph: g, Kinds: g.Kinds(), Boxes: []*cabling.Box{b}}, names.Of(g))
}

// TestMaps reads maps of all forms: a box by every name, and a port of it.
func TestMaps(t *testing.T) {
	n := dgx(t)
	for _, c := range []struct {
		name, text string
		box        BoxClaim
		port       string // "" for none
		want       string // the printed name of the port
	}{
		{
			"YAML", "---\n# own names\nboxes: {gpu-a: N2}\nports: {N2: {left: OSFP1P2}}",
			BoxClaim{Name: "GPU-A"},
			"left",
			"OSFP1P2",
		},
		{
			"YAML, all boxes", "ports:\n  \"*\": {rail7: OSFP4P2}\nboxes:\n  gpu-a: N2\n",
			BoxClaim{Name: "gpu-a"},
			"Rail7", "OSFP4P2",
		},
		{
			"YAML, by found name", "boxes: {gpu-a: N2}\nports: {gpu-a: {x: OSFP1P1}}",
			BoxClaim{Name: "gpu-a"},
			"x",
			"OSFP1P1",
		},
		{"table", "name,alias,guid,serial\nN2,gpu-a;gpu-b,0xab,J1\n", BoxClaim{Name: "gpu-b"}, "", ""},
		{
			"table, GUID", "name,alias,guid,serial\nN2,gpu-a;gpu-b,0xab,J1\n",
			BoxClaim{Name: "?", GUIDs: []string{"ab"}},
			"", "",
		},
		{"table, serial", "name;alias;guid;serial\nN2;gpu-a;0xab;J1\n", BoxClaim{Serial: "j1"}, "", ""},
		{"table, ports", "name,port,port_alias\nN2,OSFP3P1,rail4\n", BoxClaim{Name: "N2"}, "rail4", "OSFP3P1"},
		{
			"table, MAC", "Name,MAC address\nN2,02:00:00:00:00:0a\n",
			BoxClaim{MACs: []string{"02:00:00:00:00:0a"}},
			"",
			"",
		},
		{"hca_mapping", "port,hca-name\n1,mlx5_11\n2,mlx5_6\n", BoxClaim{Name: "N2"}, "2", "OSFP1P2"},
		{
			"GUIDs", "# fabric\n0x2c9030012340 \"N2 HCA-1\" # a\n",
			BoxClaim{Name: "?", GUIDs: []string{"2c9030012340"}},
			"", "",
		},
		{"UFM", "guid,alias\n0002c90300012340,N2\n", BoxClaim{GUIDs: []string{"2c90300012340"}}, "", ""},
		{"UFM, colons", "GUID,Alias\n0002:c903:0001:2340,N2\n", BoxClaim{GUIDs: []string{"2c90300012340"}}, "", ""},
	} {
		m, err := ReadMap("map", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		with, err := n.With(m)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := with.Box(&c.box)
		if f.Vertex != 1 {
			t.Errorf("%s: box %+v", c.name, f)
			continue
		}
		if c.port == "" {
			continue
		}
		found, way := with.Port(1, &Claim{Text: c.port})
		if len(found) != 1 || way != ByMap || with.PortName(0, int(found[0])) != c.want {
			t.Errorf("%s: port %v by %s", c.name, found, way)
		}
	}
}

// TestMistakesInMaps have their places.
func TestMistakesInMaps(t *testing.T) {
	n := dgx(t)
	for text, want := range map[string]string{
		"":                                   "map:1:1: ",
		"boxes: {a: [1]}":                    "map:1:12: expected a name",
		"boxes:\n  a: N1\nprots: {}\n":       "map:3:1: ",
		"boxes: {a: N9}":                     `map:1:12: the plan has no box "N9"`,
		"ports: {N9: {a: b}}":                `map:1:17: neither the plan nor the map has a box "N9"`,
		"boxes: {}\nports:\n  N1: {a: OSFP}": `map:3:11: N1 has no port "OSFP"`,
		"0x1 \"N1\"\nnothing\n":              "map:2:1: is not a line of a map of GUIDs",
		"0x1 \"N1\"\n0x01 \"N2\"\n":          `map:2:1: "N2" and "N1", in line 1, are said of the same box`,
		"# a\nx,y\n1,2\n":                    "map:2:1: the columns say neither",
		"name,alias\nN1,a\nN2,a\n":           `map:3:1: "N2" and "N1", in line 2, are said of the same box`,
		"name,alias\nN1,\"a\n":               "map:2:",
		"boxes: &a {x: *a}":                  "map:1:",
	} {
		m, err := ReadMap("map", strings.NewReader(text))
		if err == nil {
			_, err = n.With(m)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, new(diag.List)) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzReadMap reads any text as a map: it never panics, and every mistake has a place.
func FuzzReadMap(f *testing.F) {
	for _, text := range []string{
		"boxes: {a: N1}\nports: {\"*\": {x: OSFP1P1}}", "name,alias,guid\nN1,a;b,0x1\n", "port,hca-name\n1,mlx5_11\n",
		"0x1 \"N1\"\n", "guid,alias\n0x1,N1\n", "boxes: &a {x: *a}", "sep=;\nname;port;port_alias\nN1;OSFP1P1;x\n",
	} {
		f.Add(text)
	}
	n := dgx(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMap("map", strings.NewReader(text))
		if err == nil {
			with, wrong := n.With(m)
			if err = wrong; err == nil {
				with.Box(&BoxClaim{Name: text})
				with.Port(0, &Claim{Text: text})
			}
		}
		var list diag.List
		if err != nil && errors.As(err, &list) {
			for i := range list {
				if list[i].Pos.Line < 1 {
					t.Errorf("%v has no place", &list[i])
				}
			}
		}
	})
}

// TestMapsInAnyForm reads what a map says in the forms that it may have, YAML with and without commas in braces.
func TestMapsInAnyForm(t *testing.T) {
	for _, text := range []string{
		"boxes: {n7: leaf-1, \"0x2c9\": spine-1}\nports: {\"*\": {mlx5_0: \"8\", mlx5_1: \"7\"}}\n",
		"ports: {\"*\": {mlx5_0: \"8\"}}\nboxes: {n7: leaf-1, 0x02c9: spine-1}\n",
		"boxes:\n  n7: leaf-1\n  \"0x2c9\": spine-1\nports:\n  \"*\":\n    mlx5_0: \"8\"\n",
		"# a map\nname,alias,port,port_alias\nleaf-1,n7,,\nspine-1,0x2c9,,\n,,8,mlx5_0\n",
	} {
		m, err := ReadMap("map", strings.NewReader(text))
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		leaf, _ := m.box(&BoxClaim{Name: "N7 mlx5_0"}, "N7")
		spine, _ := m.box(&BoxClaim{GUIDs: []string{"00000000000002c9"}}, "")
		if leaf != "leaf-1" || spine != "spine-1" || m.ports[[2]string{"", "mlx5_0"}].name != "8" {
			t.Errorf("%s\nis %q, %q, %v", text, leaf, spine, m.ports)
		}
	}
}
