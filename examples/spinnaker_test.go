package examples_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// TestSpiNNaker plans the SpiNNaker machines of 24 and 120 boards from their
// published wiring: every cable gets the stocked length that was published, and
// the mean and longest distances between sockets are those published too.
func TestSpiNNaker(t *testing.T) {
	for _, m := range []struct {
		boards, cables int
		mean, longest  float64
	}{{24, 72, 0.074, 0.138}, {120, 360, 0.309, 0.818}} {
		t.Run(fmt.Sprint(m.boards), func(t *testing.T) {
			wiring := fmt.Sprintf("boards-%d.csv", m.boards)
			published := readTable(t, filepath.Join("spinnaker", wiring))
			if original, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "spinnaker",
				wiring)); err == nil {
				ours, err := os.ReadFile(filepath.Join("spinnaker", wiring))
				if err != nil || !bytes.Equal(ours, original) {
					t.Errorf("%s is not the published list (%v)", wiring, err)
				}
			}
			s, err := machine.Load(filepath.Join("spinnaker", fmt.Sprintf("boards-%d.yaml", m.boards)))
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.Plan(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			bought := map[string]string{} // stocked length by both ends
			sum, longest := 0.0, 0.0
			r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
				a, b := r.Graph.Label(int(seg.A))+" "+r.Schedule.PortName(seg.A, seg.PortA),
					r.Graph.Label(int(seg.B))+" "+r.Schedule.PortName(seg.B, seg.PortB)
				if seg.Product < 0 {
					t.Errorf("%s to %s has no cable", a, b)
					return true
				}
				bought[a+" "+b] = fmt.Sprintf("%.2f", float64(r.Schedule.Products[seg.Product].Length))
				run := float64(r.Schedule.Parts(seg).Run)
				sum, longest = sum+run, max(longest, run)
				return true
			})
			equal(t, "cables", len(bought), m.cables)
			equal(t, "published cables", len(published), m.cables)
			for _, row := range published {
				end := func(e string) string {
					return fmt.Sprintf("%s.%s.%s %s", row[e+"_cabinet"], row[e+"_frame"], row[e+"_board"],
						row[e+"_socket"])
				}
				ends := end("a") + " " + end("b")
				if got := bought[ends]; got != row["cable_m"] {
					t.Errorf("%s: %q m, published %s m", ends, got, row["cable_m"])
				}
			}
			equal(t, "mean", math.Round(sum/float64(m.cables)*1e3)/1e3, m.mean)
			equal(t, "longest", math.Round(longest*1e3)/1e3, m.longest)

			// The schedule itself reads as a machine with the same links.
			var schedule bytes.Buffer
			if err := render.Cables(context.Background(), &schedule, r); err != nil {
				t.Fatal(err)
			}
			again, err := graphio.Read("cables.csv", "cables", &schedule)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "links read back", topology.Count(again).Links, int64(m.cables))
			equal(t, "ports read back", strings.Join(again.(graphio.Ported).PortNames(0), " "),
				"east north north-east south south-west west")
		})
	}
}

// TestPieces adds up the pieces of every cable of every example, as cables.csv
// has them: the sum is the length, to the last digit.
func TestPieces(t *testing.T) {
	for _, name := range names(t) {
		for _, row := range plan(t, name).cables {
			sum := int64(0)
			for _, piece := range []string{"rise", "run", "drop", "manager", "crossing", "slack", "loop", "rounding"} {
				sum += tenths(t, row[piece+"_m"])
			}
			if sum != tenths(t, row["length_m"]) {
				t.Errorf("%s: %s: pieces of %d tenths of a millimetre, length %s m", name, row["cable_id"], sum,
					row["length_m"])
				break
			}
		}
	}
}

// TestSpiNNakerOptimised moves the boards of the SpiNNaker machines among their
// slots: from random places the cables become at most 3 % longer in all than
// those of the hand-made fold, from the fold never longer; with the longest first,
// the longest is no longer than the fold's.
func TestSpiNNakerOptimised(t *testing.T) {
	for _, boards := range []int{24, 120} {
		figures := func(change func(e *spec.Embedding)) (total, longest float64) {
			s, err := machine.Load(filepath.Join("spinnaker", fmt.Sprintf("boards-%d.yaml", boards)))
			if err != nil {
				t.Fatal(err)
			}
			change(&s.Embedding)
			r, err := machine.Plan(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			l := r.Report().Length
			return float64(l.Total) - 0.05*float64(r.Report().Cables), float64(l.Max)
		}
		total, longest := figures(func(*spec.Embedding) {})
		random := func(objective string) func(e *spec.Embedding) {
			return func(e *spec.Embedding) {
				e.Placement, e.Strategy, e.Effort, e.Objective = "", "random", "quick", objective
			}
		}
		if got, _ := figures(random("length")); got > 1.03*total {
			t.Errorf("%d boards: %.3f m from random places, %.3f m of the fold", boards, got, total)
		}
		if _, got := figures(random("longest")); got > longest {
			t.Errorf("%d boards: the longest from random places is %.3f m, of the fold %.3f m", boards, got, longest)
		}
		got, _ := figures(func(e *spec.Embedding) {
			e.Lock, e.Effort, e.Objective = []string{"none"}, "quick",
				"length"
		})
		if got > total {
			t.Errorf("%d boards: %.3f m from the fold, whose are %.3f m", boards, got, total)
		}
	}
}

// TestSpiNNakerAsAFamily plans the machines as hexagonal tori of triads, whose wiring is the published one (see the
// tests of topology/clusters), from no places at all: by length, the cables become no longer in all than from the
// published places; by the longest, that is no longer and all together are at most 1 % longer.
func TestSpiNNakerAsAFamily(t *testing.T) {
	for boards, dims := range map[int]topology.Ints{24: {4, 2}, 120: {8, 5}} {
		figures := func(change func(s *spec.Spec)) (total, longest float64) {
			s, err := machine.Load(filepath.Join("spinnaker", fmt.Sprintf("boards-%d.yaml", boards)))
			if err != nil {
				t.Fatal(err)
			}
			change(s)
			r, err := machine.Plan(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "cables", r.Report().Cables, int64(3*boards))
			return float64(r.Report().Length.Total), float64(r.Report().Length.Max)
		}
		total, longest := figures(func(*spec.Spec) {})
		family := func(objective string) func(s *spec.Spec) {
			return func(s *spec.Spec) {
				s.Topology = topology.Spec{Params: clusters.HexagonalTorus{Dims: dims, Triads: true}}
				s.Packaging.Node.Ports = []spec.Ports{"east", "north", "north-east", "west", "south", "south-west"}
				s.Embedding = spec.Embedding{Strategy: "hilbert", Effort: "quick", Objective: objective}
			}
		}
		if got, _ := figures(family("length")); got > total {
			t.Errorf("%d boards by length: %.3f m, from the published places %.3f m", boards, got, total)
		}
		if got, most := figures(family("longest")); got > 1.01*total || most > longest {
			t.Errorf("%d boards by the longest: %.3f m, longest %.3f m; from the published places %.3f m and %.3f m",
				boards, got, most, total, longest)
		}
	}
}

// TestSpiNNakerFolded plans ten cabinets of boards, 20 x 20 triads. Folded along columns and rows, with two columns of
// triads to a cabinet, no cable leads farther than to the cabinet after the next; along a Hilbert curve, which knows
// nothing of the columns, cables are longer by half at least.
func TestSpiNNakerFolded(t *testing.T) {
	figures := func(e spec.Embedding) (mean, longest float64) {
		s, err := machine.Load(filepath.Join("spinnaker", "boards-120.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		s.Topology = topology.Spec{Params: clusters.HexagonalTorus{Dims: topology.Ints{20, 20}, Triads: true}}
		s.Packaging.Node.Ports = []spec.Ports{"east", "north", "north-east", "west", "south", "south-west"}
		s.Room.Containers = slices.Insert(s.Room.Containers, 0, spec.Container{
			Name: "hall", Count: []int{10, 1, 1}, Pitch: []spec.Pitch{0.6, 0.6, 2},
		})
		s.Embedding = e
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		l := r.Report().Length
		return float64(l.Mean), float64(l.Max)
	}
	mean, longest := figures(spec.Embedding{
		Blocks: map[string]topology.Ints{"cabinet": {3, 2, 20}, "frame": {3, 2, 4}},
	})
	if most := math.Hypot(2*0.6+24*0.01524, 4*0.399+0.1) + 0.05; longest > most {
		t.Errorf("the longest cable is %.3f m; two cabinets and a cabinet's height are %.3f m", longest, most)
	}
	if auto, _ := figures(spec.Embedding{}); auto < mean {
		t.Errorf("%.3f m with blocks that are given, %.3f m without", mean, auto)
	}
	if curve, _ := figures(spec.Embedding{Strategy: "hilbert"}); curve < 1.5*mean {
		t.Errorf("%.3f m folded, %.3f m along a Hilbert curve", mean, curve)
	}
}

// tenths is a length in tenths of a millimetre.
func tenths(t *testing.T, metres string) int64 {
	t.Helper()
	l, err := strconv.ParseFloat(metres, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(math.Round(l * 1e4))
}

// readTable reads comma-separated values by column.
func readTable(t *testing.T, path string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, v := range row {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}
