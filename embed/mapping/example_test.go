package mapping_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// Sixteen vertices in a ring on a grid of 2 x 2 places, four to a place: the ring crosses between places four times.
func ExampleMap() {
	var ring []mapping.Edge
	for v := range int32(16) {
		ring = append(ring, mapping.Edge{A: v, B: (v + 1) % 16, Weight: 1})
	}
	g, err := mapping.NewGraph(16, ring)
	if err != nil {
		fmt.Println(err)
		return
	}
	problem := &mapping.Problem{Graph: g, Costs: mapping.Grid(2, 2), Capacity: []int64{4, 4, 4, 4}}
	r, err := mapping.Map(context.Background(), problem, mapping.Options{Effort: mapping.Quick})
	if err != nil {
		fmt.Println(err)
		return
	}
	bound, err := mapping.LowerBound(problem)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("sum of distances", r.Score.Sum, "and at least", bound.Value)
	// Output:
	// sum of distances 4 and at least 2
}
