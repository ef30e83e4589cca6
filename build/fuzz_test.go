package build

import (
	"bytes"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
)

// FuzzParseLabour: a file of labour figures is read or refused, and every figure has a time with its bounds around it.
func FuzzParseLabour(f *testing.F) {
	f.Add(builtIn)
	f.Add([]byte("name: own\ndate: '2027'\nfigures:\n" +
		"  - {of: patch, skill: cabling, people: 1, minutes: 6, low: 5, source: own, confidence: user}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ParseLabour("fuzz.yaml", data)
		if (l == nil) == (err == nil) {
			t.Fatal(l, err)
		}
		if err != nil {
			return
		}
		for i := range l.Figures {
			factor := l.Figures[i].factors()
			if low, high := factor.At(0), factor.At(1); !(low >= 0 && low <= 1 && high >= 1) ||
				l.Figures[i].of(1, 1) <= 0 {
				t.Fatalf("%+v: from %v to %v", l.Figures[i], low, high)
			}
		}
	})
}

// FuzzReadProgress: a progress table is read or refused, and has no cable that the plan does not have.
func FuzzReadProgress(f *testing.F) {
	f.Add([]byte("cable_id,done,by,when\nC1,yes,ann,2027-03-01 08:00\nC2,no,,\nC3,x,ann,2027-03-01T08:30\n"))
	f.Add([]byte("cable_id;done\r\nC1;1\r\n"))
	plan := &machine.Result{Schedule: &cabling.Schedule{Cables: 9}}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadProgress("fuzz.csv", bytes.NewReader(data), plan)
		if (p == nil) == (err == nil) {
			t.Fatal(p, err)
		}
		if p.Cables() > 9 || p != nil && len(p.measured) > p.Cables() {
			t.Fatalf("%d cables", p.Cables())
		}
	})
}
