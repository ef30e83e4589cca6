package machine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
)

// checkFilled counts, position by position, what is free between racks, and rows or pairs of rows with free positions
// before others in use.
func checkFilled(t *testing.T, p *embed.Placement, fill, file string, inTurn bool) {
	t.Helper()
	room := p.Layout.Room
	held := map[string]bool{}
	for _, rack := range p.Racks {
		held[room.Name(int(rack.Place))] = rack.Boxes > 0
	}
	unit := func(row int) int { // cold aisles are between rows A and B, C and D; hot ones between B and C
		switch fill {
		case "cold-aisles":
			return row / 2
		case "hot-aisles":
			return (row + 1) / 2
		}
		return row
	}
	vacant, used := map[int]int{}, 0
	for row := range room.Rows {
		last, hole := false, ""
		for number := 1; number <= room.Spec.PerRow; number++ {
			name := fmt.Sprintf("%c%02d", 'A'+row, number)
			if room.Rows[row].Position[number-1] < 0 {
				continue
			}
			switch {
			case held[name] && hole != "":
				t.Errorf("%s is free between racks\n%s", hole, file)
				hole = ""
			case held[name]:
				last, used = true, max(used, unit(row))
			default:
				vacant[unit(row)]++
				if last && hole == "" {
					hole = name
				}
			}
		}
	}
	for u, n := range vacant {
		if inTurn && u < used {
			t.Errorf("%d positions of unit %d are free, and unit %d is in use\n%s", n, u, used, file)
		}
	}
}

// Rows and aisles are filled in turn and without holes, with any other request; optimising leaves them so.
func TestRowsAreFilledInTurn(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 96, rails: 4, down: 16, up: 16, spines: 4}
packaging:
  node: {per_rack: %d}
  leaf: {place: %s, per_rack: %d}
  spine: {place: %s, per_rack: 2}
room:
  racks_per_row: %d
  %s
embedding: {fill: %s, strategy: %s, effort: %s%s}
`
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 1))
		of := func(list ...string) string { return list[rng.IntN(len(list))] }
		place := func() string { return of("in-rack", "end-of-row", "middle-of-row", "network-row") }
		fill, apart := of("rows", "cold-aisles", "hot-aisles"), of("", "", ", apart: [{of: leaf, at_most: 2}]")
		room := of("rows: 8", "", "columns: [{x: 3 m, y: 3 m, width: 0.4 m, depth: 3 m}]",
			"rows: 9\n  row_power: 190 kW")
		file := fmt.Sprintf(text, 2+rng.IntN(4), place(), 1+rng.IntN(8), place(), 8+rng.IntN(8), room, fill,
			of("auto", "hilbert", "pods", "random"), of("none", "quick"), apart)
		s, err := machine.Parse("m.yaml", []byte(file))
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Errorf("%v\n%s", err, file)
			continue
		}
		checkFilled(t, r.Placement, fill, file, !strings.Contains(room, "row_power"))
	}
}

// Of the last pair of rows both are filled as far, switches stand in the middle of what is filled, and places that are
// listed may leave no holes.
func TestFillOfTheLastRows(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 60, rails: 2, down: 20, up: 20, spines: 4}
packaging: {node: {per_rack: 2}, leaf: {place: middle-of-row, per_rack: 1}, spine: {place: end-of-row, per_rack: 1}}
room: {rows: 6, racks_per_row: 14}
`
	r := planText(t, text+"embedding: {fill: cold-aisles}\n")
	room := r.Placement.Layout.Room
	most := map[int]int{} // the highest position in use of each row
	for _, rack := range r.Placement.Racks {
		at := &room.Places[rack.Place]
		most[at.Row] = max(most[at.Row], at.Number)
	}
	// 30 racks of nodes, 6 of leaves and 4 of spines: 28 in rows A and B, 6 each in C and D.
	if want := map[int]int{0: 14, 1: 14, 2: 6, 3: 6}; fmt.Sprint(most) != fmt.Sprint(want) {
		t.Errorf("rows are used up to %v, expected %v", most, want)
	}
	for _, rack := range r.Placement.Racks {
		at := &room.Places[rack.Place]
		if rack.Class == embed.EndOfRow && at.Number != most[at.Row] {
			t.Errorf("a rack of the end of row %d is at position %d of %d", at.Row, at.Number, most[at.Row])
		}
		if from := at.Number*2 - most[at.Row]; rack.Class == embed.MiddleOfRow && (from < -3 || from > 3) {
			t.Errorf("a rack of the middle of row %d is at position %d of %d", at.Row, at.Number, most[at.Row])
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "places.csv"), []byte("container,unit,label\nE05,1,N01\nE08,1,N02\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	s, err := machine.Parse(filepath.Join(dir, "m.yaml"),
		[]byte(text+"embedding: {fill: rows, placement: places.csv}\n"))
	if err == nil {
		_, err = machine.Plan(context.Background(), s)
	}
	if want := "embedding.fill: the given places leave rack position"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwithout %q", err, want)
	}
	for more, want := range map[string]string{
		"room: {facing: same}\nembedding: {fill: cold-aisles}\n": "embedding.fill: rows that all face the same way",
		"embedding: {fill: aisles}\n":                            `embedding.fill: "aisles" is not one of rows`,
	} {
		_, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4]}\n"+more))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwithout %q", err, want)
		}
	}
}
