package opensm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
)

// Write writes the tables of a planned wiring (exchange.Planned) with the GUIDs of a found one, as OpenSM's file
// routing reads them. Nothing is written where a switch or a host is not found, or no way leads to one. LIDs are
// numbers of the file: OpenSM finds out its own by the GUIDs.
func Write(ctx context.Context, w io.Writer, x *exchange.Wiring, g *GUIDs) error {
	f, numbers, err := fabricOf(x)
	if err != nil {
		return err
	}
	if len(f.hosts)+len(f.hops) > mostLIDs {
		return fmt.Errorf("%d adapters and switches are more than the %d LIDs of a subnet", len(f.hosts)+len(f.hops),
			mostLIDs)
	}
	var wrong []error
	for _, name := range f.names {
		if g.switches[name] == "" {
			wrong = append(wrong, fmt.Errorf("no switch is called %q", name))
		}
	}
	var guids []string
	for _, h := range f.hosts {
		guid, ok := g.behind[f.names[h.at]][h.port]
		if !ok {
			wrong = append(wrong, fmt.Errorf("no adapter is found at port %d of %s", h.port, f.names[h.at]))
		}
		guids = append(guids, guid)
	}
	for _, name := range f.names {
		guids = append(guids, g.switches[name])
	}
	if len(wrong) > 0 {
		if more := len(wrong) - 10; more > 0 {
			wrong = append(wrong[:10], fmt.Errorf("and %d more", more))
		}
		return errors.Join(wrong...)
	}
	f.route()
	if err := ctx.Err(); err != nil {
		return err
	}
	tables := f.spread()
	if err := f.check(tables); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for s, table := range tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		lid := len(f.hosts) + s + 1
		fmt.Fprintf(out, "Unicast lids [0x0-0x%x] of switch Lid %d guid 0x%s ('%s'):\n", len(table), lid, guids[lid-1],
			strings.Map(printable, x.Boxes[numbers[s]].Name))
		for i, port := range table {
			if port > 0 || i == lid-1 {
				kind := "Channel Adapter"
				if i >= len(f.hosts) {
					kind = "Switch"
				}
				fmt.Fprintf(out, "0x%04x %03d # %s portguid 0x%s\n", i+1, port, kind, guids[i])
			}
		}
		fmt.Fprintf(out, "%d valid lids dumped\n", len(table))
	}
	return out.Flush()
}

// mostLIDs are the unicast LIDs of a subnet, 1 to 0xBFFF.
const mostLIDs = 0xBFFF

func printable(r rune) rune {
	if r < ' ' || r == '(' || r == ')' {
		return '_'
	}
	return r
}

// fabricOf makes the fabric of a wiring, with the box of every switch.
func fabricOf(x *exchange.Wiring) (*fabric, []int, error) {
	f, number := &fabric{}, make([]int, len(x.Boxes))
	var boxes []int
	for i := range x.Boxes {
		number[i] = -1
	}
	for _, l := range x.Links {
		for _, e := range []exchange.End{l.A, l.B} {
			if x.Boxes[e.Box].Role == "switch" && number[e.Box] < 0 {
				number[e.Box] = 0
				boxes = append(boxes, e.Box)
			}
		}
	}
	slices.Sort(boxes)
	for s, i := range boxes {
		number[i] = s
		f.names = append(f.names, x.Boxes[i].Name)
	}
	if len(boxes) == 0 {
		return nil, nil, exchange.ErrNoSwitch
	}
	f.hops = make([][]hop, len(boxes))
	for _, l := range x.Links {
		a, b := number[l.A.Box], number[l.B.Box]
		p, err := strconv.Atoi(l.A.Port)
		q, err2 := strconv.Atoi(l.B.Port)
		if err := errors.Join(err, err2); err != nil {
			return nil, nil, err
		}
		switch {
		case a >= 0 && b >= 0:
			f.hops[a], f.hops[b] = append(f.hops[a], hop{p, b}), append(f.hops[b], hop{q, a})
		case a >= 0:
			f.hosts = append(f.hosts, host{a, p})
		case b >= 0:
			f.hosts = append(f.hosts, host{b, q})
		default:
			return nil, nil, errors.New("adapters are linked to each other, without a switch between them")
		}
	}
	for s := range f.hops {
		slices.SortFunc(f.hops[s], func(a, b hop) int { return a.port - b.port })
	}
	slices.SortFunc(f.hosts, func(a, b host) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.port - b.port
	})
	return f, boxes, nil
}
