package render

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestCablesWithoutADiameterAreMarked: what cables without a diameter fill is not known, so that lists mark what the
// others fill as a lower bound, and leave out what none fills.
func TestCablesWithoutADiameterAreMarked(t *testing.T) {
	const text = `
topology: {family: torus, dims: [4, 4, 4]}
room: {trays: {part: tray-basket-300}}
parts:
- {id: box, kind: node, units: 8, width: 440 mm, depth: 800 mm, source: x, confidence: user,
   ports: [{count: 6, connector: plug, rate: 400G}]}
- {id: bare, kind: cable, source: x, confidence: user,
   cable: {medium: passive-copper, connector: plug, rate: 400G, lengths: [5, 10, 20, 40], propagation: 4.5 ns/m}}
THICK
packaging: {node: {part: box}}
PRICES
`
	const thick = `- {id: thick, kind: cable, source: x, confidence: user,
   cable: {medium: passive-copper, connector: plug, rate: 400G, lengths: [5], propagation: 4.5 ns/m, diameter: 9 mm}}`
	for _, extra := range []string{"", thick} {
		prices := "prices: {unit: {bare: 5}}"
		if extra != "" {
			prices = "prices: {unit: {bare: 5, thick: 1}}"
		}
		filled := strings.NewReplacer("THICK", extra, "PRICES", prices).Replace(text)
		spec, err := machine.Parse("m.yaml", []byte(filled))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		empty, bounds := 0, 0
		for name, fields := range map[string][]string{
			"trays": {"cables_mm2", "fill_percent"}, "bundles": {"cables_mm2", "diameter_mm"},
		} {
			write := Trays
			if name == "bundles" {
				write = Bundles
			}
			for _, row := range readTable(t, r, write) {
				bare := row["cables_without_diameter"]
				for _, f := range fields {
					switch {
					case row["cables"] == bare && bare != "0" && row[f] == "":
						empty++
					case row["cables"] == bare && bare != "0", row[f] == "":
						t.Errorf("%s: %s is %q: %v", name, f, row[f], row)
					case bare != "0":
						bounds++
					}
				}
			}
		}
		d := roomDrawing{trays: r.Schedule.Trays, room: r.Room()}
		legend := ""
		for _, item := range d.trayLegend() {
			legend += item.Text + "; "
		}
		if empty == 0 || (bounds > 0) != (extra != "") || strings.Contains(legend, "lower bounds") != (extra != "") ||
			extra == "" && !strings.Contains(legend, "not known") {
			t.Errorf("%d empty, %d lower bounds, legend %s", empty, bounds, legend)
		}
	}
}
