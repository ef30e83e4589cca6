package report

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
)

// Unstated is a part that lacks a figure. A figure computed without it is a bound, and named one.
type Unstated struct {
	Part  string `json:"part"`  // its id
	Count int64  `json:"count"` // how many of it the machine has
}

// AddUnstated adds a count to that of a part in the list, which it changes, or appends the part.
func AddUnstated(list []Unstated, part string, count int64) []Unstated {
	if i := slices.IndexFunc(list, func(u Unstated) bool { return u.Part == part }); i >= 0 {
		list[i].Count += count
		return list
	}
	return append(list, Unstated{part, count})
}

// Missing lists parts for a message: "80 of a and 20 of b".
func Missing(list []Unstated) string {
	var out []string
	for _, u := range list {
		out = append(out, fmt.Sprintf("%s of %s", english.Grouped(u.Count), u.Part))
	}
	return english.List(out)
}
