package machine

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Costs that stopped at the most that can be summed up are a mistake of their section.
func TestCostsBeyondTheMost(t *testing.T) {
	for _, tt := range []struct {
		total, operation units.Money
		want             string
	}{
		{1, 1, ""},
		{units.MostMoney - 1, units.MostMoney - 1, ""},
		{units.MostMoney, 1, "prices"},
		{1, units.MostMoney, "operation"},
	} {
		c := &Costs{Bill: &cost.Bill{Total: tt.total}, Operation: &cost.Operation{Total: tt.operation}}
		err := checkTotals(c)
		var got string
		for _, e := range diag.Fields(err) {
			got = e.Path
			if !strings.Contains(e.Message, "90,000,000,000,000,000.00 or more") {
				t.Error(e.Message)
			}
		}
		if got != tt.want {
			t.Errorf("%d, %d: %v", tt.total, tt.operation, err)
		}
	}
}
