package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestPropagationFollowsTheFile: with deterministic routing on an idle network, the
// time on the links is twice as long at twice the delay per metre, whether the
// machine file or the flag gives it, and longer on cables that go along the axes or
// over trays than on straight ones.
func TestPropagationFollowsTheFile(t *testing.T) {
	propagation := func(route, delay string, flags ...string) float64 {
		file := filepath.Join(t.TempDir(), "machine.yaml")
		text := fmt.Sprintf("topology: {family: hyperx, dims: [4, 4], terminals: 4}\nroom: {rows: 2, racks_per_row: "+
			"2}\ncabling: {route: %s}\n%s\n", route, delay)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r := simulate(t, append([]string{
			file, "--routing", "dor", "--load", "0.04", "--warmup", "5000", "--batches",
			"5", "--batch", "40000",
		}, flags...)...)
		if len(r.Runs) != 1 || r.Runs[0].Delivered < 1000 {
			t.Fatalf("%+v", r)
		}
		return r.Runs[0].Latency.Propagation
	}
	file := func(beta int) string {
		return fmt.Sprintf("delay: {propagation: {any: %d ns/m}, ends: {any: 0 ns}}", beta)
	}
	once, twice := propagation("tray", file(100)), propagation("tray", file(200))
	if math.Abs(twice/once-2) > 0.02 {
		t.Errorf("%.1f cycles on links at 100 ns/m, %.1f at 200", once, twice)
	}
	once, twice = propagation("tray", "", "--beta-ns-per-m", "100"), propagation("tray", "", "--beta-ns-per-m", "200")
	if math.Abs(twice/once-2) > 0.02 {
		t.Errorf("%.1f cycles on links at --beta-ns-per-m 100, %.1f at 200", once, twice)
	}
	direct, manhattan := propagation("direct", file(100)), propagation("manhattan", file(100))
	if !(direct > 0 && direct < 0.99*manhattan && direct < 0.99*once) {
		t.Errorf("%.1f cycles on straight cables, %.1f along the axes, %.1f over trays", direct, manhattan, once)
	}
}
