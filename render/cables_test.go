package render

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// readCables writes a schedule and reads it back: the rows without the head.
func readCables(t *testing.T, r *machine.Result) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := Cables(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cableColumns, rows[0]); diff != "" {
		t.Fatal(diff)
	}
	return rows[1:]
}

func TestCablesAgreeWithTheBill(t *testing.T) {
	for _, s := range []*spec.Spec{torus(8, 8, 8), dragonfly(), superPod(), cubes()} {
		t.Run(s.Name, func(t *testing.T) {
			r := plan(t, s)
			got, want := map[string]int64{}, map[string]int64{}
			ports := map[string]bool{}
			longest := map[string]float64{} // link of every cable
			for _, row := range readCables(t, r) {
				if row[cableLeg] == "1" {
					got[row[3]]++
				}
				for _, end := range []int{10, 15} {
					port := row[end] + " " + row[end+1]
					if ports[port] {
						t.Errorf("port %s is in use twice", port)
					}
					ports[port] = true
				}
				l, err := strconv.ParseFloat(row[6], 64)
				if err != nil {
					t.Fatal(err)
				}
				longest[row[0]] = max(longest[row[0]], l)
			}
			metres := 0.0
			for _, l := range longest {
				metres += l
			}
			for _, row := range r.Bill.Rows {
				if row.Kind == catalog.KindCable {
					want[row.Item.String()] = row.Qty
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if total := float64(r.Report().Length.Total); metres < total-0.01 || metres > total+0.01 {
				t.Errorf("%g m in the schedule, %g m in the report", metres, total)
			}
		})
	}
}

// The rows are put together from prepared pieces; the schedule's own functions
// are the slow way to the same text.
func TestCablesAgreeWithTheSchedule(t *testing.T) {
	for _, given := range []*spec.Spec{dragonfly(), superPod(), cubes()} {
		r := plan(t, given)
		rows := readCables(t, r)
		s := r.Schedule
		next := 0
		s.Each(func(number int64, seg *cabling.Segment) bool {
			row := rows[next]
			next++
			want := []string{
				s.CableID(number), s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB), s.Device(seg.B),
				seg.Length.Number(), string(s.Medium(seg)),
			}
			got := []string{row[0], row[7], row[12], row[15], row[6], row[4]}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			return !t.Failed()
		})
	}
}

func TestCablesWithoutAProduct(t *testing.T) {
	s := dragonfly()
	s.Cabling.Media = []spec.MediaRule{{Use: []string{"passive-copper"}}}
	r := plan(t, s)
	var without int
	for _, row := range readCables(t, r) {
		if row[3] == "" {
			without++
			if diff := cmp.Diff([]string{"", "", "", ""}, []string{row[4], row[5], row[17], row[18]}); diff != "" {
				t.Fatal(diff)
			}
		}
	}
	if want := r.Violations.Count(cabling.RuleReach); without != want || want == 0 {
		t.Errorf("%d cables without a product, %d violations", without, want)
	}
}

// Names come from the machine file, and a spreadsheet would run some of them.
func TestCablesNeutraliseFormulas(t *testing.T) {
	s := cubes()
	s.Room.Containers[0].Name = `=cmd|' /C calc'!A0`
	s.Room.Containers[1].Name = `@sum("1,2")`
	for _, row := range readCables(t, plan(t, s)) {
		for _, field := range row {
			if field != "" && strings.IndexByte("=+-@\t\r", field[0]) >= 0 {
				t.Fatalf("%q is taken for a formula", field)
			}
		}
	}
}

func TestMetresAgreeWithUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		l := units.Length(rng.Float64() * 300).Round4()
		if i%4 == 0 {
			l = units.Length(rng.IntN(100)) / 10
		}
		if got := string(appendMetres(nil, l)); got != l.Number() {
			t.Fatalf("%v is written %s, want %s", float64(l), got, l.Number())
		}
	}
}

func BenchmarkCables(b *testing.B) {
	r := plan(b, torus(32, 32, 32))
	b.ReportAllocs()
	for b.Loop() {
		if err := Cables(context.Background(), io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Schedule.Cables), "ns/cable")
}
