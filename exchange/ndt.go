package exchange

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
)

// ndtColumns are those of the topology files (NDT) of UFM's plugin of that name, in its order and spelling. The empty
// ones have names there, too.
var ndtColumns = []string{
	"rack #", "U height", "#Fields:StartDevice", "StartPort", "StartDeviceLocation", "EndDevice", "EndPort",
	"EndDeviceLocation", "U height_1", "LinkType", "Speed", "_2", "Cable Length", "_3", "_4", "_5", "_6", "_7", "State",
	"Domain",
}

// WriteNDT writes the links of a plan, or of one of its fabrics, as a topology file (NDT) for UFM: both ends with rack,
// rack unit, device and port, as "Port 7", and the length of the cable as bought, over panels that of its cables
// together. A node is as many devices as it has ports, each with Port 1: NAME and the RDMA device of the part, or NAME
// mlx5_0 and on in the order of the ports where the part does not tell its devices. A plan without a list of
// cables is ErrSummary.
func WriteNDT(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	if r.Schedule.Segments == nil {
		return ErrSummary
	}
	out := csvtable.NewWriter(ctx, w, ndtColumns)
	unit := func(p *place) {
		if p.unit > 0 {
			out.Int(int64(p.unit))
		} else {
			out.Empty(1)
		}
	}
	device := func(p *place) {
		if p.isSwitch {
			out.Texts(p.box, "Port "+strconv.Itoa(p.number), p.rack)
		} else {
			out.Texts(p.box+" "+p.adapter(), "Port 1", p.rack)
		}
	}
	for l := range namedLinks(r, fabric) {
		out.Text(l.a.rack)
		unit(&l.a)
		device(&l.a)
		device(&l.b)
		unit(&l.b)
		out.Text("Data")
		out.Empty(2)
		_, length, _ := describeCables(r.Schedule, l.segments)
		out.Text(length.Number() + " m")
		out.Empty(5)
		out.Texts("Active", "In-Scope")
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// isNDTHead reports whether a table has the columns of a topology file, as the manual and as the plugin itself spell
// them.
func isNDTHead(heads []string) bool { return !slices.Contains(ndtNumbers(heads)[:4], -1) }

func ndtNumbers(heads []string) []int {
	plain := make([]string, len(heads))
	for i, head := range heads {
		plain[i] = strings.TrimPrefix(strings.ReplaceAll(head, "_", ""), "fields")
	}
	return columnNumbers(plain, "startdevice", "startport", "enddevice", "endport", "linktype", "state", "speed")
}

// ReadNDT reads a topology file (NDT) of UFM, long or brief. Links whose LinkType is not Data, or whose State is
// Disabled, are passed over. A port that is a number has that in the subnet.
func ReadNDT(path string, r io.Reader) (*Wiring, error) {
	t, b := newRows(path, r, ','), newBuilder()
	heads, err := t.heading(isNDTHead)
	if err != nil {
		return nil, err
	}
	at := ndtNumbers(heads)
	for {
		more, err := t.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return b.w, t.found.Err()
		}
		kind, state := t.field(at[4]), t.field(at[5])
		if kind != "" && !strings.EqualFold(kind, "Data") || strings.EqualFold(state, "Disabled") {
			continue
		}
		var e [4]string
		for i := range e {
			e[i] = t.field(at[i])
		}
		if t.ends(e[:]...) {
			if l := b.addNamedLink(e[0], ndtPort(e[1]), e[2], ndtPort(e[3]), t.line()); l != nil {
				l.A.Form, l.B.Form = ndtForm(l.A.Port), ndtForm(l.B.Port)
				l.Rate = t.field(at[6])
				l.Lanes, l.LaneRate = linkRate(l.Rate)
			}
		}
	}
}

// ndtPort is the number in "Port 7".
func ndtPort(text string) string {
	if len(text) > 5 && strings.EqualFold(text[:5], "port ") {
		return strings.TrimSpace(text[5:])
	}
	return text
}

// ndtForm is what the text of a port is: UFM numbers those of simple switches as the subnet does, and calls others
// otherwise, such as Blade 3_Port 1/2.
func ndtForm(text string) PortForm {
	if _, err := strconv.Atoi(text); err != nil {
		return Named
	}
	return Subnet
}

// addNamedLink adds a link between boxes that a list of links names, which are listed by it.
func (b *builder) addNamedLink(boxA, portA, boxB, portB string, line int) *Link {
	l := Link{
		A: End{Box: b.box(boxA, boxA), Port: portA},
		B: End{Box: b.box(boxB, boxB), Port: portB}, Line: line,
	}
	b.w.Boxes[l.A.Box].Listed, b.w.Boxes[l.B.Box].Listed = true, true
	if n := len(b.w.Links); b.link(l) {
		return &b.w.Links[n]
	}
	return nil
}
