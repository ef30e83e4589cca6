package render

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// list returns the names of the files of a directory.
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// fed gives a machine a feed, and its nodes outlets and coolant.
func fed(s *spec.Spec) *spec.Spec {
	s.Room.Feeds = []spec.Feed{{Name: "A"}}
	supply := *catalog.Default().Part(s.Packaging.Node.Part)
	supply.ID, supply.Supply = "supply", &catalog.Supply{Outlets: []catalog.OutletGroup{{Type: "c13", Count: 2}}}
	supply.Cooling = &catalog.Cooling{Capacity: 1000}
	s.Parts, s.Packaging.Node.Part = append(s.Parts, supply), supply.ID
	return s
}

func TestFilesWritesEveryOutput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plan")
	r := plan(t, fed(structured(t)))
	paths, err := Files(context.Background(), r, dir, Options{Only: Names()})
	if err != nil || len(paths) != len(Names()) || len(list(t, dir)) != len(paths)+1 { // and the manifest
		t.Fatalf("%d files of %d: %v", len(paths), len(Names()), err)
	}
	if paths, err = Files(context.Background(), r, dir, Options{}); err != nil { // those asked for are out of date
		t.Fatal(err)
	}
	for i, name := range Names()[:len(Names())-len(Asked())] {
		if paths[i] != filepath.Join(dir, name) {
			t.Errorf("path %d is %s, want %s", i, paths[i], name)
		}
	}
	want := []string{
		"bom.csv", "bom.xlsx", "bundles.csv", "cables.csv", "cooling.csv", "elevations.csv", "elevations.pdf",
		"floor.dxf", "floor.pdf", "floor.png", "floor.svg", "install.csv", "labels.csv", "manifest.json", "orders.csv",
		"panels.csv", "placement.csv", "plan.json", "ports.csv", "power-loads.csv", "power.csv", "report.html",
		"trays.csv", "trays.png", "trays.svg",
	}
	if diff := cmp.Diff(want, list(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestPendingFiles writes the files of plans while delays over paths are measured: they are those of the whole plans.
func TestPendingFiles(t *testing.T) {
	machines := machinesToName
	if testing.Short() {
		machines = machines[:1]
	}
	for _, text := range machines {
		s := toName(t, text)
		whole, ahead := t.TempDir(), t.TempDir()
		pending, written := NewPending(), make(chan error, 1)
		r, err := machine.PlanWith(t.Context(), s, machine.Options{Cabled: func(r *machine.Result) {
			if r.Delay != nil || r.Room() != nil && r.Schedule == nil {
				t.Errorf("%s: what is told before delays are measured has some, or no cables", text)
			}
			go func() {
				_, err := Files(t.Context(), r, ahead, Options{Pending: pending})
				written <- err
			}()
		}})
		if err != nil {
			t.Fatal(err)
		}
		pending.Known(r)
		if err := <-written; err != nil {
			t.Fatal(err)
		}
		if _, err := Files(t.Context(), r, whole, Options{}); err != nil {
			t.Fatal(err)
		}
		names := list(t, whole)
		if diff := cmp.Diff(names, list(t, ahead)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		for _, name := range names {
			a, errA := os.ReadFile(filepath.Join(whole, name))
			b, errB := os.ReadFile(filepath.Join(ahead, name))
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: %s differs: %v, %v", text, name, errA, errB)
			}
		}
	}
}

func TestFilesOnly(t *testing.T) {
	dir := t.TempDir()
	r := plan(t, torus(4, 4, 4))
	if _, err := Files(context.Background(), r, dir, Options{Only: []string{"plan.json"}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"manifest.json", "plan.json"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	if _, err := Files(context.Background(), r, dir, Options{Only: []string{"plan.yaml"}}); err == nil {
		t.Error("an output that does not exist was accepted")
	}
}

// A summary lists no cables, and a list of an earlier plan would contradict it.
func TestFilesOfSummary(t *testing.T) {
	dir := t.TempDir()
	if _, err := Files(context.Background(), plan(t, torus(4, 4, 4)), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), torus(4, 4, 8), machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Files(context.Background(), r, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"bom.csv", "bom.xlsx", "bundles.csv", "elevations.csv", "elevations.pdf", "floor.dxf", "floor.pdf",
		"floor.png", "floor.svg", "install.csv", "manifest.json", "orders.csv",
		"placement.csv",
		"plan.json", "report.html", "trays.csv", "trays.png", "trays.svg",
	}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// fullDisk accepts some bytes and no more.
type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		n := d.left
		d.left = 0
		return n, errFull
	}
	d.left -= len(p)
	return len(p), nil
}

func TestWritersReportAFullDisk(t *testing.T) {
	r := plan(t, fed(structured(t)))
	for _, o := range outputs {
		var whole bytes.Buffer
		if err := o.write(t.Context(), &whole, r); err != nil {
			t.Fatal(o.name, err)
		}
		for _, room := range []int{0, min(100, whole.Len()-1)} {
			if err := o.write(context.Background(), &fullDisk{room}, r); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d bytes: error is %v", o.name, room, err)
			}
		}
	}
}

func TestWritersStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := plan(t, torus(32, 16, 16))
	for _, o := range outputs {
		if o.name == "plan.json" {
			continue // done before one could cancel it
		}
		if err := o.write(ctx, io.Discard, r); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v", o.name, err)
		}
	}
	dir := t.TempDir()
	if _, err := Files(ctx, r, dir, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Files: error is %v", err)
	}
	if names := list(t, dir); len(names) > 0 {
		t.Errorf("%v are left", names)
	}
}

// The bytes must not depend on the number of cores, on maps or on the time.
func TestSameBytesAgain(t *testing.T) {
	specs := []*spec.Spec{superPod(), fed(structured(t)), dragonfly(), cubes()}
	if testing.Short() {
		specs = specs[:2]
	}
	for _, s := range specs {
		first := map[string][]byte{}
		for _, cores := range []int{1, 8} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			r := plan(t, s)
			for _, o := range outputs {
				var b bytes.Buffer
				if Lacks(r, o.name) != "" {
					continue
				}
				if err := o.write(context.Background(), &b, r); err != nil {
					t.Fatal(err)
				}
				if want, again := first[o.name]; !again {
					first[o.name] = b.Bytes()
				} else if !bytes.Equal(want, b.Bytes()) {
					t.Errorf("%s of %s differs on %d cores", o.name, s.Name, cores)
				}
			}
		}
	}
}

func TestJSONIsTheReport(t *testing.T) {
	s := torus(4, 4)
	s.Name = "a <b> & c"
	r := plan(t, s)
	var b bytes.Buffer
	if err := JSON(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "}\n") || !strings.Contains(b.String(), "a <b> & c") {
		t.Error("the document is not as people would write it")
	}
	var got, want any
	compact, err := json.Marshal(r.Report())
	if err != nil {
		t.Fatal(err)
	}
	compact = bytes.Replace(compact, []byte(`"notes":null`), []byte(`"notes":[]`), 1)
	if err := errors.Join(json.Unmarshal(b.Bytes(), &got), json.Unmarshal(compact, &want)); err != nil {
		t.Fatal(err)
	}
	if fields := got.(map[string]any); fields["provenance"] != nil {
		delete(fields, "provenance") // what made it is not of the report
	} else {
		t.Error("the document has no provenance")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
