package machines_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/machines"
)

// The search of the examples: every machine of the front plans from its file to the figures of the front, and of what
// bounds have cut, 200 drawn at random are planned in full and none is better. With PLENUM_LONG=1 it is the whole
// search, else one of 256 nodes with a sample of 12.
func TestNothingIsBetterThanTheFrontOfTheRoom(t *testing.T) {
	data, err := examples.Searches.ReadFile("searches/four-thousand.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, sample, leastCut := string(data), 200, 300
	if os.Getenv("PLENUM_LONG") == "" {
		text, sample, leastCut = strings.Replace(text, "nodes: 4096..4200", "nodes: 250..260", 1), 12, 100
	}
	s, err := machines.Parse("search.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), machines.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.Write(t.Context(), dir, r, chart.Options{}); err != nil {
		t.Fatal(err)
	}
	if len(r.Families) < 10 || len(r.Front) < 5 {
		t.Fatalf("%d families, %d machines on the front: the test shows little", len(r.Families), len(r.Front))
	}
	for _, e := range r.Front {
		given, err := machine.Load(e.File)
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.Plan(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Trim(strings.TrimPrefix(e.Topology, "{family: "), "}"); given.Name != want {
			t.Errorf("%s is called %q, not %q", e.File, given.Name, want)
		}
		d := p.Report()
		got := fmt.Sprint(d.Nodes, d.Switches, d.Cables, d.Cost.Total.Float(), float64(d.Power),
			float64(d.Delay.NsMean), d.Delay.HopsMean, float64(d.Length.Total))
		if want := fmt.Sprint(e.Nodes, e.Switches, e.Cables, e.Cost, e.Power, e.Delay, e.Hops, e.Metres); got != want {
			t.Errorf("%s plans to %s, not %s", e.File, got, want)
		}
	}
	var cut []machines.Fallen
	for _, f := range r.Fallen {
		if f.Reason == machines.ByBounds {
			cut = append(cut, f)
		}
	}
	if len(cut) < leastCut {
		t.Fatalf("bounds cut %d only", len(cut))
	}
	// The machine of a candidate is the file of the front with another topology.
	file, err := os.ReadFile(r.Front[0].File)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(file), "topology:")
	_, rest, _ = strings.Cut(rest, "\nroom:")
	random := rand.New(rand.NewPCG(4096, 400))
	for _, i := range random.Perm(len(cut))[:sample] {
		f := cut[i]
		given, whole := spec.Read("cut.yaml", []byte(head+"topology: "+f.Topology+"\nroom:"+rest))
		if !whole {
			t.Fatal(f.Topology)
		}
		p, err := machine.Plan(t.Context(), given)
		if err != nil || p.Violations.Errors() > 0 {
			continue // it is not a machine
		}
		d := p.Report()
		money, delay := d.Cost.Total.Float(), float64(d.Delay.NsMean)
		if money < *f.Least || delay < *f.LeastDelay {
			t.Errorf("%s is bounded by %v, %v and planned with %v, %v", f.Topology, *f.Least, *f.LeastDelay, money,
				delay)
		}
		for _, e := range r.Front {
			if money <= e.Cost && delay <= e.Delay && (money < e.Cost || delay < e.Delay) {
				t.Errorf("%s, which is left out, is better than %s", f.Topology, e.Topology)
			}
		}
	}
	testSheets(t, filepath.Join(dir, machines.WorkbookFile), r)
	for _, name := range []string{
		machines.ChartFile(chart.PNG), machines.WorkbookFile, machines.FrontFile, machines.FallenFile,
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 500 {
			t.Error(name, err)
		}
	}
}

// testSheets holds the sheets of a workbook against the result: as many columns as heads, a row for each machine.
func testSheets(t *testing.T, path string, r *machines.Result) {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sheet, topologies := range map[string][]string{"Front": nil, "Fallen": nil} {
		if sheet == "Front" {
			for _, e := range r.Front {
				topologies = append(topologies, e.Topology)
			}
		} else {
			for _, f := range r.Fallen {
				topologies = append(topologies, f.Topology)
			}
		}
		rows, err := f.GetRows(sheet)
		if err != nil || len(rows) < len(topologies)+1 {
			t.Fatal(sheet, len(rows), err)
		}
		for i, want := range topologies {
			if row := rows[i+1]; row[1] != want || len(row) != len(rows[0]) {
				t.Errorf("row %d of %s is %q, under %q", i+2, sheet, row, rows[0])
			}
		}
	}
}
