package names_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// values are fields by name.
type values map[string]names.Value

func (v values) of(field string) names.Value { return v[field] }

func TestPatterns(t *testing.T) {
	fields := values{
		"n": names.Number(7), "rail": names.Number(30), "rack": names.Text("A03"), "u": names.Text("07"),
		"none": {}, "kind": names.Text("leaf"),
	}
	for _, test := range []struct{ pattern, want string }{
		{"leaf-r{rail:02}-{n:03}", "leaf-r30-007"},
		{"{n}", "7"},
		{"{n-1}", "6"},
		{"{n+100:05}", "00107"},
		{"{n:1}", "7"},
		{"{rail:x}", "1e"},
		{"{rail:04X}", "001E"},
		{"{rail:A}", "AE"},
		{"{n-7:a}", "a"},
		{"{rack}-{n}", "A03-7"},
		{"{rack:02}", "A03"},  // texts stand as they are
		{"{u}/{u+1}", "07/8"}, // and digits count
		{"{u:03}", "007"},     //
		{"{{{n}}}", "{7}"},    // doubled braces stand for themselves
		{"Knoten Ü{n}", "Knoten Ü7"},
	} {
		p, err := names.Parse(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		got, err := p.Append(nil, fields.of)
		if err != nil || string(got) != test.want {
			t.Errorf("%s gives %q, %v; want %q", test.pattern, got, err, test.want)
		}
	}
	for _, test := range []struct{ pattern, wrong string }{
		{"{none}", "there is no {none}"},
		{"{n-8}", "{n-8} is below 0"},
	} {
		p, err := names.Parse(test.pattern)
		if err == nil {
			_, err = p.Append(nil, fields.of)
		}
		if err == nil || err.Error() != test.wrong {
			t.Errorf("%s: %v", test.pattern, err)
		}
	}
}

func TestPatternMistakes(t *testing.T) {
	for _, test := range []struct{ pattern, wrong string }{
		{"", "is empty"},
		{" n{n}", "begins or ends with a blank"},
		{"n\t{n}", "control character U+0009"},
		{"n\xff", "is not UTF-8"},
		{"n{n", "a brace that opens or closes no field"},
		{"n}", "a brace that opens or closes no field"},
		{"{}", "{} is not a field"},
		{"{n:3}", "would be filled with blanks\nwrite {n:03} for zeros"},
		{"{n+1:3x}", "write {n+1:03x} for zeros"},
		{"{n:099}", "a width is 1 to 32"},
		{"{n:02q}", `unknown form "q"`},
		{"{n:02A}", "would fill letters with zeros"},
		{"{n+99999999999}", "adds more than"},
		{"{n>3}", "{n>3} is not a field"},
		{strings.Repeat("x", 129), "129 characters are more than the 128 of a pattern"},
	} {
		if _, err := names.Parse(test.pattern); err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%q: %v, want %s", test.pattern, err, test.wrong)
		}
	}
}

// What a pattern writes, it finds the number in again.
func TestNumbersComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		forms := []string{"{n}", "{n:05}", "{n+100}", "{n:x}", "{n:04X}", "{n:A}", "{n-1:a}"}
		text := rapid.SampledFrom([]string{"", "C", "{fabric}-", "{level}.", "a{{"}).Draw(t, "before") +
			rapid.SampledFrom(forms).Draw(t, "number") + rapid.SampledFrom([]string{"", "-{level}", "/x"}).Draw(t,
			"after")
		p, err := names.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(1, 20_000_000).Draw(t, "n")
		words := rapid.SampledFrom([]string{"compute", "net-12", "tier1", "7"})
		fields := values{
			"n": names.Number(n), "fabric": names.Text(words.Draw(t, "fabric")),
			"level": names.Text(words.Draw(t, "level")),
		}
		made, err := p.Append(nil, fields.of)
		if err != nil {
			t.Fatal(err)
		}
		if found := p.Numbers("n", string(made)); !slices.Contains(found, n) {
			t.Fatalf("%s of %d is %s, in which there is %v", text, n, made, found)
		}
	})
}

// rules names the boxes of a graph by patterns, one for each kind, "" for none.
func rules(t *testing.T, g topology.Graph, patterns ...string) names.Rules {
	t.Helper()
	r := names.Rules{Fields: names.Fields(g)}
	for _, text := range patterns {
		if text == "" {
			r.Patterns = append(r.Patterns, nil)
			continue
		}
		p, err := names.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Patterns = append(r.Patterns, p)
	}
	return r
}

// fatTree has 3 units of 4 leaves and 32 nodes, and 4 spines.
func fatTree(t *testing.T) topology.Graph {
	return graphtest.New(t, topology.FatTree{Nodes: 96, Radix: 64, Rails: 4, Down: 32, Up: 8, Spines: 4})
}

func TestFieldsOfFamilies(t *testing.T) {
	for _, test := range []struct {
		graph   topology.Graph
		pattern string // of all kinds that have the fields
		vertex  int
		want    string
	}{
		{fatTree(t), "su{unit+1}-r{rail}-{in_rail:02}", 6, "su2-r2-02"},
		{fatTree(t), "su{unit+1}-n{in_unit:02}", 16 + 33, "su2-n02"},
		{graphtest.New(t, topology.Torus{Dims: topology.Ints{4, 3, 2}}), "t{x}-{y}-{z}", 17, "t1-1-1"},
		{graphtest.New(t, topology.Torus{Dims: topology.Ints{4, 3, 2}}), "{dim3}.{dim2+1}", 17, "1.2"},
		{graphtest.New(t, topology.Dragonfly{A: 4, P: 2, H: 2}), "g{group:A}-{in_group}", 5, "gB-2"},
	} {
		i := topology.KindOf(test.graph.Kinds(), test.vertex)
		patterns := make([]string, len(test.graph.Kinds()))
		patterns[i] = test.pattern
		n := names.Of(test.graph).With(rules(t, test.graph, patterns...), func(int, string, ...any) {})
		if got := n.Name(test.vertex); got != test.want {
			t.Errorf("%s: %s of %d is %s, want %s", test.graph.Family(), test.pattern, test.vertex, got, test.want)
		}
	}
}

func TestNamesAreFound(t *testing.T) {
	g := fatTree(t)
	usual := names.Of(g)
	own := usual.With(rules(t, g, "leaf-{n:02}", "", "su{unit}-n{in_unit}"), func(_ int, format string, args ...any) {
		t.Errorf(format, args...)
	})
	for _, test := range []struct {
		text string
		of   *names.Names
		want int
	}{
		{"LF07", usual, 6},
		{"u1.r2", usual, 6},
		{"6", usual, 6},
		{"leaf-07", own, 6},
		{"u1.r2", own, 6},
		{"LF07", own, 6}, // as it would be called
		{"SP2", own, 13},
		{"su1-n2", own, 16 + 33},
	} {
		if v, err := test.of.Find(test.text); err != nil || v != test.want {
			t.Errorf("%s is %d, %v; want %d", test.text, v, err, test.want)
		}
	}
	for _, test := range []struct{ text, wrong string }{
		{"leaf-99", `no vertex "leaf-99": did you mean "leaf-09"?`},
		{"-1", "from 0 to 111"},
		{"112", "from 0 to 111"},
		{"", "from 0 to 111"},
	} {
		if _, err := own.Find(test.text); err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	g := fatTree(t)
	for _, test := range []struct {
		patterns []string
		wrong    string
	}{
		{
			[]string{"leaf-{rail}", "", ""},
			"leaf u0.r0 and leaf u1.r0 are both called \"leaf-0\"\n" +
				"names are unique: add a field that tells them apart",
		},
		{[]string{"x{n}", "x{n}", ""}, `leaf u0.r0 and spine s0 are both called "x1"`},
		{[]string{"N{n:02}", "", ""}, `node u0.n0 and leaf u0.r0 are both called "N01"`}, // a name that nobody gave
		{[]string{"", "s{pod}", ""}, "s0 has no {pod}\ndid you mean"},
		{[]string{"", "s{unit}", ""}, "s0 has no {unit}\nits fields are n, kind, address"},
		{[]string{strings.Repeat("x", 120) + "{n:020}", "", ""}, "a name has at most 128"},
	} {
		var found []string
		names.Of(g).With(rules(t, g, test.patterns...), func(_ int, format string, args ...any) {
			found = append(found, fmt.Sprintf(format, args...))
		})
		if len(found) == 0 || len(found) > 10 || !strings.Contains(found[0], strings.TrimSuffix(test.wrong,
			"did you mean")) {
			t.Errorf("%s: %q, want %s", test.patterns, found, test.wrong)
		}
	}
}

func TestTablesOfNames(t *testing.T) {
	g := fatTree(t)
	n := names.Of(g)
	table, err := n.ReadTable("names.csv",
		strings.NewReader("\ufeffbox;note;name\r\nLF07;;'=core\r\nu0.n3;x;login\r\n\r\n5;;\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != 2 || table[6].Name != "=core" || table[12+4+3].Name != "login" {
		t.Errorf("%v", table)
	}
	// The columns of a placement, to which names are added.
	table, err = n.ReadTable("p.csv",
		strings.NewReader("vertex,label,kind,address,name\n6,LF07,leaf,u1.r2,a\n7,LF08,leaf,,b\n"))
	if err != nil || table[6].Name != "a" || table[7].Name != "b" {
		t.Errorf("%v %v", table, err)
	}
	for _, test := range []struct{ table, wrong string }{
		{"", "names.csv:1:1: the table is empty; its first line names the columns: box,name"},
		{"name\nx\n", "names.csv:1:1: a column box is needed"},
		{"box,names\nx,y\n", "names.csv:1:1: a column name is needed"},
		{"box,name\nLF07\n", "names.csv:2:1: 1 values for 2 columns"},
		{"box,name\nLF99,x\n", `names.csv:2:1: no vertex "LF99"`},
		{"box,name\n,x\n", "names.csv:2:1: the line names no box"},
		{"box,name\nLF07,a\nu1.r2,b\n", "names.csv:3:1: leaf u1.r2 has a name on line 2 already"},
		{"box,name\nLF07,a\nLF08,a\n", `names.csv:3:1: "a" is the name of another box on line 2 already`},
		{
			"box,name\nLF07," + strings.Repeat("x", 200) + "\n",
			"names.csv:2:1: \"xxxxxxxxxxxxxxxxxxxx\"... has 200 characters",
		},
		{"box,name\nLF07,\"a\n", "names.csv:2:6: this quotation mark is never closed"},
		{"vertex,name\n112,a\n", `names.csv:2:1: "112" is not the number of a vertex: they are 0 to 111`},
		{"box,name\nLF07,\xff\n", "names.csv:2:6: the byte 0xff at offset 14 is not UTF-8 text"},
	} {
		if _, err := n.ReadTable("names.csv", strings.NewReader(test.table)); err == nil ||
			!strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%q: %v, want %s", test.table, err, test.wrong)
		}
	}
}

// failing fails to be read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestUnreadableTable(t *testing.T) {
	if _, err := names.Of(fatTree(t)).ReadTable("x", failing{}); err == nil || err.Error() != "the disk is gone" {
		t.Error(err)
	}
}

func FuzzTables(f *testing.F) {
	f.Add("box,name\nLF07,a\n")
	f.Add("vertex;label;address;name\n1;;;'=x")
	g, err := topology.New(topology.Spec{Params: topology.FatTree{Nodes: 8, Radix: 8}})
	if err != nil {
		f.Fatal(err)
	}
	n := names.Of(g)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := n.ReadTable("t", strings.NewReader(text))
		if err != nil {
			return
		}
		for v, e := range table {
			if int(v) >= topology.Vertices(g) || names.CheckName(e.Name) != nil {
				t.Errorf("%d is %q", v, e.Name)
			}
		}
	})
}

func FuzzPatterns(f *testing.F) {
	f.Add("leaf-r{rail:02}-{n+3:X}")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := names.Parse(text)
		if err != nil {
			return
		}
		made, err := p.Append(nil, func(string) names.Value { return names.Number(5) })
		if err == nil && p.Has("n") && len(p.Fields()) == 1 && len(p.Numbers("n", string(made))) == 0 {
			t.Errorf("%q of 5 is %q, which it does not find", text, made)
		}
	})
}
