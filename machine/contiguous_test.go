package machine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

const twoFabrics = `
boxes:
  - {name: dgx, count: 24, part: nvidia-dgx-h100, per_rack: 2}
  - {name: store, count: 20, role: service, part: generic-server-1u, per_rack: %d}
  - {name: manager, count: 5, role: service, part: generic-server-1u}
fabrics:
  - name: compute
    topology: {family: fat-tree, radix: 64, rails: 8}
    ends: [{boxes: dgx, ports: compute}]
    switches: {switch: {part: nvidia-qm9700, place: %s}}
  - name: storage
    topology: {family: fat-tree, radix: 32}
    ends: [{boxes: store, ports: data}]
    switches: {switch: {part: nvidia-sn4600c, place: %s}}
  - name: lan
    topology: {family: fat-tree, radix: 32}
    ends: [{boxes: manager, ports: data}]
    switches: {switch: {part: nvidia-sn4600c}}
`

// blockOf is the block of a box by its kind, where storage is the first and compute the second.
func blockOf(kind string) string {
	switch {
	case kind == "store" || strings.HasPrefix(kind, "storage-"):
		return "storage"
	case kind == "dgx" || strings.HasPrefix(kind, "compute-"):
		return "compute"
	}
	return "rest"
}

// Kinds and fabrics have rows of their own which follow each other, counted box by box, with any other request;
// optimising leaves them there, and so does a plan from the places of the plan.
func TestContiguousRows(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		of := func(list ...string) string { return list[rng.IntN(len(list))] }
		place := func() string { return of("in-rack", "end-of-row", "middle-of-row", "network-row") }
		room := of("racks_per_row: 10", "rows: 8, racks_per_row: 8",
			"halls: [{name: one, rows: 5}, {name: two, rows: 5}], "+
				"racks_per_row: 9, trays: {paths: [{name: duct, from: A06, to: F06}]}")
		file := fmt.Sprintf(twoFabrics, 2+rng.IntN(8), place(), place()) + "room: {rack: rack-48u, " + room + "}\n" +
			"embedding: {contiguous: " + of("[storage, compute]",
			`[[store, "storage/*"], [dgx, compute/leaf, compute/spine]]`) +
			", strategy: " + of("auto", "hilbert", "pods", "random") + ", effort: " + of("none", "quick") +
			of("", ", fill: rows", ", fill: cold-aisles", ", apart: [{of: storage/spine, at_most: 1}]",
				", apart: [{of: compute/leaf, within: row, at_most: 8}]") + "}\n"
		if strings.Contains(file, "pods") && strings.Contains(file, "boxes:") {
			file = strings.Replace(file, "strategy: pods", "strategy: hierarchy", 1)
		}
		s, err := machine.Parse("m.yaml", []byte(file))
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			if !strings.Contains(err.Error(), "embedding.apart[0]") { // which a block of few rows cannot keep
				t.Errorf("%v\n%s", err, file)
			}
			continue
		}
		rows := map[string][]int{} // of each block
		for _, k := range r.Graph.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				l := r.Placement.Layout
				row := l.Room.Places[l.Container(layout.RackLevel, r.Placement.Slot[v])].Row
				if b := blockOf(k.Name); !slices.Contains(rows[b], row) {
					rows[b] = append(rows[b], row)
				}
			}
		}
		for _, b := range []string{"storage", "compute"} {
			slices.Sort(rows[b])
			if first, last := rows[b][0], rows[b][len(rows[b])-1]; last-first+1 != len(rows[b]) {
				t.Errorf("%s is in rows %v\n%s", b, rows[b], file)
			}
			for other, list := range rows {
				for _, row := range list {
					if other != b && slices.Contains(rows[b], row) {
						t.Errorf("row %d has %s and %s\n%s", row, b, other, file)
					}
				}
			}
		}
	}
}

// What cannot be in rows of its own is reported with its line.
func TestMistakesOfContiguousRows(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "places.csv"), []byte("container,unit,label\nF01,1,dgx-01\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	machineFile := fmt.Sprintf(twoFabrics, 8, "in-rack", "end-of-row")
	const room = "room: {rows: 6, racks_per_row: 10, rack: rack-48u}\n"
	const both = "embedding: {contiguous: [storage, compute]}\n"
	for _, c := range []struct{ more, want string }{
		{
			room + "embedding: {contiguous: [dxg]}\n",
			`embedding.contiguous[0]: there are no boxes "dxg", and no fabric`,
		},
		{
			room + "embedding: {contiguous: [compute, dgx]}\n",
			"embedding.contiguous[1]: dgx have rows of their own by embedding.contiguous[0]",
		},
		{
			"room: {rows: 2, racks_per_row: 30, rack: rack-48u}\n" + both,
			"embedding.contiguous: the rows that are for these boxes alone leave too few positions for the 2 racks",
		},
		{
			"room: {rows: 1, racks_per_row: 40, rack: rack-48u}\n" + both,
			"embedding.contiguous[1]: the 15 racks of compute find no rows of their own that follow each other: " +
				"the room has 1 row, and blocks",
		},
		{
			room + "embedding: {contiguous: [compute], placement: places.csv}\n",
			"embedding.contiguous[0]: the given places",
		},
	} {
		more, want := c.more, c.want
		s, err := machine.Parse(filepath.Join(dir, "m.yaml"), []byte(machineFile+more))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s%v\nwithout %q", more, err, want)
		}
	}
}
