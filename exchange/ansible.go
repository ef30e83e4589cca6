package exchange

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// WriteAnsible writes the boxes of a plan, or those with links of one of its fabrics, as an inventory of Ansible in
// YAML: a group for each kind of box, and of each box its part, rack and rack unit as variables that begin with
// plenum_.
// Letters of kinds that a group cannot have become _. A plan without a list of cables is ErrSummary.
func WriteAnsible(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error {
	s := r.Schedule
	if s.Segments == nil {
		return ErrSummary
	}
	used := map[string]bool{}
	if fabric != "" {
		for l := range namedLinks(r, fabric) {
			used[l.a.box], used[l.b.box] = true, true
		}
	}
	l := s.Placement.Layout
	out := bufio.NewWriter(w)
	out.WriteString("---\n")
	var groups []string
	for i, k := range s.Kinds {
		head := false
		for v := k.First; v < k.First+k.Count; v++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			name := s.Device(int32(v))
			if fabric != "" && !used[name] {
				continue
			}
			if !head {
				group := groupName(k.Name, groups)
				groups = append(groups, group)
				fmt.Fprintf(out, "%s:\n  hosts:\n", group)
				head = true
			}
			slot := s.Placement.Slot[v]
			fmt.Fprintf(out, "    %s:\n      plenum_part: %s\n", hostName(name), unsafe(s.Boxes[i].Part.ID))
			if l.Room == nil {
				fmt.Fprintf(out, "      plenum_container: %s\n", unsafe(l.Innermost(slot)))
				if l.LevelOf(layout.RoleRack) >= 0 {
					fmt.Fprintf(out, "      plenum_rack: %s\n", unsafe(l.Rack(slot)))
				}
				continue
			}
			rack := l.ContainerName(layout.RackLevel, l.Container(layout.RackLevel, slot))
			fmt.Fprintf(out, "      plenum_rack: %s\n      plenum_unit: %d\n", unsafe(rack), l.Unit(slot))
		}
	}
	return out.Flush()
}

// quote returns a text in quotation marks, as JSON has it, which YAML reads as well.
func quote(text string) string {
	data, _ := json.Marshal(csvtable.OneLine(text)) // a string has no error
	return string(data)
}

// unsafe is the value of a variable. Ansible takes what stands between {{ and }}, {% and %} or {# and #} for a template
// wherever it uses a variable, unless the text is marked as one that is not to be trusted.
func unsafe(text string) string {
	for _, begins := range []string{"{{", "{%", "{#"} {
		if strings.Contains(text, begins) {
			return "!unsafe " + quote(text)
		}
	}
	return quote(text)
}

// hostName is the name of a host. It cannot be marked as unsafe, and inventory_hostname is used in templates: a blank
// parts the braces that begin one.
func hostName(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && name[i-1] == '{' && strings.ContainsRune("{%#", r) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	return quote(out.String())
}

// groupName is the name of a kind in the letters of a variable, other than those that are taken.
func groupName(kind string, taken []string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, kind)
	if name == "" || name[0] >= '0' && name[0] <= '9' || name == "all" || name == "ungrouped" {
		name = "_" + name
	}
	for slices.Contains(taken, name) {
		name += "_"
	}
	return name
}
