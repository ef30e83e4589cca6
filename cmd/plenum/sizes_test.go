package main

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

func TestNodeRange(t *testing.T) {
	const most = topology.MaxVertices
	tests := []struct {
		text string
		want string
	}{
		{"4096", "4096 4096 true"},
		{"1000..100000", "1000 100000 true"},
		{"1000 .. 2000", "1000 2000 true"},
		{"7..", fmt.Sprint("7 ", most, " true")},
		{"..7", "1 7 true"},
		{"..", fmt.Sprint("1 ", most, " true")},
		{"8..7", "8 7 true"}, // for the search to judge
		{"2147483647", fmt.Sprint(most, " ", most, " true")},
		{"2147483648", "0 0 false"},
		{"0", "0 0 false"},
		{"0..5", "0 0 false"},
		{"-3..5", "0 0 false"},
		{"", "0 0 false"},
		{"1...5", "0 0 false"},
		{"1..2..3", "0 0 false"},
		{"1e3", "0 0 false"},
		{"1-5", "0 0 false"},
	}
	for _, tt := range tests {
		from, to, ok := cli.NodeRange(tt.text)
		if got := fmt.Sprint(from, " ", to, " ", ok); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// What is listed reads back as the same topology.
func TestListedTopologiesReadBack(t *testing.T) {
	for _, f := range topology.Families() {
		if topology.SizesDoc(f.Name) == "" {
			continue
		}
		list, err := topology.Sizes(f.Name, topology.SizeQuery{MaxNodes: 100_000, MaxPorts: 64})
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range list.Sizes {
			text := z.Spec.String()
			if back, err := spec.ParseTopology(text); err != nil || back.String() != text {
				t.Errorf("%s reads back as %v, %v", text, back, err)
			}
		}
	}
}

// The nearest sizes are those that a search of the whole range finds.
func TestNearestSizes(t *testing.T) {
	for _, family := range []string{"slim-fly", "dragonfly", "flying-fish", "ccc", "bcube"} {
		whole, err := topology.Sizes(family, topology.SizeQuery{MaxNodes: 20_000, MaxPorts: 24, Limit: 10_000})
		if err != nil || whole.LeftOut > 0 {
			t.Fatal(family, whole.LeftOut, err)
		}
		for i := 1; i < len(whole.Sizes); i++ {
			below, above := whole.Sizes[i-1].Nodes, whole.Sizes[i].Nodes
			if above-below < 2 {
				continue
			}
			q := topology.SizeQuery{MinNodes: below + 1, MaxNodes: above - 1, MaxPorts: 24}
			if got := nearestSizes(family, q); fmt.Sprint(got) != fmt.Sprint([]int{below, above}) {
				t.Errorf("%s: nearest to %d..%d: %v", family, q.MinNodes, q.MaxNodes, got)
			}
		}
	}
}

func TestSizesToAFullDisk(t *testing.T) {
	for _, more := range [][]string{nil, {"--json"}} {
		var errs bytes.Buffer
		args := append([]string{"topology", "sizes", "--family", "moore"}, more...)
		if status := run(context.Background(), fullWriter{}, &errs, args); status != cli.ExitFault {
			t.Errorf("%v: status %d", args, status)
		}
	}
}
