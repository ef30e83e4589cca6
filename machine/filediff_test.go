package machine_test

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestDifferencesOfFiles: fields that differ are reported by their paths, a topology of another family and a section
// that only one file has as a whole, names and what is written otherwise but means the same not at all.
func TestDifferencesOfFiles(t *testing.T) {
	var machines []machine.Candidate
	for i, text := range []string{
		"{name: A, topology: {family: torus, dims: [4, 4]}, cabling: {slack: {fixed: 1 m, percent: 5}}}",
		"{name: B, description: other, topology: {family: torus, dims: [4, 6]}, cabling: {slack: {fixed: 100 cm}}}",
		"{name: C, topology: {family: hyperx, dims: [3, 3], terminals: 2}}",
	} {
		s, err := machine.Parse("test", []byte(text))
		if err != nil {
			t.Fatal(i, err)
		}
		machines = append(machines, machine.Candidate{File: "test", Spec: s})
	}
	c, err := machine.Compare(context.Background(), machines, machine.CompareOptions{Baseline: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := [][4]string{
		{"B", "cabling.slack.percent", "5", ""},
		{"B", "topology.dims", "[4,4]", "[4,6]"},
		{"C", "cabling", `{"slack":{"fixed":1,"percent":5}}`, ""},
		{
			"C", "topology", `{"dims":[4,4],"family":"torus"}`,
			`{"dims":[3,3],"family":"hyperx","terminals":2}`,
		},
	}
	if len(c.Differences) != len(want) {
		t.Fatalf("%+v", c.Differences)
	}
	for i, d := range c.Differences {
		if got := [4]string{d.Machine, d.Field, d.Baseline, d.Value}; got != want[i] {
			t.Errorf("%q, not %q", got, want[i])
		}
	}
	if doc := c.Document(); doc.Baseline == nil || *doc.Baseline != "A" || len(doc.Differences) != len(want) {
		t.Errorf("the document has %v and %d differences", doc.Baseline, len(doc.Differences))
	}
	for _, beyond := range []int{-1, 4} {
		if _, err := machine.Compare(t.Context(), machines, machine.CompareOptions{Baseline: beyond}); err == nil {
			t.Errorf("machine %d of 3 is taken as the baseline", beyond)
		}
	}
}
