package operatecmd

import (
	"testing"

	"github.com/plenum-planner/plenum/operate"
)

// TestMergeRepairs: a part has one line, with the pieces and repairs of all kinds of boxes that have it, and the
// document keeps its rows.
func TestMergeRepairs(t *testing.T) {
	row := func(of operate.Subject, part string, pieces int64, likely float64) operate.Repair {
		return operate.Repair{
			Of: of, Part: part, Pieces: pieces,
			RepairsPerMonth: &operate.Range{Low: likely / 2, Likely: likely, High: 2 * likely},
		}
	}
	all := []operate.Repair{
		row(operate.Supply, "a", 4, 1), row(operate.Supply, "b", 2, 0.5), row(operate.Supply, "a", 8, 2),
		row(operate.Switch, "a", 2, 1),
		{Of: operate.Supply, Part: "a", Pieces: 9},
	}
	within := row(operate.Supply, "a", 7, 3)
	within.Within = true
	out := mergeRepairs(append(all, within))
	sum := operate.Range{Low: 1.5, Likely: 3, High: 6}
	if len(out) != 3 || out[0].Pieces != 12 || *out[0].RepairsPerMonth != sum ||
		out[1].Pieces != 2 || out[2].Of != operate.Switch {
		t.Errorf("%+v", out)
	}
	if all[0].Pieces != 4 || all[0].RepairsPerMonth.Likely != 1 {
		t.Errorf("the rows of the document have changed: %+v", all[0])
	}
	unknown := mergeUnknown([]operate.Unknown{
		{Of: "node", Part: "a", Pieces: 1}, {Of: "cable", Part: "a", Pieces: 2}, {Of: "node", Part: "a", Pieces: 3},
	})
	if len(unknown) != 2 || unknown[0].Pieces != 4 || unknown[1].Pieces != 2 {
		t.Errorf("%+v", unknown)
	}
}
