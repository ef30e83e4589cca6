package serve

import (
	"context"
	"errors"
	"sync"

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
	newest map[string]*turn // by page
	plans  machine.Planner  // which keeps places and delays of the last plans
	// started, if set, is called when a plan begins: for tests.
	started func(ctx context.Context)
}

// turn is a plan that waits or is being made.
type turn struct{ end context.CancelCauseFunc }

// take waits for its turn after ending an older plan of the same page, if it has a name; the function that it returns
// ends the turn.
func (p *planner) take(ctx context.Context, of string) (context.Context, func(), error) {
	work, end := context.WithCancelCause(ctx)
	mine := &turn{end}
	p.mu.Lock()
	if p.newest == nil {
		p.newest, p.busy = map[string]*turn{}, make(chan struct{}, 1)
	}
	if of != "" {
		if older := p.newest[of]; older != nil {
			older.end(errSuperseded)
		}
		p.newest[of] = mine
	}
	p.mu.Unlock()
	leave := func() {
		end(nil)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.newest[of] == mine {
			delete(p.newest, of)
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
func (p *planner) plan(ctx context.Context, of, name string, text []byte) (data *page.Data, err error) {
	err = p.inTurn(ctx, of, func(work context.Context) error {
		data, err = p.planned(work, name, text)
		return err
	})
	return data, err
}

// inTurn does something for a page that takes as long as a plan.
func (p *planner) inTurn(ctx context.Context, of string, do func(context.Context) error) error {
	turn, giveBack, err := p.take(ctx, of)
	if err != nil {
		return err
	}
	defer giveBack()
	work, done := context.WithTimeout(turn, longest) // the wait does not count
	defer done()
	if p.started != nil {
		p.started(work)
	}
	if err = do(work); err != nil && work.Err() != nil {
		return context.Cause(work)
	}
	return err
}

// planned is what the page shows of a machine file.
func (p *planner) planned(ctx context.Context, name string, text []byte) (*page.Data, error) {
	s, err := machine.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var o machine.Options
	if g, _, err := machine.Topology(s, ""); err == nil && !topology.AtMostLinks(g, page.MostCables) {
		o.Summary = true // of more cables the page shows bundles, and a list of them takes long and much memory
	}
	r, err := p.plans.PlanWith(ctx, s, o)
	if err != nil {
		return nil, err
	}
	return page.New(ctx, r)
}
