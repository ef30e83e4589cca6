package edited

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
)

// TestRefusedElsewhere has edits told that nothing in a machine file could say, with sheet and cell, all at once.
func TestRefusedElsewhere(t *testing.T) {
	r, _, text := written(t)
	total, _ := row(t, text, "BOM", "Grand total")
	all := map[string]any{}
	want := []string{}
	for at, c := range map[string]struct {
		value any
		want  string
	}{
		"BOM!L" + total: {1, `"1", but the plan has "`},
		"BOM!G2":        {99, `"99", but the plan has "`},
		"Cables!D3":     {"other", `"other", but the plan has "`},
		"Racks!A2":      {"X1", `"X1", but the plan has "A01": this is not edited here`},
		"Racks!E3":      {77, `"77", but the plan has "`},
		"Racks!Z1":      {"mine", ""}, // nobody reads it
		"Trays!A2":      {"x", `"x", but the plan has "`},
		"Summary!A1":    {"Ours", `"Ours", but the plan has "`},
		"Racks!A90":     {"more", `the plan has no such row`},
	} {
		all[at] = c.value
		if c.want != "" {
			want = append(want, "edited.xlsx:"+at+": "+c.want)
		}
	}
	_, err := Read(context.Background(), edit(t, text, all), r)
	var found diag.List
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s is not in\n%v", w, err)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d are refused, want %d:\n%v", len(found), len(want), err)
	}
}

// TestWithoutRows tells a row that was deleted, and takes a sheet that was.
func TestWithoutRows(t *testing.T) {
	r, _, text := written(t)
	_, err := Read(context.Background(), edit(t, text, nil, func(f *excelize.File) error {
		return errors.Join(f.RemoveRow("Racks", 2), f.DeleteSheet("Delay"))
	}), r)
	if err == nil || !strings.Contains(err.Error(), `the row of "A01" is missing, row 2 of the plan`) {
		t.Error(err)
	}
}

// reverse sorts the rows of a table the other way round, formulas with the numbers of their new rows.
func reverse(f *excelize.File, sheet string, last int) error {
	for a, b := 2, last; a < b; a, b = a+1, b-1 {
		if err := errors.Join(f.DuplicateRowTo(sheet, a, b), f.RemoveRow(sheet, a), f.DuplicateRowTo(sheet, b, a),
			f.RemoveRow(sheet, b+1)); err != nil {
			return err
		}
	}
	return nil
}

// TestSorted reads sheets whose rows have another order as if they had not.
func TestSorted(t *testing.T) {
	r, _, text := written(t)
	parts := 0
	for i := range r.Bill.Rows {
		if r.Bill.Rows[i].Percent == 0 {
			parts++
		}
	}
	sorted := func(f *excelize.File) error {
		return errors.Join(reverse(f, "BOM", parts+1), reverse(f, "Racks", len(r.Placement.Racks)+1),
			reverse(f, "Boxes", len(r.Placement.Slot)+1), reverse(f, "Cables", int(r.Schedule.Wired)+1))
	}
	var was string
	path := edit(t, text, nil, sorted, func(f *excelize.File) (err error) {
		was, err = f.GetCellValue("BOM", "A2")
		return errors.Join(err, f.SetCellValue("BOM", "K2", 77), f.SetCellValue("BOM", "L2", 770))
	})
	if first := r.Bill.Rows[0].Item.String(); was == first {
		t.Fatalf("%s is the first row still", first)
	}
	e, err := Read(context.Background(), path, r)
	if err == nil || !strings.Contains(err.Error(), `BOM!L2: "770"`) {
		t.Errorf("%v, %v", e, err) // its formula is gone
	}
	path = edit(t, text, nil, sorted, func(f *excelize.File) error { return f.SetCellValue("BOM", "K2", 77) })
	if e, err = Read(context.Background(), path, r); err != nil || len(e.Changes) != 1 {
		t.Fatalf("%v, %v", e, err)
	}
	if got := e.String(); !strings.Contains(got, "BOM!K2: price of "+was+": 77.00") {
		t.Errorf("%s, want the price of %s", got, was)
	}
}

// TestRacksMoved gives racks other positions: one after the other in a ring, one to where nothing stands, and one more
// than a machine file does already.
func TestRacksMoved(t *testing.T) {
	const three = "name: three\ntopology: {family: fat-tree, nodes: 128, radix: 16}\n" +
		"room: {rows: 2, racks_per_row: 6, rack: rack-42u}\n"
	const nested = "name: nested\ntopology: {family: torus, dims: [4, 4, 4]}\nroom: {containers: [" +
		"{name: whole, count: [2, 2, 2], gap: 0.4 m}, {name: cube, count: [2, 2, 2], pitch: 0.3 m}]}\n"
	for name, c := range map[string]struct {
		file, column string
		to           map[string]string
		want         int // statements
	}{
		"ring":  {three, "L", map[string]string{"A01": "A02", "A02": "A03", "A03": "A01"}, 2},
		"empty": {three, "L", map[string]string{"A03": "B01"}, 1},
		"again": {
			three + "embedding: {racks: [{with: N001, at: A02}]}\n", "L", map[string]string{"A02": "A03"}, 2,
		},
		"cubes": {nested, "M", map[string]string{"cube-0.0.0": "cube-1.0.1", "cube-1.1.1": "cube-0.1.0"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := machine.Parse("m.yaml", []byte(c.file))
			if err != nil {
				t.Fatal(err)
			}
			r := planned(t, s)
			text := bookOf(t, r)
			set := map[string]any{}
			for from, to := range c.to {
				n, _ := row(t, text, "Racks", from)
				set["Racks!"+c.column+n] = to
			}
			e, err := Read(context.Background(), edit(t, text, set), r)
			if err != nil || len(e.Changes) != len(c.to) {
				t.Fatalf("%v, %v", e, err)
			}
			own := *s
			if err := e.Apply(&own); err != nil || len(own.Embedding.Racks) != c.want {
				t.Fatalf("%v, %v", own.Embedding.Racks, err)
			}
			again := planned(t, &own)
			back := map[string]string{}
			for from, to := range c.to {
				if _, both := c.to[to]; !both {
					back[to] = from
				}
			}
			for v := range r.Placement.Slot {
				was := r.Placement.Layout.Innermost(r.Placement.Slot[v])
				want, moved := c.to[was]
				if !moved {
					want = was
					if to, ok := back[was]; ok {
						want = to
					}
				}
				if got := again.Placement.Layout.Innermost(again.Placement.Slot[v]); got != want {
					t.Errorf("box %d of %s stands in %s, want %s", v, was, got, want)
				}
			}
		})
	}
	r, _, text := written(t)
	for to, want := range map[string]string{"Z9": "there is no place called", "": "there is no place called"} {
		if _, err := Read(context.Background(), edit(t, text, map[string]any{"Racks!L2": to}), r); err == nil ||
			!strings.Contains(err.Error(), "Racks!L2: "+want) {
			t.Error(err)
		}
	}
	twice := map[string]any{"Racks!L2": "B04", "Racks!L3": "B04"}
	if e, err := Read(context.Background(), edit(t, text, twice), r); err == nil ||
		!strings.Contains(err.Error(), "Racks!L3: B04 is the position of another rack") {
		t.Error(e, err)
	}
}
