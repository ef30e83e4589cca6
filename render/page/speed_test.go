package page_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// tenThousand is a machine of 10,000 racks.
const tenThousand = `name: Torus of 10,000 racks
topology: {family: torus, dims: [100, 100]}
packaging:
  node: {part: generic-torus-node-1u, per_rack: 1}
`

// frames moves the floor for so many frames and returns the 50th, 95th and 100th percentile of the milliseconds from
// frame to frame, and those of the milliseconds that the page's own work takes of each.
const frames = `new Promise((done) => {
	const f = plenum.state.floor, apart = [], work = [];
	let n = 0, last = 0;
	const step = (now) => {
		if (last) apart.push(now - last);
		last = now;
		if (n++ === %d) {
			const at = (list, p) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(p * list.length))];
			done([at(apart, .5), at(apart, .95), at(apart, 1), at(work, .5), at(work, .95), at(work, 1)]);
			return;
		}
		const start = performance.now();
		%s
		requestAnimationFrame(step);
		queueMicrotask(() => {});
		setTimeout(() => work.push(performance.now() - start), 0);
	};
	requestAnimationFrame(step);
})`

// TestSpeed logs how long the page takes to open and to move; it fails by them only under PLENUM_LONG=1, on a machine
// that does nothing else.
func TestSpeed(t *testing.T) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("measures time; set PLENUM_LONG=1")
	}
	for _, m := range []struct{ name, source string }{
		{"SuperPOD, four fabrics", "superpod-h100-4su"}, {"10,000 racks", tenThousand},
	} {
		b := open(t, write(t, planOf(t, m.source)), 1440, 900)
		b.load()
		took := eval[float64](b, `performance.getEntriesByName("plenum-drawn")[0].startTime`)
		t.Logf("%s: open and drawn in %.0f ms", m.name, took)
		if took > 2000 {
			t.Errorf("%s: took %.0f ms to open", m.name, took)
		}
		for _, slower := range []float64{1, 4} {
			call(b, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
			for _, how := range []struct{ name, step string }{
				{"pan", `f.pan(n % 120 < 60 ? 9 : -9, n % 80 < 40 ? 5 : -5);`},
				{"zoom", `f.zoom(n % 100 < 50 ? 1.03 : 1 / 1.03);`},
				{"pan when near", `if (n === 1) f.zoom(6); f.pan(n % 120 < 60 ? 12 : -12, 0);`},
			} {
				eval[bool](b, `(plenum.state.floor.fit(), true)`)
				b.settle()
				at := eval[[]float64](b, fmt.Sprintf(frames, 240, how.step))
				t.Logf("%s, processor %g times slower, %s: frames every %.1f ms, 95 %% within %.1f, all within %.1f; "+
					"own work %.1f, %.1f, %.1f", m.name, slower, how.name, at[0], at[1], at[2], at[3], at[4], at[5])
				// Times are given to a tenth of a millisecond.
				if limit := map[float64]float64{1: 16.8, 4: 50}[slower]; at[1] > limit+0.05 {
					t.Errorf("%s, %g times slower, %s: 95 %% of frames within %.1f ms, want %.1f", m.name, slower,
						how.name, at[1], limit)
				}
			}
		}
		b.Quiet()
	}
}
