package page_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
)

// manhattan is a room without trays.
const manhattan = `name: Without trays
topology: {family: torus, dims: [4, 4, 4]}
packaging:
  node: {part: generic-torus-node-1u, per_rack: 8}
cabling: {route: manhattan, slack: {percent: 5}}
`

// TestExplains holds the pieces of cables on the page against those of plenum explain.
func TestExplains(t *testing.T) {
	for _, source := range []string{"superpod-h100-4su", "torus-4096-racks", "clex-4096", manhattan} {
		r := planOf(t, source)
		b := open(t, write(t, r), 800, 600)
		b.explains(r, min(40, len(r.Schedule.Segments)))
		b.Quiet()
	}
}

// explains compares some cables, spread over the plan.
func (b *browser) explains(r *machine.Result, some int) {
	b.T.Helper()
	var all []*cabling.Segment
	r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
		all = append(all, seg)
		return true
	})
	for k := range some {
		at := k * (len(all) - 1) / max(1, some-1)
		want := ""
		for _, p := range r.Schedule.Pieces(all[at]) {
			want += fmt.Sprintf("%s %d\n", p.Name, int64(math.Round(float64(p.Length)*1e4)))
		}
		got := eval[string](b, fmt.Sprintf(
			`plenum.pieces(plenum.state.model, %d).map(([name, v]) => name + " " + v + "\n").join("")`, at))
		if diff := cmp.Diff(want, got); diff != "" {
			b.T.Fatalf("%s, cable %d: %s", r.Spec.Name, at, diff)
		}
	}
}
