package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// Limits of a device type: what keeps a hostile file from taking memory and time.
const (
	mostDeviceBytes = 1 << 20
	mostDeviceDepth = 16
	mostTold        = 8 // names that a message lists
)

// ImportDevice turns a NetBox device type (the YAML of its community library) into
// a part. With an empty kind it is a panel if it has front ports and no
// interfaces, a switch from 16 network ports on, and a node below that.
//
// Such files leave much out, and nothing is made up for it: the remarks
// say what is missing, what was not understood, and what contradicts
// itself, so that no figure is silently zero. The error is for a file that cannot
// be read at all.
func ImportDevice(data []byte, name string, kind Kind) (part *Part, remarks diag.List, err error) {
	d := &device{file: name}
	root, err := d.parse(data)
	if err != nil {
		return nil, nil, err
	}
	d.root = root
	d.keys()
	d.identify()
	d.ports()
	d.panel()
	d.decideKind(kind)
	d.size()
	d.weight()
	d.power()
	k := checker{catalog: Default(), part: d.part.ID}
	k.checkPart(&d.part)
	for _, err := range k.faults {
		f := err.(*Fault)
		d.remark(d.root, "the part is incomplete: %s: %s\n%s", f.Path, f.Message, f.Suggestion)
	}
	d.remarks.Sort()
	return &d.part, d.remarks, nil
}

// device is a device type in the making.
type device struct {
	file    string
	root    *yaml.Node
	part    Part
	remarks diag.List
	count   int // of network ports
}

func (d *device) remark(n *yaml.Node, format string, args ...any) {
	n = followAlias(n)
	at := diag.Position{File: d.file, Line: n.Line, Column: n.Column}
	d.remarks = append(d.remarks, *at.Errorf(format, args...)) // all of them, however many
}

func (d *device) parse(data []byte) (*yaml.Node, error) {
	start := diag.Position{File: d.file, Line: 1, Column: 1}
	if len(data) > mostDeviceBytes {
		return nil, start.Errorf("the file is larger than %d MiB", mostDeviceBytes>>20)
	}
	deep := func(depth int, _ *yaml.DepthContext) error {
		if depth > mostDeviceDepth {
			return fmt.Errorf("more than %d levels of nesting", mostDeviceDepth)
		}
		return nil
	}
	var document yaml.Node
	err := yaml.Load(data, &document, yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(deep))))
	var one *yaml.LoadError
	switch {
	case errors.As(err, &one):
		// Of a few faults of explicit tags the library knows no place.
		start.Line, start.Column = max(one.Mark.Line, 1), max(one.Mark.Column, 1)
		return nil, start.Errorf("%s", one.Message)
	case err != nil:
		return nil, start.Errorf("%v", err)
	}
	root := &document
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, start.Errorf("not a device type: expected keys with values")
	}
	return root, nil
}

// deviceKeys are the keys of a device type.
var deviceKeys = []string{
	"manufacturer", "model", "slug", "part_number", "u_height", "is_full_depth", "is_powered", "airflow", "weight",
	"weight_unit", "front_image", "rear_image", "subdevice_role", "description", "comments", "console-ports",
	"console-server-ports", "power-ports", "power-outlets", "interfaces", "front-ports", "rear-ports", "module-bays",
	"device-bays", "inventory-items", "default_platform", "exclude_from_utilization",
}

// keys reports keys that are none of a device type, whose contents are lost.
func (d *device) keys() {
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		key := d.root.Content[i]
		if slices.Contains(deviceKeys, key.Value) {
			continue
		}
		d.remark(key, "unknown key %q is passed over\n%s", clip(key.Value), diag.Suggest(key.Value, deviceKeys, ""))
	}
	for _, key := range []string{"module-bays", "device-bays"} {
		if n := child(d.root, key); n != nil && len(n.Content) > 0 {
			d.remark(n, "%s: other files describe its modules",
				plural(len(n.Content), strings.TrimSuffix(strings.ReplaceAll(key, "-", " "), "s")))
		}
	}
}

// text is the scalar of a key, empty if there is none.
func text(n *yaml.Node, key string) string {
	if v := child(n, key); v != nil && v.Kind == yaml.ScalarNode && v.ShortTag() != "!!null" {
		return strings.TrimSpace(v.Value)
	}
	return ""
}

var unfit = lazyregexp.New(`[^a-z0-9._+-]+`)

// identify names the part.
func (d *device) identify() {
	maker, model, slug := text(d.root, "manufacturer"), text(d.root, "model"), text(d.root, "slug")
	for _, key := range []string{"manufacturer", "model", "slug"} {
		if text(d.root, key) == "" {
			d.remark(d.root, "%s is missing", key)
		}
	}
	if slug == "" {
		slug = maker + "-" + model
	}
	id := strings.Trim(unfit.ReplaceAllString(strings.ToLower(slug), "-"), "._+-")
	d.part = Part{
		ID: cmp.Or(id[:min(len(id), 100)], "unnamed"), Maker: clip(maker),
		Description: clip(cmp.Or(text(d.root, "description"), strings.TrimSpace(maker+" "+model))),
		Source:      "NetBox device type " + clip(strings.TrimSpace(maker+" "+model)), Confidence: Estimate,
		PartNumber: clip(text(d.root, "part_number")),
	}
}

// socket is what an interface type of NetBox is in our words.
type socket struct {
	connector string
	rate      units.Rate
}

// sockets are the interface types that tell the cage, and the rates of InfiniBand,
// whose usual cage is taken.
var sockets = map[string]socket{
	"1000base-t": {"rj45", 1}, "2.5gbase-t": {"rj45", 2.5}, "5gbase-t": {"rj45", 5}, "10gbase-t": {"rj45", 10},
	"1000base-x-sfp": {"sfp", 1}, "10gbase-x-sfpp": {"sfp+", 10}, "25gbase-x-sfp28": {"sfp28", 25},
	"50gbase-x-sfp56": {"sfp56", 50}, "50gbase-x-sfp28": {"sfp56", 50}, "100gbase-x-sfp112": {"sfp112", 100},
	"100gbase-x-sfpdd": {"sfp-dd", 100},
	"40gbase-x-qsfpp":  {"qsfp+", 40}, "50gbase-x-qsfp28": {"qsfp28", 50}, "100gbase-x-qsfp28": {"qsfp28", 100},
	"100gbase-x-qsfpdd": {"qsfp-dd", 100}, "200gbase-x-qsfp56": {"qsfp56", 200}, "200gbase-x-qsfpdd": {"qsfp-dd", 200},
	"400gbase-x-qsfp112": {"qsfp112", 400}, "400gbase-x-qsfpdd": {"qsfp-dd", 400}, "400gbase-x-osfp": {"osfp", 400},
	"400gbase-x-osfp-rhs": {"osfp-rhs", 400}, "800gbase-x-qsfpdd": {"qsfp-dd", 800}, "800gbase-x-osfp": {"osfp", 800},
	"infiniband-qdr": {"qsfp", 40}, "infiniband-fdr": {"qsfp14", 56}, "infiniband-edr": {"qsfp28", 100},
	"infiniband-hdr": {"qsfp56", 200}, "infiniband-ndr": {"osfp", 400}, "infiniband-xdr": {"osfp", 800},
}

// unwired are interface types that take no cable.
var unwired = []string{"virtual", "bridge", "lag"}

// ports turns interfaces into groups of ports.
func (d *device) ports() {
	list := child(d.root, "interfaces")
	if list == nil || len(list.Content) == 0 {
		if child(d.root, "front-ports") == nil {
			d.remark(cmp.Or(list, d.root), "no interfaces: the part has no ports")
		}
		return
	}
	if list.Kind != yaml.SequenceNode {
		d.remark(list, "interfaces is not a list")
		return
	}
	named, unknown, first := map[string]bool{}, map[string]int{}, map[string]*yaml.Node{}
	var data, management []deviceInterface
	for _, n := range list.Content {
		n = followAlias(n)
		name, kind := text(n, "name"), text(n, "type")
		switch s, ok := sockets[kind]; {
		case name == "":
			d.remark(n, "an interface has no name")
		case named[name]:
			d.remark(n, "the interface %s comes twice and is counted once", clip(name))
		case slices.Contains(unwired, kind):
		case !ok:
			if unknown[kind]++; unknown[kind] == 1 {
				first[kind] = n
			}
		case text(n, "mgmt_only") == "true":
			management = append(management, deviceInterface{n, s, kind, name, text(n, "label")})
		default:
			data = append(data, deviceInterface{n, s, kind, name, text(n, "label")})
		}
		named[name] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(unknown)) {
		d.remark(first[kind], "%s of type %q from here on, which has no cage here%s: passed over",
			plural(unknown[kind], "interface"), clip(kind), nearSocket(kind))
	}
	d.count = len(data)
	d.group(data, management)
	names := make([]string, len(data))
	for i := range data {
		names[i] = data[i].name
	}
	d.gaps(list, names)
	d.checkStatedPorts(list)
	for _, kind := range []string{"infiniband-ndr", "infiniband-xdr"} {
		if slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return text(followAlias(n), "type") == kind }) {
			d.remark(list, "%s does not tell the cage: taken for osfp of one port; switches have twin-port cages "+
				"(per_cage: 2)", kind)
		}
	}
	if d.count == 0 && len(management) > 0 {
		d.remark(list, "%s, for management only", plural(len(management), "interface"))
	}
}

func nearSocket(kind string) string {
	if near, ok := diag.Closest(kind, slices.Collect(maps.Keys(sockets))); ok {
		return fmt.Sprintf(" (%q has)", near)
	}
	return ""
}

var digits = lazyregexp.New(`\d+`)

// gaps looks for ports that the numbering of the names leaves out.
func (d *device) gaps(at *yaml.Node, names []string) {
	type series struct {
		numbers [][]int
		has     map[string]bool
	}
	all := map[string]*series{}
	for _, name := range names {
		if len(name) > 64 {
			continue
		}
		pattern := digits.ReplaceAllString(name, "%d")
		var numbers []int
		for _, text := range digits.FindAllString(name, -1) {
			n, err := strconv.Atoi(text)
			if err != nil {
				n = math.MaxInt32
			}
			numbers = append(numbers, n)
		}
		if len(numbers) == 0 {
			continue
		}
		s := all[pattern]
		if s == nil {
			s = &series{has: map[string]bool{}}
			all[pattern] = s
		}
		s.numbers = append(s.numbers, numbers)
		s.has[fmt.Sprint(numbers)] = true
	}
	for _, pattern := range slices.Sorted(maps.Keys(all)) {
		s := all[pattern]
		low, high, grid := slices.Clone(s.numbers[0]), slices.Clone(s.numbers[0]), 1
		for _, numbers := range s.numbers {
			for i, n := range numbers {
				low[i], high[i] = min(low[i], n), max(high[i], n)
			}
		}
		for i := range low {
			grid = min(grid, mostPorts) * min(high[i]-low[i]+1, mostPorts)
		}
		if last := len(low) - 1; last > 0 && high[last] == low[last]+1 && len(s.has) > 2 && d.doubles() {
			a, b := slices.Clone(low), slices.Clone(low)
			b[last] = high[last]
			d.remark(at, "the names pair up (%s, %s): where two ports share a cage, write per_cage: 2",
				fillPattern(pattern, a), fillPattern(pattern, b))
		}
		// A numbering with more holes than ports is a scheme of its own.
		if missing := grid - len(s.has); missing > 0 && missing < len(s.has) {
			d.remark(at, "the names %s to %s leave out %s: %s", fillPattern(pattern, low), fillPattern(pattern, high),
				plural(missing, "port"), holes(pattern, low, high, s.has))
		}
	}
}

// doubles reports whether the device has ports whose cages may hold two.
func (d *device) doubles() bool {
	return slices.ContainsFunc(d.part.Ports,
		func(g PortGroup) bool { return g.Connector == "osfp" || g.Connector == "qsfp-dd" })
}

func plural(n int, what string) string { return english.Count(n, what) }

// fillPattern puts numbers into a pattern.
func fillPattern(pattern string, numbers []int) string {
	for _, n := range numbers {
		pattern = strings.Replace(pattern, "%d", strconv.Itoa(n), 1)
	}
	return pattern
}

// holes lists the first names of a grid that are not there.
func holes(pattern string, low, high []int, has map[string]bool) string {
	var out []string
	at := slices.Clone(low)
	for {
		if !has[fmt.Sprint(at)] {
			if len(out) == mostTold {
				return strings.Join(out, ", ") + ", ..."
			}
			out = append(out, fillPattern(pattern, at))
		}
		i := len(at) - 1
		for ; i >= 0 && at[i] == high[i]; i-- {
			at[i] = low[i]
		}
		if i < 0 {
			return strings.Join(out, ", ")
		}
		at[i]++
	}
}

// statedPorts finds numbers of ports in what is written for people: "64-port",
// "64 x 400G", "48 ports".
var statedPorts = lazyregexp.New(`(?i)\b(\d{1,4})(?:\s?[x×]\s?\d+\s?(?:g|t)\w*\b|[ -]?ports?\b)`)

// words is what a device type says to people.
func (d *device) words() string {
	return strings.Join([]string{text(d.root, "model"), text(d.root, "description"), text(d.root, "comments")}, "\n")
}

// checkStatedPorts holds the number of ports against what the file says to people, and
// against what switches have.
func (d *device) checkStatedPorts(at *yaml.Node) {
	most := 0
	for _, m := range statedPorts.FindAllStringSubmatch(d.words(), 100) {
		n, _ := strconv.Atoi(m[1])
		most = max(most, n)
	}
	switch {
	case most > d.count:
		d.remark(at, "%s, where the text speaks of %d", plural(d.count, "port"), most)
	case d.count >= leastSwitch && d.count%4 != 0:
		d.remark(at, "%s are an unusual number for a switch: some may be missing, or not for data",
			plural(d.count, "port"))
	}
}

// leastSwitch is the number of network ports from which a device is taken for a
// switch.
const leastSwitch = 16

// panelPlugs are the port types of patch panels in our words.
var panelPlugs = map[string]string{"mpo": "mpo12", "lc": "lc", "lc-upc": "lc", "lc-pc": "lc", "lc-apc": "lc"}

// panel reads the front ports of a patch panel, or the rear ports of one that has none, as shuffles have.
func (d *device) panel() {
	list, side := child(d.root, "front-ports"), "front"
	if list == nil || len(list.Content) == 0 {
		list, side = child(d.root, "rear-ports"), "rear"
	}
	if list == nil || len(list.Content) == 0 || d.count > 0 {
		return
	}
	types := map[string]int{}
	for _, n := range list.Content {
		types[text(followAlias(n), "type")]++
	}
	var plug string
	for _, kind := range slices.Sorted(maps.Keys(types)) {
		p, ok := panelPlugs[kind]
		switch {
		case !ok:
			d.remark(list, "%s of type %q, which has no connector here: passed over", plural(types[kind], side+" port"),
				clip(kind))
		case plug != "" && plug != p:
			d.remark(list, "%s ports of several connectors: only %s are taken", side, plug)
		default:
			plug = p
			if d.part.Panel == nil {
				d.part.Panel = &Panel{Connector: p, Fibre: SingleMode}
			}
			d.part.Panel.Ports += types[kind]
		}
	}
	if d.part.Panel != nil {
		d.remark(list, "the file does not tell the fibre (taken for single-mode), the polish of the plugs or the "+
			"insertion loss")
		d.part.Estimated = append(d.part.Estimated, "connector", "loss")
	}
}

// decideKind decides what kind of part it is.
func (d *device) decideKind(kind Kind) {
	guess := KindNode
	switch {
	case d.part.Panel != nil:
		guess = KindPanel
	case d.count >= leastSwitch:
		guess = KindSwitch
	}
	d.part.Kind = cmp.Or(kind, guess)
	if d.part.Kind != KindPanel {
		d.part.Panel = nil
	}
	if kind == "" && guess != KindPanel {
		d.remark(d.root, "taken for a %s by its %s; --kind says otherwise", guess, plural(d.count, "port"))
	}
}

// size reads the height; the format has no width and no depth.
func (d *device) size() {
	n := child(d.root, "u_height")
	if n == nil {
		d.remark(d.root, "u_height is missing")
		return
	}
	h, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case err != nil || math.IsNaN(h) || h < 0 || h > 100:
		d.remark(n, "%q is not a height in rack units", clip(n.Value))
		return
	case h == 0:
		d.remark(n, "it takes no rack units: it stands beside them or in another box")
	case math.Mod(h*2, 1) != 0:
		d.remark(n, "%v is not a whole number of half rack units", h)
	case h != math.Trunc(h):
		d.remark(n, "%v rack units: it is placed in %v whole ones", h, math.Ceil(h))
	}
	d.part.Units = int(math.Ceil(h))
	if h != math.Trunc(h) {
		d.part.Height = (units.Length(h) * units.RackUnit).Round4()
	}
	d.remark(n, "the format has no width and no depth")
}

// weightUnits are kilograms.
var weightUnits = map[string]float64{"kg": 1, "g": 1e-3, "lb": 0.45359237, "oz": 0.028349523125}

func (d *device) weight() {
	n := child(d.root, "weight")
	if n == nil {
		d.remark(d.root, "weight is missing")
		return
	}
	w, err := strconv.ParseFloat(n.Value, 64)
	unit, known := weightUnits[text(d.root, "weight_unit")]
	switch {
	case err != nil || math.IsNaN(w) || w <= 0 || w > 1e5:
		d.remark(n, "%q is not a weight", clip(n.Value))
	case !known:
		d.remark(n, "the weight has no unit (weight_unit: kg, g, lb or oz) and is left out")
	default:
		d.part.Weight = units.Mass(math.Round(w*unit*1e4) / 1e4)
	}
}

// statedPower finds powers in what is written for people.
var statedPower = lazyregexp.New(`(?i)\b(\d[\d,]*(?:\.\d+)?)\s?(kw|w|watts?)\b`)

// power adds the power supplies up. It is left out where one of them has no draw,
// or where the text speaks of more.
func (d *device) power() {
	if d.part.Kind == KindPanel || text(d.root, "is_powered") == "false" {
		return
	}
	list := child(d.root, "power-ports")
	if list == nil || len(list.Content) == 0 {
		d.remark(cmp.Or(list, d.root), "no power-ports: the power is missing")
		return
	}
	sum, silent := 0.0, 0
	for _, n := range list.Content {
		n = followAlias(n)
		if inlet, ok := strings.CutPrefix(text(n, "type"), "iec-60320-"); ok && inletPattern.MatchString(inlet) {
			if d.part.Inlets == nil {
				d.part.Inlets = map[string]int{}
			}
			d.part.Inlets[inlet]++
		}
		draw := 0.0
		for _, key := range []string{"maximum_draw", "allocated_draw"} { // plans compute with the second
			if v, err := strconv.ParseFloat(text(n, key), 64); err == nil && v > 0 && v < 1e6 {
				draw = v
			}
		}
		if draw == 0 {
			silent++
		}
		sum += draw
	}
	said := 0.0
	for _, m := range statedPower.FindAllStringSubmatch(d.words(), 100) {
		v, _ := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
		if strings.EqualFold(m[2], "kw") {
			v *= 1e3
		}
		said = max(said, v)
	}
	switch {
	case silent == len(list.Content) && said > 0:
		d.remark(list, "no power supply has a draw, and the text speaks of %v: the power is left out",
			units.Power(said))
	case silent == len(list.Content):
		d.remark(list, "no power supply has a draw: the power is missing")
	case silent > 0:
		d.remark(list, "%d of %d power supplies have no draw: the power is left out", silent, len(list.Content))
	case said > sum:
		d.remark(list, "the power supplies add up to %v, and the text speaks of %v: the power is left out",
			units.Power(sum), units.Power(said))
	default:
		d.part.Power = units.Power(sum)
		d.part.Estimated = append(d.part.Estimated, "power")
		if len(list.Content) > 1 {
			d.remark(list, "the power, %v, is what %d supplies draw together: less if some are spare", units.Power(sum),
				len(list.Content))
		}
	}
}

// inletPattern and outletPattern are the inlets of IEC 60320 and the connectors that fit them, which makers call their
// outlets by. C39, of no standard sheet, takes the plugs of C14 and C20.
var (
	inletPattern  = lazyregexp.New(`^c(2|4|6|8|10|12|14|16|18|20|22|24)$`)
	outletPattern = lazyregexp.New(`^c(1|3|5|7|9|11|13|15|17|19|21|23|39)$`)
)

// child is the value of a key of a mapping, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n = followAlias(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return followAlias(n.Content[i+1])
		}
	}
	return nil
}

// followAlias follows an alias.
func followAlias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
