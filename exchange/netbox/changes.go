package netbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
)

// Names of the files of changes, in the order in which they are of use: what is to be done, cable by cable; what has to
// be deleted before anything is added; and what is to be added, as Export has it.
const (
	ChangeList = "changes.csv"
	Deletions  = "delete.json"
)

// ChangeNames lists the files of changes that there may be.
func ChangeNames() []string { return []string{ChangeList, Deletions, Cables, SeveralEnds} }

// ErrNoIDs says that cables have to be deleted and that the file does not tell which they are.
const ErrNoIDs = exchange.LimitError("cables have to be deleted and the file does not tell their ids\n" +
	"expected what NetBox exports of its list of cables (All data), or what its REST API answers")

// ErrUnordered says that the devices of ports cannot be told.
const ErrUnordered = exchange.LimitError("a cable ends at several devices at a side, and the table does not tell " +
	"which port is whose\nexpected what the REST API of NetBox answers, as JSON")

// Changes is what makes the cables of NetBox those of a plan. A port of NetBox takes one cable, so that a planned cable
// is refused as long as another one is in one of its ports.
type Changes struct {
	// Notes say what of the cables in NetBox stays as it is though it is not planned.
	Notes []string

	x      *Export
	rows   []change
	delete []int64
	add    map[int64]bool // by number of the planned cable
}

// change is what is done with a cable.
type change struct {
	action, id, label, a, b, why string
}

// outlets are the ports at a side of a cable.
type outlets []exchange.NetBoxPort

func (o outlets) key() string {
	var keys []string
	for _, p := range o {
		keys = append(keys, portKey(p))
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n\n")
}

// devices is how many devices have the ports.
func (o outlets) devices() int {
	seen := map[string]bool{}
	for _, p := range o {
		seen[strings.ToLower(p.Device)] = true
	}
	return len(seen)
}

func (o outlets) String() string {
	var all []string
	for _, p := range o {
		all = append(all, p.Device+" "+p.Name)
	}
	return strings.Join(all, "; ")
}

// portKey tells ports apart as NetBox does, which takes capital letters for small ones.
func portKey(p exchange.NetBoxPort) string {
	return strings.ToLower(p.Device) + "\n" + strings.ToLower(p.Name)
}

// cableKey is the same for a cable whichever side is A.
func cableKey(a, b outlets) string {
	keys := []string{a.key(), b.key()}
	slices.Sort(keys)
	return strings.Join(keys, "\n\n\n")
}

// plannedCable is a cable of the plan as NetBox is to have it.
type plannedCable struct {
	number int64
	label  string
	a, b   outlets
	kept   bool
}

// planned lists the cables of the plan.
func (x *Export) planned() []plannedCable {
	of := func(side []termination) outlets {
		var out outlets
		for _, t := range side {
			out = append(out, exchange.NetBoxPort{Device: t.Device, Name: t.Name})
		}
		return out
	}
	var out []plannedCable
	for number, seg := range x.cables() {
		if x.ends[number] > 0 && !x.isSeveral(number) {
			a, b := x.termination(seg.A, seg.PortA), x.termination(seg.B, seg.PortB)
			out = append(out, plannedCable{
				number: number, label: x.cable(number, seg).Label, a: of([]termination{a}), b: of([]termination{b}),
			})
		}
	}
	several, numbers := x.severalEnds()
	for i, c := range several {
		out = append(out, plannedCable{number: numbers[i], label: c.Label, a: of(c.A), b: of(c.B)})
	}
	return out
}

// Changes holds the cables that NetBox has against the planned ones. A planned cable that is there between the same
// ports is kept, unless it is being decommissioned; cables that are in other ports of planned ones are deleted, and
// what is then lacking is added. Cables that touch no planned one stay. The error is ErrNoIDs or
// ErrUnordered.
func (x *Export) Changes(found []exchange.NetBoxCable) (*Changes, error) {
	c := &Changes{x: x, add: map[int64]bool{}}
	all := x.planned()
	byEnds, byPort := map[string]int{}, map[string]int{}
	for i := range all {
		p := &all[i]
		byEnds[cableKey(p.a, p.b)] = i
		for _, port := range slices.Concat(p.a, p.b) {
			byPort[portKey(port)] = i
		}
	}
	var kept []change
	stay := 0
	for i := range found {
		f := &found[i]
		if f.Unordered && (outlets(f.A).devices() > 1 || outlets(f.B).devices() > 1) {
			return nil, ErrUnordered
		}
		row := change{label: f.Label, a: outlets(f.A).String(), b: outlets(f.B).String()}
		if f.ID > 0 {
			row.id = strconv.FormatInt(f.ID, 10)
		}
		if n, ok := byEnds[cableKey(f.A, f.B)]; ok && !all[n].kept && f.Status != "decommissioning" {
			all[n].kept = true
			if row.action = "keep"; f.Label != all[n].label {
				row.why = "planned as " + all[n].label
			}
			kept = append(kept, row)
			continue
		}
		row.why = inTheWay(f, all, byPort)
		if row.why == "" {
			stay++
			continue
		}
		if f.ID <= 0 {
			return nil, ErrNoIDs
		}
		row.action = "delete"
		c.rows, c.delete = append(c.rows, row), append(c.delete, f.ID)
	}
	for i := range all {
		if p := &all[i]; !p.kept {
			c.add[p.number] = true
			c.rows = append(c.rows, change{action: "add", label: p.label, a: p.a.String(), b: p.b.String()})
		}
	}
	c.rows = append(c.rows, kept...)
	c.Notes = []string{fmt.Sprintf("%s to delete, %s to add, %s to keep", english.Count(len(c.delete), "cable"),
		english.Grouped(int64(len(c.add))), english.Grouped(int64(len(kept))))}
	if stay > 0 {
		c.Notes = append(c.Notes, "left as they are, being in no port of a planned one: "+english.Count(stay, "cable"))
	}
	return c, nil
}

// inTheWay tells which planned cable needs a port of a found one, "" if none does.
func inTheWay(f *exchange.NetBoxCable, all []plannedCable, byPort map[string]int) string {
	for _, port := range slices.Concat(f.A, f.B) {
		if n, ok := byPort[portKey(port)]; ok {
			return fmt.Sprintf("%s %s is for %s", port.Device, port.Name, all[n].label)
		}
	}
	return ""
}

// Files are the files with what writes each. There is no file without a cable but the list of changes.
func (c *Changes) Files(ctx context.Context) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{
		ChangeList: func(w io.Writer) error { return c.writeRows(ctx, w) },
	}
	if len(c.delete) > 0 {
		files[Deletions] = c.writeDeletions
	}
	several, numbers := c.x.severalEnds()
	var lacking []cable
	for i, number := range numbers {
		if c.add[number] {
			lacking = append(lacking, several[i])
		}
	}
	if len(lacking) > 0 {
		files[SeveralEnds] = func(w io.Writer) error { return writeList(ctx, w, lacking) }
	}
	if len(c.add) > len(lacking) {
		files[Cables] = func(w io.Writer) error {
			return c.x.writeChosen(ctx, w, func(number int64) bool { return c.add[number] })
		}
	}
	return files
}

func (c *Changes) writeRows(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"action", "id", "label", "side_a", "side_b", "why"})
	for _, r := range c.rows {
		out.Texts(r.action, r.id, r.label, r.a, r.b, r.why)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeDeletions writes what the REST API takes to delete several cables at once.
func (c *Changes) writeDeletions(w io.Writer) error {
	out := bufio.NewWriter(w)
	lead := "[\n "
	for _, id := range c.delete {
		fmt.Fprintf(out, "%s{\"id\":%d}", lead, id)
		lead = ",\n "
	}
	out.WriteString("\n]\n")
	return out.Flush()
}
