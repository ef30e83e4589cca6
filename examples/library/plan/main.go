// Command plan plans a machine from the text of a machine file. It prints the counts of boxes and cables, the cost, the
// mean delay and the violations of design rules.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/plenum-planner/plenum/machine"
)

const file = `
name: Cluster
topology: {family: fat-tree, nodes: 64, radix: 32}
packaging: {node: {per_rack: 16}}
`

func main() {
	spec, err := machine.Parse("cluster.yaml", []byte(file))
	if err != nil {
		log.Fatal(err) // all mistakes of the file, each with its line and column
	}
	plan, err := machine.Plan(context.Background(), spec)
	if err != nil {
		log.Fatal(err)
	}
	r := plan.Report()
	fmt.Printf("%s: %d nodes and %d switches in %d racks\n", r.Machine, r.Nodes, r.Switches, r.Racks)
	fmt.Printf("%d cables, %.2f m at most\n", r.Cables, r.Length.Max)
	fmt.Printf("%v %s\n", plan.Bill.Total, plan.Bill.Currency)
	fmt.Printf("%.1f ns from node to node on average\n", float64(r.Delay.NsMean))
	for _, v := range plan.Violations.List() {
		fmt.Printf("%s: %s: %s\n", v.Severity, v.Rule, v.Message)
	}
}
