package topology_test

import (
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

func TestSpecString(t *testing.T) {
	tests := []struct {
		params topology.Params
		want   string
	}{
		{nil, "{}"},
		{topology.Torus{Dims: topology.Ints{8, 4}}, "{family: torus, dims: [8, 4]}"},
		{topology.CLEX{Clique: 8, Bundled: true, Levels: 2}, "{family: clex, clique: 8, bundled: true, levels: 2}"},
		{topology.FatTree{Nodes: 9, Radix: 8, Taper: 1.5}, "{family: fat-tree, nodes: 9, radix: 8, taper: 1.5}"},
		{graphio.File{Path: `a "b": {c}`, Format: "dot"}, `{family: file, path: "a \"b\": {c}", format: dot}`},
	}
	for _, tt := range tests {
		if got := (topology.Spec{Params: tt.params}).String(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
