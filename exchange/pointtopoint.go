package exchange

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
)

// pointToPointColumns are those that NVIDIA's cable validation tool goes by, as its manual spells them.
var pointToPointColumns = []string{
	"A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port", "Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port",
}

// WritePointToPoint writes the links of a plan, or of one of its fabrics, as a point-to-point table of NVIDIA's cable
// validation tool: both ends with rack, rack unit, box, Host or Switch, and port as its operating system
// calls it, else as printed. A plan without a list of cables is ErrSummary.
func WritePointToPoint(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	if r.Schedule.Segments == nil {
		return ErrSummary
	}
	out := csvtable.NewWriter(ctx, w, pointToPointColumns)
	for l := range namedLinks(r, fabric) {
		for _, e := range []*place{&l.a, &l.b} {
			out.Text(e.rack)
			if e.unit > 0 {
				out.Int(int64(e.unit))
			} else {
				out.Empty(1)
			}
			kind := "Host"
			if e.isSwitch {
				kind = "Switch"
			}
			out.Texts(e.box, kind, e.called.System())
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
