package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Names of the files of tt-metal, as its cabling generator calls them.
const (
	TTCutSheet = "cabling_guide.csv"
	TTSystem   = "factory_system_descriptor.textproto"
)

// The head of a cut sheet, two lines.
const (
	ttGroups = "Source,,,,,,,,,Destination,,,,,,,,,Cable Length,Cable Type"
	ttHeads  = "Hostname,Hall,Aisle,Rack,Shelf U,Tray,Port,Label,Node Type," +
		"Hostname,Hall,Aisle,Rack,Shelf U,Tray,Port,Label,Node Type,,"
)

// trays gives ports their tray and number for tt-metal: those in names such as 2/7, else the number of the port, in
// tray 1 or, where other ports of the box have trays in their names, 0.
type trays struct {
	s    *cabling.Schedule
	rest map[int]int // by kind, the tray of ports without one in their names
}

func (t *trays) of(v int32, port uint16) (tray, number int) {
	if t.s.Panel(v) >= 0 {
		return 1, t.s.PortNumber(v, port)
	}
	k := topology.KindOf(t.s.Kinds, int(v))
	ports := t.s.Boxes[k].Ports
	rest, known := t.rest[k]
	if !known {
		rest = 1
		for _, p := range ports {
			if _, _, ok := trayAndPort(p.Name); ok {
				rest = 0
			}
		}
		t.rest[k] = rest
	}
	if int(port) < len(ports) {
		if tray, number, ok := trayAndPort(ports[port].Name); ok {
			return tray, number
		}
	}
	return rest, t.s.PortNumber(v, port)
}

// trayAndPort are the numbers of a name such as 2/7.
func trayAndPort(name string) (tray, port int, ok bool) {
	a, b, ok := strings.Cut(name, "/")
	tray, errA := strconv.Atoi(a)
	port, errB := strconv.Atoi(b)
	return tray, port, ok && errA == nil && errB == nil && tray >= 1 && port >= 1 && name == ttPort(tray, port)
}

// ttPort is a port as readers call it.
func ttPort(tray, port int) string { return strconv.Itoa(tray) + "/" + strconv.Itoa(port) }

// TTMetal returns the files of a plan, or of one of its fabrics, for the tools of tt-metal, with what writes each: its
// cut sheet, and the description of the system that is held against what is discovered. Ports have a tray and a number:
// those in names such as 2/7, else their number in tray 1, or in tray 0 where other ports of the box have trays. The
// description counts the channels of a tray from 0, as one ASIC, since parts do not tell which ASIC has which port. A
// plan without a list of cables is ErrSummary.
func TTMetal(ctx context.Context, r *machine.Result, fabric string) (map[string]func(io.Writer) error, error) {
	if r.Schedule.Segments == nil {
		return nil, ErrSummary
	}
	return map[string]func(io.Writer) error{
		TTCutSheet: func(w io.Writer) error { return writeCutSheet(ctx, w, r, fabric) },
		TTSystem:   func(w io.Writer) error { return writeTTSystem(ctx, w, r, fabric) },
	}, nil
}

func writeCutSheet(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	head := bufio.NewWriter(w)
	head.WriteString(ttGroups + "\n")
	if err := head.Flush(); err != nil {
		return err
	}
	out := csvtable.NewWriter(ctx, w, strings.Split(ttHeads, ","))
	t := &trays{r.Schedule, map[int]int{}}
	for l := range namedLinks(r, fabric) {
		first, last := &l.segments[0], &l.segments[len(l.segments)-1]
		for _, e := range []struct {
			*place
			v    int32
			port uint16
		}{{&l.a, first.A, first.PortA}, {&l.b, last.B, last.PortB}} {
			tray, port := t.of(e.v, e.port)
			shelf := fmt.Sprintf("U%02d", e.unit)
			out.Texts(e.box, "", e.row, e.rack, shelf)
			out.Int(int64(tray))
			out.Int(int64(port))
			out.Texts(fmt.Sprintf("%s%s-%d-%d", e.rack, shelf, tray, port), e.part)
		}
		_, length, products := describeCables(r.Schedule, l.segments)
		out.Texts(length.Number()+"m", products)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeTTSystem writes hosts, boards and channels, a line for each, in the text form of protocol buffers.
func writeTTSystem(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	out := bufio.NewWriter(w)
	t := &trays{r.Schedule, map[int]int{}}
	hosts := map[int32]int{}
	type board struct{ host, tray int }
	boards := map[board]bool{}
	var boardLines, linkLines strings.Builder
	end := func(e *place, v int32, port uint16) string {
		host, ok := hosts[v]
		if !ok {
			host = len(hosts)
			hosts[v] = host
			fmt.Fprintf(out, "hosts { hostname: %s aisle: %s rack: %d shelf_u: %d motherboard: %s }\n",
				protoText(e.box), protoText(e.row), rackNumber(e.rack), e.unit, protoText(e.part))
		}
		tray, number := t.of(v, port)
		if b := (board{host, tray}); !boards[b] {
			boards[b] = true
			fmt.Fprintf(&boardLines, "  board_locations { host_id: %d tray_id: %d board_type: %s }\n", host, tray,
				protoText(e.part))
		}
		return fmt.Sprintf("{ host_id: %d tray_id: %d asic_location: 0 chan_id: %d }", host, tray, number-1)
	}
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return err
		}
		first, last := &l.segments[0], &l.segments[len(l.segments)-1]
		a := end(&l.a, first.A, first.PortA)
		fmt.Fprintf(&linkLines, "  connection { endpoint_a %s endpoint_b %s }\n", a, end(&l.b, last.B, last.PortB))
	}
	fmt.Fprintf(out, "board_types {\n%s}\neth_connections {\n%s}\n", boardLines.String(), linkLines.String())
	return out.Flush()
}

// rackNumber is the number at the end of a rack's name, 0 where there is none that fits.
func rackNumber(name string) uint32 {
	n, err := strconv.ParseUint(name[len(strings.TrimRight(name, "0123456789")):], 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// protoText is a text between quotation marks as protocol buffers have it: in UTF-8, with what is not printed in octal.
func protoText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "_") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\%03o", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
