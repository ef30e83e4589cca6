package report_test

import (
	"encoding/json"
	"fmt"

	"github.com/plenum-planner/plenum/machine/report"
)

// A program that reads what `plenum plan --json` prints decodes it into a Plan:
// figures come back as quantities, lengths in metres and money in exact cents.
func ExamplePlan() {
	document := `{
	  "machine": "Small torus", "nodes": 256, "cables": 768, "currency": "USD",
	  "length_m": {"total": 2120.5, "mean": 2.761, "max": 9},
	  "cost": {"total": 123456.70, "cables": 45678.90},
	  "bundles": {"bundles": 24, "diameter_max_mm": 46.1}
	}`
	var plan report.Plan
	if err := json.Unmarshal([]byte(document), &plan); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d cables, the longest %v\n", plan.Machine, plan.Cables, plan.Length.Max)
	fmt.Printf("%v of %v %s are for cables\n", plan.Cost.Cables, plan.Cost.Total, plan.Currency)
	fmt.Printf("the thickest bundle measures %v mm\n", plan.Bundles.Thickest)
	// Output:
	// Small torus: 768 cables, the longest 9 m
	// 45,678.90 of 123,456.70 USD are for cables
	// the thickest bundle measures 46.1 mm
}
