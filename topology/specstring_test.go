package topology_test

import (
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

func TestSpecString(t *testing.T) {
	tests := []struct {
		spec topology.Spec
		want string
	}{
		{topology.Spec{}, "{}"},
		{topology.Spec{Family: "torus", Dims: topology.Ints{8, 4}}, "{family: torus, dims: [8, 4]}"},
		{topology.Spec{Family: "clex", Clique: 8, Bundled: true, Levels: 2}, "{family: clex, clique: 8, bundled: true, levels: 2}"},
		{topology.Spec{Family: "fat-tree", Nodes: 9, Radix: 8, Taper: 1.5}, "{family: fat-tree, nodes: 9, radix: 8, taper: 1.5}"},
		{topology.Spec{Family: "file", Path: `a "b": {c}`, Format: "dot"}, `{family: file, path: "a \"b\": {c}", format: dot}`},
	}
	for _, tt := range tests {
		if got := tt.spec.String(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
