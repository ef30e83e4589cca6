package machine_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

const movable = `topology: {family: torus, dims: [6, 2]}
packaging: {node: {per_rack: 2}}
room: {rows: 2, racks_per_row: 4, keep_outs: [{points: [[1.9 m, 0], [2.1 m, 0], [2.1 m, 2 m], [1.9 m, 2 m]]}]}
`

const movableCubes = `topology: {family: torus, dims: [4, 4, 4]}
room: {containers: [{name: hall, count: [2, 2, 2], pitch: 1}, {name: cube, count: [2, 2, 2], pitch: 0.2}]}
cabling: {route: manhattan}
`

// moved is a machine file with the places of racks.
func moved(file string, racks []spec.RackOf) string {
	var all []string
	for _, r := range racks {
		all = append(all, fmt.Sprintf("{with: %q, at: %q}", r.With, r.At))
	}
	return file + "embedding: {racks: [" + strings.Join(all, ", ") + "]}\n"
}

// boxesAt are the vertices in every rack or innermost container that has some.
func boxesAt(p *embed.Placement) map[string][]int {
	out := map[string][]int{}
	for v, slot := range p.Slot {
		name := p.Layout.Innermost(slot)
		out[name] = append(out[name], v)
	}
	return out
}

// places are the names of all racks or innermost containers, and of those that hold boxes.
func places(r *machine.Result) (all, held []string) {
	at := boxesAt(r.Placement)
	if room := r.Placement.Layout.Room; room != nil {
		for i := range room.Places {
			all = append(all, room.Name(i))
		}
	} else {
		for slot := range r.Placement.Layout.Slots() {
			all = append(all, r.Placement.Layout.Innermost(int32(slot)))
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	for name := range at {
		held = append(held, name)
	}
	slices.Sort(held)
	return all, held
}

func parsed(t testing.TB, text string) *spec.Spec {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every move exchanges what stands at two places and nothing else, regardless of what was moved before.
func TestMovesExchangeTwoPlaces(t *testing.T) {
	graphtest.FewerDraws(t, 50)
	for _, file := range []string{movable, movableCubes} {
		rapid.Check(t, func(t *rapid.T) {
			var racks []spec.RackOf
			plan := func() *machine.Result {
				s, err := machine.Parse("m.yaml", []byte(moved(file, racks)))
				if err != nil {
					t.Fatal(err)
				}
				r, err := machine.Plan(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			r := plan()
			for range rapid.IntRange(1, 5).Draw(t, "moves") {
				all, held := places(r)
				from, to := rapid.SampledFrom(held).Draw(t, "from"), rapid.SampledFrom(all).Draw(t, "to")
				s, err := machine.Parse("m.yaml", []byte(moved(file, racks)))
				if err != nil {
					t.Fatal(err)
				}
				if racks, err = machine.MoveRack(context.Background(), s, from, to); err != nil {
					t.Fatal(err)
				}
				want := boxesAt(r.Placement)
				want[from], want[to] = want[to], want[from]
				r = plan()
				got := boxesAt(r.Placement)
				for _, name := range all {
					if !slices.Equal(got[name], want[name]) {
						t.Fatalf("%s to %s: at %s stand %v, want %v: %v", from, to, name, got[name], want[name], racks)
					}
				}
			}
		})
	}
}

// A moved rack is cabled as if a table had its boxes there, and saying so again of that table changes nothing.
func TestMovedRacksAreThoseOfATable(t *testing.T) {
	file := `topology: {family: leaf-spine, nodes: 24, down: 6, up: 4, spines: 4}
packaging: {node: {per_rack: 4}, leaf: {place: in-rack}, spine: {place: network-row}}
room: {rows: 3, racks_per_row: 4}
`
	dir := t.TempDir()
	plain, err := machine.Plan(t.Context(), parsed(t, file))
	if err != nil {
		t.Fatal(err)
	}
	racks := []spec.RackOf{
		{With: plain.Names.Name(0), At: "C04"}, {With: plain.Names.Name(topology.Vertices(plain.Graph) - 1), At: "A01"},
	}
	byRack, err := machine.Plan(t.Context(), parsed(t, moved(file, racks)))
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	w := csv.NewWriter(&table)
	_ = w.Write([]string{"vertex", "container", "unit"})
	for v, slot := range byRack.Placement.Slot {
		l := byRack.Placement.Layout
		_ = w.Write([]string{fmt.Sprint(v), l.Innermost(slot), fmt.Sprint(l.Unit(slot))})
	}
	w.Flush()
	path := filepath.Join(dir, "places.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		file + "embedding: {placement: " + path + "}\n",
		strings.Replace(moved(file, racks), "racks: [{", "placement: "+path+", racks: [{", 1),
	} {
		byTable, err := machine.Plan(t.Context(), parsed(t, text))
		if err != nil {
			t.Fatal(err)
		}
		a, b := metres(byRack), metres(byTable)
		if a != b || a == metres(plain) || byRack.Bill.Total != byTable.Bill.Total {
			t.Errorf("%d m for %v, the table %d m for %v, unmoved %d m", a, byRack.Bill.Total, b, byTable.Bill.Total,
				metres(plain))
		}
	}
}

// metres is the length of all cables in millimetres.
func metres(r *machine.Result) (all int64) {
	for _, tallies := range r.Schedule.Tallies {
		for _, t := range tallies {
			all += int64(1e3 * t.CableMetres)
		}
	}
	return all
}

func TestMovesAreRefused(t *testing.T) {
	two := `topology: {family: leaf-spine, nodes: 4, down: 4, up: 2, spines: 2}
packaging: {node: {per_rack: 1}, leaf: {place: network-row}, spine: {place: network-row}}
room:
  rack_types: [{name: low, part: rack-48u, for: [leaf, spine]}]
  rows: [{racks: 6, types: [{positions: 5-6, type: low}]}]
`
	for _, c := range []struct{ file, racks, want string }{
		{movable, `{with: "(0,0)", at: Z01}`, `embedding.racks[0].at: there is no rack position "Z01"`},
		{movable, `{with: "(0,0)", at: A02}`, "embedding.racks[0].at: position A02 is kept free of racks"},
		{movable, `{with: "(9,0)", at: A01}`, `embedding.racks[0].with: no vertex "(9,0)": did you mean "(0,0)"?`},
		{movable, `{with: "(9,0)"}`, "embedding.racks[0].at: missing"},
		{movable, `{at: A01}`, "embedding.racks[0].with: missing"},
		{
			movable, `{with: "(0,0)", at: B02}, {with: "(5,0)", at: B02}`,
			"embedding.racks[1].at: B02 is where entry 1 has another",
		},
		{movableCubes, `{with: "(0,0,0)", at: cube-2.0.0}`, `there is no container "cube-2.0.0"`},
		{two, `{with: N1, at: A06}`, "embedding.racks[0]: a spine may not stand at A01, in a rack of type rack-42u"},
		{
			strings.Replace(movable, "keep_outs", "feeds: [{name: x, racks: [A]}], keep_outs", 1) + "#",
			`{with: "(0,0)", at: B04}], apart: [{of: [node], within: row, at_most: 6}`,
			"embedding.apart[0]: 8 of node in",
		},
	} {
		s, err := machine.Parse("m.yaml", []byte(strings.TrimSuffix(c.file, "#")+"embedding: {racks: ["+c.racks+"]}\n"))
		if err == nil {
			_, err = machine.Plan(t.Context(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.racks, err, c.want)
		}
	}
}
