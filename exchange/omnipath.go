package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// omniPathHead are the first two lines of a topology sheet.
const omniPathHead = `Source,,,,,,Destination,,,,,,Cable,,
Rack Group,Rack,Name,Name-2,Port,Type,Rack Group,Rack,Name,Name-2,Port,Type,Label,Length,Details
`

// A LimitError is what a format has no way to say of a plan.
type LimitError string

// Error says it.
func (e LimitError) Error() string { return string(e) }

// ErrBetweenNodes says that nodes are linked to each other.
const ErrBetweenNodes = LimitError(
	"nodes are linked to each other, and Omni-Path has a switch at one end of every link")

// WriteOmniPath writes the links of a plan, or of one of its fabrics, as the topology sheet of Omni-Path that
// opaxlattopology reads: both ends with row, rack, box and port by number from 1, nodes first, and the cable with its
// id, its length as bought, and its product. The adapters of a node are numbered from hfi1_0 in the order of its ports.
// A link over panels has the ids and products of its cables and their lengths together.
//
// Letters of names that the sheet or its reader does not take become _. The error is ErrSummary for a plan without a
// list of cables, or a LimitError: ErrBetweenNodes, or two boxes whose names become one. Nothing is written then.
func WriteOmniPath(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	s := r.Schedule
	if s.Segments == nil {
		return ErrSummary
	}
	if err := omniPathLimits(ctx, r, fabric); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(omniPathHead)
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, b := l.a, l.b
		if a.isSwitch && !b.isSwitch {
			a, b = b, a
		}
		omniPathEnd(out, &a)
		omniPathEnd(out, &b)
		label, length, products := describeCables(s, l.segments)
		fmt.Fprintf(out, "%s,%sm,%s\n", omniPathText(label), length.Number(), omniPathText(products))
	}
	return out.Flush()
}

// omniPathLimits looks for what a sheet cannot say.
func omniPathLimits(ctx context.Context, r *machine.Result, fabric string) error {
	names := map[string]string{}
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !l.a.isSwitch && !l.b.isSwitch {
			return ErrBetweenNodes
		}
		for _, box := range []string{l.a.box, l.b.box} {
			name := identity.PlainName(box)
			if other, ok := names[name]; ok && other != box {
				return LimitError(fmt.Sprintf("%q and %q are both %q in the letters that Omni-Path's tools read", other,
					box, name))
			}
			names[name] = box
		}
	}
	return nil
}

// omniPathEnd writes the six fields of an end.
func omniPathEnd(out *bufio.Writer, e *place) {
	fields := []string{
		omniPathText(e.row), omniPathText(e.rack), identity.PlainName(e.box), "", strconv.Itoa(e.number), "SW",
	}
	if !e.isSwitch {
		fields[2] += " hfi1_" + strconv.Itoa(e.number-1)
		fields[4], fields[5] = "1", "FI"
	}
	out.WriteString(strings.Join(fields, ",") + ",")
}

// omniPathText is a text in a field of the sheet, which knows no quotation marks.
func omniPathText(text string) string {
	return csvtable.Guard(strings.Map(func(r rune) rune {
		if strings.ContainsRune(",;\"|", r) || r < ' ' {
			return '_'
		}
		return r
	}, text))
}

// describeCables says of what cables a link is: their ids, how long they are together as bought, and their products.
func describeCables(
	s *cabling.Schedule, segments []cabling.Segment,
) (label string, length units.Length, products string) {
	var labels, items []string
	for i := range segments {
		seg := &segments[i]
		labels = append(labels, s.CableID(int64(seg.Cable)))
		if seg.Product >= 0 {
			p := &s.Products[seg.Product]
			length += p.Length
			items = append(items, p.Item().String())
		} else {
			length += seg.Length
		}
	}
	return strings.Join(labels, " "), length.Round4(), strings.Join(items, " ")
}
