package serve

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/page"
	"github.com/plenum-planner/plenum/topology"
)

// errSuperseded ends a plan whose page has sent a newer text.
var errSuperseded = errors.New("a newer text has taken the place of this one")

// planner makes one plan at a time, the newest of every page.
type planner struct {
	busy   chan struct{} // has an element while a plan is made
	mu     sync.Mutex
	newest map[string]*turn // by page, and by kind where a page asks for several
	plans  *machine.Planner // which keeps places and delays of the last plans, nil before the first
	// patience is how long a plan that was ended may take to end: one that hangs, as on a file that it names, is then
	// left behind.
	patience time.Duration
	// started, if set, is called when a plan begins: for tests.
	started func(ctx context.Context)
}

// turn is a plan that waits or is being made.
type turn struct {
	end   context.CancelCauseFunc
	order int
}

// asker is who asks for a plan: a page that gave itself a name ("" has none, and ends no plan of others), and how many
// requests it had made before. Requests of one page may overtake each other on their way.
type asker struct {
	page  string
	order int
}

// askerOf reads who asks. A page without order asks for something newer each time.
func askerOf(r *http.Request) asker {
	order, err := strconv.Atoi(r.Header.Get(orderHeader))
	if err != nil {
		order = math.MaxInt
	}
	return asker{r.Header.Get(pageHeader), order}
}

// waitForTurn waits until the plan of a page may be made. It first ends an older plan of the same page, if the page has
// a name, and returns an error if a newer plan of the page has been asked for. The function that it returns ends the
// turn.
func (p *planner) waitForTurn(ctx context.Context, of asker) (context.Context, func(), error) {
	work, end := context.WithCancelCause(ctx)
	mine := &turn{end, of.order}
	p.mu.Lock()
	if p.newest == nil {
		p.newest, p.busy = map[string]*turn{}, make(chan struct{}, 1)
	}
	if of.page != "" {
		if other := p.newest[of.page]; other != nil {
			if other.order > mine.order {
				p.mu.Unlock()
				end(errSuperseded)
				return nil, nil, errSuperseded
			}
			other.end(errSuperseded)
		}
		p.newest[of.page] = mine
	}
	p.mu.Unlock()
	leave := func() {
		end(nil)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.newest[of.page] == mine {
			delete(p.newest, of.page)
		}
	}
	select {
	case p.busy <- struct{}{}:
	case <-work.Done():
		defer leave()
		return nil, nil, context.Cause(work)
	}
	return work, func() { leave(); <-p.busy }, nil
}

// plan plans a text for a page. The error is a diag.List if the text is at fault.
func (p *planner) plan(ctx context.Context, of asker, name string, text []byte) (*page.Data, error) {
	return inTurn(ctx, p, of, func(work context.Context, with *machine.Planner) (*page.Data, error) {
		return planPage(work, with, name, text)
	})
}

// inTurn does something for a page that takes as long as a plan.
func inTurn[T any](
	ctx context.Context, p *planner, of asker, do func(context.Context, *machine.Planner) (T, error),
) (out T, err error) {
	turn, giveBack, err := p.waitForTurn(ctx, of)
	if err != nil {
		return out, err
	}
	defer giveBack()
	work, done := context.WithTimeout(turn, longest) // the wait does not count
	defer done()
	if p.started != nil {
		p.started(work)
	}
	if p.plans == nil {
		p.plans = new(machine.Planner)
	}
	with := p.plans
	out, left, err := callBounded(work, p.patience, func(work context.Context) (T, error) { return do(work, with) })
	if left {
		p.plans = nil // what was left behind still has it
	}
	if err != nil && work.Err() != nil {
		return out, context.Cause(work)
	}
	return out, err
}

// planPage returns what the page shows of a machine file.
func planPage(ctx context.Context, with *machine.Planner, name string, text []byte) (*page.Data, error) {
	s, err := machine.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var o machine.Options
	if g, _, err := machine.Topology(s, ""); err == nil && !topology.AtMostLinks(g, page.MostCables) {
		o.Summary = true // of more cables the page shows bundles, and a list of them takes long and much memory
	}
	r, err := with.PlanWith(ctx, s, o)
	if err != nil {
		return nil, err
	}
	return page.New(ctx, r)
}
