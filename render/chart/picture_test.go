package chart

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/units"
)

// styles are the pages of the tests: screens, a column and a page of a paper, a slide, the least.
func styles() map[string]Style {
	return map[string]Style{
		"screen":      {},
		"screen-bare": {Bare: true},
		"column":      {Width: 0.085, Height: 0.06},
		"column-bare": {Width: 0.085, Height: 0.06, Bare: true},
		"page":        {Width: 0.17, Height: 0.1},
		"slide":       {Width: 0.32, Height: 0.18},
		"least":       {Width: LeastWidth, Height: LeastHeight},
		"tower":       {Width: 0.06, Height: 0.3},
	}
}

const longName = "a torus of 4096 nodes in 128 racks with 400 Gb/s cables, six virtual channels, and a long name"

func runs(loads, latencies []float64, from float64) (out []*packet.Result) {
	for i, load := range loads {
		r := &packet.Result{Load: load, Accepted: min(load, from), Delivered: 1, HalfWidth: 0.01}
		r.Latency.Mean, r.Latency.HalfWidth = latencies[i], latencies[i]/10
		if load > from {
			r.Behind = 0.2
		}
		out = append(out, r)
	}
	return out
}

func curves(n int, name string, y func(curve, point int) float64) (out []Curve) {
	for i := range n {
		c := Curve{Name: fmt.Sprintf("%s %d", name, i+1)}
		for k := range 6 {
			c.Points = append(c.Points, Point{X: float64(k) / 5, Y: y(i, k)})
		}
		out = append(out, c)
	}
	return out
}

// subject is a chart of the matrix.
type subject func(Style) (*Drawing, error)

// subjects are charts of all kinds with all kinds of data.
func subjects() map[string]subject {
	out := map[string]subject{}
	curve := func(name string, c CurveChart) {
		out["curves-"+name] = func(s Style) (*Drawing, error) { return c.Draw(s) }
	}
	normal := CurveChart{
		Title: "Cost over slack", Note: "Curves: topology.dims. Each point is the mean of 2 rows.",
		X: "slack (%)", Y: "total cost (USD)", Fit: true,
	}
	with := func(change func(c *CurveChart)) CurveChart {
		c := normal
		change(&c)
		return c
	}
	rising := func(i, k int) float64 { return 1e5 * float64(i+1) * float64(k+3) }
	curve("normal", with(func(c *CurveChart) { c.Curves = curves(3, "torus", rising) }))
	curve("bars", with(func(c *CurveChart) {
		c.Curves = curves(3, "torus", rising)
		for i := range c.Curves {
			for k := range c.Curves[i].Points {
				c.Curves[i].Points[k].HalfWidth = 1e4 * float64(k*k)
			}
		}
	}))
	curve("empty", normal)
	curve("no-number", with(func(c *CurveChart) {
		c.Curves = curves(2, "torus", func(int, int) float64 { return math.NaN() })
	}))
	curve("single-point", with(func(c *CurveChart) {
		c.Curves = []Curve{{Name: "one", Points: []Point{{X: 3, Y: 5e6}}}}
	}))
	curve("single-point-log", with(func(c *CurveChart) {
		c.Curves = []Curve{{Name: "one", Points: []Point{{X: 3, Y: 5e6}}}}
		c.LogX, c.LogY = true, true
	}))
	curve("zeros", with(func(c *CurveChart) { c.Curves = curves(2, "torus", func(int, int) float64 { return 0 }) }))
	curve("negative", with(func(c *CurveChart) {
		c.Curves = curves(2, "torus", func(i, k int) float64 { return float64(-1000 + 3*i + k) })
	}))
	curve("huge", with(func(c *CurveChart) {
		c.Curves = curves(2, "torus", func(i, k int) float64 { return math.Pow(10, float64(300*i-40*k)) })
	}))
	curve("huge-log", with(func(c *CurveChart) {
		c.Curves, c.LogY = curves(2, "torus", func(i, k int) float64 { return math.Pow(10, float64(300*i-40*k)) }), true
	}))
	curve("alike", with(func(c *CurveChart) {
		c.Curves = curves(2, "torus", func(i, k int) float64 { return 12345678.901 + 1e-3*float64(k*i) })
	}))
	curve("tiny", with(func(c *CurveChart) {
		c.Curves = curves(2, "torus", func(i, k int) float64 { return 1e-9 * float64(k+i) })
	}))
	curve("long", with(func(c *CurveChart) {
		c.Title, c.Note = strings.Repeat(longName+" ", 3), strings.Repeat("Every word of a long note. ", 30)
		c.X, c.Y = longName+" (phits per cycle and terminal)", longName+" (channels between two halves)"
		c.Curves = curves(4, longName, rising)
	}))
	curve("one-word", with(func(c *CurveChart) {
		word := strings.Repeat("Rückgrat中文", 40)
		c.Title, c.Note, c.X, c.Y = word, word, word+" (m)", word+" (ns)"
		c.Curves = curves(2, word, rising)
	}))
	curve("many", with(func(c *CurveChart) { c.Curves = curves(24, "torus number", rising) }))
	curve("many-long", with(func(c *CurveChart) { c.Curves = curves(24, longName, rising) }))
	curve("marks", with(func(c *CurveChart) {
		c.Curves, c.Groups, c.LogY = curves(12, "torus", rising), []string{"torus"}, true
		for i := range c.Curves {
			c.Curves[i].Group, c.Curves[i].Mark = "torus", fmt.Sprintf("%dD", i+1)
		}
	}))
	loads := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
	slow := []float64{22.9, 28, 36.2, 49.2, 70.7, 113, 207, 588, 1541, 2605}
	for name, sweeps := range map[string][]Sweep{
		"saturated":  {{Name: "torus 8x8, dor, 8 virtual channels", Runs: runs(loads, slow, 0.8)}},
		"overloaded": {{Name: "torus 8x8", Runs: runs(loads[8:], slow[8:], 0.8)}},
		"two": {
			{Name: "torus 8x8", Runs: runs(loads, slow, 0.8)}, {Name: longName, Runs: runs(loads, loads, 2)},
		},
		"one-load": {{Name: "torus 8x8", Runs: runs(loads[:1], slow[:1], 0.8)}},
		"none":     {{Name: "torus 8x8"}},
	} {
		latency, throughput := LoadCharts("uniform", 16, sweeps)
		out["latency-"+name] = func(s Style) (*Drawing, error) { return latency.Draw(s) }
		out["throughput-"+name] = func(s Style) (*Drawing, error) { return throughput.Draw(s) }
	}
	for name, left := range map[string][]int64{
		"none": nil, "one": {7}, "some": {235_000_000, 40_000_000, 1, 0},
		"huge": {1 << 60, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0}, "many": make([]int64, 200),
	} {
		for i := range left {
			if name == "many" {
				left[i] = int64(1000 - i)
			}
		}
		out["remaining-"+name] = func(s Style) (*Drawing, error) {
			return Remaining(&rounds.Result{RemainingByPhase: left}, "CLEX in rounds", s)
		}
	}
	trade := func(name string, n int, at func(i int) (x, y float64)) {
		c := TradeChart{
			Title: "Search for a machine", X: "cost per Gb/s that is accepted at most (USD)", Y: "mean delay (ns)",
			Note: "1,234 configurations. Large: the Pareto front. Small: planned and beaten. Hollow: lower bounds.",
		}
		for i := range n {
			x, y := at(i)
			family := fmt.Sprint("family ", i%9)
			q := TradePoint{Group: family, Label: fmt.Sprintf("%d %s", i+1, family), X: x, Y: y}
			c.Best = append(c.Best, q)
			q.X *= 1.2
			c.Beaten, c.Bounded = append(c.Beaten, q), append(c.Bounded, q)
		}
		out["trade-"+name] = func(s Style) (*Drawing, error) { return c.Draw(s) }
	}
	trade("empty", 0, nil)
	trade("one", 1, func(int) (x, y float64) { return 224_100, 900 })
	trade("some", 6, func(i int) (x, y float64) { return 1e5 * float64(i+1), 1000 / float64(i+1) })
	trade("many", 200, func(i int) (x, y float64) { return 1e5 + 100*float64(i), 1000 - float64(i) })
	trade("alike", 12, func(int) (x, y float64) { return 224_100, 900 })
	trade("huge", 6, func(i int) (x, y float64) { return math.Pow(10, float64(3*i)), math.Pow(10, float64(-3*i)) })
	for name, c := range map[string]*report.Comparison{
		"one": compared(1, "torus", 1), "two": compared(2, "torus", 1), "six": compared(6, "fat tree", 1),
		"many-long": compared(24, longName, 1), "huge": compared(3, "torus", 1e9), "bare": {Machines: []report.Compared{
			{Plan: &report.Plan{Machine: "a", Currency: "USD"}}, {Plan: &report.Plan{Machine: "b", Currency: "EUR"}},
		}},
	} {
		for kind, draw := range map[string]func(*report.Comparison, Style) (*Drawing, error){
			"delays": Delays, "break-even": BreakEven, "cost-delay": CostDelay, "cost": Cost, "lengths": Lengths,
		} {
			out[kind+"-"+name] = func(s Style) (*Drawing, error) { return draw(c, s) }
		}
	}
	return out
}

// compared is a comparison of machines of some size.
func compared(n int, name string, size float64) *report.Comparison {
	c := &report.Comparison{Alphas: []units.Time{100}, Beta: 5}
	for i := range n {
		k := float64(i + 1)
		m := report.Compared{Plan: &report.Plan{
			Machine: fmt.Sprintf("%s %d", name, i+1), Currency: "USD", Nodes: 64,
			Cost: report.Cost{
				Total: units.MoneyOf(1e5 * k * size), Switches: units.MoneyOf(4e4 * k * size),
				Cables: units.MoneyOf(5e4 * k * size), Labour: units.MoneyOf(1e4 * k * size),
			},
			Lengths: []report.Lengths{
				{Medium: catalog.PassiveCopper, BinMetres: 0.5, Bins: []int64{3, 100, int64(min(1e6*size, 1e12)), 7}},
				{Medium: catalog.SingleMode, BinMetres: 0.5, Bins: []int64{0, 0, 0, 1, 0, 20}},
			},
		}}
		m.Length.Max = units.Length(3 * k)
		d := &report.Delay{Exact: i%2 == 0, Sources: 10}
		d.NsMean = units.Time(900 / k)
		d.Histogram.BinNs = units.Time(10 * k)
		d.Histogram.Pairs = []int64{0, 10, 400, 300, 20 * int64(i+1), 1}
		m.Delay = d
		m.Reach = &delay.Reach{HopsMean: 2 * k, PathMean: units.Length(100 / k)}
		c.Machines = append(c.Machines, m)
	}
	return c
}

// TestPictures reads every chart of the matrix as it is drawn: no two texts overlap, none is beyond the page, below 6
// points on paper or hard to see, ticks span their axes, and axes have titles. PLENUM_PICTURES=DIR writes them all.
func TestPictures(t *testing.T) {
	for name, draw := range subjects() {
		for size, style := range styles() {
			d, err := draw(style)
			if err != nil {
				t.Errorf("%s, %s: %v", name, size, err)
				continue
			}
			for _, fault := range faults(d) {
				t.Errorf("%s, %s: %s", name, size, fault)
			}
			if dir := os.Getenv("PLENUM_PICTURES"); dir != "" {
				if err := save(filepath.Join(dir, name+"-"+size+".png"), d); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func save(path string, d *Drawing) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := d.Write(context.Background(), f, PNG); err != nil {
		return err
	}
	return f.Close()
}

// faults are those of a chart's scene and of its axes.
func faults(d *Drawing) []string {
	out := scenetest.Faults(d.Scene, scenetest.Limits{})
	texts, err := scenetest.Texts(d.Scene)
	if err != nil {
		return []string{err.Error()}
	}
	written := func(text string, near func(c scenetest.Text) bool) bool {
		for _, t := range texts {
			if t.Text.Text == text && near(t) {
				return true
			}
		}
		return false
	}
	if h := d.Grown(); !d.Style.printed() && h != 0 || d.Style.printed() && d.Scene.H < onPaper(d.Style.Height)-1e-6 {
		out = append(out, fmt.Sprintf("the page is %g high", d.Scene.H))
	}
	if d.Data == nil || len(d.Data.Head) < 2 {
		out = append(out, "no data behind the chart")
	}
	for _, p := range d.panels {
		if p.Width() < 60 || p.Height() < 40 {
			out = append(out, fmt.Sprintf("a panel of %.0f x %.0f", p.Width(), p.Height()))
		}
		for _, a := range []struct {
			axis
			ticks    []tick
			from, to float64
			across   bool
		}{{p.x, p.ticksX, p.X0, p.X1, true}, {p.y, p.ticksY, p.Y1, p.Y0, false}} {
			if a.names != nil {
				continue
			}
			last, most, wide := 0.0, 0.0, 0.0
			for _, t := range a.ticks {
				share := (t.at - a.from) / (a.to - a.from)
				most, last, wide = max(most, share-last), share, max(wide, d.Width(t.label, tickLetter))
				if !written(t.label, func(c scenetest.Text) bool {
					x, y := (c.Corners[0][0]+c.Corners[2][0])/2, (c.Corners[0][1]+c.Corners[2][1])/2
					return a.across && math.Abs(x-t.at) < 1 && y > p.Y1 || !a.across && math.Abs(y-t.at) < 8 && x < p.X0
				}) {
					out = append(out, fmt.Sprintf("tick %s of %q is not written", t.label, a.label))
				}
			}
			if most = max(most, 1-last); a.across && a.to-a.from < 5*wide || a.integral {
				most = 0 // a third has no room, or is not a whole number
			}
			if len(a.ticks) < 2 || most > 0.65 {
				out = append(out, fmt.Sprintf("%d ticks of %q leave a gap of %.0f %%: %v", len(a.ticks), a.label,
					100*most, a.ticks))
			}
			if at := strings.LastIndex(a.label, " ("); a.label == "" {
				out = append(out, "an axis without a title")
			} else if at > 0 && !strings.Contains(allTexts(d.Scene), a.label[at+1:]) {
				out = append(out, fmt.Sprintf("the unit of %q is not written", a.label))
			}
		}
	}
	return out
}

// allTexts are the texts of a scene in their order, with blanks between them: those of an axis, which may be broken
// into lines, follow each other.
func allTexts(s *scene.Scene) string {
	var words []string
	for _, m := range s.Marks {
		if t, ok := m.(scene.Text); ok {
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}

// TestAnyCurvesAreLegible draws curves of any values on pages of any size.
func TestAnyCurvesAreLegible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Custom(func(t *rapid.T) float64 {
			v := math.Pow(10, rapid.Float64Range(-20, 20).Draw(t, "log"))
			return v * rapid.SampledFrom([]float64{1, 1, 1, 0, -1}).Draw(t, "sign")
		})
		c := CurveChart{
			Title: rapid.StringN(0, 60, -1).Draw(t, "title"), Note: "A note.", X: "load (phits)", Y: "latency (cycles)",
			Fit: rapid.Bool().Draw(t, "fit"),
		}
		for i := range rapid.IntRange(0, 6).Draw(t, "curves") {
			curve := Curve{Name: fmt.Sprint("curve ", i)}
			for range rapid.IntRange(0, 5).Draw(t, "points") {
				curve.Points = append(curve.Points, Point{
					X: value.Draw(t, "x"), Y: value.Draw(t, "y"), HalfWidth: math.Abs(value.Draw(t, "half")),
					Saturated: rapid.Bool().Draw(t, "saturated"),
				})
			}
			c.Curves = append(c.Curves, curve)
		}
		style := Style{Bare: rapid.Bool().Draw(t, "bare")}
		if rapid.Bool().Draw(t, "on paper") {
			style.Width = units.Length(rapid.Float64Range(float64(LeastWidth), 0.5).Draw(t, "width"))
			style.Height = units.Length(rapid.Float64Range(float64(LeastHeight), 0.5).Draw(t, "height"))
		}
		d, err := c.Draw(style)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := faults(d); len(wrong) > 0 {
			t.Fatal(strings.Join(wrong, "\n"))
		}
	})
}
