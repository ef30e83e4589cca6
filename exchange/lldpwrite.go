package exchange

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/machine"
)

// lldpNeighbour is a neighbour in the form of lldpctl -f json.
type lldpNeighbour struct {
	Via     string                     `json:"via"`
	Chassis map[string]json.RawMessage `json:"chassis"`
	Port    lldpNeighbourPort          `json:"port"`
}

type lldpNeighbourPort struct {
	ID    lldpPortID `json:"id"`
	Descr string     `json:"descr"`
}

type lldpPortID struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// fileName is a name that file systems take: of at most 200 bytes, with a digest of a longer one at its end.
func fileName(name string) string {
	const most = 200
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name[:most-9], "") + fmt.Sprintf("~%x", sum[:4])
}

// LLDP returns, for every box that has links in a plan or in one of its fabrics, what lldpctl -f json should print
// there, by the name of a file: every port with the box and the port at the other end, over panels or not. The box
// stands beside that under "host". Boxes are called as in the plan and ports as their operating system calls them, or
// as they are printed where that is not known. The error is ErrSummary for a plan
// without a list of cables, or tells two boxes whose files would have one name.
func LLDP(ctx context.Context, r *machine.Result, fabric string) (map[string]func(io.Writer) error, error) {
	if r.Schedule.Segments == nil {
		return nil, ErrSummary
	}
	type seen struct{ port, far, farPort, cable string }
	sees := map[string][]seen{}
	var order []string
	add := func(near, far *place, cable string) {
		if sees[near.box] == nil {
			order = append(order, near.box)
		}
		sees[near.box] = append(sees[near.box], seen{near.called.System(), far.box, far.called.System(), cable})
	}
	for l := range namedLinks(r, fabric) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		label, _, _ := describeCables(r.Schedule, l.segments)
		add(&l.a, &l.b, label)
		add(&l.b, &l.a, label)
	}
	files, owner := map[string]func(io.Writer) error{}, map[string]string{}
	for _, box := range order {
		file := fileName(systemName(box)) + ".json"
		if other, ok := owner[file]; ok {
			return nil, LimitError(fmt.Sprintf("%q and %q would both be the file %s", other, box, file))
		}
		owner[file] = box
		files[file] = func(w io.Writer) error {
			var ports []map[string]lldpNeighbour
			for _, s := range sees[box] {
				ports = append(ports, map[string]lldpNeighbour{s.port: {
					Via: "LLDP", Chassis: map[string]json.RawMessage{s.far: json.RawMessage("{}")},
					Port: lldpNeighbourPort{lldpPortID{"ifname", s.farPort}, s.cable},
				}})
			}
			doc := map[string]any{"host": box, "lldp": map[string]any{"interface": ports}}
			out := bufio.NewWriter(w)
			encoder := json.NewEncoder(out)
			encoder.SetIndent("", "  ")
			if err := encoder.Encode(doc); err != nil {
				return err
			}
			return out.Flush()
		}
	}
	return files, nil
}
