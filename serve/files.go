package serve

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// written are the files of a plan that the page offers: what is asked for quotes, ordered and printed.
var written = map[string]func(context.Context, io.Writer, *machine.Result) error{
	"orders.csv": render.Orders, "bom.csv": render.BOM, "bom.xlsx": render.Workbook, "floor.pdf": render.FloorPDF,
}

// file answers with a file of the plan of a text, as plenum plan writes it.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	write, known := written[r.URL.Query().Get("name")]
	if !known {
		names := slices.Sorted(maps.Keys(written))
		refuse(w, http.StatusNotFound, "the files are "+english.List(names))
		return
	}
	name := s.current().Name
	plan := func(work context.Context, with *machine.Planner) ([]byte, error) {
		spec, err := machine.Parse(name, text)
		if err != nil {
			return nil, err
		}
		made, err := with.PlanWith(work, spec, machine.Options{})
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = write(work, &b, made)
		return b.Bytes(), err
	}
	out, err := inTurn(r.Context(), &s.plans, asker{}, plan)
	switch why, status := planFailure(err); {
	case status != 0:
		refuse(w, status, why)
	case err != nil:
		answer(w, http.StatusUnprocessableEntity, failure{firstMessage(err), messagesOf(name, err)})
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		limitAnswer(w)
		_, _ = w.Write(out) // whoever asked is gone if it fails
	}
}
