package page_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/plenum-planner/plenum/internal/browsertest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// cubes is a machine in containers.
const cubes = `topology: {family: torus, dims: [4, 4, 4]}
room:
  containers:
    - {name: hall, count: [2, 2, 2], pitch: [1]}
    - {name: cube, count: [2, 2, 2], pitch: [0.2, 0.3, 0.2]}
cabling: {route: manhattan}
`

// TestAccessible has axe judge each view of the report and what is opened in it, wide and as wide as a phone, light and
// dark.
func TestAccessible(t *testing.T) {
	source := browsertest.Axe(t)
	for name, text := range map[string]string{"clusters": "basepod", "halls": twoHalls, "cubes": cubes} {
		path := write(t, planOf(t, text))
		for _, width := range []int64{1440, 390} {
			b := open(t, path, width, 900)
			judge := func(state string) {
				t.Helper()
				state = name + " " + state + " " + strconv.FormatInt(width, 10)
				b.Shot("axe-" + state)
				b.Judge(source, state)
			}
			b.judgeViews(name, judge)
			b.view("floor")
			eval[bool](b, `(plenum.state.go.rack(0), true)`)
			judge("rack")
			if name != "halls" {
				continue
			}
			eval[bool](b, `(plenum.state.go.cable(0), true)`)
			judge("cable")
			eval[bool](b, `(plenum.state.go.figure("cost"), true)`)
			judge("figure")
			eval[bool](b, `(() => { const e = document.querySelector(".search input"); e.value = "a";
				return e.dispatchEvent(new Event("input")); })()`)
			judge("search")
			eval[bool](b, `(document.querySelector(".theme").click(), true)`)
			judge("dark")
			b.Quiet()
		}
	}
}

// judgeViews judges the views of the report: all of one machine, and those of others that are made otherwise there.
func (b *browser) judgeViews(name string, judge func(string)) {
	views := []string{"floor", "figures", "space", "cables", "bill", "rules", "basis"}
	switch name {
	case "clusters":
		views = []string{"floor", "figures", "rules"}
	case "cubes":
		views = []string{"floor", "figures", "space"}
	}
	for _, view := range views {
		b.view(view)
		if view == "space" {
			b.Run(chromedp.WaitVisible(chromedp.CSS("canvas.space[data-drawn]")))
			eval[bool](b, `(document.querySelector(".sight").open = true)`)
		}
		judge(view)
	}
}

// TestComparisonIsAccessible has axe judge the page of a comparison.
func TestComparisonIsAccessible(t *testing.T) {
	source := browsertest.Axe(t)
	var all []machine.Candidate
	for _, text := range []string{
		"{name: A torus, topology: {family: torus, dims: [4, 4, 2]}}",
		"{name: HyperX, topology: {family: hyperx, dims: [4, 4], terminals: 2}}",
	} {
		s, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, machine.Candidate{File: "machine.yaml", Spec: s})
	}
	c, err := machine.Compare(t.Context(), all, machine.CompareOptions{Floor: render.FloorOf(t.Context()), Baseline: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := render.ComparePage(t.Context(), &out, c); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "compare.html")
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := start(t, path, 1440, 900)
	b.Run(chromedp.Navigate("file://"+path), chromedp.WaitVisible(chromedp.CSS("circle.point")))
	for _, width := range []int64{1440, 390} {
		call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: 900, DeviceScaleFactor: 1,
		})
		b.Shot("axe-compare-" + strconv.FormatInt(width, 10))
		b.Judge(source, "comparison "+strconv.FormatInt(width, 10))
	}
}
