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

// ErrNoCable says that a plan has no cable of an id.
var ErrNoCable = errors.New("no such cable")

// CableID is the form of the id of a cable that nobody has named.
var CableID = regexp.MustCompile(`^[Cc]0*([1-9][0-9]{0,9})$`)

// IsCable reports whether an id has the form of one of a cable, as the machine file names them or as they are called
// without.
func (p *Result) IsCable(id string) bool {
	_, ok := p.cableNumber(id)
	return ok
}

// cableNumber is the number of the cable of an id. There need not be one.
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

// ExplainCable explains the cable of an id ("C00042") of the plan, which may be a
// summary. The error is ErrNoCable if there is none.
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

// billed prices products as the bill does. What it does not have is at the price of the smallest quantity on offer.
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

// ExplainPart says what the plan has of a part, whose id may have a length
// ("id@3 m"); nil if the catalog has none of the id. A summary will do.
func (p *Result) ExplainPart(id string) *report.Part {
	asked, misspelt := catalog.ParseItem(id) // no piece has a length that is none
	part := p.Catalog.Part(asked.Part)
	if part == nil {
		return nil
	}
	return report.NewPart(part, p.Schedule, p.Bill, func(i catalog.Item) bool {
		return misspelt == nil && (i == asked || i.Family() == asked)
	})
}

// InFabric reports whether a level, by its name in a plan, is one of a fabric; the empty name stands for all.
func InFabric(level, fabric string) bool {
	return fabric == "" || strings.HasPrefix(level, fabric+"/")
}

// mostNamed is how many neighbours of a kind are named.
const mostNamed = 12

// ExplainBox says what and where a box is: by its name, by its label in the notation of the topology, or by its number;
// nil if there is none. Its links are those of a fabric, of all where fabric is empty. A summary will do.
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
	var counts []bool // by level
	for _, level := range p.Graph.Levels() {
		counts = append(counts, InFabric(level.Name, fabric))
	}
	found := make([]map[int]int64, len(kinds)) // links by neighbour
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
