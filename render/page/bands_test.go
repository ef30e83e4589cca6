package page_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
)

// TestBandsAreThoseOfDrawings holds the bands of the report's floor against those that drawings have, piece by piece,
// with the numbers that make widths of them.
func TestBandsAreThoseOfDrawings(t *testing.T) {
	script, err := os.ReadFile("assets/bands.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("const bandMetres = %v, leastBand = %v;", route.BandMetres, route.LeastBand),
		fmt.Sprintf("const fewLines = %v;", route.FewLines),
	} {
		if !bytes.Contains(script, []byte(want)) {
			t.Errorf("the script of the floor has not %q", want)
		}
	}
	for _, source := range []string{"superpod-h100-4su", "basepod", split, manhattan} {
		r := planOf(t, source)
		all, err := pick.Of(r, pick.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		runs, err := route.Of(r, all, "medium")
		if err != nil {
			t.Fatal(err)
		}
		b := open(t, write(t, r), 800, 600)
		got := eval[struct {
			Pieces           [][]float64
			Most, MostInside int64
		}](b, `(() => {
			const bands = plenum.state.look.bands;
			const pieces = bands.pieces.map((p) => [...p.box, p.total, ...p.beyond]);
			return { Most: bands.most, MostInside: bands.mostInside, Pieces: pieces };
		})()`)
		sums := runs.Stretches()
		if got.Most != route.MostOn(sums) || got.MostInside != runs.MostInside() {
			t.Errorf("%s: the most are %d and %d, in drawings %d and %d", source, got.Most, got.MostInside,
				route.MostOn(sums), runs.MostInside())
		}
		var corners [2]float64 // the sums over those of the page, and of drawings
		for i := range sums {
			corners[1] += float64(sums[i].Beyond[0] + sums[i].Beyond[1])
		}
		for _, p := range got.Pieces {
			x, y, on := (p[0]+p[2])/2, (p[1]+p[3])/2, int64(0)
			for i := range sums {
				s := &sums[i]
				lo := [2]float64{min(s.From[0], s.To[0]), min(s.From[1], s.To[1])}
				hi := [2]float64{max(s.From[0], s.To[0]), max(s.From[1], s.To[1])}
				along := 0 // the axis of a piece and of the stretch have to be the same
				if p[0] == p[2] {
					along = 1
				}
				const near = 0.002
				within := x > lo[0]-near && x < hi[0]+near && y > lo[1]-near && y < hi[1]+near
				if hi[1-along]-lo[1-along] < near && within {
					on += s.Total()
				}
			}
			for end := range 2 {
				if n := int64(p[5+end]); n > 0 && !slices.ContainsFunc(sums, func(s route.Stretch) bool {
					at := [...][2]float64{s.From, s.To}[end]
					return s.Beyond[end] == n && math.Hypot(at[0]-p[2*end], at[1]-p[2*end+1]) < 0.002
				}) {
					t.Errorf("%s: no corner of drawings is where a band of %v goes on for %d cables", source, p[:4], n)
				}
				corners[0] += p[5+end]
			}
			if on != int64(p[4]) {
				t.Errorf("%s: at %v the band has %v cables, in drawings %d", source, p[:4], p[4], on)
			}
		}
		if corners[0] != corners[1] {
			t.Errorf("%s: corners of %v cables, in drawings %v", source, corners[0], corners[1])
		}
		b.Quiet()
	}
}

// TestBands holds the numbers of cables of bands against those of the trays of the plan, and their length on the floor
// against a sum over single lines.
func TestBands(t *testing.T) {
	for _, source := range []string{"superpod-h100-4su", "basepod", split, manhattan, "clex-4096"} {
		b := open(t, write(t, planOf(t, source)), 800, 600)
		got := eval[[]float64](b, `(() => {
			const { look, model: m, paths } = plenum.state, sum = (list) => [...list].reduce((s, n) => s + n, 0);
			let along = 0, inside = 0, lines = 0, within = 0, wrong = 0;
			for (const p of look.bands.pieces) along += p.total * Math.hypot(p.box[2] - p.box[0], p.box[3] - p.box[1]);
			for (const counts of look.bands.inside.values()) inside += sum(counts);
			const c = m.cables, r = m.racks, b = m.bundles;
			for (let i = 0; i < c.count; i++) {
				const splits = c.product[i] >= 0 && m.products[c.product[i]].splits; // one link to a jacket
				if (c.leg[i] > 1 && !splits) continue;
				const way = c.bundle[i] > 0 && b.way_starts.length ? b.way[c.bundle[i] - 1] : -1;
				const x = r.x_m, y = r.y_m, s = c.rackA[i], e = c.rackB[i];
				if (way >= 0) {
					const p = b.way_points_m;
					for (let k = b.way_starts[way] + 1; k < b.way_starts[way + 1]; k++) {
						lines += Math.abs(p[3 * k] - p[3 * k - 3]) + Math.abs(p[3 * k + 1] - p[3 * k - 2]);
					}
				} else if (x[s] === x[e] && y[s] === y[e]) within++;
				else if (m.slack.route === "manhattan") lines += Math.abs(x[s] - x[e]) + Math.abs(y[s] - y[e]);
				else lines += Math.hypot(x[s] - x[e], y[s] - y[e]);
			}
			let compared = 0;
			if (m.trays) {
				const at = new Map(), t = m.trays, near = (v) => Math.round(v * 1000);
				for (let i = 0; i < t.count; i++) { // the levels above each other together
					const k = 6 * i, e = t.ends_m, key = [e[k], e[k + 1], e[k + 3], e[k + 4]].map(near).join();
					at.set(key, (at.get(key) || 0) + t.cables[i]);
				}
				for (const [key, cables] of at) {
					const [x0, y0, x1, y1] = key.split(",").map((v) => v / 1000), x = (x0 + x1) / 2, y = (y0 + y1) / 2;
					let on = 0;
					for (const { box, total } of look.bands.pieces) {
						const [bx0, by0, bx1, by1] = box, same = (v, w) => Math.abs(v - w) < 0.002;
						if (bx0 === bx1 && x0 === x1 && same(x, bx0) && y > by0 && y < by1) on += total;
						if (by0 === by1 && y0 === y1 && same(y, by0) && x > bx0 && x < bx1) on += total;
					}
					compared++;
					if (on !== cables) wrong++;
				}
			}
			return [along, lines, inside, within, compared, wrong];
		})()`)
		if math.Abs(got[0]-got[1]) > 0.002*got[1] || got[2] != got[3] {
			t.Errorf("%s: bands are %.1f m long for lines of %.1f m, and %g cables within racks are %g", source, got[0],
				got[1], got[3], got[2])
		}
		t.Logf("%s: %v", source, got)
		if got[5] > 0 {
			t.Errorf("%s: at %g of %g pieces of tray the band has another number of cables", source, got[5], got[4])
		}
		b.Quiet()
	}
}
