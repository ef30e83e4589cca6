package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/page"
)

// Report writes the plan as one page for a browser, which needs nothing else: figures, floor, racks, cables, bill and
// rules.
func Report(ctx context.Context, w io.Writer, r *machine.Result) error {
	data, err := page.New(ctx, r)
	if err != nil {
		return err
	}
	return page.HTML(w, data, page.Options{})
}
