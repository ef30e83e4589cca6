package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// tableOf writes a placement as a table.
func tableOf(t rapid.TB, p *Problem, pl *Placement) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCSV(context.Background(), &b, p.Graph, p.Names, pl); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drawProblem draws a machine in racks, with or without chassis, or in containers.
func drawProblem(t *rapid.T) *Problem {
	p := problem(drawGraph(t))
	p.Seed = rapid.Uint64().Draw(t, "seed")
	if rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
		n := topology.Vertices(p.Graph)
		levels := []layout.TreeLevel{{Name: "a", Count: [3]int{2, (n + 11) / 12, 1}, Gap: 1}, {
			Name:  "b-c/",
			Count: [3]int{1, 2, 1}, Gap: 1,
		}, {Name: "d", Count: [3]int{3, 1, 2}, Pitch: [3]units.Length{1, 1, 1}}}
		tree, err := layout.NewTree(levels[rapid.IntRange(0, 2).Draw(t, "from"):])
		if err != nil || tree.Cells(0) < n {
			if tree, err = layout.NewTree(levels); err != nil {
				t.Fatal(err)
			}
		}
		p.Room, p.Tree = nil, tree
		return p
	}
	if rapid.Bool().Draw(t, "chassis") {
		p.Chassis = []layout.Chassis{{Name: "blade1", Units: 3, Slots: [3]int{2, 1, 2}, PerRack: 4}}
	}
	for i := range p.Kinds {
		k := &p.Kinds[i]
		k.Box = layout.NewBox(rapid.IntRange(1, 5).Draw(t, "units"), 0.44, 0.8, nil)
		k.PerRack = rapid.IntRange(0, 6).Draw(t, "perRack")
		k.Racks = rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(t, "racks")
		if p.Graph.Kinds()[i].Role == topology.Switch {
			k.Class = rapid.SampledFrom([]Class{InRack, EndOfRow, MiddleOfRow, NetworkRow}).Draw(t, "class")
		} else if len(p.Chassis) > 0 {
			k.Chassis = 1
		}
	}
	if last := len(p.Kinds) - 1; last > 0 && rapid.IntRange(0, 3).Draw(t, "beside") == 0 {
		p.Kinds[last] = Kind{Box: layout.NewBox(0, 0.06, 0.06, nil), Class: Beside, PerRack: 50}
	}
	return p
}

// same compares the places of all vertices.
func same(t rapid.TB, p *Problem, a, b *Placement) {
	t.Helper()
	if x, y := tableOf(t, p, a), tableOf(t, p, b); !bytes.Equal(x, y) {
		t.Fatalf("%s\nis not\n%s", x, y)
	}
	for v := range a.Slot {
		if a.Layout.Position(a.Slot[v]) != b.Layout.Position(b.Slot[v]) {
			t.Fatalf("vertex %d stands elsewhere", v)
		}
	}
	if a.Layout.Room != nil &&
		(a.Layout.Room.Spec.Rows != b.Layout.Room.Spec.Rows || a.Layout.Room.Spec.PerRow != b.Layout.Room.Spec.PerRow) {
		t.Fatalf("a room of %d rows of %d and one of %d of %d",
			a.Layout.Room.Spec.Rows, a.Layout.Room.Spec.PerRow, b.Layout.Room.Spec.Rows, b.Layout.Room.Spec.PerRow)
	}
	if !slices.Equal(a.Racks, b.Racks) {
		t.Fatalf("racks %+v and %+v", a.Racks, b.Racks)
	}
}

// TestTableReadsBack checks that a placement written as a table gives the same
// placement, regardless of the order of its lines and columns.
func TestTableReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		p.Strategy = rapid.SampledFrom([]Strategy{Auto, Hierarchy, Hilbert, Random}).Draw(t, "strategy")
		want, err := Place(context.Background(), p)
		if err != nil {
			t.Skip(err)
		}
		table := tableOf(t, p, want)
		if rapid.Bool().Draw(t, "shuffled") {
			lines := strings.Split(strings.TrimSpace(string(table)), "\r\n")
			rest := rapid.Permutation(lines[1:]).Draw(t, "order")
			table = []byte("\ufeff" + strings.Join(append(lines[:1:1], rest...), "\n"))
		}
		if p.Pins, err = ReadCSV("t.csv", bytes.NewReader(table), p); err != nil {
			t.Fatalf("%v\n%s", err, table)
		}
		got, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		same(t, p, want, got)
	})
}

// TestPinsHold pins some vertices where another placement has them, and checks
// that they stand there, that nothing overlaps, and that the others keep to
// their class of racks.
func TestPinsHold(t *testing.T) {
	placed := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		p.Strategy = Random
		other, err := Place(context.Background(), p)
		if err != nil {
			t.Skip(err)
		}
		pins, err := ReadCSV("t.csv", bytes.NewReader(tableOf(t, p, other)), p)
		if err != nil {
			t.Fatal(err)
		}
		p.Strategy = rapid.SampledFrom([]Strategy{Auto, Hierarchy, Hilbert, Random}).Draw(t, "strategy")
		p.Seed++
		if rapid.IntRange(0, 99).Draw(t, "optimised") == 77 { // takes its time
			p.Optimizer = shortest(mapping.Quick)
		}
		for _, pin := range pins {
			if rapid.Bool().Draw(t, "pinned") {
				pin.Locked = true
				p.Pins = append(p.Pins, pin)
			}
		}
		pl, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		placed++
		checkPins(t, p, pl)
	})
	if placed == 0 {
		t.Error("nothing was placed")
	}
}

func checkPins(t rapid.TB, p *Problem, pl *Placement) {
	l := pl.Layout
	kinds := p.Graph.Kinds()
	type unit struct {
		rack int32
		unit int
	}
	units := map[unit]string{}
	cells := map[string]int{}
	pinned := p.pinsByVertex()
	for v, slot := range pl.Slot {
		kind := topology.KindOf(kinds, v)
		k := &p.Kinds[kind]
		if i := pinned[v]; i >= 0 {
			pin := p.Pins[i]
			if l.Room == nil {
				if slot != pin.Slot {
					t.Fatalf("%d stands in slot %d, pinned to %d", v, slot, pin.Slot)
				}
			} else if at := l.Room.Places[l.Container(layout.RackLevel, slot)]; at.Row != pin.Row ||
				at.Number != pin.Rack ||
				l.Unit(slot) != pin.Unit || k.Chassis > 0 && l.Cell(slot) != pin.Cell || l.Rear(slot) != pin.Rear {
				t.Fatalf("%d stands at %s, pinned to %+v", v, l.Path(slot), pin)
			}
		}
		if k.Class == Beside {
			continue
		}
		cell := fmt.Sprint(l.Innermost(slot), l.Cell(slot), l.Unit(slot))
		if other, ok := cells[cell]; ok {
			t.Fatalf("%d and %d stand in %s", v, other, cell)
		}
		cells[cell] = v
		if l.Room == nil {
			continue
		}
		who, height := fmt.Sprint("box ", v), k.Box.Units
		if k.Chassis > 0 {
			who, height = l.Innermost(slot), p.Chassis[k.Chassis-1].Units
		}
		rack := l.Container(layout.RackLevel, slot)
		for u := l.Unit(slot); u < l.Unit(slot)+height; u++ {
			if other, ok := units[unit{rack, u}]; ok && other != who || u < 1 || u > p.Room.Rack.Units {
				t.Fatalf("%s and %s at unit %d of rack %d", other, who, u, rack)
			}
			units[unit{rack, u}] = who
		}
	}
	used := 0
	for _, r := range pl.Racks {
		used += r.Used
	}
	if used != len(units) {
		t.Fatalf("%d units are in use, the racks list %d", len(units), used)
	}
}

// TestPinnedChassisMoves pins one node of a chassis to another unit: the chassis
// goes there, and what stood there gives way.
func TestPinnedChassisMoves(t *testing.T) {
	p := problem(graph(t, topology.Torus{Dims: topology.Ints{24}}))
	p.Chassis = []layout.Chassis{{Name: "blade", Units: 3, Slots: [3]int{4, 1, 1}}}
	p.Kinds[0].Chassis = 1
	var err error
	p.Pins, err = ReadCSV("t.csv", strings.NewReader("vertex,container,cell,unit\n7,A01/blade1,2,5\n"), p)
	if err != nil {
		t.Fatal(err)
	}
	pl := place(t, p)
	checkPins(t, p, pl)
	if len(pl.Racks) != 1 || pl.Racks[0].Boxes != 24 {
		t.Errorf("racks %+v", pl.Racks)
	}
}

// TestLockedVerticesStay checks that exchanging racks moves what is listed but
// not locked, and shortens the cables by it.
func TestLockedVerticesStay(t *testing.T) {
	g := graph(t, topology.Torus{Dims: topology.Ints{64}})
	p := problem(g)
	p.Kinds[0].PerRack = 2
	p.Room.Rows, p.Room.PerRow = 2, 16
	p.Strategy, p.Seed = Random, 3
	start := place(t, p)
	pins, err := ReadCSV("t.csv", bytes.NewReader(tableOf(t, p, start)), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Pins, p.Optimizer = pins, shortest(mapping.Quick)
	free := place(t, p)
	for i := range p.Pins {
		p.Pins[i].Locked = i%8 == 0
	}
	part := place(t, p)
	for i := 0; i < 64; i += 8 {
		if a, b := start.Layout.Path(start.Slot[i]), part.Layout.Path(part.Slot[i]); a != b {
			t.Errorf("vertex %d is locked and went from %s to %s", i, a, b)
		}
	}
	if a, b, c := betweenRacks(start, g), betweenRacks(part, g), betweenRacks(free, g); b >= a || c >= b {
		t.Errorf("%.3f m at first, %.3f m with some racks locked, %.3f m with none", a, b, c)
	}
}

// named is a graph whose vertices have given labels.
type named struct {
	topology.Graph
	labels []string
}

func (g named) Label(v int) string { return g.labels[v%len(g.labels)] }

// TestOddLabelsReadBack writes labels that are formulas, quotes, separators and
// worse, and finds the vertices by them.
func TestOddLabelsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"=1+1", "+a", "-b", "@c", "'", "''", "'=d", `"`,
			`a"b`, ",", ";", "a,b;c", " x ", "\ty", "a\r\nb", "\xff", "", "12", "é",
		}))
		g, err := topology.New(topology.Torus{Dims: topology.Ints{5}})
		if err != nil {
			t.Fatal(err)
		}
		labels := rapid.SliceOfNDistinct(label, 5, 5,
			func(s string) string { return cmp.Or(tableLabel(s), "empty") }).Draw(t, "labels")
		p := problem(named{g, labels})
		want, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		table := tableOf(t, p, want)
		for line := range strings.Lines(string(table)) {
			_, field, _ := strings.Cut(line, ",")
			field = strings.TrimPrefix(field, `"`)
			number := regexp.MustCompile(`^[-+][0-9.]`).MatchString(field)
			if field != "" && strings.IndexByte("=+-@\t\r\n", field[0]) >= 0 && !number {
				t.Fatalf("a formula: %s", line)
			}
		}
		if !slices.ContainsFunc(labels, func(s string) bool { return tableLabel(s) == "" }) {
			table = bytes.Replace(table, []byte("vertex,"), []byte("other,"), 1)
		}
		pins, err := ReadCSV("t.csv", bytes.NewReader(table), p)
		if err != nil || len(pins) != 5 {
			t.Fatalf("%v\n%s", err, table)
		}
		for i, pin := range pins {
			if int(pin.Vertex) != i {
				t.Fatalf("line %d is vertex %d\n%s", pin.Line, pin.Vertex, table)
			}
		}
	})
}

// TestTableMistakes reads tables with everything that can be wrong, each
// mistake with its place.
func TestTableMistakes(t *testing.T) {
	room := problem(graph(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 2}))
	room.Room.Rows, room.Room.PerRow, room.Room.Rack.Units = 3, 5, 10
	room.Kinds[0].Box = layout.NewBox(2, 0.44, 0.8, nil)
	blades := problem(graph(t, topology.Torus{Dims: topology.Ints{16}}))
	blades.Chassis = []layout.Chassis{{Name: "blade", Units: 3, Slots: [3]int{2, 1, 2}}}
	blades.Kinds[0].Chassis = 1
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "a", Count: [3]int{2, 2, 2}, Gap: 1},
		{Name: "b", Count: [3]int{2, 1, 1}, Pitch: [3]units.Length{1, 1, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	nested := problem(graph(t, topology.Torus{Dims: topology.Ints{16}}))
	nested.Room, nested.Tree = nil, tree
	for _, c := range []struct {
		p     *Problem
		table string
		want  string
	}{
		{p: room, table: "", want: "t.csv:1:1: the table is empty; its first line names the columns: " +
			"vertex,label,kind,container,cell,unit,face,address"},
		{p: room, table: "\n\n", want: "t.csv:1:1: the table is empty; its first line names the columns: " +
			"vertex,label,kind,container,cell,unit,face,address"},
		{p: room, table: "vertx,contaner,unit\n", want: `t.csv:1:1: there is no column "vertx"; did you mean vertex?
t.csv:1:7: there is no column "contaner"; did you mean container?
t.csv:1:1: a column vertex or label is needed
t.csv:1:1: a column container is needed`},
		{p: room, table: "vertex,container,unit,unit\n", want: "t.csv:1:23: a second column unit"},
		{p: room, table: strings.Join([]string{
			"vertex,label,kind,container,unit,face",
			`99,,,A01,1,`,
			`x,,,A01,1,`,
			`,"(0,9)",,A01,1,`,
			`,,,A01,1,`,
			`0,"(1,9)",,A01,1,`,
			`0,,node,A01,1,`,
			`0,,,A01,1,side`,
			`0,,,Q01,1,`,
			`0,,,A06,1,`,
			`0,,,rack 7,1,`,
			`0,,,A01,0,`,
			`0,,,A01,10,`,
			`0,,,A01,,`,
			`0,,,A01,two,`,
			`0,,,A01/blade1,1,`,
			`0,,,A01,1`,
			`0,"(0,0,,A01,1,`,
			`0,"(0,0)"x,,A01,1,`,
			`0,a"b,,A01,1,`,
			"0,\xff,,A01,1,",
		}, "\n"), want: `t.csv:2:1: "99" is not the number of a vertex: they are 0 to 47
t.csv:3:1: "x" is not the number of a vertex: they are 0 to 47
t.csv:4:2: there is no vertex (0,9); did you mean (0,0)?
t.csv:5:2: the line names no vertex
t.csv:6:3: vertex 0 is (0,0), not (1,9)
t.csv:7:4: SW01 is a switch, not a node
t.csv:8:11: "side" is not front or rear
t.csv:9:1: SW01 is on line 8 already
t.csv:10:1: SW01 is on line 8 already
t.csv:11:1: SW01 is on line 8 already
t.csv:12:1: SW01 is on line 8 already
t.csv:13:1: SW01 is on line 8 already
t.csv:14:1: SW01 is on line 8 already
t.csv:15:1: SW01 is on line 8 already
t.csv:16:1: SW01 is on line 8 already
t.csv:17:1: 5 values for 6 columns
t.csv:18:3: this quotation mark is never closed
t.csv:19:10: expected "," after the quotation mark
t.csv:20:3: a quotation mark inside a value; put the value in quotes and double the mark
t.csv:21:3: the byte 0xff at offset 297 is not UTF-8 text; save it as UTF-8, which spreadsheets call CSV UTF-8`},
		{p: room, table: strings.Join([]string{
			"vertex;container;unit",
			"0;Q01;1",
			"1;A06;1",
			"2;rack 7;1",
			"3;A01;0",
			"4;A01;10",
			"5;A01;",
			"6;A01;two",
			"7;A01/blade1;1",
			"8;B02;3",
			"9;row B/rack 2;4",
			"20;row 2/rack 2;5",
			"21;row B;5",
		}, "\r\n"), want: `t.csv:2:3: row Q: the room has 3 rows, the last is C
t.csv:3:3: rack 6: a row has 5
t.csv:4:3: "rack 7" is not a rack: write A03 or row A/rack 3
t.csv:5:7: unit 0: they are 1 to 9
t.csv:6:7: unit 10: they are 1 to 9
t.csv:7:7: a unit is missing
t.csv:8:7: "two" is not a unit
t.csv:9:3: a switch stands in the rack itself, not in "blade1"
t.csv:11:16: unit 4 is taken by the box of line 10
t.csv:13:4: "row B" is not a rack: write A03 or row A/rack 3`},
		{p: blades, table: strings.Join([]string{
			"vertex,container,cell,unit",
			"0,A01/blade1,1,1",
			"1,A01/blade1,1,1",
			"2,A01/blade1,2,2",
			"3,A01/blade2,1,3",
			"4,A01,1,4",
			"5,A01/blade0,1,4",
			"6,A01/blade3,5,4",
			"7,A01/blade3,1,41",
		}, "\n"), want: `t.csv:3:14: this cell is taken by line 2
t.csv:4:16: the chassis is at unit 1 on line 2
t.csv:5:16: unit 3 is taken by the chassis of line 2
t.csv:6:3: a node stands in a chassis: write its number after the rack, as in A01/blade1
t.csv:7:3: a node stands in a chassis: write its number after the rack, as in A01/blade1
t.csv:8:14: cell 5: they are 1 to 4
t.csv:9:16: unit 41: they are 1 to 40`},
		{p: nested, table: strings.Join([]string{
			"vertex,container,cell,unit",
			"0,b-1.1.1,1,",
			"1,b-1.1.1,1,",
			"2,b-2.0.0,1,",
			"3,b-1.1,1,",
			"4,b-0.0.0,3,",
			"5,b-0.0.0,,",
			"6,b-0.0.0,1,4",
			"7,b-0.0.0/b-0.0.0,1,",
		}, "\n"), want: `t.csv:3:3: this place is taken by line 2
t.csv:4:3: "b-2.0.0" is not a container of the last level: the last is b-1.1.1
t.csv:5:3: "b-1.1" is not a container of the last level: the last is b-1.1.1
t.csv:6:11: cell 3: they are 1 to 2
t.csv:7:11: a cell is missing
t.csv:8:13: containers have no unit
t.csv:9:3: "b-0.0.0/b-0.0.0" is not a container of the last level: the last is b-1.1.1`},
		{
			p: room, table: "vertex,container\n" + strings.Repeat("0", longestLine) + ",A01\n99,A01\n",
			want: `t.csv:2:1: the line is longer than 65536 bytes
t.csv:3:1: "99" is not the number of a vertex: they are 0 to 47`,
		},
	} {
		_, err := ReadCSV("t.csv", strings.NewReader(c.table), c.p)
		got := fmt.Sprint(err)
		if got != c.want {
			t.Errorf("%.200q\n%s\nwant\n%s", c.table, got, c.want)
		}
	}
	many := "vertex,container\n" + strings.Repeat("x,A01\n", 1000)
	_, err = ReadCSV("t.csv", strings.NewReader(many), room)
	var mistakes diag.List
	if !errors.As(err, &mistakes) || len(mistakes) != diag.Most ||
		!strings.HasSuffix(err.Error(), "there may be more than these 200 mistakes") {
		t.Errorf("%d mistakes", len(mistakes))
	}
}

// TestPinOnAKeepOut names the line.
func TestPinOnAKeepOut(t *testing.T) {
	p := problem(graph(t, topology.Torus{Dims: topology.Ints{4}}))
	p.Room.Rows, p.Room.PerRow = 1, 3
	p.Room.KeepOuts = []layout.KeepOut{{Area: layout.Place{X: 2.1, Y: 1.8}.Footprint(p.Room.Rack).ToPolygon()}}
	var err error
	if p.Pins, err = ReadCSV("t.csv", strings.NewReader("vertex,container,unit\n0,A02,1\n"), p); err != nil {
		t.Fatal(err)
	}
	_, err = Place(context.Background(), p)
	if err == nil || err.Error() != "Pins: line 2: position 2 of row A is kept free of racks" {
		t.Error(err)
	}
}

// FuzzReadCSV reads anything; what is read can be placed or is refused.
func FuzzReadCSV(f *testing.F) {
	g, err := topology.New(topology.HyperX{Dims: topology.Ints{3, 3}, Terminals: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("vertex,label,kind,container,cell,unit,face\r\n0,\"(0,0)\",switch,A01,,42,front\r\n" +
		"9,\"(0,0):0\",node,A01/blade1,1,1,front\r\n")
	f.Add("label;container;unit\n(0,0);row 2/rack 1;3\n'=x;B02;3")
	f.Add("\ufeffvertex,container,unit,face\n1,ZZ9,1,rear\n\"2\",\"A01\",5,")
	f.Fuzz(func(t *testing.T, text string) {
		p := problem(g)
		p.Room.Rows, p.Room.PerRow = 4, 8
		p.Chassis = []layout.Chassis{{Name: "blade", Units: 3, Slots: [3]int{2, 1, 2}}}
		p.Kinds[1].Chassis = 1
		pins, err := ReadCSV("t.csv", strings.NewReader(text), p)
		if err != nil {
			return
		}
		p.Pins = pins
		pl, err := Place(context.Background(), p)
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		checkPins(t, p, pl)
	})
}

// TestTablePositions compares the positions in a table of containers with sums of the pitches by the indices in the
// names of containers.
func TestTablePositions(t *testing.T) {
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "hall", Count: [3]int{2, 3, 1}, Pitch: [3]units.Length{5, 7, 9}},
		{Name: "rack", Count: [3]int{1, 1, 2}, Pitch: [3]units.Length{1, 1, 0.5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := topology.New(topology.Torus{Dims: topology.Ints{12}})
	if err != nil {
		t.Fatal(err)
	}
	pl, err := Place(t.Context(), &Problem{
		Graph: g, Tree: tree, Strategy: Random, Seed: 3, Kinds: []Kind{{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteCSV(t.Context(), &b, g, nil, pl); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 13 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows[1:] {
		var x, y, z, cell int
		if _, err := fmt.Sscanf(r[3], "rack-%d.%d.%d", &x, &y, &z); err != nil {
			t.Fatal(r[3], err)
		}
		fmt.Sscan(r[4], &cell)
		want := fmt.Sprint(5*float64(x)+0.5, 7*float64(y)+0.5, 0.5*float64(cell-1)+0.25)
		if got := strings.Join(r[8:], " "); got != want {
			t.Errorf("%v: position %s, expected %s", r, got, want)
		}
	}
}
