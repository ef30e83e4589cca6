package render

import (
	"slices"

	"github.com/plenum-planner/plenum/machine/report"
)

// deployability adds the rows about building, repairing and growing, where they were asked for.
func (t *compareTable) deployability() {
	if !slices.ContainsFunc(t.machines, func(m report.Compared) bool { return m.Deployability != nil }) {
		return
	}
	row := func(figure, unit string, value func(d *report.Deployability) any) {
		t.row(figure, unit, func(m *report.Compared) any {
			if m.Deployability == nil {
				return nil
			}
			return value(m.Deployability)
		})
	}
	bundling := func(figure string, value func(b *report.Bundling) any) {
		row(figure, "", func(d *report.Deployability) any {
			if d.Bundling == nil {
				return nil
			}
			return value(d.Bundling)
		})
	}
	expansion := func(figure string, value func(e *report.Expansion) any) {
		row(figure, "", func(d *report.Deployability) any {
			if d.Expansion == nil {
				return nil
			}
			return value(d.Expansion)
		})
	}
	t.heading("Deployability" + t.all())
	bundling("cables between racks", func(b *report.Bundling) any { return b.Cables })
	bundling("links between racks", func(b *report.Bundling) any { return b.Links })
	bundling("bundles, each of one length", func(b *report.Bundling) any { return int64(b.Bundles) })
	bundling("types of bundles", func(b *report.Bundling) any { return int64(b.Types) })
	bundling("harnesses between racks", func(b *report.Bundling) any { return int64(b.Harnesses) })
	bundling("kinds of harnesses", func(b *report.Bundling) any { return int64(b.HarnessKinds) })
	bundling("share of standard harnesses", func(b *report.Bundling) any {
		if b.StandardShare == nil {
			return nil
		}
		return *b.StandardShare
	})
	row("patch panels", "", func(d *report.Deployability) any { return int64(d.Panels) })
	row("racks with patch panels", "", func(d *report.Deployability) any { return int64(d.Racks) })
	row("unit of deployment", "", func(d *report.Deployability) any { return d.Unit.Name })
	row("units of deployment", "", func(d *report.Deployability) any { return int64(d.Unit.Count) })
	row("boxes of a unit", "", func(d *report.Deployability) any { return int64(d.Unit.Boxes) })
	row("racks of a unit", "", func(d *report.Deployability) any { return int64(d.Unit.Racks) })
	row("smallest unit to exchange", "", func(d *report.Deployability) any { return d.Replaceable.Name })
	row("boxes exchanged together", "", func(d *report.Deployability) any { return int64(d.Replaceable.Boxes) })
	row("cable lengths", "", func(d *report.Deployability) any { return int64(d.Lengths) })
	row("cable products", "", func(d *report.Deployability) any { return int64(d.Products) })
	row("cable products by length", "", func(d *report.Deployability) any { return int64(d.Items) })
	row("longest run", "m", func(d *report.Deployability) any { return d.LongestRun })
	row("cables in the busiest piece of tray", "", func(d *report.Deployability) any {
		if d.Busiest == nil {
			return nil
		}
		return *d.Busiest
	})
	work := func(figure, unit string, value func(w *report.BuildWork) any) {
		row(figure, unit, func(d *report.Deployability) any {
			if d.Build == nil {
				return nil
			}
			return value(d.Build)
		})
	}
	work("days to build (estimate)", "", func(w *report.BuildWork) any { return int64(w.Days) })
	work("hours of people to build (estimate)", "", func(w *report.BuildWork) any { return w.PersonHours })
	row("weight of cables", "kg", func(d *report.Deployability) any { return float64(d.Weight) })
	row("cables without a known weight", "", func(d *report.Deployability) any { return d.Unweighed })
	if t.all() != "" {
		t.heading("Expansion of the fabric that is compared")
	}
	expansion("nodes that an expansion adds", func(e *report.Expansion) any { return int64(e.Added) })
	expansion("residual capacity in each step", func(e *report.Expansion) any { return e.Residual })
	expansion("rewired links", func(e *report.Expansion) any { return e.Rewired })
	expansion("rewired links, at least", func(e *report.Expansion) any { return e.LeastRewired })
	expansion("steps of the expansion", func(e *report.Expansion) any { return int64(e.Steps) })
	expansion("steps, at least", func(e *report.Expansion) any { return int64(e.LeastSteps) })
	expansion("rewired links a panel rack and step", func(e *report.Expansion) any {
		if e.PerPanelRack == nil {
			return nil
		}
		return *e.PerPanelRack
	})
}
