package netbox

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Names of the files, in the order of their import.
const (
	Sites         = "sites.csv"
	Manufacturers = "manufacturers.csv"
	Roles         = "device-roles.csv"
	Types         = "device-types.yaml"
	Racks         = "racks.csv"
	Devices       = "devices.csv"
	Interfaces    = "interfaces.csv" // of ports that are broken out
	Cables        = "cables.csv"
	SeveralEnds   = "cables-several-ends.json"
	PowerCables   = "power-cables.csv"
)

// Names lists the files that there may be, in the order of their import.
func Names() []string {
	return []string{Sites, Manufacturers, Roles, Types, Racks, Devices, Interfaces, Cables, SeveralEnds, PowerCables}
}

// Lengths in characters that NetBox takes.
const (
	longestDevice    = 64
	longestInterface = 64
	longestName      = 100
	longestText      = 200
)

// Export is a plan, or one of its fabrics, on its way to NetBox.
type Export struct {
	// Notes list what these files cannot express in NetBox.
	Notes []string

	r       *machine.Result
	s       *cabling.Schedule
	fabric  string
	site    string
	devices []device
	types   []*deviceType // by part, in the order of their first device
	racks   []int32
	// single are the first segments of cables of several links with one termination at each side, as whole ports are.
	single  map[int64]*cabling.Segment
	ends    []int32 // of each cable, by number: how many segments it has; 0 of one that is left out
	trunks  map[int32]*cabling.Trunk
	several bool
	powered bool             // there are cords of power
	shown   map[int32]string // names of devices that are shorter in NetBox
	lanes   map[outlet]int32 // the cable of each port that is broken out, manyCables where there are several
	printed bool             // ports are called as they are printed, not as systems call them
}

// outlet is a port that is broken out, by its name.
type outlet struct {
	v    int32
	name string
}

// manyCables stands for the cables of an outlet whose lanes have cables of their own.
const manyCables = -1

// device is a box or a panel.
type device struct {
	v    int32
	name string
	role string
	kind *deviceType
}

// New prepares to export a plan, or one of its fabrics: the boxes that have cables of it, and these. It refuses what
// NetBox would refuse: names that are too long, and two ports of a box under one name. A summary is
// exchange.ErrSummary.
func New(r *machine.Result, fabric string) (*Export, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, exchange.ErrSummary
	}
	x := &Export{r: r, s: s, fabric: fabric, site: clip(r.Spec.Name, longestName), trunks: map[int32]*cabling.Trunk{}}
	if x.site == "" {
		x.site = "Plenum"
	}
	if s.Patching != nil {
		for i := range s.Patching.Trunks {
			t := &s.Patching.Trunks[i]
			x.trunks[t.Cable] = t
		}
	}
	used := x.count()
	x.usePower(used)
	if err := x.list(used); err != nil {
		return nil, err
	}
	x.unite()
	x.leaveOut()
	x.note()
	x.notePower()
	return x, nil
}

// count counts the segments of each cable, and tells which vertices have one.
func (x *Export) count() []bool {
	x.ends = make([]int32, x.s.Cables+1)
	x.lanes = map[outlet]int32{}
	used := make([]bool, len(x.s.Placement.Slot))
	for number, seg := range x.cables() {
		x.ends[number]++
		used[seg.A], used[seg.B] = true, true
		x.lane(seg.A, seg.PortA, int32(number))
		x.lane(seg.B, seg.PortB, int32(number))
	}
	return used
}

// unite makes one segment of those of a cable that all lead between the same two terminations.
func (x *Export) unite() {
	type sides struct{ a, b termination }
	first := map[int64]*cabling.Segment{}
	of := map[int64]sides{}
	for number, seg := range x.cables() {
		if x.ends[number] < 2 || x.trunks[int32(number)] != nil {
			continue
		}
		at := sides{x.termination(seg.A, seg.PortA), x.termination(seg.B, seg.PortB)}
		if old, ok := of[number]; !ok {
			of[number], first[number] = at, seg
		} else if old != at {
			delete(first, number)
		}
	}
	x.single = first
	for number := range first {
		x.ends[number] = 1
	}
}

// lane notes the cable of a port that is broken out.
func (x *Export) lane(v int32, p uint16, number int32) {
	port := x.port(v, p)
	if port == nil || port.Whole == "" {
		return
	}
	at := outlet{v, port.Whole}
	if other, ok := x.lanes[at]; ok && other != number {
		number = manyCables
	}
	x.lanes[at] = number
}

// port is a port of a box, nil of a panel and where the box has none.
func (x *Export) port(v int32, p uint16) *cabling.Port {
	if x.s.Panel(v) >= 0 {
		return nil
	}
	ports := x.s.Boxes[topology.KindOf(x.s.Kinds, int(v))].Ports
	if int(p) >= len(ports) {
		return nil
	}
	return &ports[p]
}

// cables yields the segments of cables of the fabric, with the number of their cable.
func (x *Export) cables() func(yield func(int64, *cabling.Segment) bool) {
	var in []bool // by level
	for _, level := range x.s.Graph.Levels() {
		in = append(in, machine.InFabric(level.Name, x.fabric))
	}
	return func(yield func(int64, *cabling.Segment) bool) {
		x.s.Each(func(number int64, seg *cabling.Segment) bool {
			if first := x.single[number]; first != nil && first != seg {
				return true
			}
			return !in[seg.Level] || yield(number, seg)
		})
	}
}

// list lists the devices, their types and racks.
func (x *Export) list(used []bool) error {
	byPart := map[*catalog.Part]*deviceType{}
	var wrong []error
	add := func(v int32, part *catalog.Part, role string) {
		kind := byPart[part]
		if kind == nil {
			var err error
			if kind, err = x.newType(part, role == panelRole); err != nil {
				wrong = append(wrong, err)
			}
			byPart[part] = kind
			x.types = append(x.types, kind)
		}
		name := x.deviceName(v)
		x.devices = append(x.devices, device{v: v, name: name, role: role, kind: kind})
	}
	for i, k := range x.s.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if x.fabric == "" || used[v] {
				add(int32(v), x.s.Boxes[i].Part, shorter(k.Name, longestName))
			}
		}
	}
	for i := range x.panels() {
		if v := x.s.Patching.Vertex(int32(i)); x.fabric == "" || used[v] {
			add(v, x.s.Patching.Panels[i].Part, panelRole)
		}
	}
	if l := x.s.Placement.Layout; l.Room != nil {
		for i := range x.devices {
			x.racks = append(x.racks, l.Container(layout.RackLevel, x.s.Placement.Slot[x.devices[i].v]))
		}
		slices.Sort(x.racks)
		x.racks = slices.Compact(x.racks)
	}
	return errors.Join(wrong...)
}

// deviceName is the name of a box or panel, which is shorter where NetBox takes none as long.
func (x *Export) deviceName(v int32) string {
	name := x.s.Device(v)
	if short := shorter(name, longestDevice); short != name {
		if x.shown == nil {
			x.shown = map[int32]string{}
		}
		x.shown[v] = short
		return short
	}
	return name
}

// shorter is a text of at most so many characters. One that is longer ends with a digest of it, so that two texts that
// differ stay different.
func shorter(text string, most int) string {
	runes := []rune(csvtable.OneLine(text))
	if len(runes) <= most {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	end := fmt.Sprintf("~%x", sum[:4])
	return strings.TrimSpace(string(runes[:most-len(end)])) + end
}

// panels is the number of panels.
func (x *Export) panels() int {
	if x.s.Patching == nil {
		return 0
	}
	return len(x.s.Patching.Panels)
}

// leaveOut leaves out the cables that end at ports that their boxes do not have.
func (x *Export) leaveOut() {
	left := 0
	for number, seg := range x.cables() {
		if x.ends[number] > 0 && (!x.has(seg.A, seg.PortA) || !x.has(seg.B, seg.PortB)) {
			x.ends[number] = 0
			left++
		}
	}
	if left > 0 {
		x.Notes = append(x.Notes, "left out: "+english.Count(left, "cable")+
			" that end at ports that the part of their box does not have")
	}
}

func (x *Export) has(v int32, port uint16) bool {
	return x.s.Panel(v) >= 0 || x.port(v, port) != nil
}

// note lists what cannot be expressed in NetBox.
func (x *Export) note() {
	several := 0
	for number, n := range x.ends {
		if n > 0 && x.isSeveral(int64(number)) {
			several++
		}
	}
	if x.several = several > 0; x.several {
		x.Notes = append(x.Notes, fmt.Sprintf("in %s, for the REST API: %s with several terminations at a side, "+
			"which the import form does not take", SeveralEnds, english.Count(several, "cable")))
	}
	if n := len(x.shown); n > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("cut to the %d characters that NetBox takes, with the whole name in the "+
			"comments: the names of %s; plenum verify does not know the shorter ones", longestDevice,
			english.Count(n, "device")))
	}
	l := x.s.Placement.Layout
	if l.Room == nil {
		x.Notes = append(x.Notes, "containers have no rack units: the devices are in the site alone, and "+
			"their comments say where")
		return
	}
	loose := 0
	for i := range x.devices {
		if x.unit(&x.devices[i]) == 0 {
			loose++
		}
	}
	if loose > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("without a position in their rack, being in a chassis or beside the "+
			"units: %s, whose comments say where", english.Count(loose, "device")))
	}
}

// isSeveral reports whether a cable has several terminations at a side.
func (x *Export) isSeveral(number int64) bool {
	t := x.trunks[int32(number)]
	return x.ends[number] > 1 || t != nil && x.s.Patching.Positions(t.Part) > 1
}

// unit is the position of a device in its rack, 0 for none.
func (x *Export) unit(d *device) int {
	l, slot := x.s.Placement.Layout, x.s.Placement.Slot[d.v]
	if d.kind.part.Units == 0 || l.Cell(slot) >= 0 {
		return 0
	}
	return l.Unit(slot)
}

// Files are the files with what writes each.
func (x *Export) Files(ctx context.Context) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{
		Sites:         func(w io.Writer) error { return x.writeSites(ctx, w) },
		Manufacturers: func(w io.Writer) error { return x.writeManufacturers(ctx, w) },
		Roles:         func(w io.Writer) error { return x.writeRoles(ctx, w) },
		Types:         x.writeTypes,
		Devices:       func(w io.Writer) error { return x.writeDevices(ctx, w) },
		Cables:        func(w io.Writer) error { return x.writeCables(ctx, w) },
	}
	if len(x.racks) > 0 {
		files[Racks] = func(w io.Writer) error { return x.writeRacks(ctx, w) }
	}
	for _, number := range x.lanes {
		if number == manyCables {
			files[Interfaces] = func(w io.Writer) error { return x.writeInterfaces(ctx, w) }
			break
		}
	}
	if x.powered {
		files[PowerCables] = func(w io.Writer) error { return x.writePower(ctx, w) }
	}
	if x.several {
		files[SeveralEnds] = func(w io.Writer) error { return x.writeSeveral(ctx, w) }
	}
	return files
}

// clip cuts a text to a number of characters.
func clip(text string, most int) string {
	runes := []rune(csvtable.OneLine(text))
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// slug is a name in the letters that NetBox takes in an address.
func slug(name string) string {
	b := []byte(strings.ToLower(name))
	for i, c := range b {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			b[i] = '-'
		}
	}
	text := strings.Trim(string(b[:min(len(b), longestName-8)]), "-")
	if text == "" {
		return "unnamed"
	}
	return text
}

// slugs gives names slugs of their own.
type slugs map[string]bool

func (s slugs) of(name string) string {
	base := slug(name)
	out := base
	for n := 2; s[out]; n++ {
		out = base + "-" + strconv.Itoa(n)
	}
	s[out] = true
	return out
}
