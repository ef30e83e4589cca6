package page_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// TestComparisonIsClicked picks machines in the chart and the table of a comparison.
func TestComparisonIsClicked(t *testing.T) {
	var all []machine.Candidate
	for i, text := range []string{
		"{name: A torus, topology: {family: torus, dims: [4, 4, 2]}}",
		"{name: '<script>window.hit=1</script>', topology: {family: fat-tree, nodes: 32, radix: 8}}",
		"{name: HyperX, topology: {family: hyperx, dims: [4, 4], terminals: 2}}",
	} {
		s, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Fatal(i, err)
		}
		all = append(all, machine.Candidate{File: "machine.yaml", Spec: s})
	}
	c, err := machine.Compare(t.Context(), all, machine.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := render.ComparePage(context.Background(), &out, c); err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/compare.html"
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := start(t, path, 1300, 900)
	b.Run(chromedp.Navigate("file://"+path), chromedp.WaitVisible(chromedp.CSS("circle.point")))
	b.Shot("compare")
	if n := eval[int](b, `document.querySelectorAll("circle.point").length`); n != 3 {
		t.Errorf("%d points of 3 machines", n)
	}
	b.Run(chromedp.Click(chromedp.CSS(`circle[data-point="1"]`)))
	if n := eval[int](b, `document.querySelectorAll('td.chosen:not([data-of="1"])').length`); n != 0 {
		t.Errorf("%d cells of other machines are marked", n)
	}
	if n := eval[int](b, `document.querySelectorAll('td.chosen[data-of="1"]').length`); n < 20 {
		t.Errorf("%d cells are marked", n)
	}
	b.Shot("compare-picked")
	if eval[bool](b, "window.hit !== undefined") {
		t.Error("a name ran as a script")
	}
	b.Quiet()
}
