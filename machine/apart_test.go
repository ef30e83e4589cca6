package machine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// crowd counts boxes by the words of where each stands and of the group that it is in, box by box.
func crowd(r *machine.Result, group func(kind string, n int) string, where func(rack string) string) map[string]int {
	count := map[string]int{}
	for _, k := range r.Graph.Kinds() {
		for n := range k.Count {
			g := group(k.Name, n)
			if g == "" {
				continue
			}
			l := r.Placement.Layout
			rack := l.Room.Name(int(l.Container(layout.RackLevel, r.Placement.Slot[k.First+n])))
			count[g+" in "+where(rack)]++
		}
	}
	return count
}

// domainOf is the domain of a rack by its name, in rooms of two halls of three rows each whose feeds are A to C, D01 to
// D06 and all else.
func domainOf(within, rack string) string {
	row := strings.TrimRight(rack, "0123456789")
	number, _ := strconv.Atoi(rack[len(row):])
	switch within {
	case "row":
		return row
	case "hall":
		return strconv.FormatBool(row <= "C")
	case "feed":
		switch {
		case row <= "C":
			return "one"
		case row == "D" && number <= 6:
			return "two"
		}
		return "three"
	}
	return rack
}

// Failure domains are kept with and without optimising, with any other request, counted box by box; or the line
// that
// cannot be kept is refused.
func TestApartIsKept(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 96, rails: 4, down: 16, up: 16, spines: 4}
packaging:
  node: {per_rack: %d}
  leaf: {place: %s, per_rack: %d}
  spine: {place: %s, per_rack: %d}
room:
  racks_per_row: 12
%s
embedding:
  strategy: %s
  effort: %s
  apart:
    - {of: %s, %swithin: %s, at_most: %d}
    - {of: spine, within: %s, at_most: %d}
`
	halls := `  halls: [{name: one, rows: 3}, {name: two, rows: 3}]
  feeds: [{name: one, racks: [A-C]}, {name: two, racks: [D01-D06]}]
  trays: {paths: [{name: duct, from: A06, to: D06}, {name: second, from: C01, to: F01}]}`
	kept, refused := 0, 0
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 0))
		of := func(list ...string) string { return list[rng.IntN(len(list))] }
		place := func() string { return of("in-rack", "end-of-row", "middle-of-row", "network-row") }
		room, within := halls, []string{"rack", "row", "hall", "feed"}
		if seed%3 == 0 {
			room, within = "", within[:2]
		}
		first, by := of("leaf", "node"), of("", "by: rail, ", "by: [rail, n], ", "by: kind, ")
		if first == "node" {
			by = of("", "by: unit, ")
		}
		one, two, most, fewest := of(within...), of(within...), 1+rng.IntN(24), 1+rng.IntN(4)
		file := fmt.Sprintf(text, 2+rng.IntN(8), place(), 1+rng.IntN(8), place(), 1+rng.IntN(4), room,
			of("auto", "hilbert", "pods", "hierarchy"), of("none", "quick"), first, by, one, most, two, fewest)
		s, err := machine.Parse("m.yaml", []byte(file))
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			if refused++; !strings.Contains(err.Error(), "embedding.apart[") && !strings.Contains(err.Error(), "room") {
				t.Errorf("%v\n%s", err, file)
			}
			continue
		}
		kept++
		if s.Embedding.Effort == "none" { // optimising moves racks of nodes to all free positions
			checkEnds(t, r.Placement, file)
		}
		check := func(limit int, count map[string]int) {
			for where, n := range count {
				if n > limit {
					t.Errorf("%d of %s, at most %d\n%s", n, where, limit, file)
				}
			}
		}
		check(fewest, crowd(r, func(kind string, _ int) string {
			return map[string]string{"spine": "spine"}[kind]
		}, func(rack string) string { return domainOf(two, rack) }))
		check(most, crowd(r, func(kind string, n int) string {
			v := first
			switch {
			case kind != first:
				return ""
			case strings.Contains(by, "n]"):
				v += strconv.Itoa(n) // all differ
			case strings.Contains(by, "rail"):
				v += railOf(r.Graph, n)
			case strings.Contains(by, "unit"):
				v += strconv.Itoa(n / 16)
			}
			return v
		}, func(rack string) string { return domainOf(one, rack) }))
	}
	if kept < 8 {
		t.Errorf("%d kept, %d refused", kept, refused)
	}
}

// checkEnds finds racks of the ends of rows that stand before others.
func checkEnds(t *testing.T, p *embed.Placement, file string) {
	t.Helper()
	room := p.Layout.Room
	last := map[int]int{} // the highest position of another rack in each row
	for _, rack := range p.Racks {
		if at := room.Places[rack.Place]; rack.Class != embed.EndOfRow {
			last[at.Row] = max(last[at.Row], at.Number)
		}
	}
	for _, rack := range p.Racks {
		if at := room.Places[rack.Place]; rack.Class == embed.EndOfRow && at.Number < last[at.Row] {
			t.Errorf("a rack of the end of row %d stands at position %d, before position %d\n%s", at.Row, at.Number,
				last[at.Row], file)
		}
	}
}

// railOf is the rail of a leaf: that of the port of the nodes that its cables end in.
func railOf(g topology.Graph, leaf int) string {
	v := 0
	for _, k := range g.Kinds() {
		if k.Name == "leaf" {
			v = k.First + leaf
		}
	}
	label := g.Label(v)
	return label[strings.LastIndex(label, "r"):]
}

// Rules for failure domains that cannot be kept say how many domains it takes, at their line.
func TestApartSaysWhatItTakes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "places.csv"), []byte("container,unit,label\nA01,41,SP1\nA01,38,SP2\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	const tree = "topology: {family: fat-tree, nodes: 64, radix: 16}\n"
	for _, c := range []struct{ text, want string }{
		{
			tree + "room: {rows: 3, racks_per_row: 8}\nembedding: {apart: [{of: spine, within: row}]}\n",
			"m.yaml:3:21: embedding.apart[0]: 4 of spine with at most 1 in a row need 4 rows, and there are 3",
		},
		{
			tree + "embedding: {apart: [{of: spine, within: feed}]}\n",
			"m.yaml:2:41: embedding.apart[0].within: the room has no feeds",
		},
		{
			tree + "embedding: {apart: [{of: spine, within: hall}]}\n",
			"m.yaml:2:41: embedding.apart[0].within: the room has no halls",
		},
		{
			tree + "embedding: {apart: [{of: [spine, laef]}]}\n",
			`m.yaml:2:34: embedding.apart[0].of[1]: there is no "laef"`,
		},
		{
			tree + "embedding: {apart: [{of: leaf, by: rial}]}\n",
			`embedding.apart[0].by: leaf have no "rial"`,
		},
		{
			tree + "room: {rows: 2, feeds: [{name: a, racks: [A, C]}]}\n",
			"m.yaml:2:46: room.feeds[0].racks[1]: there are only 2 rows, the last is B",
		},
		{
			tree + "room: {feeds: [{name: a, racks: [A]}, {name: b, racks: [A03-A05]}]}\n" +
				"embedding: {apart: [{of: spine, within: feed}]}\n",
			"room.feeds[1].racks[0]: racks of row A draw from feed a already",
		},
		{
			tree + "room: {feeds: [{name: a, racks: [a, A5-A3, C-A, A1-B2]}]}\n",
			`room.feeds[0].racks[3]: "A1-B2" is not a row, rack position or range of either`,
		},
		{
			tree + "room: {rows: [{racks: 12}, {name: x-y, racks: 8}],\n  feeds: [{name: a, racks: [x-y04-x-y09]}]}\n",
			"room.feeds[0].racks[0]: row x-y has only 8 rack positions",
		},
		{
			tree + "embedding: {apart: [{of: spine}], placement: places.csv}\n",
			"embedding.apart[0]: 2 of spine in rack A01, and at most 1 of the 4 may share a rack",
		},
	} {
		s, err := machine.Parse(filepath.Join(dir, "m.yaml"), []byte(c.text))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwithout %q", err, c.want)
		}
	}
}

// Two boxes that are named may not share a rack, and a room whose size is not given grows for what has to stand apart.
func TestApartOfNamedBoxes(t *testing.T) {
	for _, effort := range []string{"none", "quick"} {
		r := planText(t, `
topology: {family: fat-tree, nodes: 64, radix: 16}
packaging: {node: {per_rack: 42}, leaf: {per_rack: 8}, spine: {per_rack: 8}}
embedding: {effort: `+effort+`, apart: [{of: [SP1, SP2]}, {of: spine, within: row, at_most: 2}]}
`)
		of := map[string]string{"0": "pair", "1": "pair"}
		for where, n := range crowd(r, func(kind string, n int) string {
			return map[bool]string{true: of[strconv.Itoa(n)]}[kind == "spine"]
		}, func(rack string) string { return rack }) {
			if n > 1 {
				t.Errorf("%s: %d of the %s", effort, n, where)
			}
		}
		for where, n := range crowd(r, func(kind string, _ int) string {
			return map[string]string{"spine": "spine"}[kind]
		}, func(rack string) string { return rack[:1] }) {
			if n > 2 {
				t.Errorf("%s: %d of %s", effort, n, where)
			}
		}
	}
}
