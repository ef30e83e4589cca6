package page_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// cooledRacks are two racks of trays on a loop of coolant and a rack of their units, on two feeds.
const cooledRacks = `name: cooled
boxes:
  - {name: tray, part: wet}
  - {name: cdu, role: service, part: cooler}
  - {name: pdu, role: service, part: apc-ap8886}
racks:
  - {name: pod, part: rack-48u, count: 2, feeds: [north, south],
     holds: [{boxes: tray, units: 1-10}, {switch: oob, units: 48}, {boxes: pdu, count: 2}]}
  - {name: cool, part: rack-48u, count: 1, holds: [{boxes: cdu, units: 1-40}]}
fabrics:
  - {name: oob, topology: {family: access}, ends: [{boxes: tray, ports: bmc}],
     switches: {leaf: {part: nvidia-sn2201}}}
room: {rack: rack-48u, rows: 1, racks_per_row: 4, row_air: 9 kW, feeds: [{name: north}, {name: south}],
  loops: [{name: east, cdus: cdu, count: 2, spare: 1, racks: [pod], flow_per_kw: 0.72 l/min}]}
parts:
  - {id: cooler, kind: node, units: 20, cooling: {capacity: 20 kW, flow: 50 l/min},
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
  - {id: wet, kind: node, units: 1, power: 1 kW, liquid: 80 %, inlets: {c14: 2}, redundancy: N+1,
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
`

// TestCooling shows loops of coolant with their racks and rows, and feeds, and none of them where the plan has none.
func TestCooling(t *testing.T) {
	r := planOf(t, cooledRacks)
	b := open(t, write(t, r), 1440, 1000)
	b.view("figures")
	for region, texts := range map[string][]string{
		"Loops of coolant": {
			"east", "cdu-1, cdu-2, of which 1 spare", "16 kW", "20 kW", "80 %", "11.52 l/min", "50 l/min",
		},
		"Racks cooled by liquid": {"A01", "A02", "east", "cdu-", "8 kW", "2 kW", "5.76 l/min"},
		"Heat of rows":           {"16 kW", "4 kW", "9 kW"},
		"Feeds":                  {"north", "south", "without"},
	} {
		for _, text := range texts {
			b.has(`#view-figures [aria-label="`+region+`"]`, text)
		}
	}
	eval[bool](b, `(document.querySelector('#view-figures [aria-label="Feeds"]').scrollIntoView(), true)`)
	b.Shot("cooling")
	b.view("floor")
	x, y := b.at("A01")
	b.Run(chromedp.MouseClickXY(x, y))
	b.settle()
	b.has(".details", "loop east, cdu-")
	b.has(".details", "5.76 l/min, two hoses of")
	b.Shot("cooling-rack")
	b.Quiet()

	b = open(t, write(t, planOf(t, "basepod")), 1440, 900)
	for _, region := range []string{"Loops of coolant", "Racks cooled by liquid", "Heat of rows", "Feeds"} {
		if eval[bool](b, `!!document.querySelector('#view-figures [aria-label="`+region+`"]')`) {
			t.Errorf("a plan without loops and feeds shows %s", region)
		}
	}
	b.Quiet()
}
