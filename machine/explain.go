package machine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/report"
)

// ErrNoCable says that a plan has no cable of an id.
var ErrNoCable = errors.New("no such cable")

// CableID is the form of the id of a cable.
var CableID = regexp.MustCompile(`^[Cc]0*([1-9][0-9]{0,9})$`)

// ExplainCable explains the cable of an id ("C00042") of the plan, which may be a
// summary. The error is ErrNoCable if there is none.
func (p *Result) ExplainCable(ctx context.Context, id string) (*report.Cable, error) {
	match := CableID.FindStringSubmatch(id)
	if match == nil {
		return nil, ErrNoCable
	}
	number, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil {
		return nil, ErrNoCable
	}
	e, err := cabling.Explain(ctx, p.cables, number)
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
