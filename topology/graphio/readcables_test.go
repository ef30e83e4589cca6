package graphio_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

func TestReadCables(t *testing.T) {
	_, err := graphio.Read("x", "cables", strings.NewReader("\ufeffa_device,a_port,b_device,b_port,level,length_m\n"+
		"leaf10,2,leaf2,1,up,3\nleaf10,1,leaf9,4,up,5\nleaf9,5,leaf10,3,up,\nleaf9,6,leaf10,4,up,\n"))
	if err == nil || !strings.Contains(err.Error(), "have to be next to each other") {
		t.Errorf("ports 1 and 3, 4 of leaf10 are not next to each other: %v", err)
	}
	g, err := graphio.Read("x", "cables",
		strings.NewReader("a_rack;a_device;a_port;b_rack;b_device;b_port;level;length_m\n"+
			"A1;10;2;A2;2;1;up;3\nA1;10;3;A2;9;4;up;5\nA2;9;5;A1;10;4;up;\nA2;9;6;A1;10;5;up;\n"))
	if err != nil {
		t.Fatal(err)
	}
	graphtest.Check(t, g)
	if got := []string{g.Label(0), g.Label(1), g.Label(2)}; !cmp.Equal(got, []string{"2", "9", "10"}) {
		t.Error(got)
	}
	if got := strings.Join(g.(graphio.Ported).PortNames(0), " "); got != "1 2 3 4 5 6" {
		t.Error(got)
	}
	var links []topology.Link
	for l := range g.Links() {
		links = append(links, l)
	}
	want := []topology.Link{{A: 2, B: 0, PortA: 1, PortB: 0, Width: 1}, {A: 2, B: 1, PortA: 2, PortB: 3, Width: 3}}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Error(diff)
	}
	if got := g.(graphio.Attributed).EdgeAttributes(1)["length_m"]; got != "5" {
		t.Errorf("length_m %q", got)
	}
	// Without ports, they are given out in the order of the links.
	g, err = graphio.Read("x", "cables", strings.NewReader("a_row,a_box,b_row,b_box\n1,2,1,10\n1,10,2,1\n"))
	if err != nil || g.Label(2) != "2.1" || g.(graphio.Ported).PortNames(0) != nil {
		t.Error(g.Label(2), err)
	}
}

func TestReadCablesErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "x: the file has no header"},
		{"here,there\n", "x:1:1: no column says where a cable ends: expected a_device and a_port"},
		{"a_device,b_device,a_device\n", `x:1:19: column "a_device" comes twice`},
		{"a_device,a_port,b_device\n", "x:1:1: only one end has a column for its port"},
		{"a_device,b_device\n", "x: the file has no vertices"},
		{"a_device,b_device\nx\n", "x:2:1: 1 values for 2 columns"},
		{"a_device,b_device\nx,\n", "x:2:3: b_device is empty"},
		{"a_device,a_port,b_device,b_port\nx,,y,1\n", "x:2:3: a_port is empty"},
		{"a_device,a_port,b_device,b_port\nx,1,y,1\nz,1,y,1\n", "x:3: port 1 of y has the cable of line 2 already"},
		{
			"a_device,a_port,b_device,b_port\nx,1,y,1\nx,3,y,2\n",
			"x:3: x and y are joined in line 2 already, and the ports of parallel cables have to be next to each other",
		},
		{
			"a_device,a_port,b_device,b_port,width\nx,1,y,1,2\n",
			"x:2:1: a cable in a port of its own is of width 1, not 2",
		},
	} {
		_, err := graphio.Read("x", "cables", strings.NewReader(tt.text))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v\nexpected %s", tt.text, err, tt.want)
		}
	}
}

func TestReadNamedPorts(t *testing.T) {
	for format, text := range map[string]string{
		"dot": `graph { "leaf1":"swp1" -- "spine1":"swp12"; "leaf1":"swp2" -- "spine2":"swp3"; ` +
			`"leaf1":"swp10" -- "spine2":"swp4" [level=up] }`,
		"edges": "leaf1 spine1 port_a=swp1 port_b=swp12\nleaf1 spine2 port_a=swp2 port_b=swp3\nleaf1 spine2 " +
			"port_a=swp10 port_b=swp4 level=up\n",
	} {
		g, err := graphio.ReadPorted("x", format, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		graphtest.Check(t, g)
		names := g.(graphio.Ported).PortNames(0)
		if got := strings.Join(names, " "); got != "swp1 swp2 swp3 swp4 swp10 swp12" {
			t.Errorf("%s: %s", format, got)
		}
		var got []string
		for l := range g.Links() {
			got = append(got, g.Label(int(l.A))+":"+names[l.PortA]+" "+g.Label(int(l.B))+":"+names[l.PortB])
		}
		if diff := cmp.Diff([]string{"leaf1:swp1 spine1:swp12", "leaf1:swp2 spine2:swp3", "leaf1:swp10 spine2:swp4"},
			got); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
	}
	for text, want := range map[string]string{
		"a b port_a=1\n":                                 "x:1: the link of a and b names no port_a or no port_b",
		"a b port_a=1 port_b=1 width=2\n":                "x:1: a link in ports of its own is of width 1, not 2",
		"a b port_a=1 port_b=1 simplex=true\n":           "x:1: a link in ports of its own carries both ways",
		"a b port_a=1 port_b=1\na c port_a=1 port_b=2\n": "x:2: port 1 of a has the cable of line 1 already",
	} {
		if _, err := graphio.ReadPorted("x", "edges", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	// Without being asked for, ports are given out in the order of the links.
	g, err := graphio.Read("x", "edges", strings.NewReader("a b port_a=7 port_b=7\n"))
	if err != nil || g.(graphio.Ported).PortNames(0) != nil {
		t.Error(err)
	}
}

func FuzzCables(f *testing.F) {
	fuzz(f, "cables", "a_device,a_port,b_device,b_port,level\nx,1,y,2,up\ny,1,x,2,up\n",
		"a_x;a_socket;b_x;b_socket\n1;east;2;west\n1;north;3;south\n")
}
