package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/golden"
)

// wiringText is all that a source says, a line for each box and each link.
func wiringText(w *Wiring) string {
	var b strings.Builder
	for _, x := range w.Boxes {
		fmt.Fprintf(&b, "box %s", x.Name)
		for _, f := range []struct{ what, text string }{
			{"model", x.Model}, {"serial", x.Serial}, {"address", x.Address}, {"macs", strings.Join(x.MACs, " ")},
		} {
			if f.text != "" {
				fmt.Fprintf(&b, ", %s %s", f.what, f.text)
			}
		}
		if x.Listed {
			b.WriteString(", listed")
		}
		b.WriteString("\n")
	}
	end := func(e End) string {
		text := fmt.Sprintf("%s %q", w.Boxes[e.Box].Name, e.Port)
		if e.Form != Named {
			text += " (" + string(e.Form) + ")"
		}
		if e.Also != "" {
			text += fmt.Sprintf(" also %q", e.Also)
		}
		return text
	}
	for _, l := range w.Links {
		fmt.Fprintf(&b, "%d: %s - %s", l.Line, end(l.A), end(l.B))
		if l.Choice > 0 {
			fmt.Fprintf(&b, ", choice %d", l.Choice)
		}
		b.WriteString("\n")
	}
	for _, p := range w.Places {
		fmt.Fprintf(&b, "place %+v\n", p)
	}
	for _, r := range w.Racks {
		fmt.Fprintf(&b, "rack %+v\n", r)
	}
	return b.String() + strings.Join(append(w.Notes, ""), "\n")
}

// The files have the structure of what the programs print, with values of their own.
func TestNeighboursAndLabs(t *testing.T) {
	paths, err := filepath.Glob("testdata/neighbours/*")
	if err != nil || len(paths) < 16 {
		t.Fatal(len(paths), err)
	}
	var got strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range formats {
			if f.is(headOf(data)) {
				names = append(names, f.name)
			}
		}
		w, err := Read(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		fmt.Fprintf(&got, "--- %s: %s\n%s", filepath.Base(path), strings.Join(names, ", "), wiringText(w))
	}
	golden.Compare(t, "neighbours.txt", got.String())
}

// headOf is what Read takes for the head of a text.
func headOf(data []byte) []byte {
	if levels := keysByLevel(data); levels != nil {
		return outlineJSON(data, levels)
	}
	return data[:min(len(data), 1<<12)]
}

// Every form of neighbours and labs claims its own files, and no text of another program.
func TestFormsClaimTheirOwn(t *testing.T) {
	texts := map[string][]byte{}
	for name, text := range map[string]string{
		"ibnetdiscover": discovered, "-p": report, "lldpctl": neighbours, "links": linksReport, "sheet": hostSheet,
		"extracted": extracted, "cables": apiCables, "listed": listedCables, "devices": apiDevices, "system": system,
		"found": found, "ndt": briefNDT, "port first": "[1](100368) \"S-1\"[1]\n", "list": "[]", "empty": "",
		"machine":         "name: a\ntopology:\n  family: leaf-spine\n  nodes: 4\nparts:\n  - {kind: node}\n",
		"machine as JSON": `{"topology": {"family": "leaf-spine", "nodes": 4, "links": 3}}`,
		"torn":            `{[}"a": 1`, "torn at once": `{]"lldp": [}}`, "torn late": `[{]{"a": {"b": "`,
		"node-link": `{"directed": false, "nodes": [{"id": "a"}], "links": [{"source": "a", "target": "b"}],
			"edges": [{"source": 1}]}`,
	} {
		texts[name] = []byte(text)
	}
	for _, pattern := range []string{"testdata/forms/*", "testdata/neighbours/*", "testdata/small/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = data
			if strings.HasSuffix(pattern, "small/*.txt") { // exports one after the other
				for i, part := range strings.Split(string(data), "\n=== ") {
					_, part, _ = strings.Cut(part, "\n")
					texts[fmt.Sprint(path, " ", i)] = []byte(part)
				}
			}
		}
	}
	ours := map[string]bool{}
	for _, name := range []string{
		"EOS: LLDP", "NX-OS: LLDP", "Junos: LLDP", "SONiC: show lldp table", "SONiC: config_db.json",
		"SONiC: minigraph.xml", "containerlab", "netlab", "DSX Air", "Batfish", "CANU paddle", "infragraph",
	} {
		ours[name] = true
	}
	for name, text := range texts {
		var claimed []string
		for _, f := range formats {
			if f.is(headOf(text)) {
				claimed = append(claimed, f.name)
			}
		}
		// A description of a system of tt-metal, "hosts {", may look like hosts of netlab, whose form comes first.
		mine := strings.HasPrefix(name, "testdata/neighbours/")
		first := len(claimed) > 0 && (ours[claimed[0]] || claimed[0] == "lldpctl -f json")
		several := len(claimed) > 1 && claimed[1] != "tt-metal system"
		foreign := !mine && slices.ContainsFunc(claimed, func(f string) bool { return ours[f] })
		if mine && (!first || several) || foreign {
			t.Errorf("%s is claimed by %q", name, claimed)
		}
	}
}

// What a JSON document is may stand behind much else.
func TestFormsOfLongDocuments(t *testing.T) {
	long := `{"version": {` + strings.Repeat(`"a": [1, 2, {"b": null}], `, 1<<13) + `"c": "}"}, `
	for _, tt := range []struct{ text, want string }{
		{
			long + `"lldp": {"interface": {"eth0": {"chassis": {"leaf": {}},
			"port": {"id": {"type": "local", "value": "e1"}}}}}}`, "leaf e1",
		},
		{long + `"DEVICE_NEIGHBOR": {"Ethernet0": {"name": "leaf", "port": "e1"}}}`, "leaf e1"},
		{
			long + `"edges": [{"node1": {"hostname": "a", "interfaceName": "b"},
			"node2": {"hostname": "leaf", "interfaceName": "e1"}}]}`, "leaf e1",
		},
	} {
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := Read(path)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if got := said(w); !strings.Contains(got, tt.want) {
			t.Errorf("got %s", got)
		}
	}
}

func TestMistakesOfNeighboursAndLabs(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"lldp": {"interface": [1]}}`, "x:1:25: an interface is not as lldpctl writes it"},
		{"{\"lldp\":\n [{\"interface\": [{\"eth0\": \"no\"}]}]}", "x:2:27: an interface is not as"},
		{`{"lldp": {}} {"lldp": {}}`, "x:1:14: there is text after the end"},
		{`{"lldp": {"interface": `, "x:1:24: the text ends too early"},
		{`{"lldp": ` + strings.Repeat("[", 100), "x:1:73: more than 64 levels of nesting"},
		{
			"LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\nEthernet0\n",
			"x:2:1: there is no line of",
		},
		{
			"LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n---  ---\n",
			"x:2:1: the line below the heads does not mark the 5 columns",
		},
		{"<DeviceMiniGraph>\n<PngDec></DeviceMiniGraph>", "x:2:"},
		{
			"topology:\n  nodes:\n    a: {kind: linux}\n  links:\n    - endpoints: [\"a:e1\"]\n",
			"x:5:7: the link has not two",
		},
		{
			"topology:\n  nodes:\n    a: {kind: linux}\n  links:\n    - endpoints: [\"a:e1\", b]\n",
			"x:5:27: the endpoint names no",
		},
		{"topology:\n  nodes:\n    a: {kind: linux}\n  links: [\n", "x:"},
		{"topology:\n  nodes:\n    a: &a\n      kind: [*a]\n", "x:"},
		{
			`{"nodes": {}, "links": [{"node": 1, "interface": 2}]}`,
			"x:1:25: the link is not a list of two ends",
		},
		{`{"edges": [{"node1": {"interfaceName": "a"}}, {"node2": 1}]}`, "x:1:12: the edge has not two nodes"},
		{`{"canu_version": "1", "topology": [{"id": 1}]}`, "x:1:36: the device has no id or no common_name"},
		{
			`{"topology": [{"common_name": "a", "id": 1}, {"common_name": "b", "id": 1}]}`,
			"x:1:46: the id 1 is there twice",
		},
		{
			`{"topology": [{"common_name": "a", "id": 1, "ports": [{"port": 1, "destination_node_id": 7}]}]}`,
			"x:1:55: there is no device with the id 7",
		},
		{infra("one2one", "leaf[0]", "port[4]"), `"port[4]" selects none of 4`},
		{infra("one2one", "leaf[1:2:0]", "port"), `"leaf[1:2:0]" selects none of 2`},
		{infra("one2one", "leaf", "nic[0]"), `has no component "nic"`},
		{infra("one2one", "spine", "port"), `there is no instance "spine"`},
		{infra("one2many", "leaf", "port"), `the scheme "one2many"; did you mean "`},
		{infra("ring", "leaf", "port"), "a ring of 1 and 8 ends"},
		{strings.ReplaceAll(infra("one2one", "leaf", "port"), "count: 2", "count: 2097153"), `the count "2097153"`},
		{
			strings.ReplaceAll(infra("one2one", "leaf", "port"), "count: 4", "count: 2000000"),
			"stands for more than 2097152 boxes, links and ends",
		},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if err == nil || !errors.As(err, new(diag.List)) ||
			!strings.Contains(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), tt.want) {
			t.Errorf("%.200q: %v, expected %s", tt.text, err, tt.want)
		}
	}
}

// infra is an infragraph with an edge from one port to others.
func infra(scheme, instance, component string) string {
	return "devices:\n- {name: switch, components: [{name: port, count: 4}]}\n" +
		"instances:\n- {name: leaf, device: switch, count: 2}\n" +
		"edges:\n- {ep1: {instance: \"leaf[0]\", component: \"port[0]\"}, ep2: {instance: \"" + instance +
		"\", component: \"" + component + "\"}, scheme: " + scheme + "}\n"
}

// TestLinksOfUnequalEnds holds which links an edge of an infragraph has whose sides have different numbers of ends.
func TestLinksOfUnequalEnds(t *testing.T) {
	w, err := ReadInfragraph("x", strings.NewReader(infra("one2one", "leaf[1]", "port")))
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Links) != 1 || !slices.Contains(w.Notes, "x:6: one2one joins 1 ends with 4; the rest have no link") {
		t.Errorf("%d links, %q", len(w.Links), w.Notes)
	}
	w, err = ReadInfragraph("x", strings.NewReader(infra("many2many", "leaf[1]", "port")))
	if err != nil || len(w.Links) != 4 {
		t.Errorf("%d links, %v, want those to 4 ports", len(w.Links), err)
	}
}

// TestNestedMembers holds that members of members of a lag are read a few levels deep and not without end.
func TestNestedMembers(t *testing.T) {
	for deep, want := range map[int]int{0: 1, 1: 1, 4: 1, 5: 0, 9: 0} {
		link := strings.Repeat("{lag: {members: [", deep) + "{a: {}, b: {}}" + strings.Repeat("]}}", deep)
		w, err := ReadNetlab("x", strings.NewReader("provider: clab\nnodes: [a, b]\nlinks: ["+link+"]\n"))
		if err != nil || len(w.Links) != want {
			t.Errorf("%d levels: %v, %v, want %d links", deep, w, err, want)
		}
	}
}

// TestOutlines holds the documents that Read looks at for the forms of long ones.
func TestOutlines(t *testing.T) {
	for _, c := range []struct {
		text   string
		levels [][]string
		want   string
	}{
		{"{", [][]string{{"a", "b"}, {"c"}, {}}, `{"a":0,"b":0,"":{"c":0,"":{}}}`},
		{" [", [][]string{{"a"}, {"c", "d", "e"}}, `[{"a":0,"":{"c":0,"d":0,"e":0}}]`},
		{"{", [][]string{{}, {"c"}}, `{"":{"c":0}}`},
	} {
		if got := string(outlineJSON([]byte(c.text), c.levels)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestElementsOfPages counts elements of answers once by their ids, and those without an id each.
func TestElementsOfPages(t *testing.T) {
	p := page{}
	for _, id := range []int64{5, 1, 0, 5, -1, 5} {
		p.add(id)
	}
	if p.size() != 4 {
		t.Errorf("%d elements, want those of the ids 1 and 5 and two without", p.size())
	}
}

// TestCablesWithOneSide holds that a cable of NetBox with ports on one side only has no links.
func TestCablesWithOneSide(t *testing.T) {
	port := []NetBoxPort{{}}
	for _, c := range []NetBoxCable{{A: port}, {B: port}} {
		if l := c.lanes(); l == nil || len(l) > 0 {
			t.Errorf("%+v", l)
		}
	}
}

// TestCablesOfNetBoxWithOneEnd reads cables of which NetBox has the end on one side only: they are not links.
func TestCablesOfNetBoxWithOneEnd(t *testing.T) {
	end := `{"device": {"name": "a"}, "name": "1"}`
	for _, side := range []string{"a", "b"} {
		w, err := ReadNetBox("c.json", strings.NewReader(`[{"id": 1, "termination_`+side+`": `+end+`}]`))
		if err == nil && len(w.Links) > 0 {
			t.Errorf("side %s: %+v", side, w.Links)
		}
	}
}

// TestPlacesInListsOfCables reads where boxes stand from a list of cables, each box once.
func TestPlacesInListsOfCables(t *testing.T) {
	w, err := ReadCables("c.csv", strings.NewReader("a_device,a_port,b_device,b_port,a_rack,a_unit,b_rack,b_unit\n"+
		"a,1,b,1,A01,7,B02,9\na,2,b,2,A01,7,B02,9\nc,1,d,1,,3,B03,-4\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Place{
		{Box: "a", Rack: "A01", Unit: 7, Line: 2},
		{Box: "b", Rack: "B02", Unit: 9, Line: 2},
		{Box: "d", Rack: "B03", Line: 4},
	}
	if !slices.Equal(w.Printed, want) {
		t.Errorf("%+v, want %+v", w.Printed, want)
	}
}

// The numbers are those that Python selects.
func TestSlices(t *testing.T) {
	g := &infragraph{lab: newLab("x"), left: 100}
	for expression, want := range map[string]string{
		"a": "[0 1 2 3 4]", "a[2]": "[2]", "a[-1]": "[4]", "a[1:3]": "[1 2]", "a[:2]": "[0 1]", "a[3:]": "[3 4]",
		"a[::2]": "[0 2 4]", "a[::-2]": "[4 2 0]", "a[3:0:-1]": "[3 2 1]", "a[-2:]": "[3 4]", "a[:-2]": "[0 1 2]",
		"a[2:99]": "[2 3 4]", "a[-99:2]": "[0 1]", "a[4:1]": "[]", "a[9::-3]": "[4 1]", "a[:2:-1]": "[4 3]",
		"a[1::9223372036854775807]": "[1]", "a[::-9223372036854775808]": "[4]", "a[1:-9:-1]": "[1 0]",
		"a[::4]": "[0 4]", "a[::5]": "[0]", "a[::99]": "[0]", "a[::-4]": "[4 0]", "a[::-99]": "[4]",
		"a[5]": "none", "a[-6]": "none", "a[": "none", "a[]": "none", "a[1:2:3:4]": "none", "a[x]": "none",
	} {
		got, err := g.slice(nil, expression, 5)
		text := fmt.Sprint(got)
		if err != nil {
			text = "none"
		}
		if text != want {
			t.Errorf("%s selects %s, expected %s", expression, text, want)
		}
	}
}

// What a box hears is the same in any order, and of what is one cable one link stays: a slow twin looks at every pair.
func TestOncePerCable(t *testing.T) {
	ports := rapid.SampledFrom([]string{"eth1", "eth1.5", "eth1.5.6", "eth2", "eth2.5", "bond0", "vlan5", "swp1"})
	rapid.Check(t, func(t *rapid.T) {
		var links []Link
		for range rapid.IntRange(0, 8).Draw(t, "links") {
			l := Link{A: End{Port: ports.Draw(t, "own")}, B: End{Box: rapid.IntRange(1, 2).Draw(t, "far")}}
			l.B.Port = ports.Draw(t, "port")
			if rapid.Bool().Draw(t, "mac") {
				l.B.Also, l.B.Port, l.B.Form = l.B.Port, "02:00:00:00:00:01", Hardware
			}
			links = append(links, l)
		}
		text := func(links []Link) string {
			var out []string
			for _, l := range links {
				out = append(out, fmt.Sprint(l))
			}
			slices.Sort(out)
			return strings.Join(out, "\n")
		}
		got := text(oncePerCable(links))
		if again := text(oncePerCable(rapid.Permutation(links).Draw(t, "order"))); again != got {
			t.Fatalf("in another order:\n%s\nexpected:\n%s", again, got)
		}
		child := func(a, b string) bool { return strings.HasPrefix(a, b+".") }
		virtual := func(p string) bool { return strings.Contains(p, ".") || p == "bond0" || p == "vlan5" }
		superfluous := func(a, b Link) bool { // a, because of b
			own, far := a.A.Port, a.B.displayName()
			switch {
			case a.B.Box != b.B.Box:
				return false
			case own == b.A.Port && far == b.B.displayName():
				return a.B.Form == Hardware
			case far == b.B.displayName():
				return child(own, b.A.Port) || virtual(own) && !virtual(b.A.Port)
			}
			return (own == b.A.Port || child(own, b.A.Port)) && child(far, b.B.displayName())
		}
		var slow []Link
		for i, l := range links {
			if !slices.ContainsFunc(links, func(b Link) bool { return b != l && superfluous(l, b) }) &&
				!slices.Contains(links[:i], l) {
				slow = append(slow, l)
			}
		}
		if want := text(slow); want != got {
			t.Fatalf("got:\n%s\nexpected:\n%s", got, want)
		}
	})
}

// FuzzNeighbours feeds anything to the readers of neighbours and labs: no box is without a name, several links have the
// number of a choice, and the outline of a document has its keys.
func FuzzNeighbours(f *testing.F) {
	paths, err := filepath.Glob("testdata/neighbours/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	readers := []func(string, io.Reader) (*Wiring, error){
		ReadLLDP, ReadEOS, ReadNXOS, ReadJunos, ReadSONiCTable, ReadConfigDB, ReadMinigraph, ReadContainerlab,
		ReadNetlab, ReadAir, ReadBatfish, ReadPaddle, ReadInfragraph,
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if levels := keysByLevel(text); len(levels) > 0 {
			if want, got := jsonKeys(text), jsonKeys(outlineJSON(text, levels)); !maps.Equal(want, got) {
				delete(got, "") // what lower levels stand under
				delete(want, "")
				if !maps.Equal(want, got) {
					t.Fatalf("the outline has the keys %v, expected %v", got, want)
				}
			}
		}
		for i, read := range readers {
			w, err := read("x.y", bytes.NewReader(text))
			if err != nil {
				if !errors.As(err, new(diag.List)) {
					t.Fatalf("reader %d: %v", i, err)
				}
				continue
			}
			choices := map[int]int{}
			for _, b := range w.Boxes {
				if b.Name == "" {
					t.Fatalf("reader %d: a box has no name", i)
				}
			}
			for _, l := range w.Links {
				choices[l.Choice]++
				for _, e := range []End{l.A, l.B} {
					if e.Box < 0 || e.Box >= len(w.Boxes) || e.Port == "" && e.Form != Untold {
						t.Fatalf("reader %d: %+v", i, l)
					}
				}
			}
			for number, count := range choices {
				if number > 0 && count < 2 {
					t.Fatalf("reader %d: choice %d has one link", i, number)
				}
			}
		}
	})
}

// slowKeys is a slow twin of jsonKeys, for a text that is JSON: it decodes all of it.
func slowKeys(v any, level int, out map[string]int) {
	switch x := v.(type) {
	case []any:
		for _, y := range x {
			slowKeys(y, level, out)
		}
	case map[string]any:
		for key, y := range x {
			if out[key] == 0 || out[key] > level {
				out[key] = level
			}
			slowKeys(y, level+1, out)
		}
	}
}

func TestKeysOfDocuments(t *testing.T) {
	words := []string{"a", "b", "{", "]", `\"`, `"`, ":", "a:", ""}
	text := rapid.OneOf(rapid.SampledFrom(words), rapid.StringN(0, 5, 20))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		scalar := rapid.OneOf(
			rapid.Map(text, func(s string) any { return s }), rapid.SampledFrom([]any{nil, true, 7}),
		)
		if depth == 0 {
			return scalar
		}
		return rapid.OneOf(
			scalar, rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(x []any) any { return x }),
			rapid.Map(rapid.MapOfN(text, value(depth-1), 0, 3), func(x map[string]any) any { return x }),
		)
	}
	rapid.Check(t, func(t *rapid.T) {
		doc := value(5).Draw(t, "document")
		data, err := json.MarshalIndent(doc, "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		var again any // as strings are after they were written
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		slowKeys(again, 1, want)
		if got := jsonKeys(data); !maps.Equal(got, want) {
			t.Fatalf("%s has the keys %v, expected %v", data, got, want)
		}
	})
}
