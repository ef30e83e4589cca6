package page_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
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
	b.figures("comparison", "svg.chart", 1)
	for _, title := range []string{"cost, USD", "own delay, mean, ns"} {
		if !strings.Contains(eval[string](b, `document.querySelector("svg.chart").textContent`), title) {
			t.Errorf("no axis has the title %q", title)
		}
	}
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

// TestComparisonCanBeRead reads the chart of machines that are alike, of long names, and of one.
func TestComparisonCanBeRead(t *testing.T) {
	for name, texts := range map[string][]string{
		"one":   {"{name: Alone, topology: {family: torus, dims: [2]}}"},
		"alike": slices.Repeat([]string{"{name: A torus, topology: {family: torus, dims: [4, 4, 2]}}"}, 6),
		"long": {
			"{name: " + strings.Repeat("long name ", 20) + ", topology: {family: torus, dims: [4, 4, 2]}}",
			"{name: " + strings.Repeat("another name ", 20) + ", topology: {family: torus, dims: [8, 8]}}",
		},
	} {
		var all []machine.Candidate
		for _, text := range texts {
			s, err := machine.Parse("machine.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, machine.Candidate{File: "machine.yaml", Spec: s})
		}
		c, err := machine.Compare(t.Context(), all, machine.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := render.ComparePage(t.Context(), &out, c); err != nil {
			t.Fatal(err)
		}
		path := t.TempDir() + "/compare.html"
		if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{1300, 700} {
			b := start(t, path, width, 900)
			b.Run(chromedp.Navigate("file://"+path), chromedp.WaitVisible(chromedp.CSS("circle.point")))
			b.Shot(fmt.Sprint("compare-", name, "-", width))
			b.figures(fmt.Sprint(name, " on ", width), "svg.chart", 1)
			b.Quiet()
		}
	}
}
