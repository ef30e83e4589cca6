// Package starter writes the first machine file of someone who knows a few figures only: how many nodes, how many ports
// a node has and of what rate, and how large the room is.
package starter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// The limits of answers. A fat tree of three tiers of switches of 64 ports has 65,536 ports for nodes.
const (
	MaxPorts     = 8
	MaxNodePorts = 65536
	maxSide      = 1000 // metres
)

// A Machine is what is asked for.
type Machine struct {
	Name  string
	Nodes int
	Ports int    // of a node
	Rate  string // of a port, one of Rates
	Room  Room   // as large as needed if zero
	// Fabrics writes boxes and fabrics also where there is one fabric only, so that others can be added.
	Fabrics bool
	// Management adds a fabric of 1 Gb/s to a port of every node by which it is managed.
	Management bool
	// Storage adds a fabric for storage of this rate to a port of every node, one of Rates; "" for none.
	Storage string
	// StorageServers are the boxes of that fabric that store.
	StorageServers int
}

// MaxStorageServers bounds the servers of a storage fabric.
const MaxStorageServers = 4096

// ParseStorage reads the rate of a storage fabric, "" for none, and its number of servers, which may be left out.
func (m *Machine) ParseStorage(rate, servers string) (err error) {
	if rate = strings.TrimSpace(rate); rate == "" {
		return nil
	}
	if m.Storage, err = ParseRate(rate); err != nil {
		return fmt.Errorf("storage: %w", err)
	}
	if strings.TrimSpace(servers) != "" {
		m.StorageServers, err = count(servers, "storage servers", 0, MaxStorageServers)
	}
	return err
}

// Room is a floor between its walls.
type Room struct{ Width, Depth units.Length }

// Commented is a machine file that shows all sections, commented out where they may be left out, with their defaults.
func Commented(name string) []byte {
	return spec.Starter(name, spec.StarterDefaults{
		Rack: machine.DefaultRack, ColdAisle: machine.DefaultColdAisle, HotAisle: machine.DefaultHotAisle,
		Slack: machine.DefaultSlack,
	})
}

// Default is what is written for what is not said.
func Default() Machine { return Machine{Name: "my-machine", Nodes: 128, Ports: 1, Rate: "400G"} }

// equipment is what realises the ports of a rate: a switch of 64 ports, and an adapter where there is one in the
// catalog with the connector of the switch.
type equipment struct{ rate, part, connector, adapter string }

var equipments = []equipment{
	{"100G", "generic-switch-64x100g", "qsfp28", "connectx-edr"},
	{"200G", "generic-switch-64x200g", "qsfp56", "connectx-hdr"},
	{"400G", "generic-switch-64x400g", "qsfp112", "adapter-400g-qsfp112"},
	{"800G", "nvidia-sn5600", "osfp", ""},
}

// equipmentOf returns the equipment of a rate, nil for none.
func equipmentOf(rate string) *equipment {
	for i := range equipments {
		if equipments[i].rate == rate {
			return &equipments[i]
		}
	}
	return nil
}

// radix is the number of ports of those switches.
const radix = 64

// Rates are the rates that a machine may have.
func Rates() []string {
	rates := make([]string, len(equipments))
	for i, e := range equipments {
		rates[i] = e.rate
	}
	return rates
}

// ParseName reads a name of a machine.
func ParseName(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", errors.New("a machine needs a name")
	}
	return text, nil
}

// ParseNodes reads a number of nodes, with or without separators.
func ParseNodes(text string) (int, error) { return count(text, "nodes", 2, MaxNodePorts) }

// ParsePorts reads the number of ports of a node.
func ParsePorts(text string) (int, error) { return count(text, "ports a node", 1, MaxPorts) }

func count(text, what string, least, most int) (int, error) {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s: %q is not a whole number from %d to %s", what, text, least,
			english.Grouped(int64(most)))
	}
	return n, nil
}

// ParseRate reads the rate of a port, such as 400G; the letter may be left out.
func ParseRate(text string) (string, error) {
	wanted := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "G") + "G"
	for _, e := range equipments {
		if e.rate == wanted {
			return wanted, nil
		}
	}
	return "", fmt.Errorf("rate: %q is not one of %s", text, strings.Join(Rates(), ", "))
}

// ParseRoom reads width x depth, such as 20x15 or 60 ft x 15 m, a bare number being metres, or auto.
func ParseRoom(text string) (Room, error) {
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, "auto") {
		return Room{}, nil
	}
	wrong := fmt.Errorf("room: %q is not width x depth in metres, like 20x15, or auto for as large as needed", text)
	w, d, ok := strings.Cut(strings.ToLower(text), "x")
	if !ok {
		return Room{}, wrong
	}
	var sides [2]units.Length
	for i, side := range []string{w, d} {
		side = strings.TrimSpace(side)
		if _, err := strconv.ParseFloat(side, 64); err == nil {
			side += " m"
		}
		length, err := units.ParseLength(side)
		if err != nil {
			return Room{}, wrong
		}
		if m := float64(length); m < 1 || m > maxSide {
			return Room{}, fmt.Errorf("room: %s is not from 1 m to %d m", length, maxSide)
		}
		sides[i] = length
	}
	return Room{sides[0], sides[1]}, nil
}

// String is how ParseRoom reads it.
func (r Room) String() string {
	if r == (Room{}) {
		return "auto"
	}
	return fmt.Sprintf("%v x %v", r.Width, r.Depth)
}

// places are where leaves stand, and spines and cores.
type places struct{ leaf, upper string }

// choices are the places that switches may have; of those that cost the same, the first is taken.
var choices = func() (all []places) {
	for _, leaf := range []string{spec.InRack, spec.MiddleOfRow, spec.NetworkRow, spec.EndOfRow} {
		for _, upper := range []string{spec.NetworkRow, spec.InRack, spec.MiddleOfRow, spec.EndOfRow} {
			all = append(all, places{leaf, upper})
		}
	}
	return all
}()

// File is a machine file, with switches at places that may not be the cheapest. An error says which answer is wrong.
func (m Machine) File() ([]byte, error) { return m.file(choices[0]) }

// file is the machine file with switches at some places: nodes on one switch while its ports suffice, else a fat tree,
// of two tiers while they do.
func (m Machine) file(at places) ([]byte, error) {
	if int64(m.Nodes)*int64(m.Ports) > MaxNodePorts {
		return nil, fmt.Errorf("nodes: %s nodes of %d ports have more than %s ports, which is what three tiers of "+
			"switches of %d ports take", english.Grouped(int64(m.Nodes)), m.Ports, english.Grouped(MaxNodePorts), radix)
	}
	if ends := m.Nodes + m.StorageServers; m.Storage != "" && ends > MaxNodePorts {
		return nil, fmt.Errorf("storage: %s nodes and storage servers are more than %s ports of a fabric",
			english.Grouped(int64(ends)), english.Grouped(MaxNodePorts))
	}
	with, store := equipmentOf(m.Rate), equipmentOf(m.Storage)
	if with == nil {
		_, err := ParseRate(m.Rate)
		return nil, err
	}
	if m.Storage != "" && store == nil {
		_, err := ParseRate(m.Storage)
		return nil, fmt.Errorf("storage: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# A machine file for plenum: "plenum plan" with the name of this file plans it. Everything
# left out has a default; docs/machine-file.md explains every section.

name: %s

`, spec.Quoted(m.Name))
	if m.Fabrics || m.Management || store != nil {
		m.fabrics(&b, with, store, at)
		m.room(&b)
		m.rest(&b)
		return []byte(b.String()), nil
	}
	if m.single() {
		fmt.Fprintf(&b, `# What is linked to what: all nodes on one switch, while it has a port for each.
topology:
  family: folded-clos
  nodes: %d
  radix: %d          # ports of a switch
`, m.Nodes, radix)
	} else {
		m.tree(&b)
	}
	m.parts(&b, with, at)
	m.room(&b)
	m.rest(&b)
	return []byte(b.String()), nil
}

// rest writes how cables run, and prices.
func (m Machine) rest(b *strings.Builder) {
	b.WriteString(`
# How cables run: up to the tray of the row, along rows and cross trays, and down.
cabling:
  route: tray        # or manhattan, direct
  # What is added to every cable: up to the tray at both ends, and a loop; less inside one rack.
`)
	fmt.Fprintf(b, "  slack: {fixed: %v, in_rack: %v}\n", machine.DefaultSlack, machine.DefaultRackSlack)
	b.WriteString(`
# Estimates for a first look. "plenum catalog list" names the price sets; quote: FILE.csv reads a supplier's.
prices: {set: estimate-2025}
`)
}

// tree writes the topology of several switches.
func (m Machine) tree(b *strings.Builder) {
	fmt.Fprintf(b, `# What is linked to what: nodes on leaf switches, leaves on spines.
topology:
  family: fat-tree
  nodes: %d
  radix: %d          # ports of a switch
`, m.Nodes, radix)
	if m.tiers() == 3 {
		b.WriteString("  tiers: 3\n")
	}
	if m.Ports > 1 {
		fmt.Fprintf(b, "  rails: %-2d         # ports of a node, each on a leaf of its own\n", m.Ports)
	}
	b.WriteString("  # taper: 2         # ports down per port up of a leaf: fewer spines, less throughput\n")
}

// single reports whether one switch has a port for every node.
func (m Machine) single() bool { return m.Ports == 1 && m.Nodes <= radix }

// leaves is how many switches nodes are plugged into.
func (m Machine) leaves() int { return (m.Nodes + radix/2 - 1) / (radix / 2) * m.Ports }

// tiers is how many tiers of switches are needed: a spine of two tiers has a port for every leaf.
func (m Machine) tiers() int {
	if m.leaves() > radix {
		return 3
	}
	return 2
}

// node is the size of a node in rack units, its power, and how many stand in a rack.
func (m Machine) node() (size int, power string, perRack int) {
	switch {
	case m.Ports > 4:
		return 8, "10.2 kW", 4
	case m.Ports > 2:
		return 2, "2 kW", 16
	}
	return 1, "800 W", 32
}

// The switch of the fabric of management has 48 ports of 1 Gb/s; at least eight of them stay free for other boxes, and
// it takes the nodes of whole racks.
const (
	managementSwitch = "nvidia-sn2201"
	managementPorts  = 40
)

// fabrics writes the boxes and the fabrics: that of the ports that are asked for, one for storage unless store is nil,
// and one for management if it is asked for.
func (m Machine) fabrics(b *strings.Builder, e, store *equipment, at places) {
	size, power, perRack := m.node()
	fmt.Fprintf(b, `# The boxes that the fabrics below join.
boxes:
  - {name: node, count: %d, part: my-node, per_rack: %d}
`, m.Nodes, perRack)
	if m.StorageServers > 0 {
		fmt.Fprintf(b, "  - {name: storage-server, count: %d, role: service, part: my-storage-server}\n",
			m.StorageServers)
	}
	b.WriteString(`
# What is linked to what, and the switches of it. "plenum catalog list --kind switch" shows the switches.
fabrics:
`)
	m.fabric(b, "compute", e, at, "node")
	if store != nil {
		s := Machine{Nodes: m.Nodes + m.StorageServers, Ports: 1}
		s.fabric(b, "storage", store, at, m.kinds()...)
	}
	if m.Management {
		fmt.Fprintf(b, `  - name: management
    topology: {family: access, down: %d}   # the other ports of a switch stay free
    ends: [%s]
    switches: {leaf: {part: %s, place: in-rack}}
`, managementPorts/perRack*perRack, endsOf("bmc", m.kinds()...), managementSwitch)
	}
	fmt.Fprintf(b, `
# The node: put in its size, its power and the price of yours, with its adapters.
parts:
  - id: my-node
    kind: node
    units: %d
    width: 44 cm
    depth: 80 cm
    power: %s
    ports:
      - {name: compute, count: %d, connector: %s, rate: %s}
`, size, power, m.Ports, e.connector, e.rate)
	m.furtherPorts(b, store)
	if m.StorageServers > 0 {
		b.WriteString(`  # The storage server: put in its size, its power and the price of yours as well.
  - id: my-storage-server
    kind: node
    units: 2
    width: 44 cm
    depth: 80 cm
    power: 1 kW
    ports:
`)
		m.furtherPorts(b, store)
	}
}

// kinds are the kinds of boxes of the fabrics of storage and management.
func (m Machine) kinds() []string {
	if m.StorageServers > 0 {
		return []string{"node", "storage-server"}
	}
	return []string{"node"}
}

// endsOf are the ends of a fabric: a group of ports of kinds of boxes.
func endsOf(ports string, boxes ...string) string {
	var out []string
	for _, name := range boxes {
		out = append(out, fmt.Sprintf("{boxes: %s, ports: %s}", name, ports))
	}
	return strings.Join(out, ", ")
}

// fabric writes a fabric that joins the ports of its name of some kinds of boxes: m has the number of all of them.
func (m Machine) fabric(b *strings.Builder, name string, e *equipment, at places, boxes ...string) {
	fmt.Fprintf(b, "  - name: %s\n", name)
	switch {
	case m.single():
		fmt.Fprintf(b, "    topology: {family: folded-clos, radix: %d}\n", radix)
	default:
		fmt.Fprintf(b, "    topology: {family: fat-tree, radix: %d", radix)
		if m.tiers() == 3 {
			b.WriteString(", tiers: 3")
		}
		if m.Ports > 1 {
			fmt.Fprintf(b, ", rails: %d", m.Ports)
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(b, "    ends: [%s]\n    switches:\n", endsOf(name, boxes...))
	if m.single() {
		fmt.Fprintf(b, "      switch: {part: %s, place: in-rack}\n", e.part)
		return
	}
	fmt.Fprintf(b, "      leaf: {part: %s, place: %s}\n      spine: {part: %s, place: %s}\n", e.part, at.leaf, e.part,
		at.upper)
	if m.tiers() == 3 {
		fmt.Fprintf(b, "      core: {part: %s, place: %s}\n", e.part, at.upper)
	}
}

// furtherPorts writes the ports of a box for storage and management.
func (m Machine) furtherPorts(b *strings.Builder, store *equipment) {
	if store != nil {
		fmt.Fprintf(b, "      - {name: storage, count: 1, connector: %s, rate: %s, by_name: true}\n", store.connector,
			store.rate)
	}
	if m.Management {
		b.WriteString("      - {name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true}\n")
	}
}

// parts writes boxes: nodes are a part of the file itself, for its maker knows their size and power, and we do not.
func (m Machine) parts(b *strings.Builder, e *equipment, at places) {
	size, power, perRack := m.node()
	fmt.Fprintf(b, `
# Which box realises what. "plenum catalog list --kind switch" shows the switches.
packaging:
  node: {part: my-node, per_rack: %d}
`, perRack)
	if m.single() {
		fmt.Fprintf(b, "  switch: {part: %s, place: in-rack}\n", e.part)
	} else {
		b.WriteString("  # The cheapest places of switches, of in-rack, middle-of-row, network-row and end-of-row.\n")
		fmt.Fprintf(b, "  leaf: {part: %s, place: %s}\n", e.part, at.leaf)
		fmt.Fprintf(b, "  spine: {part: %s, place: %s}\n", e.part, at.upper)
		if m.tiers() == 3 {
			fmt.Fprintf(b, "  core: {part: %s, place: %s}\n", e.part, at.upper)
		}
	}
	fmt.Fprintf(b, `
# The node: put in its size, its power and the price of yours.
parts:
  - id: my-node
    kind: node
    units: %d
    width: 44 cm
    depth: 80 cm
    power: %s
`, size, power)
	if e.adapter != "" {
		fmt.Fprintf(b, "    adapter: %s\n", e.adapter)
	}
	fmt.Fprintf(b, "    ports: [{count: %d, connector: %s, rate: %s}]\n", m.Ports, e.connector, e.rate)
}

func (m Machine) room(b *strings.Builder) {
	if m.Room == (Room{}) {
		b.WriteString(`
# Racks in rows, as many as needed. A room that exists is given by its walls:
# room: {width: 20 m, depth: 15 m}
`)
		return
	}
	fmt.Fprintf(b, `
# The floor between the walls, filled with rows of racks.
room:
  width: %v
  depth: %v
  # doors: [{wall: south, at: 3 m, width: 1.2 m}]
  # columns: [{x: 3 m, y: 2 m, width: 40 cm, depth: 40 cm}]
`, m.Room.Width, m.Room.Depth)
}

// Planned is the machine file with switches at the cheapest of the places where they can stand: it has been planned,
// and breaks no design rule of severity error. An error says in a line why there is none.
func (m Machine) Planned(ctx context.Context) ([]byte, error) {
	type priced struct {
		data  []byte
		total units.Money
	}
	var possible []priced
	var wrong error // with the first choice that is not possible
	for _, at := range choices {
		data, err := m.file(at)
		if err != nil {
			return nil, err
		}
		total, err := total(ctx, data, machine.Options{Summary: true})
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err == nil:
			possible = append(possible, priced{data, total})
		case wrong == nil:
			wrong = err
		}
		if m.single() {
			break
		}
	}
	slices.SortStableFunc(possible, func(a, b priced) int { return cmp.Compare(a.total, b.total) })
	for _, p := range possible { // a summary does not check every cable
		_, err := total(ctx, p.data, machine.Options{NoPaths: true})
		if err == nil {
			return p.data, nil
		}
		if wrong == nil || ctx.Err() != nil {
			wrong = err
		}
	}
	return nil, wrong
}

// total plans a machine and returns that of its bill, or an error if it cannot be built.
func total(ctx context.Context, data []byte, opt machine.Options) (units.Money, error) {
	s, err := machine.Parse("machine.yaml", data)
	if err != nil {
		return 0, first(err)
	}
	plan, err := machine.PlanWith(ctx, s, opt)
	if err != nil {
		return 0, first(err)
	}
	if found := plan.Violations; found.Errors() > 0 {
		for _, v := range found.List() {
			if v.Severity == diag.Error {
				return 0, fmt.Errorf("%s: %s", v.Rule, v.Message)
			}
		}
	}
	return plan.Bill.Total, nil
}

// first is the first of the mistakes in a machine file without its place, for nobody has seen the file.
func first(err error) error {
	var list diag.List
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	section, _, _ := strings.Cut(list[0].Path, ".")
	return fmt.Errorf("%s: %s", section, list[0].Message)
}
