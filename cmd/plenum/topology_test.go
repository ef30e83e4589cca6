package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

func TestTopologyJSON(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(context.Background(), &out, &errs,
		[]string{"topology", "--json", "{family: dragonfly, p: 2, a: 4, h: 2}"}); status != cli.ExitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{
		"family": "dragonfly", "vertices": 108., "switches": 36., "terminals": 72., "links": 162., "simplex_links": 0.,
		"degree_min": 5., "degree_max": 5., "diameter": 3., "network_cost": 15., "ports_per_router": 7.,
		"moore_bound": 106., "largest_known": 72., "largest_known_gap": .5,
		"exact": true, "terminal_diameter": 5., "hops_over": "routers", "bisection_formula": 20.,
	} {
		if value, ok := got[field]; !ok || value != want {
			t.Errorf("%s: %v, expected %v", field, value, want)
		}
	}
	for _, field := range []string{
		"levels", "hops_mean", "hops_mean_with_self", "hops_std", "hops_histogram", "bisection_lower",
		"bisection_upper",
		"bisection_method", "terminal_hops_mean",
	} {
		if got[field] == nil {
			t.Errorf("%s is missing", field)
		}
	}
}

func TestTopologyForPeople(t *testing.T) {
	tests := []struct {
		args   []string
		status int
		want   string // on the output, or in the error
	}{
		{[]string{"{family: torus, dims: [4, 8]}"}, cli.ExitDone, "3 +- 1.41421 with self pairs"},
		{
			[]string{"--metrics", "hops", "{family: k-ary-n-tree, down: 4, levels: 2}"},
			cli.ExitDone,
			"4 hops between terminals",
		},
		{[]string{"list"}, cli.ExitDone, "torus: a grid of nodes"},
		{[]string{"list", "--json"}, cli.ExitDone, `"family": "dragonfly"`},
		{[]string{"{family: tours}"}, cli.ExitInput, `did you mean "torus"`},
		{[]string{"{family: torus}"}, cli.ExitInput, "dims: is missing"},
		{[]string{"nowhere"}, cli.ExitInput, "neither a file nor a topology"},
		{[]string{"--metrics", "beauty", "{family: torus, dims: 4}"}, cli.ExitInput, `no metric "beauty"`},
		{nil, cli.ExitInput, "topology --help"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		status := run(context.Background(), &out, &errs, append([]string{"topology"}, tt.args...))
		if status != tt.status || !strings.Contains(out.String()+errs.String(), tt.want) {
			t.Errorf("%v: status %d, expected %d with %q:\n%s%s", tt.args, status, tt.status, tt.want, &out, &errs)
		}
	}
}
