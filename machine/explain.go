package machine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// ErrNoCable is the error of ExplainCable if the plan has no cable with the id.
var ErrNoCable = errors.New("no such cable")

// CableID matches the usual ids of cables, C00042, in either case and with any number of zeros; the first submatch is
// the number of the cable, from 1.
var CableID = regexp.MustCompile(`^[Cc]0*([1-9][0-9]{0,9})$`)

// IsCable reports whether an id has the form of a cable's id: the pattern in the machine file, if there is one, or the
// usual form (CableID), which is accepted in every plan. The plan need not have such a cable.
func (p *Result) IsCable(id string) bool {
	_, ok := p.cableNumber(id)
	return ok
}

// cableNumber returns the number in the id of a cable, and whether the id has the form of one (see IsCable). The plan
// need not have a cable of that number.
func (p *Result) cableNumber(id string) (int64, bool) {
	if own := p.Schedule.Naming.Cables; own != nil {
		for _, n := range own.Numbers("n", id) {
			if n > 0 && p.Schedule.CableID(int64(n)) == id {
				return int64(n), true
			}
		}
	}
	match := CableID.FindStringSubmatch(id)
	if match == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(match[1], 10, 64)
	return n, err == nil
}

// ExplainCable explains the cable of an id ("C00042"). It schedules the cables again, whether the plan lists them or is
// a summary (Options.Summary). The error is or wraps ErrNoCable if there is no such cable.
func (p *Result) ExplainCable(ctx context.Context, id string) (*report.Cable, error) {
	number, ok := p.cableNumber(id)
	if !ok {
		return nil, ErrNoCable
	}
	problem := *p.cables
	problem.Billed = p.billed()
	e, err := cabling.Explain(ctx, &problem, number)
	if err != nil {
		return nil, err
	}
	if e == nil {
		s := p.Schedule
		return nil, fmt.Errorf("%w: the plan has %d, %s to %s", ErrNoCable, s.Cables, s.CableID(min(1, s.Cables)),
			s.CableID(s.Cables))
	}
	return report.NewCable(e, mediaRules(p.Spec, p.Graph), p.Bill), nil
}

// billed returns the prices of the bill. A product that is not on the bill has the price for the smallest quantity on
// offer.
func (p *Result) billed() cabling.PriceFunc {
	rows := make(map[catalog.Item]*cost.Row, len(p.Bill.Rows))
	for i := range p.Bill.Rows {
		rows[p.Bill.Rows[i].Item] = &p.Bill.Rows[i]
	}
	return func(part *catalog.Part, length units.Length) catalog.Quote {
		switch row := rows[part.Item(length)]; {
		case row == nil:
			return p.unbilled(part, length)
		case row.UnitCost == nil:
			return catalog.Quote{}
		default:
			return catalog.Quote{
				Unit: *row.UnitCost, Low: row.Low, High: row.High, Priced: true, From: row.From, Source: row.Source,
				Confidence: row.Confidence,
			}
		}
	}
}

// ExplainPart reports how many pieces of a part the plan has, where and at what price. An id may have a length
// ("id@3 m") and then stands for the pieces of that length only, none if the length is not valid. It returns nil if the
// catalog has no part of the id. It works for a summary as well.
func (p *Result) ExplainPart(id string) *report.Part {
	asked, misspelt := catalog.ParseItem(id) // no piece is wanted if the length is not valid
	part := p.Catalog.Part(asked.Part)
	if part == nil {
		return nil
	}
	return report.NewPart(part, p.Schedule, p.Bill, func(i catalog.Item) bool {
		return misspelt == nil && (i == asked || i.Family() == asked)
	})
}

// InFabric reports whether a level, by its name in a plan, belongs to a fabric; an empty fabric has all levels.
func InFabric(level, fabric string) bool {
	return fabric == "" || strings.HasPrefix(level, fabric+"/")
}

// mostNamed is the limit of the neighbours of one kind of boxes that a report names.
const mostNamed = 12

// ExplainBox reports what and where a box is, and the boxes to which it has links, by their kind. It finds the box by
// its name, by its label in the notation of the topology, or by its number (see names.Names.Find), and returns nil if
// there is none. It counts the links of the fabric, or all if fabric is empty. It works for a summary as well.
func (p *Result) ExplainBox(name, fabric string) *report.Box {
	v, err := p.Names.Find(name)
	if err != nil {
		return nil
	}
	s, kinds := p.Schedule, p.Graph.Kinds()
	kind := topology.KindOf(kinds, v)
	b := &report.Box{
		Name: p.Names.Name(v), Kind: kinds[kind].Name, Vertex: v, Address: p.Names.Address(v),
		Part: s.Boxes[kind].Part.ID, Place: s.Placement.Layout.Path(s.Placement.Slot[v]),
		Neighbours: []report.Neighbours{},
	}
	var counts []bool // whether links count, by level
	for _, level := range p.Graph.Levels() {
		counts = append(counts, InFabric(level.Name, fabric))
	}
	found := make([]map[int]int64, len(kinds)) // links by kind and vertex of the neighbour
	for l := range topology.Cables(p.Graph) {
		if !counts[l.Level] {
			continue
		}
		a, z := int(l.A), int(l.B)
		if z == v {
			a, z = z, a
		}
		if a != v {
			continue
		}
		k := topology.KindOf(kinds, z)
		if found[k] == nil {
			found[k] = map[int]int64{}
		}
		found[k][z] += int64(l.Width)
		b.Links += int64(l.Width)
	}
	for k, links := range found {
		if links == nil {
			continue
		}
		n := report.Neighbours{Kind: kinds[k].Name, Boxes: len(links)}
		for _, w := range slices.Sorted(maps.Keys(links)) {
			n.Links += links[w]
			if len(n.Names) < mostNamed {
				n.Names = append(n.Names, p.Names.Name(w))
			}
		}
		b.Neighbours = append(b.Neighbours, n)
	}
	return b
}
