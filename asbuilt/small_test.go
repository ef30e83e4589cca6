package asbuilt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
)

// smallFile is the file of a small machine, with words of it replaced: old, new, old, new.
func smallFile(t *testing.T, name string, words ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../machine/testdata/small", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(words); i += 2 {
		if !strings.Contains(string(data), words[i]) {
			t.Fatalf("%s has no %q", name, words[i])
		}
	}
	return strings.NewReplacer(words...).Replace(string(data))
}

// smallDifferences are pairs of machines that together show everything that a difference counts and a step does.
func smallDifferences(t *testing.T) map[string]func() (*Difference, error) {
	clos := func(rails, media string) string {
		return `
topology: {family: leaf-spine, nodes: 12, down: 6, up: 4, spines: 2, rails: ` + rails + `}
cabling: {media: [{levels: [terminal], use: [` + media + `]}, {use: [any]}]}
`
	}
	pairs := map[string]struct {
		old, new string
		opt      Options
		oneWay   bool // new to old shows nothing else
	}{
		"panels": {
			smallFile(t, "panels"), smallFile(t, "panels", "nodes: 16", "nodes: 24"),
			Options{Paths: 2, Capacity: 50},
			false,
		},
		"panels-moved": {
			smallFile(t, "panels"), smallFile(t, "panels", "per_rack: 2", "per_rack: 1", "fixed: 0.5 m", "fixed: 4 m"),
			Options{},
			true,
		},
		"fabrics":   {smallFile(t, "fabrics"), smallFile(t, "fabrics", "count: 3", "count: 4"), Options{}, false},
		"torus":     {smallFile(t, "nested"), smallFile(t, "nested", "4, 3, 2", "3, 3, 2"), Options{Paths: 2}, false},
		"torus-max": {smallFile(t, "nested"), smallFile(t, "nested", "4, 3, 2", "4, 4, 2"), Options{Paths: 4}, true},
		"blades": {
			smallFile(t, "blades"), smallFile(t, "blades", "5, 4", "4, 4", "racks_per_row: 2", "racks_per_row: 1"),
			Options{},
			true,
		},
		"dragonfly": {
			smallFile(t, "dragonfly"), smallFile(t, "dragonfly", "h: 1", "h: 1, groups: 3", "{rack}-u{u:02}", "n{n}"),
			Options{Capacity: 75},
			false,
		},
		"replaced": {
			smallFile(t, "dragonfly"), smallFile(t, "dragonfly", "nvidia-qm9700", "generic-switch-128x400g"),
			Options{},
			true,
		},
		"breakout": {
			smallFile(t, "breakout"),
			smallFile(t, "breakout", "nodes: 8", "nodes: 12", "rails: 2", "rails: 2, taper: 2"),
			Options{Paths: 2, Capacity: 25},
			false,
		},
		"exchanged": {clos("2", "copper"), clos("2", "active-optical"), Options{Paths: 2, Capacity: 75}, true},
		"impossible": {
			clos("1", "copper"), "name: optical" + clos("1", "active-optical"), Options{Capacity: 97.3}, true,
		},
		"one-rail": {clos("1", "copper"), clos("1", "active-optical"), Options{Capacity: 50}, true},
		"families": {
			"topology: {family: torus, dims: [4, 4]}", "topology: {family: hyperx, dims: [4], terminals: 4}",
			Options{},
			false,
		},
		"trays": {
			smallFile(t, "mesh"), smallFile(t, "mesh", "2, 3", "3, 3", "per_rack: 2", "per_rack: 3"), Options{}, true,
		},
	}
	out := map[string]func() (*Difference, error){}
	for name, p := range pairs {
		for k, files := range [2][2]string{{p.old, p.new}, {p.new, p.old}} {
			if k == 1 && p.oneWay {
				continue
			}
			out[name+[2]string{"", "-back"}[k]] = func() (*Difference, error) {
				return Compare(context.Background(), planFile(t, files[0]), planFile(t, files[1]), p.opt)
			}
		}
	}
	return out
}

// TestSmallDifferences compares what is said of differences between small machines with the files in testdata.
func TestSmallDifferences(t *testing.T) {
	for name, compare := range smallDifferences(t) {
		d, err := compare()
		if err != nil {
			t.Fatal(name, err)
		}
		doc := d.Document()
		doc.Version = ""
		work := doc.Work
		doc.Work = nil
		got := bytes.NewBufferString(golden.JSON(t, doc) + "\n")
		for _, write := range []func(ctx context.Context, w io.Writer) error{
			doc.WriteParts, doc.WriteBoxes, work.WriteTable, work.WriteLabels,
		} {
			if err := write(t.Context(), got); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(got, "%s: from %s to %s, %q\n", work.Machine, work.From, work.To, work.Faults)
		for _, st := range work.Steps {
			fmt.Fprintf(got, "%d paths, %v %%, cut off %q\n", st.Paths, st.Share, st.Cut)
		}
		fmt.Fprintf(got, "take %+v, return %+v\n", work.Take, work.Return)
		golden.Compare(t, "small/"+name+".txt", strings.ReplaceAll(got.String(), "\r\n", "\n"))
	}
}

// TestSmallGrowth compares what is said of machines that grow over panels, that change what they are cabled with and
// that shrink again with the files in testdata.
func TestSmallGrowth(t *testing.T) {
	for name, files := range map[string][]string{
		"panels": {
			smallFile(t, "panels"), smallFile(t, "panels", "nodes: 16", "nodes: 20"),
			smallFile(t, "panels", "nodes: 16", "nodes: 28"), smallFile(t, "panels"),
		},
		"torus": {
			smallFile(t, "nested"), smallFile(t, "nested", "4, 3, 2", "4, 4, 2"),
			smallFile(t, "nested", "4, 3, 2", "3, 3"),
		},
	} {
		var plans []*machine.Result
		for _, file := range files {
			plans = append(plans, planFile(t, file))
		}
		g, err := Grow(t.Context(), plans, Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		var got bytes.Buffer
		if err := g.WriteCSV(t.Context(), &got); err != nil {
			t.Fatal(err)
		}
		g.Version = ""
		for i := range g.Stages {
			g.Stages[i].Diff = nil
		}
		got.WriteString(golden.JSON(t, g) + "\n")
		golden.Compare(t, "small/grow-"+name+".txt", strings.ReplaceAll(got.String(), "\r\n", "\n"))
	}
}

// TestMeet holds that sets of parts meet where a part of one is in the other, regardless of what was asked before.
func TestMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := newPartSets()
		var lists [][]int32
		var numbers []int32
		for range rapid.IntRange(1, 8).Draw(t, "sets") {
			list := rapid.SliceOfNDistinct(rapid.Int32Range(-4, 6), 0, 4, rapid.ID).Draw(t, "parts")
			slices.Sort(list)
			lists, numbers = append(lists, list), append(numbers, sets.of(slices.Clone(list)))
		}
		for i, a := range lists {
			for k, b := range lists {
				want := slices.ContainsFunc(a, func(x int32) bool { return slices.Contains(b, x) })
				if got := sets.meet(numbers[i], numbers[k]); got != want {
					t.Fatalf("%v and %v: %v", a, b, got)
				}
			}
		}
	})
}

// TestMistakesNameStages holds that a stage that cannot be compared is named by its number.
func TestMistakesNameStages(t *testing.T) {
	first, second := planFile(t, smallFile(t, "mesh")), planFile(t, smallFile(t, "mesh"))
	second.Schedule.Segments = nil
	_, err := Grow(t.Context(), []*machine.Result{first, first, second}, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "stage 2: ") {
		t.Error(err)
	}
}

// TestWorkOrdersGoByPlace holds that what comes out in a step, and what goes in, is ordered by the nearer of the places
// of its two ends, computed from the labels of the boxes and the order in which racks are walked.
func TestWorkOrdersGoByPlace(t *testing.T) {
	for name, compare := range smallDifferences(t) {
		d, err := compare()
		if err != nil {
			t.Fatal(name, err)
		}
		slots := [2]map[string]int32{{}, {}}
		for side, r := range [2]*machine.Result{d.Old, d.New} {
			for v, slot := range r.Schedule.Placement.Slot {
				slots[side][r.Schedule.Device(int32(v))] = slot
			}
		}
		for i, st := range d.Document().Work.Steps {
			last := [2]int32{}
			for _, m := range st.Moves {
				side, ends := 0, []*workorder.End{m.From, m.Other}
				switch m.Do {
				case workorder.Lay, workorder.PlugIn:
					side, ends = 1, []*workorder.End{m.To, m.Other}
				case workorder.TakeOut, workorder.PullOut, workorder.Unplug:
				default:
					continue
				}
				near := min(slots[side][ends[0].Box], slots[side][ends[1].Box])
				if near < last[side] {
					t.Fatalf("%s: step %d: %s %s comes after what is farther on", name, i+1, m.Do, m.Cable)
				}
				last[side] = near
			}
		}
	}
}
