package render

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// breakout is a machine with splitters and twin-port cables.
func breakout() *spec.Spec {
	return &spec.Spec{
		Name:     "Breakout <&>",
		Topology: topology.Spec{Params: topology.FatTree{Nodes: 100, Radix: 64, Down: 32, Up: 16, Spines: 4}},
		Packaging: spec.Packaging{
			Node: &spec.Box{Part: "generic-node-1u"}, Leaf: &spec.Box{
				Part:     "nvidia-sn5600",
				Breakout: spec.BreakoutOfAll(2),
			},
			Spine: &spec.Box{Part: "nvidia-sn5600", Breakout: spec.BreakoutOfAll(2)},
		},
	}
}

// TestCableRowsAgree reads the cells that are written as bytes back and compares
// them with their values.
func TestCableRowsAgree(t *testing.T) {
	hostile := cubes()
	hostile.Topology.Params = topology.Torus{Dims: topology.Ints{4, 4, 4}}
	hostile.Room.Containers[0].Name, hostile.Room.Containers[1].Name = ` <a> & "b" `, "=x\x01ü"
	without := dragonfly()
	without.Cabling.Media = []spec.MediaRule{{Use: []string{"passive-copper"}}}
	for _, given := range []*spec.Spec{superPod(), breakout(), hostile, without, levels(), structured(t)} {
		t.Run(given.Name, func(t *testing.T) {
			r := plan(t, given)
			f := workbook(t, r)
			rows, err := f.GetRows(cablesSheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			b := &book{ctx: context.Background(), r: r, report: r.Report()}
			bundles, legs := newBundleText(r), r.Schedule.Legs()
			n, link := 0, int64(0)
			r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
				n++
				if !r.Schedule.Continues(seg) {
					link++
				}
				want := make([]string, len(cableColumns))
				b.cableCells(bundles, link, legs.Next(seg), seg, func(column int, v any) {
					want[column] = fmt.Sprint(v)
					if s, ok := v.(string); ok {
						want[column] = readBack(s)
					}
				})
				got := append(rows[n], make([]string, len(want)-len(rows[n]))...)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("row %d: %s", n+1, diff)
				}
				return true
			})
			if n != len(rows)-1 {
				t.Errorf("%d rows for %d links", len(rows)-1, n)
			}
		})
	}
}

// readBack is a text as XML can hold it.
func readBack(s string) string {
	out := ""
	for _, c := range s {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			c = '\uFFFD'
		}
		out += string(c)
	}
	return out
}

// TestMillionCables keeps a schedule of a million cables under the times that the
// documentation promises, in processor time: the machine may be busy.
func TestMillionCables(t *testing.T) {
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("PLENUM_LONG=1 runs it")
	}
	s := torus(72, 72, 72)
	s.Delay.Samples = 2
	r := plan(t, s)
	runtime.GC()
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	t.Logf("%d cables; the plan takes %d MB", r.Schedule.Cables, heap.HeapAlloc>>20)
	for _, c := range []struct {
		name  string
		write Writer
		limit time.Duration
	}{{"cables.csv", Cables, 4 * time.Second}, {"bom.xlsx", Workbook, 11 * time.Second}} {
		file, err := os.Create(t.TempDir() + "/" + c.name)
		if err != nil {
			t.Fatal(err)
		}
		debug.FreeOSMemory()
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) // the peak starts anew
		begin := processorTime()
		if err := c.write(context.Background(), file, r); err != nil {
			t.Fatal(err)
		}
		took := processorTime() - begin
		size, _ := file.Seek(0, 1)
		file.Close()
		status, _ := os.ReadFile("/proc/self/status")
		peak := regexp.MustCompile(`VmHWM:.*`).Find(status)
		t.Logf("%s: %v, %d MB; %s", c.name, took, size>>20, peak)
		const most = 400 << 10
		if kB, err := strconv.Atoi(string(regexp.MustCompile(`\d+`).Find(peak))); err == nil && kB > most {
			t.Errorf("%s took %d kB, want at most %d", c.name, kB, most)
		}
		if took > c.limit {
			t.Errorf("%s took %v, want at most %v", c.name, took, c.limit)
		}
	}
}
