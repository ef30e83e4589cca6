package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/plenum-planner/plenum/machine"
)

// WritePTM writes the links of a plan, or of one of its fabrics, as the prescriptive topology manager (ptmd) of Cumulus
// Linux reads them: a graph of Graphviz, with a line for each link between ports as they are printed,
//
//	"leaf-1":"swp1" -- "spine-1":"swp2"
//
// A plan without a list of cables is ErrSummary.
func WritePTM(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	if r.Schedule.Segments == nil {
		return ErrSummary
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "graph \"%s\" {\n", plainName(r.Spec.Name))
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(out, "    \"%s\":\"%s\" -- \"%s\":\"%s\"\n", plainName(l.a.box), plainName(l.a.port),
			plainName(l.b.box), plainName(l.b.port))
	}
	out.WriteString("}\n")
	return out.Flush()
}
