package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/machine"
)

// WritePTM writes the links of a plan, or of one of its fabrics, as the prescriptive topology manager (ptmd) of Cumulus
// Linux reads them: a graph of Graphviz, with a line for each link between ports as the operating systems call
// them, or as printed where that is not known,
//
//	"leaf-1":"swp1" -- "spine-1":"swp2"
//
// A plan without a list of cables is ErrSummary.
func WritePTM(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	if r.Schedule.Segments == nil {
		return ErrSummary
	}
	// A backslash at the end of a name would take the quote behind it into the name.
	name := func(text string) string { return strings.ReplaceAll(plainName(text), `\`, "_") }
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "graph \"%s\" {\n", name(r.Spec.Name))
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(out, "    \"%s\":\"%s\" -- \"%s\":\"%s\"\n", name(l.a.box), name(l.a.called.System()),
			name(l.b.box), name(l.b.called.System()))
	}
	out.WriteString("}\n")
	return out.Flush()
}
