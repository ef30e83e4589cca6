package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// TestDelaysAreCalledLowerBounds: where a part states no hop delay, every delay of terminal and workbook says that it
// is a lower bound, and none does where the machine file gives it.
func TestDelaysAreCalledLowerBounds(t *testing.T) {
	const text = `
topology: {family: torus, dims: [4, 4]}
parts:
- {id: box, kind: node, units: 8, width: 440 mm, depth: 800 mm, source: x, confidence: user,
   ports: [{count: 4, connector: qsfp112, rate: 400G}]}
packaging: {node: {part: box}}
`
	for hop, bound := range map[string]bool{
		"delay: {routing: [minimal]}": true, "delay: {routing: [minimal], hop: {node: 0 ns}}": false,
	} {
		spec, err := machine.Parse("m.yaml", []byte(text+hop))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := printSummary(&out, plan, nil); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, " ns") && strings.Contains(line, "mean") && !strings.Contains(line, "note") &&
				strings.Contains(line, "at least") != bound {
				t.Errorf("%s: %s", hop, line)
			}
		}
		var sheets bytes.Buffer
		if err := render.Workbook(context.Background(), &sheets, plan); err != nil {
			t.Fatal(err)
		}
		book, err := excelize.OpenReader(&sheets)
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		rows, err := book.GetRows("Summary")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if (strings.Contains(cell, "delay (ns)") || strings.HasPrefix(cell, "Delay, ")) &&
					strings.Contains(cell, "at least") != bound {
					t.Errorf("%s: %s", hop, cell)
				}
			}
		}
	}
}
