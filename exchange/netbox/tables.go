package netbox

import (
	"context"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// planned is the state of all that is exported.
const planned = "planned"

// panelRole is what patch panels are for.
const panelRole = "patch panel"

func (x *Export) writeSites(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"name", "slug", "status"})
	out.Texts(x.site, slug(x.site), planned)
	if err := out.End(); err != nil {
		return err
	}
	return out.Flush()
}

func (x *Export) writeManufacturers(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"name", "slug"})
	taken, seen := slugs{}, map[string]bool{}
	for _, t := range x.types {
		if seen[t.maker] {
			continue
		}
		seen[t.maker] = true
		out.Texts(t.maker, taken.of(t.maker))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// colours are those of roles, one after the other: of the list that NetBox offers.
var colours = []string{"2196f3", "4caf50", "ff9800", "9c27b0", "009688", "795548", "f44336", "607d8b"}

func (x *Export) writeRoles(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"name", "slug", "color", "vm_role"})
	taken, seen := slugs{}, []string(nil)
	for i := range x.devices {
		role := x.devices[i].role
		if slices.Contains(seen, role) {
			continue
		}
		out.Texts(role, taken.of(role), colours[len(seen)%len(colours)], "false")
		seen = append(seen, role)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (x *Export) writeRacks(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"site", "name", "status", "width", "u_height", "outer_width", "outer_depth", "outer_unit", "max_weight",
		"weight_unit",
	})
	l := x.s.Placement.Layout
	for _, rack := range x.racks {
		t := l.Room.Type(rack)
		out.Texts(x.site, l.ContainerName(layout.RackLevel, rack), planned, "19")
		out.Int(int64(t.Units))
		out.Int(millimetres(t.Width))
		out.Int(millimetres(t.Depth))
		out.Text("mm")
		if kg := int64(t.Weight); kg > 0 {
			out.Int(kg)
			out.Text("kg")
		} else {
			out.Empty(2)
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

func millimetres(l units.Length) int64 { return int64(math.Round(float64(l) * 1e3)) }

func (x *Export) writeDevices(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face", "comments",
	})
	l := x.s.Placement.Layout
	for i := range x.devices {
		d := &x.devices[i]
		slot := x.s.Placement.Slot[d.v]
		out.Texts(d.name, d.role, d.kind.maker, d.kind.model, planned, x.site)
		switch unit := x.unit(d); {
		case l.Room == nil:
			out.Empty(3)
			out.Text(x.comment(d, l.Innermost(slot)))
		case unit == 0:
			out.Text(l.ContainerName(layout.RackLevel, l.Container(layout.RackLevel, slot)))
			out.Empty(2)
			out.Text(x.comment(d, place(l, slot, d.kind.part)))
		default:
			out.Text(l.ContainerName(layout.RackLevel, l.Container(layout.RackLevel, slot)))
			out.Int(int64(unit))
			face := "front"
			if l.Rear(slot) {
				face = "rear"
			}
			out.Text(face)
			out.Text(x.comment(d, ""))
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// comment is where a device is, if its position does not say so, and its name where that is longer than in NetBox.
func (x *Export) comment(d *device, where string) string {
	name := x.s.Device(d.v)
	if name == d.name {
		return where
	}
	if where != "" {
		where = ", " + where
	}
	return name + where
}

// place is where a box without a position of its own is, in words.
func place(l *layout.Layout, slot int32, part *catalog.Part) string {
	if part.ZeroU {
		return "beside the units"
	}
	text := l.Path(slot)
	if c := l.Cell(slot); c >= 0 {
		text += ", cell " + strconv.Itoa(c+1)
	}
	return text
}

// writeInterfaces writes the lanes of ports that are broken out and whose lanes have cables of their own: device types
// have the port as a whole. A lane that is called as the whole port is there already.
func (x *Export) writeInterfaces(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"device", "name", "label", "type", "description"})
	for i := range x.devices {
		d := &x.devices[i]
		if x.s.Panel(d.v) >= 0 {
			continue
		}
		for _, p := range x.s.Boxes[topology.KindOf(x.s.Kinds, int(d.v))].Ports {
			if p.Whole == "" || x.lanes[outlet{d.v, p.Whole}] != manyCables {
				continue
			}
			called, whole := p.Identity(), p.WholeIdentity()
			if called.System() == whole.System() {
				continue
			}
			label := called.Label
			if label == called.System() {
				label = ""
			}
			out.Texts(d.name, called.System(), label, "other", "lane "+strconv.Itoa(p.Lane)+" of "+whole.System())
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
