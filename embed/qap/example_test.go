package qap_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/plenum-planner/plenum/embed/qap"
)

// Three racks on a line; the first and the second have much to say to each
// other, the third stands in the middle at first.
func ExampleSolve() {
	q, err := qap.Read("line.dat", strings.NewReader(`3
		0 9 1
		9 0 1
		1 1 0

		0 1 2
		1 0 1
		2 1 0`))
	if err != nil {
		log.Fatal(err)
	}
	start := []int{0, 2, 1}
	bound, err := qap.LowerBound(context.Background(), q)
	if err != nil {
		log.Fatal(err)
	}
	r, err := qap.Solve(context.Background(), q, qap.Options{Start: start, Bound: &bound.Value})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(q.Cost(start), "before,", r.Cost, "after, at least", bound.Value)
	// Output: 40 before, 24 after, at least 24
}
