package render

import (
	"context"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
)

// coolingColumns are the columns of the racks with heat to liquid. The length is that of each of two hoses, as they are
// bought; hose is the line of the bill that has both.
var coolingColumns = []string{"rack", "loop", "cdu", "liquid_w", "flow_lpm", "hose_m", "hose", "note"}

// Cooling writes which loop of coolant has each rack with heat to liquid as comma-separated values, with the flow that
// it needs and the length of its hoses, and the units of loops on which no rack hangs; nothing where the machine has no
// loop.
func Cooling(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, coolingColumns)
	if r.Cooling == nil {
		return out.Flush()
	}
	room, s := r.Room(), r.Schedule
	row := func(texts ...string) error {
		out.Texts(texts...)
		return out.End()
	}
	for i := range r.Cooling.Loops {
		l := &r.Cooling.Loops[i]
		for j := range l.Racks {
			rack := &l.Racks[j]
			flow := ""
			if f := l.Flow(rack.Heat); f > 0 {
				flow = inTenths(f)
			}
			hose, note := strconv.FormatFloat(float64(rack.Hose), 'f', -1, 64), ""
			if rack.OtherHall {
				hose, note = "", "the unit stands in another hall: the length of the hoses is not known"
			}
			item, _ := l.Pieces(rack)
			if err := row(room.Name(int(rack.Place)), l.Name, s.Device(rack.CDU), inTenths(rack.Heat), flow, hose,
				item.String(), note); err != nil {
				return err
			}
		}
		for _, v := range l.Idle() {
			if err := row("", l.Name, s.Device(v), "", "", "", "", "no rack hangs on the unit"); err != nil {
				return err
			}
		}
	}
	for _, place := range r.Cooling.Unserved {
		if err := row(room.Name(int(place)), "", "", "", "", "", "", "no loop of coolant has the rack"); err != nil {
			return err
		}
	}
	return out.Flush()
}
