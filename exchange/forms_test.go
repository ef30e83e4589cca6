package exchange_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/golden"
)

// TestFormsAreReadAsTheyAre compares what texts in the forms of other programs say, or why they are refused, with a
// file. In these texts differs what is easily mistaken: the number of ports at both sides of a cable, blanks in the
// first or the second of two names, halves of rack units, the lines of mistakes.
func TestFormsAreReadAsTheyAre(t *testing.T) {
	var got strings.Builder
	paths, err := filepath.Glob("testdata/forms/*")
	if err != nil || len(paths) < 12 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		fmt.Fprintf(&got, "--- %s\n", name)
		w, err := exchange.Read(path)
		if err != nil {
			fmt.Fprintf(&got, "error: %s\n", filepath.ToSlash(err.Error()))
			continue
		}
		for _, b := range w.Boxes {
			fmt.Fprintf(&got, "%+v\n", b)
		}
		for _, l := range w.Links {
			fmt.Fprintf(&got, "%+v\n", l)
		}
		fmt.Fprintf(&got, "places %+v, racks %+v\n%s\n", w.Places, w.Racks, strings.Join(w.Notes, "\n"))
	}
	golden.Compare(t, "small/read/forms.txt", got.String())
}

// TestExportsReadBack reads what small machines are exported to: the links between the boxes are those of the plan.
func TestExportsReadBack(t *testing.T) {
	for name, r := range smallPlans(t) {
		var got strings.Builder
		files := exported(t, r, "")
		for _, format := range []string{"ndt", "omnipath"} {
			if strings.HasPrefix(files[format], "error") {
				continue
			}
			path := filepath.Join(t.TempDir(), format+".csv")
			if err := os.WriteFile(path, []byte(files[format]), 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := exchange.Read(path)
			if err != nil {
				t.Fatal(name, format, err)
			}
			planned, err := exchange.PlannedWiring(r, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Links) != len(planned.Links) {
				t.Errorf("%s: %s has %d links of %d", name, format, len(w.Links), len(planned.Links))
			}
			for _, l := range w.Links {
				a, b := &w.Boxes[l.A.Box], &w.Boxes[l.B.Box]
				fmt.Fprintf(&got, "%s %s %s - %s %s %s, line %d\n", a.Name, a.Role, l.A.Port, b.Name, b.Role, l.B.Port,
					l.Line)
			}
		}
		golden.Compare(t, "small/read/"+name+".txt", got.String())
	}
}
