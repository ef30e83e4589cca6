package page_test

import (
	"math"
	"testing"
)

// TestBands holds the numbers of cables of bands against those of the trays of the plan, and their length on the floor
// against a sum over single lines.
func TestBands(t *testing.T) {
	for _, source := range []string{"superpod-h100-4su", "basepod", manhattan, "clex-4096"} {
		b := open(t, write(t, planOf(t, source)), 800, 600)
		got := eval[[]float64](b, `(() => {
			const { look, model: m, paths } = plenum.state, sum = (list) => [...list].reduce((s, n) => s + n, 0);
			let along = 0, inside = 0, lines = 0, within = 0, wrong = 0;
			for (const p of look.bands.pieces) along += p.total * Math.hypot(p.box[2] - p.box[0], p.box[3] - p.box[1]);
			for (const counts of look.bands.inside.values()) inside += sum(counts);
			const c = m.cables, r = m.racks, b = m.bundles;
			for (let i = 0; i < c.count; i++) {
				if (c.leg.length && c.leg[i] > 1) continue;
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
