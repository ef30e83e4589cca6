package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// Mistakes in the inputs of cost are shown at their place.
func TestMistakesInCost(t *testing.T) {
	_, err := machine.Parse("m.yaml", []byte(`
topology: {family: torus, dims: [4]}
prices:
  freight: 2000
  unit: {rack-42u: 50}
  ranges:
    rack-42u: [60, 90]
    tray-ladder: [5]
    rack-48u: [9, 5]
    rack-43u: [1, 2]
    dac-40g-qsfp@3 x: [1, 2]
  model: slimfly
operation:
  tariff: 0.2
  tariff_range: [0.3, 0.4]
  pue: 0.9
  idle: 120
`))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"m.yaml:4:12: prices.freight: at most 1000 per cent",
		"prices.ranges.rack-42u: the price of 50.00 under prices.unit is not between 60.00 and 90.00",
		"prices.ranges.tray-ladder: 1 prices",
		"prices.ranges.rack-48u: the least, 9.00, is more than the most, 5.00",
		`"3 x" is not the length of a cable`,
		`prices.model: "slimfly" is not one of parts, cabinet, slim-fly`, `did you mean "slim-fly"?`,
		"operation.tariff_range: the tariff of 0.2 is not between 0.3 and 0.4",
		"operation.pue: 0.9 is too small",
		"operation.idle: 120 % is more than all",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	for section, want := range map[string]string{
		"operation: {pue: 1.2}":                             "operation.tariff: missing",
		"operation: {tariff: 0.2, idle: 50, port_power: 3}": "operation.idle: cannot be combined with port_power",
		"prices: {ranges: {rack-43u: [1, 2]}}":              `there is no part "rack-43u"`,
	} {
		_, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4]}\n"+section+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", section, err, want)
		}
	}
}
