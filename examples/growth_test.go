package examples_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// grown is a machine in cubes in cubes, whose outer levels keep a distance.
type grown struct {
	topology, part string
	counts         []string // of the outer levels, outermost first; empty where they are chosen
	inner          string   // the rest of the innermost level
	distance       string
}

// clexOf has links of the capacity of the paper, or of one port. Ports are those of a part.
func clexOf(levels int, part, distance string) grown {
	capacity := ""
	if part == "one" {
		capacity = ", capacity: {level2: 1, level3: 1"
		if levels == 4 {
			capacity += ", level4: 1"
		}
		capacity += "}"
	}
	return grown{
		topology: fmt.Sprintf("{family: clex, clique: 16, levels: %d, bundled: true%s}", levels, capacity), part: part,
		counts: make([]string, levels-1), inner: "links: trace", distance: distance,
	}
}

func torusOf(side int, distance string) grown {
	return grown{
		topology: fmt.Sprintf("{family: torus, dims: [%d, %d, %d]}", side, side, side), part: "cube-node",
		counts: []string{fmt.Sprintf("count: %d, ", side/8), "count: 2, "}, inner: "count: 4", distance: distance,
	}
}

// lengths are the mean lengths of links by level of packaging, innermost first.
func (m grown) lengths(t *testing.T) []float64 {
	t.Helper()
	text := "topology: " + m.topology + "\npackaging: {node: {part: " + m.part + "}}\nroom:\n  containers:\n"
	for i, count := range m.counts {
		text += fmt.Sprintf("    - {name: level%d, %s%s}\n", len(m.counts)-i+1, count, m.distance)
	}
	text += "    - {name: level1, pitch: 0.1 m, " + m.inner + "}\n" + `
parts:
  - {id: one, kind: node, units: 1, width: 80 mm, depth: 80 mm, power: 120 W, hop: 100 ns,
     ports: [{count: 20, connector: qsfp28, rate: 100G}]}
  - {id: many, kind: node, units: 1, width: 80 mm, depth: 80 mm, power: 120 W, hop: 100 ns,
     ports: [{count: 95, connector: qsfp28, rate: 100G}]}
  - {id: fast, kind: node, units: 1, width: 80 mm, depth: 80 mm, power: 120 W, hop: 100 ns,
     ports: [{count: 15, connector: qsfp28, rate: 100G}, {count: 10, connector: osfp, rate: 800G, label: "w#"}]}
`
	s, err := machine.Parse("growth.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	if fit := strings.Contains(m.distance, "fit"); fit == slices.ContainsFunc(p.Report().Gaps.Levels,
		func(l report.GapLevel) bool { return l.Overfull > 0 }) {
		t.Errorf("%s: fitted %v, and gaps are %+v", m.topology, fit, p.Report().Gaps)
	}
	var out []float64
	for _, l := range slices.Backward(p.Report().LayoutLevels) {
		out = append(out, float64(l.Length.Mean))
	}
	return out
}

// The growth of lengths per level of packaging is as docs/internals/reproduction.md has it.
func TestGrowthOfLengths(t *testing.T) {
	page, err := os.ReadFile("../docs/internals/reproduction.md")
	if err != nil {
		t.Fatal(err)
	}
	const touch, fit = "gap: 0", "pitch: fit"
	for _, row := range []struct {
		name string
		of   grown
	}{
		{"C(3) of 16, cubes touch", clexOf(3, "one", touch)},
		{"C(3) of 16, fitted, one cable a link", clexOf(3, "one", fit)},
		{"C(3) of 16, fitted, 16 cables of 100G a link", clexOf(3, "many", fit)},
		{"C(3) of 16, fitted, 2 cables of 800G a link", clexOf(3, "fast", fit)},
		{"C(4) of 16, cubes touch", clexOf(4, "one", touch)},
		{"C(4) of 16, fitted, one cable a link", clexOf(4, "one", fit)},
		{"C(4) of 16, fitted, 16 cables of 100G a link", clexOf(4, "many", fit)},
		{"C(4) of 16, fitted, 2 cables of 800G a link", clexOf(4, "fast", fit)},
		{"torus 16 x 16 x 16, cubes touch", torusOf(16, touch)},
		{"torus 16 x 16 x 16, fitted", torusOf(16, fit)},
		{"torus 32 x 32 x 32, cubes touch", torusOf(32, touch)},
		{"torus 32 x 32 x 32, fitted", torusOf(32, fit)},
	} {
		if strings.Contains(row.name, "C(4)") || strings.Contains(row.name, "32 x 32") {
			if os.Getenv("PLENUM_LONG") != "1" {
				continue // up to 65,536 nodes, which are planned round by round
			}
		}
		lengths := row.of.lengths(t)
		text, growth := "", ""
		for i, l := range lengths {
			text += fmt.Sprintf("%.2f; ", l)
			if i > 0 {
				growth += fmt.Sprintf("%.2f; ", l/lengths[i-1])
			}
		}
		want := fmt.Sprintf("| %s | %s | %s |\n", row.name, strings.TrimSuffix(text, "; "),
			strings.TrimSuffix(growth, "; "))
		if !strings.Contains(string(page), want) {
			t.Errorf("no row\n%s", want)
		}
	}
}
