package catalog

import (
	"testing"

	"github.com/plenum-planner/plenum/units"
)

func TestInterfaceTypes(t *testing.T) {
	for _, test := range []struct {
		connector string
		rate      units.Rate
		want      string
	}{
		{"osfp", 400, "400gbase-x-osfp"},
		{"osfp", 800, "800gbase-x-osfp"},
		{"osfp-rhs", 400, "400gbase-x-osfp-rhs"},
		{"osfp-flat", 400, "400gbase-x-osfp-rhs"},
		{"osfp-rhs", 800, "800gbase-x-osfp"},
		{"sfp56", 50, "50gbase-x-sfp56"},
		{"qsfp28", 100, "100gbase-x-qsfp28"},
		{"qsfp14", 56, "infiniband-fdr"},
		{"rj45", 1, "1000base-t"},
		{"osfp", 123, "other"},
		{"backplane", 100, "other"},
	} {
		if got := InterfaceType(test.connector, test.rate); got != test.want {
			t.Errorf("%s at %v is %s, want %s", test.connector, test.rate, got, test.want)
		}
	}
}
