package workorder

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// at is a port of a box, by "box port".
func at(text string) *End {
	box, port, _ := strings.Cut(text, " ")
	return &End{Rack: "A01", Unit: 7, Box: box, Port: port, Label: "A01/" + box + "-" + port}
}

// sample is an order of two steps: a swap of a ring of two, a cable that hangs from one step to the next, one that is
// laid and one that is disconnected, and a box that moves.
func sample() *Order {
	o := &Order{Machine: "=machine", From: "as found", To: "as planned", Steps: []Step{
		{Paths: 1, Share: 75, Moves: []Move{
			{Do: TakeOut, Source: ToStock, From: at("x 1"), Other: at("y 1")},
			{Do: Unplug, Cable: "C1", From: at("a 1"), Other: at("b 1")},
			{Do: MovePlug, Cable: "C2", From: at("a 2"), To: at("a 1"), Other: at("b 2")},
			{Do: PlugIn, Cable: "C1", To: at("a 2"), Other: at("b 1")},
			{Do: Unplug, Cable: "C3", From: at("c 1"), Other: at("d 1")},
		}},
		{Paths: 1, Share: 80, Cut: []string{"c"}, Moves: []Move{
			{Do: TakeAway, Product: "box", From: &End{Rack: "A01", Box: "z"}},
			{Do: Stand, Product: "box", From: &End{Rack: "A01", Box: "z"}, To: &End{Rack: "A02", Box: "z"}},
			{Do: PlugIn, Cable: "C3", To: at("c 2"), Other: at("d 1")},
			{Do: Lay, Cable: "=C4", Product: "p@1 m", Source: FromStock, To: at("x 1"), Other: at("y 2")},
			{Do: Exchange, Cable: "C5", Source: FromStock, From: at("e 1"), To: at("e 1"), Other: at("f 1")},
		}},
	}}
	o.Number()
	return o
}

// TestNumber numbers steps and moves, and tells the ports that are open after a step and were not before, and those
// that are taken: none that only change their cable.
func TestNumber(t *testing.T) {
	o := sample()
	ports := func(all []End) string {
		var out []string
		for _, e := range all {
			out = append(out, e.Box+" "+e.Port)
		}
		return strings.Join(out, ", ")
	}
	for i, want := range [][2]string{{"c 1, x 1, y 1", ""}, {"", "c 2, x 1, y 2"}} {
		if st := o.Steps[i]; st.Step != i+1 || ports(st.Cap) != want[0] || ports(st.Uncap) != want[1] {
			t.Errorf("step %d: capped %s, uncapped %s", st.Step, ports(st.Cap), ports(st.Uncap))
		}
	}
	if last := o.Steps[1].Moves[4]; last.Move != 10 || o.Moves() != 10 {
		t.Errorf("the last move is %d of %d", last.Move, o.Moves())
	}
}

// TestWriteTable has a row for each move with its ends in their columns, and no formulas.
func TestWriteTable(t *testing.T) {
	o := sample()
	var b bytes.Buffer
	if err := o.WriteTable(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 11 {
		t.Fatal(len(rows), err)
	}
	field := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	for _, c := range [][3]string{
		{"3", "from_port", "2"},
		{"3", "to_port", "1"},
		{"3", "other_device", "b"},
		{"3", "to_label", "A01/a-1"},
		{"2", "to_device", ""},
		{"4", "from_device", ""},
		{"9", "cable", "'=C4"},
		{"9", "step", "2"},
		{"7", "to_rack", "A02"},
		{"9", "to_unit", "7"},
		{"7", "to_unit", ""},
		{"10", "do", "exchange"},
	} {
		var row int
		fmt.Sscan(c[0], &row)
		if got := field(row, c[1]); got != c[2] {
			t.Errorf("row %s, %s: %q, expected %q", c[0], c[1], got, c[2])
		}
	}
	o.Labels = []Label{{Cable: "C1", End: "A", Near: "near", Far: "far", Why: NewCable}}
	b.Reset()
	if err := o.WriteLabels(t.Context(), &b); err != nil || !strings.Contains(b.String(), "C1,A,near,far,new cable") {
		t.Error(err, b.String())
	}
}

// TestWriteSheets writes orders of any size up to the most, and stops when its context ends.
func TestWriteSheets(t *testing.T) {
	var a, b bytes.Buffer
	for _, out := range []*bytes.Buffer{&a, &b} {
		if err := sample().WriteSheets(t.Context(), out, "x"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || !bytes.HasPrefix(a.Bytes(), []byte("%PDF")) {
		t.Error("the same order has other sheets")
	}
	if err := (&Order{Machine: "none"}).WriteSheets(t.Context(), &a, "x"); err != nil {
		t.Error(err)
	}
	large := sample()
	for range 50_000 {
		large.Steps[0].Moves = append(large.Steps[0].Moves, large.Steps[0].Moves[0])
	}
	if err := large.WriteSheets(t.Context(), &a, "x"); err == nil {
		t.Error("50,000 moves are printed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sample().WriteSheets(ctx, &a, "x"); err == nil {
		t.Error("sheets are written though the work is cancelled")
	}
}
