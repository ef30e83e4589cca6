package netbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
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

// ErrUnordered says that the devices of ports are unknown.
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

// plannedCables lists the cables of the plan.
func (x *Export) plannedCables() []plannedCable {
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
// what is then lacking is added. Cables that touch no planned one stay, and so do those at a port of a box of the plan
// that is not identified: what is planned in a port of theirs waits. The error is ErrNoIDs or ErrUnordered.
func (x *Export) Changes(found []exchange.NetBoxCable) (*Changes, error) {
	c := &Changes{x: x, add: map[int64]bool{}}
	all := x.plannedCables()
	byEnds, byPort := map[string]int{}, map[string]int{}
	for i := range all {
		p := &all[i]
		byEnds[cableKey(p.a, p.b)] = i
		for _, port := range slices.Concat(p.a, p.b) {
			byPort[portKey(port)] = i
		}
	}
	at := x.finder(byPort)
	var kept, unknown []change
	blocked := map[int]string{} // planned cables by number, with the port that is taken
	var nameless []string
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
		a, strangeA := at.outlets(f.A)
		b, strangeB := at.outlets(f.B)
		if n, ok := byEnds[cableKey(a, b)]; ok && !all[n].kept && f.Status != "decommissioning" {
			all[n].kept = true
			if row.action = "keep"; f.Label != all[n].label {
				row.why = "planned as " + all[n].label
			}
			kept = append(kept, row)
			continue
		}
		needs := inTheWay(slices.Concat(a, b), byPort)
		if strange := append(strangeA, strangeB...); len(strange) > 0 {
			nameless = append(nameless, strange.String())
			if len(needs) > 0 {
				row.action, row.why = "unknown", strange.String()+" is not identified"
				unknown = append(unknown, row)
			}
			for _, n := range needs {
				blocked[n.cable] = n.port.Device + " " + n.port.Name
			}
			continue
		}
		if len(needs) == 0 {
			stay++
			continue
		}
		if f.ID <= 0 {
			return nil, ErrNoIDs
		}
		row.action = "delete"
		row.why = fmt.Sprintf("%s %s is for %s", needs[0].port.Device, needs[0].port.Name, all[needs[0].cable].label)
		c.rows, c.delete = append(c.rows, row), append(c.delete, f.ID)
	}
	c.x = at.asNamed()
	var waiting []change
	for i, p := range c.x.plannedCables() {
		row := change{action: "add", label: p.label, a: p.a.String(), b: p.b.String()}
		switch port := blocked[i]; {
		case all[i].kept:
		case port != "":
			row.action, row.why = "wait", port+" has a cable at a port that is not identified"
			waiting = append(waiting, row)
		default:
			c.add[p.number] = true
			c.rows = append(c.rows, row)
		}
	}
	c.rows = slices.Concat(c.rows, unknown, waiting, kept)
	c.Notes = []string{fmt.Sprintf("%s to delete, %s to add, %s to keep", english.Count(len(c.delete), "cable"),
		english.Grouped(int64(len(c.add))), english.Grouped(int64(len(kept))))}
	if stay > 0 {
		c.Notes = append(c.Notes, "left as they are, being in no port of a planned one: "+english.Count(stay, "cable"))
	}
	if n := len(nameless); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("left as they are, being at a port that is not identified: %s, "+
			"such as at %s", english.Count(n, "cable"), nameless[0]))
	}
	if n := len(waiting); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("not added, as a port of each has such a cable: %s",
			english.Count(n, "planned cable")))
	}
	if c.x.printed {
		c.Notes = append(c.Notes, "NetBox calls ports as they are printed, and so do the cables to add")
	}
	return c, nil
}

// need is a port that a planned cable, by number, is for.
type need struct {
	cable int
	port  exchange.NetBoxPort
}

// inTheWay returns what ports of a found cable are for.
func inTheWay(found outlets, byPort map[string]int) []need {
	var out []need
	for _, port := range found {
		if n, ok := byPort[portKey(port)]; ok {
			out = append(out, need{n, port})
		}
	}
	return out
}

// finder finds ports of NetBox in the plan, by package identity.
type finder struct {
	x       *Export
	planned map[string]int // by portKey
	boxes   map[string]int32
	panels  map[string]exchange.NetBoxPort // the ports of panels by their names in the form in which these are compared
	names   *identity.Names
	// printed and system count the ports that were found by labels that are not their names in systems, and by those.
	printed, system int
}

func (x *Export) finder(planned map[string]int) *finder {
	f := &finder{
		x: x, planned: planned, boxes: map[string]int32{}, panels: map[string]exchange.NetBoxPort{},
		names: identity.New(x.s, x.r.Names),
	}
	for i := range x.devices {
		d := &x.devices[i]
		f.boxes[strings.ToLower(d.name)] = d.v
		if x.s.Panel(d.v) < 0 {
			continue
		}
		for _, name := range x.s.Patching.PortNames() {
			f.panels[identity.Host(d.name)+"\n"+identity.Key(name)] = exchange.NetBoxPort{Device: d.name, Name: name}
		}
	}
	return f
}

// outlets returns ports as the plan calls them, those of boxes that the plan does not have as they are, and apart those
// that are not identified on boxes of the plan.
func (f *finder) outlets(all []exchange.NetBoxPort) (known, strange outlets) {
	for _, port := range all {
		if found, ok := f.port(port); ok {
			known = append(known, found)
		} else {
			strange = append(strange, port)
		}
	}
	return known, strange
}

// port finds a port. It returns false if the plan has the box and the port is not identified.
func (f *finder) port(port exchange.NetBoxPort) (exchange.NetBoxPort, bool) {
	v, ok := f.boxes[strings.ToLower(port.Device)]
	if !ok {
		if v = f.names.FindBox(port.Device); v < 0 {
			if found, ok := f.panels[identity.Host(port.Device)+"\n"+identity.Key(port.Name)]; ok {
				return found, true
			}
			return port, true
		}
	}
	if f.x.s.Panel(v) >= 0 {
		found, ok := f.panels[identity.Host(port.Device)+"\n"+identity.Key(port.Name)]
		return found, ok
	}
	named := exchange.NetBoxPort{Device: f.x.deviceName(v), Name: port.Name}
	if _, ok := f.planned[portKey(named)]; ok {
		if f.differs(v, port.Name) {
			f.system++
		}
		return named, true
	}
	ports, way := f.names.Port(v, &identity.Claim{Text: port.Name})
	if len(ports) == 0 || way.Guess() {
		return named, false
	}
	for i, p := range ports {
		one := exchange.NetBoxPort{Device: named.Device, Name: f.name(v, p)}
		if i > 0 && one != named {
			return named, false // one of several
		}
		named = one
	}
	if way == identity.ByLabel && !strings.EqualFold(named.Name, port.Name) {
		f.printed++
	}
	return named, true
}

// differs reports whether a name is that of a port in its system and not the printed one.
func (f *finder) differs(v int32, name string) bool {
	ports, way := f.names.Port(v, &identity.Claim{Text: name})
	return len(ports) > 0 && way != identity.ByLabel
}

// name is what NetBox is to call a port of a box, by its number among all ports of the part.
func (f *finder) name(v, port int32) string {
	if port <= math.MaxUint16 && f.x.has(v, uint16(port)) {
		return f.x.termination(v, uint16(port)).Name
	}
	id := f.names.PortIdentity(topology.KindOf(f.x.s.Kinds, int(v)), int(port))
	return id.System()
}

// asNamed is the export with the names of ports that NetBox has: as they are printed where more ports are called so.
func (f *finder) asNamed() *Export {
	out := *f.x
	out.printed = f.printed > f.system
	return &out
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
