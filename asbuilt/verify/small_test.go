package verify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/render"
)

// smallPlan is the plan of a small machine and what a source says that is cabled as planned.
func smallPlan(t *testing.T, name, fabric string) (*Plan, *exchange.Wiring) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../machine/testdata/small", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, w := planned(t, plan(t, string(data)), fabric)
	w.Source = name + ".csv"
	return p, w
}

// everything is all that is said of what is found.
func everything(t *testing.T, r *Result, failed *Failed, opt asbuilt.Options) string {
	t.Helper()
	if err := r.FindLeft(t.Context(), failed); err != nil {
		t.Fatal(err)
	}
	if err := r.FindOrder(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	order := r.Order
	r.Order = nil
	out := bytes.NewBufferString(golden.JSON(t, r) + "\n")
	if err := order.WriteTable(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if err := order.WriteLabels(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, "take %+v, return %+v, faults %q\n", order.Take, order.Return, order.Faults)
	for _, st := range order.Steps {
		fmt.Fprintf(out, "%d paths, %v %%, cut off %q\n", st.Paths, st.Share, st.Cut)
	}
	for _, m := range r.Marks() {
		fmt.Fprintf(out, "%+v\n", m)
	}
	floor := r.Floor()
	fmt.Fprintf(out, "%d differences, %d unknown, racks %v\n", floor.Count, floor.Unknown, floor.Racks)
	for _, l := range floor.Lines {
		fmt.Fprintf(out, "%+v\n", l)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// TestFaultsInSmallMachines compares all that is said of faults of every kind in small machines with files in testdata.
func TestFaultsInSmallMachines(t *testing.T) {
	for _, c := range []struct {
		name, fabric string
		faults       int
		failed       []string
		opt          asbuilt.Options
	}{
		{"panels", "", 6, []string{"LF1"}, asbuilt.Options{Paths: 2}},
		{"fabrics", "", 7, []string{"compute-spine-1", "C0001"}, asbuilt.Options{Capacity: 75}},
		{"fabrics", "compute", 6, nil, asbuilt.Options{}},
		{"breakout", "", 9, []string{"SP1"}, asbuilt.Options{Paths: 2, Capacity: 50}},
		{"nested", "", 9, []string{"N02", "N05"}, asbuilt.Options{Paths: 3}},
		{"blades", "", 4, []string{"N07"}, asbuilt.Options{}},
		{"dragonfly", "", 12, nil, asbuilt.Options{Paths: 2}},
		{"mesh", "", 3, []string{"N1"}, asbuilt.Options{}},
	} {
		p, w := smallPlan(t, c.name, c.fabric)
		w.Links = slices.DeleteFunc(w.Links, func(l exchange.Link) bool {
			return c.fabric != "" && (!strings.HasPrefix(w.Boxes[l.A.Box].Name, c.fabric))
		})
		inject(p, w, c.faults, rand.New(rand.NewPCG(uint64(c.faults), 1)))
		w.Links[2].Product = "other@7 m" // is another product, or of a link that is wrong anyway
		// A box that the plan does not have, and links between ports that it does not have.
		w.Boxes = append(w.Boxes, exchange.Box{Name: "stranger"})
		s := len(w.Boxes) - 1
		w.Links[4].B = exchange.End{Box: s, Port: "3"}
		w.Links = append(w.Links,
			exchange.Link{A: exchange.End{Box: s, Port: "1"}, B: exchange.End{Box: s, Port: "2"}},
			exchange.Link{A: exchange.End{Box: 0, Port: "900"}, B: exchange.End{Box: s, Port: "2"}},
			exchange.Link{A: w.Links[0].A, B: w.Links[1].B})
		for i := range w.Boxes[:len(w.Boxes)/2] {
			w.Boxes[i].Listed = i%5 != 4
		}
		w.Places = []exchange.Place{
			{Box: w.Boxes[0].Name, Rack: "A99", Unit: 3},
			{Box: w.Boxes[1].Name, Rack: "A01", Unit: 900},
			{Box: w.Boxes[2].Name},
			{Box: "nobody", Rack: "A01", Unit: 1},
		}
		w.Racks = []exchange.Rack{{Name: "A01", Units: 7}, {Name: "Z99", Units: 42}}
		r := p.Compare([]*exchange.Wiring{w})
		var failed *Failed
		if c.failed != nil {
			var err error
			if failed, err = p.Fail(c.failed); err != nil {
				t.Fatal(c.name, err)
			}
		}
		golden.Compare(t, "small/"+strings.Trim(c.name+"-"+c.fabric, "-")+".txt", everything(t, r, failed, c.opt))
	}
}

// TestCablesOfThePlanAreRight reads the cable schedule of small machines back, as it is and with the rows of two links
// exchanged at one end; only these two links differ then.
func TestCablesOfThePlanAreRight(t *testing.T) {
	for _, name := range []string{"panels", "breakout", "nested", "blades", "dragonfly", "mesh"} {
		p, _ := smallPlan(t, name, "")
		var b bytes.Buffer
		if err := render.Cables(t.Context(), &b, p.result); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.ReadCables("cables.csv", &b)
		if err != nil {
			t.Fatal(err)
		}
		r := p.Compare([]*exchange.Wiring{w})
		if !r.OK || r.Right != len(p.links) || r.Unknown > 0 || len(r.Notes) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
		first, last := &w.Links[0], &w.Links[len(w.Links)-1]
		first.A, last.A = last.A, first.A
		first.Product, last.Product = "", ""
		r = p.Compare([]*exchange.Wiring{w})
		if len(r.Differences) != 1 || r.Differences[0].Kind != Swapped || r.Right != len(p.links)-2 || r.OK {
			t.Errorf("%s: %+v", name, r.Differences)
		}
	}
}
