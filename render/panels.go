package render

import (
	"context"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
)

// panelColumns are the columns of the list of adapters of patch panels.
var panelColumns = []string{
	"panel", "rack", "unit", "part", "port",
	"trunk", "trunk_label", "trunk_to",
	"cord", "cord_label", "cord_to", "link",
	"leads_to",
}

// adapter is one port of a panel, with the cables at its rear and its front.
type adapter struct {
	trunk int32 // index in Patching.Trunks plus 1, 0 for none
	leg   uint16
	end   uint8 // of the trunk: 0 for A
	cord  int32 // index in Schedule.Segments plus 1, 0 for none
	rear  int32 // the same of the octopus cable at the rear
	link  int64
	leads []uint16 // of a shuffle: to which adapter each part of the plug leads, plus 1; 0 for none
}

// adapters returns the adapters of all panels, adaptersOf for each panel.
func adapters(s *cabling.Schedule) []adapter {
	k := s.Patching
	per := adaptersOf(k)
	out := make([]adapter, len(k.Panels)*per)
	for i := range k.Trunks {
		t := &k.Trunks[i]
		for leg := range uint16(k.Positions(t.Part)) {
			out[int(t.A)*per+int(t.PortA+leg)] = adapter{trunk: int32(i) + 1, leg: leg}
			out[int(t.B)*per+int(t.PortB+leg)] = adapter{trunk: int32(i) + 1, leg: leg, end: 1}
		}
	}
	link := int64(0)
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == cabling.IsTrace {
			continue
		}
		if !s.Continues(seg) {
			link++
		}
		a, b := s.Panel(seg.A), s.Panel(seg.B)
		switch {
		case a < 0 && b >= 0:
			at := &out[b*per+int(seg.PortB)]
			at.cord, at.link = int32(i)+1, link
		case a >= 0 && b < 0:
			if k.Octopus {
				out[a*per+int(seg.PortA)-per].rear = int32(i) + 1
				continue
			}
			at := &out[a*per+int(seg.PortA)]
			at.cord, at.link = int32(i)+1, link
			if before := &s.Segments[i-1]; len(k.Shuffles) > 0 {
				out[a*per+int(before.PortB)].lead(s, before, seg.PortA)
				at.lead(s, seg, before.PortB)
			}
		}
	}
	return out
}

// lead records that the part of a plug that a cord belongs to leads to adapter `to`.
func (a *adapter) lead(s *cabling.Schedule, cord *cabling.Segment, to uint16) {
	part, of := s.LaneShare(cord)
	if part >= of {
		return
	}
	if a.leads == nil {
		a.leads = make([]uint16, of)
	}
	a.leads[part] = to + 1
}

// adaptersOf returns the largest number of adapters of a panel.
func adaptersOf(k *cabling.Patching) int {
	n := 0
	for i := range k.Panels {
		n = max(n, k.Panels[i].Part.Panel.Ports)
	}
	return n
}

// Panels writes the adapters of patch panels at which trunks end as comma-separated values, panel by panel: the trunk
// at the rear with its labels here and at its other end; the patch cord at the front likewise, empty at a spare
// position; and the number of the link, as in cables.csv. Where octopus cables meet, that of end B stands for the
// trunk. For shuffles, it writes the adapters with a cord and, in leads_to, the adapters of the panel to which the
// parts of the cord's plug lead, in the order of its fibres. A plan without panels has a header only.
func Panels(ctx context.Context, w io.Writer, r *machine.Result) error {
	s := r.Schedule
	k := s.Patching
	out := newRows(ctx, w, panelColumns)
	if k == nil {
		return out.Flush()
	}
	per := adaptersOf(k)
	for i, at := range adapters(s) {
		if at.trunk == 0 && at.leads == nil && at.rear == 0 {
			continue
		}
		panel, port := i/per, uint16(i%per)
		v := k.Vertex(int32(panel))
		stands := placeOf(s, s.Placement.Layout, v)
		out.Text(stands.device)
		out.Text(stands.rack)
		out.Int(int64(stands.unit))
		out.Text(k.Panels[panel].Part.ID)
		out.Text(s.PortName(v, port))
		switch {
		case at.rear > 0:
			seg := &s.Segments[at.rear-1]
			out.Text(s.CableID(int64(seg.Cable)))
			out.Text(s.Label(v, k.Rear(port)))
			out.Text(s.Label(seg.B, seg.PortB))
		case at.trunk == 0:
			out.Empty(3)
		default:
			t := &k.Trunks[at.trunk-1]
			far, farPort := t.B, t.PortB
			if at.end == 1 {
				far, farPort = t.A, t.PortA
			}
			out.Text(s.CableID(int64(t.Cable)))
			out.Text(s.Label(v, k.Rear(port)))
			out.Text(s.Label(k.Vertex(far), k.Rear(farPort+k.FarPosition(at.leg))))
		}
		if at.cord == 0 {
			out.Empty(4)
		} else {
			seg := &s.Segments[at.cord-1]
			to, toPort := seg.A, seg.PortA
			if s.Panel(to) >= 0 {
				to, toPort = seg.B, seg.PortB
			}
			out.Text(s.CableID(int64(seg.Cable)))
			out.Text(s.Label(v, port))
			out.Text(s.Label(to, toPort))
			if at.leads == nil {
				out.Int(at.link)
			} else {
				out.Empty(1) // several links
			}
		}
		var leads []string
		for _, to := range at.leads {
			name := "-"
			if to > 0 {
				name = s.PortName(v, to-1)
			}
			leads = append(leads, name)
		}
		out.Text(strings.Join(leads, " "))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
