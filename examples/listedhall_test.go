package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/racklist"
	"github.com/plenum-planner/plenum/render"
)

const listedHall = "listed-hall/listed-hall.yaml"

// Every rack stands where the facility's list has it and draws and bears no more than the list says, and no other rack
// is used; switches stand in the wide racks, and reserved ones stay empty.
func TestListedHallKeepsToItsList(t *testing.T) {
	r := planOf(t, listedHall)
	data, err := os.ReadFile("listed-hall/racks.csv")
	if err != nil {
		t.Fatal(err)
	}
	list, err := racklist.Read("racks.csv", data)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]*racklist.Rack{}
	for i := range list.Racks {
		listed[list.Racks[i].Name] = &list.Racks[i]
	}
	if room := r.Room(); len(listed) != 55 || len(room.Places)+len(room.Lost) != 55 || len(room.Lost) != 3 {
		t.Errorf("%d racks listed, %d places, %d reserved", len(listed), len(room.Places), len(room.Lost))
	}
	for _, k := range r.Placement.Racks {
		at := r.Room().Places[k.Place]
		l := listed[r.Room().Name(int(k.Place))]
		if l == nil || l.Reserved || k.Power > l.Power || k.Weight > l.Weight {
			t.Fatalf("rack %s draws %v and bears %v, listed as %+v", r.Room().Name(int(k.Place)), k.Power, k.Weight, l)
		}
		size := r.Room().Type(k.Place)
		if (at.X-size.Width/2-*l.X).Abs() > 1e-9 || (at.Y-size.Depth/2-*l.Y).Abs() > 1e-9 || at.Turned != *l.Turned {
			t.Errorf("rack %s stands at %v, %v, turned %v, listed as %+v", l.Name, at.X, at.Y, at.Turned, l)
		}
		if network := l.Type == "rack-42u-wide"; network != (k.Used <= 4) {
			t.Errorf("%d units are used in rack %s of type %s", k.Used, l.Name, l.Type)
		}
	}
	if len(r.Violations.List()) > 0 {
		t.Error(r.Violations.List())
	}
}

// The list that is written of a plan, whose rows were listed, stated one by one, or alike, gives the same plan again.
func TestPlansAgainFromTheirLists(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ file, rows string }{
		"listed":         {listedHall, "rack_list: racks.csv"},
		"alike":          {"superpod-h100-compute.yaml", ""},
		"walls, columns": {fourColumns, ""},
	} {
		t.Run(name, func(t *testing.T) {
			before := planOf(t, test.file)
			var list bytes.Buffer
			if err := racklist.Write(t.Context(), &list, before.Room()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "racks.csv"), list.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			m, err := machine.Load(test.file)
			if err != nil {
				t.Fatal(err)
			}
			m.Room.RackList, m.Room.Rows.Count, m.Room.Rows.List = filepath.Join(dir, "racks.csv"), 0, nil
			m.Room.RacksPerRow, m.Room.Gaps = 0, nil
			places := filepath.Join(dir, "placement.csv")
			if test.rows == "" {
				if err := os.WriteFile(places, written(t, before, "placement.csv"), 0o644); err != nil {
					t.Fatal(err)
				}
				m.Embedding.Placement = places
			}
			after, err := machine.Plan(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"placement.csv", "cables.csv", "bom.csv"} {
				if got, want := written(t, after, file), written(t, before, file); !bytes.Equal(got, want) {
					t.Errorf("%s differs: %d and %d lines", file, strings.Count(string(got), "\n"),
						strings.Count(string(want), "\n"))
				}
			}
		})
	}
}

// written is a file of a plan.
func written(t *testing.T, r *machine.Result, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	if _, err := render.Files(t.Context(), r, dir, render.Options{Only: []string{name}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
