package verify

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// sourceForm is a form in which a program or people write what is cabled.
type sourceForm struct {
	name  string
	named bool // it calls ports by names, in any style
	// can reports whether the form has a way to write a port; nil for forms that write all.
	can    func(m *built, at int32) bool
	cannot []Kind
	write  func(m *built, style string) map[string]string
}

// rowEnd is an end of a cable as a table has it; at is -1 for what is not a port of a planned cable.
type rowEnd struct {
	v, at     int32
	box, port string
	kind      string // "power" or "console" for what is not a port of a network
}

type row [2]rowEnd

// rows are the cables, with much beside that is not of the plan: management, power, consoles, storage, boxes that the
// plan does not have on free ports and on ports that nobody knows.
func (m *built) rows(style string) []row {
	var out []row
	end := func(at int32) rowEnd {
		v := m.p.vertex(at)
		return rowEnd{v, at, m.box(v), m.port(style, at), ""}
	}
	for _, c := range slices.Concat(m.cables, m.clashes) {
		out = append(out, row{end(c.ends[0]), end(c.ends[1])})
	}
	rnd := rand.New(rand.NewPCG(uint64(len(out)), 9)) // the same in any order of the rows
	beside := []rowEnd{
		{box: "oob-sw-1", port: "ge-0/0/7"},
		{box: "pdu-a", port: "7", kind: "power"},
		{box: "console-1", port: "3", kind: "console"},
		{box: "Storage-1.example.com", port: "e0a"},
	}
	own := []rowEnd{
		{port: "eno1"},
		{port: "bmc"},
		{port: "mgmt0"},
		{port: "Management1"},
		{port: "eth0"},
		{port: "iDRAC"},
		{port: "PSU1", kind: "power"},
		{port: "console", kind: "console"},
		{port: "Ethernet999"},
		{port: "ens1f0np9"},
	}
	n := int32(len(m.p.first) - 1)
	for i, e := range own {
		e.v, e.at = rnd.Int32N(n), -1
		e.box = m.box(e.v)
		if at := m.named(e.v, e.port); at >= 0 && m.p.planned[at] >= 0 {
			continue // it is a port of the plan
		}
		far := beside[[]int{0, 0, 3, 0, 3, 0, 1, 2, 3, 3}[i]]
		far.v, far.at, far.port = -1, -1, fmt.Sprint(far.port, i)
		out = append(out, row{e, far})
	}
	v, w := rnd.Int32N(n), rnd.Int32N(n)
	out = append(out, row{{v, -1, m.box(v), "eno7", ""}, {w, -1, m.box(w), "mgmt7", ""}},
		row{{-1, -1, "visitor-1", "1", ""}, {-1, -1, "visitor-2", "2", ""}})
	for i, at := range m.free(func(v int32) bool { return v%7 == 0 }) {
		if i%9 == 0 && i < 100 && !m.claimed(at) {
			out = append(out, row{
				{m.p.vertex(at), at, m.box(m.p.vertex(at)), m.port(style, at), ""},
				{-1, -1, "visitor-3", fmt.Sprint("eth", i), ""},
			})
		}
	}
	for i := range out {
		if m.rnd.IntN(2) == 0 {
			out[i][0], out[i][1] = out[i][1], out[i][0]
		}
	}
	return shuffle(m.rnd, out)
}

// claimed reports whether a row claims a port that another has.
func (m *built) claimed(at int32) bool {
	return slices.ContainsFunc(m.clashes, func(c builtCable) bool { return c.ends[0] == at || c.ends[1] == at })
}

// networkRows are the rows between ports of a network.
func networkRows(rows []row) []row {
	return slices.DeleteFunc(rows, func(r row) bool { return r[0].kind+r[1].kind != "" })
}

// table writes rows of a table with a separator.
func table(separator rune, rows [][]string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = separator
	_ = w.WriteAll(rows)
	return b.String()
}

// split divides rows among files: which is in which does not depend on their order.
func split(parts int, rows []row, name string, write func(rows []row) string) map[string]string {
	of := make([][]row, parts)
	for _, r := range rows {
		i := 0
		for _, e := range r {
			for _, c := range e.box + e.port {
				i += int(c)
			}
		}
		of[i%parts] = append(of[i%parts], r)
	}
	out := map[string]string{}
	for i := range of {
		out[fmt.Sprintf("%d%s", i, name)] = write(of[i])
	}
	return out
}

func document(x any) string {
	out, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return string(out)
}

type object = map[string]any

// onlyInSubnets are the faults that tables and neighbours do not show.
var onlyInSubnets = []Kind{WrongRate, WrongWidth, UnknownPort}

// inTables is a form of rows.
func inTables(name string, write func(m *built, rows []row) map[string]string) sourceForm {
	return sourceForm{
		name: name, named: true, cannot: onlyInSubnets, write: func(m *built, style string) map[string]string {
			return write(m, m.rows(style))
		},
	}
}

// heardAt is a neighbour that a port hears.
type heardAt struct{ own, box, port, kind, descr, chassis string }

// hearings are what boxes hear: of several neighbours of a port the right one is anywhere, and interfaces of VLANs hear
// as well. Full forms tell what the id of a port is, and a description;
// plain ones always tell the name.
func (m *built) hearings(style string, full, plain bool) map[int32][]heardAt {
	out := map[int32][]heardAt{}
	for _, r := range networkRows(m.rows(style)) {
		for side := range r {
			near, far := r[side], r[1-side]
			if near.v < 0 || m.untold[near.at] && near.at >= 0 {
				continue
			}
			h := heardAt{own: near.port, box: far.box, port: far.port, kind: "ifname", descr: "to " + near.box}
			mac := fmt.Sprintf("02:00:00:%02x:%02x:%02x", byte(far.at>>16), byte(far.at>>8), byte(far.at))
			h.chassis = fmt.Sprintf("06:00:00:00:%02x:%02x", byte(far.v>>8), byte(far.v))
			mode := 0
			switch {
			case far.at < 0 || plain:
			case m.untold[far.at]:
				mode = 2
			case len(m.want) == 0 && full:
				mode = int(far.at) % 6
			case len(m.want) == 0:
				mode = 2 * (int(far.at) % 2)
			case full:
				mode = int(far.at) % 2
			}
			if mode == 1 && style == "other" { // a description counts only if it is exactly a name
				mode = 0
			}
			switch mode {
			case 1:
				h.port, h.kind, h.descr = mac, "mac", far.port
			case 2:
				h.port, h.kind, h.descr = mac, "mac", "some text"
			case 3:
				h.port, h.kind, h.descr = "622", "local", near.box+":"+near.port
			case 4:
				h.port, h.kind, h.descr = h.chassis, "mac", ""
			case 5:
				h.kind = "local"
			}
			if digits(h.port) && h.kind == "ifname" && !full && len(m.want) > 0 {
				return nil // the form does not tell a number from the index of an interface
			}
			out[near.v] = append(out[near.v], h)
			if near.at >= 0 && near.at%3 == 0 {
				out[near.v] = append(out[near.v],
					heardAt{near.port, "dpu-9", "p0", "ifname", "", "06:00:00:01:00:00"},
					heardAt{
						near.port, fmt.Sprint("bmc-of-", far.v), "02:00:01:00:00:01", "mac", "eno1",
						"06:00:00:02:00:00",
					})
			}
			if near.at >= 0 && near.at%4 == 0 {
				vlan := h
				vlan.own += ".665"
				out[near.v] = append(out[near.v], vlan)
			}
		}
	}
	if len(m.untold) > 0 { // hosts do not tell, and switches see all
		for _, c := range m.cables {
			if !m.isSwitch(m.p.vertex(c.ends[0])) && !m.isSwitch(m.p.vertex(c.ends[1])) {
				return nil
			}
		}
		for v := range out {
			if !m.isSwitch(v) {
				delete(out, v)
			}
		}
	}
	for v := range out {
		out[v] = shuffle(m.rnd, out[v])
	}
	return out
}

// inFiles is a form of what each box hears, in a file of its own.
func inFiles(name, ending string, full, plain bool, write func(host string, all []heardAt) string) sourceForm {
	cannot := []Kind{WrongRate, WrongWidth, Conflict}
	if !full {
		cannot = append(cannot, UnknownPort)
	}
	return sourceForm{name: name, named: true, cannot: cannot, write: func(m *built, style string) map[string]string {
		all := m.hearings(style, full, plain)
		if all == nil {
			return nil
		}
		out := map[string]string{}
		for v, heard := range all {
			out[strings.ReplaceAll(m.box(v), "/", "_")+ending] = write(m.box(v), heard)
		}
		return out
	}}
}

func value(x string) []object { return []object{{"value": x}} }

func data(x string) []object { return []object{{"data": x}} }

// adapter is how a subnet calls a port: the device, as its description, and the number; ok is false for what is in no
// subnet.
func (m *built) adapter(at int32) (description, role string, number int, ok bool) {
	v := m.p.vertex(at)
	name, k := m.p.schedule.Device(v), m.kind(v)
	id := m.p.names.PortIdentity(k, int(at-m.p.first[v]))
	number = m.p.names.PortNumber(k, int(at-m.p.first[v]))
	switch {
	case strings.ContainsAny(name, `"'`):
		return "", "", 0, false
	case m.isSwitch(v):
		if v%2 == 0 {
			name = "MF0;" + name + ":MQM9700/U1"
		}
		return name, "switch", number, number > 0
	case m.p.names.Devices(k):
		return name + " " + id.Device, "adapter", 1, id.Device != ""
	case m.p.schedule.Boxes[k] != nil && len(m.p.schedule.Boxes[k].Ports) == 1 && m.p.names.PortCount(k) == 1 &&
		v%2 == 0:
		return name + " HCA-1", "adapter", number, number > 0
	}
	return name, "adapter", number, number > 0
}

// rateWord is the word for the rate of the lanes of a planned link that has four, "" where there is none.
func rateWord(p *Plan, link int) string {
	s := sight{p: p}
	return map[float64]string{
		40: "QDR", 56: "FDR", 100: "EDR", 200: "HDR", 400: "NDR", 800: "XDR",
	}[float64(s.rate(int32(link)))]
}

// subnetEnd is an end of a link in a subnet.
type subnetEnd struct {
	name, role string
	guid       uint64 // of the device
	port       int
}

func (e *subnetEnd) id() string {
	return map[string]string{"switch": "S", "adapter": "H"}[e.role] + fmt.Sprintf("-%016x", e.guid)
}

func (e *subnetEnd) word() string { return map[string]string{"switch": "SW", "adapter": "CA"}[e.role] }

// portGUID is that of the port: of a switch one for all.
func (e *subnetEnd) portGUID() uint64 {
	if e.role == "switch" {
		return e.guid
	}
	return e.guid + uint64(e.port)
}

// subnetLink is a link in a subnet.
type subnetLink struct {
	ends [2]subnetEnd
	rate string
}

// subnet is the links of a subnet, with adapters inside switches and hosts that the plan does not have.
func (m *built) subnet() []subnetLink {
	guids := map[string]uint64{}
	guid := func(name string) uint64 {
		if guids[name] == 0 {
			guids[name] = 0x2c90300_0000_0000 + uint64(len(guids)+1)<<8
		}
		return guids[name]
	}
	var out []subnetLink
	used := map[string]bool{}
	for i, c := range m.cables {
		var l subnetLink
		for side, at := range c.ends {
			name, role, number, _ := m.adapter(at)
			l.ends[side] = subnetEnd{name, role, guid(name), number}
			used[fmt.Sprint(name, number)] = true
		}
		if l.rate = c.rate; l.rate == "" && i < len(m.p.links) {
			if word := m.planRate(c); word != "" {
				l.rate = "4x" + word
			}
		}
		out = append(out, l)
	}
	visitor := 0
	for v := range int32(len(m.p.first) - 1) {
		name, role, _, ok := m.adapter(m.p.first[v])
		if _, known := guids[name]; !ok || role != "switch" || !known {
			continue
		}
		most := 0
		for k := range m.p.names.PortCount(m.kind(v)) {
			most = max(most, m.p.names.PortNumber(m.kind(v), k))
		}
		inside := fmt.Sprint("sharp", v)
		out = append(out, subnetLink{[2]subnetEnd{
			{name, role, guid(name), most + 1},
			{"Mellanox Technologies Aggregation Node", "adapter", guid(inside), 1},
		}, ""})
		for k := range most {
			at := m.p.first[v] + int32(k)
			if n := m.p.names.PortNumber(m.kind(v), k); v%3 == 0 && at < m.p.first[v+1] && m.p.planned[at] < 0 &&
				n > 0 && !used[fmt.Sprint(name, n)] {
				visitor++
				far := fmt.Sprintf("visitor-%d mlx5_0", visitor)
				out = append(out, subnetLink{
					[2]subnetEnd{{name, role, guid(name), n}, {far, "adapter", guid(far), 1}},
					"",
				})
				break
			}
		}
	}
	for i := range out {
		if m.rnd.IntN(2) == 0 {
			out[i].ends[0], out[i].ends[1] = out[i].ends[1], out[i].ends[0]
		}
	}
	return shuffle(m.rnd, out)
}

// planRate is the word for the planned rate of a cable, as the least of its ports has it.
func (m *built) planRate(c builtCable) string {
	for _, at := range c.ends {
		if l := m.p.planned[at]; l >= 0 && len(m.want) == 0 {
			return rateWord(m.p, int(l))
		}
	}
	if l := m.p.planned[c.ends[0]]; l >= 0 && m.p.planned[c.ends[1]] == l {
		return rateWord(m.p, int(l))
	}
	return ""
}

// devices are the ends by the device that they are of, each with the far end.
func devices(links []subnetLink) (order []subnetEnd, ends map[uint64][]subnetLink) {
	ends = map[uint64][]subnetLink{}
	for _, l := range links {
		for side, e := range l.ends {
			if ends[e.guid] == nil {
				order = append(order, e)
			}
			ends[e.guid] = append(ends[e.guid], subnetLink{[2]subnetEnd{e, l.ends[1-side]}, l.rate})
		}
	}
	return order, ends
}

// inSubnet is a form of what programs of InfiniBand find.
func inSubnet(name string, write func(m *built, links []subnetLink) string) sourceForm {
	return sourceForm{
		name: name, cannot: []Kind{Conflict, UnknownPort},
		can: func(m *built, at int32) bool { _, _, _, ok := m.adapter(at); return ok },
		write: func(m *built, _ string) map[string]string {
			return map[string]string{"fabric.txt": write(m, m.subnet())}
		},
	}
}

// linkInfoRate is a rate as iblinkinfo has it.
func linkInfoRate(rate string) string {
	width, word, ok := strings.Cut(rate, "x")
	if !ok {
		return "             "
	}
	return width + "X " + map[string]string{
		"SDR": "2.5", "QDR": "10.0", "FDR": "14.0625", "EDR": "25.78125", "HDR": "53.125", "NDR": "106.25",
		"XDR": "212.5",
	}[word] + " Gbps"
}

func linkInfoLine(l subnetLink, guids bool) string {
	near, far := l.ends[0], l.ends[1]
	text := fmt.Sprintf("%d    %d[  ] ==( %s Active/  LinkUp)==> ", near.guid>>8&0xfff, near.port, linkInfoRate(l.rate))
	if guids {
		return fmt.Sprintf("0x%016x \"%26s\" %s 0x%016x %d    %d[  ] %q ( )\n", near.portGUID(), near.name, text,
			far.portGUID(), far.guid>>8&0xfff, far.port, far.name)
	}
	return fmt.Sprintf("           %s %d    %d[  ] %q ( )\n", text, far.guid>>8&0xfff, far.port, far.name)
}

// page is a text that grows.
type page struct{ strings.Builder }

func newPage(text string) *page {
	p := &page{}
	p.WriteString(text)
	return p
}

func (p *page) addf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// sourceForms are all forms.
var sourceForms = []sourceForm{
	inTables("cables.csv", func(m *built, rows []row) map[string]string {
		out := [][]string{{"by", "b_port", "b_device", "a_port", "a_device", "done"}}
		for _, r := range rows {
			out = append(out, []string{"me", r[1].port, r[1].box, r[0].port, r[0].box, pick(m.rnd, "x", "yes", "ok")})
		}
		return map[string]string{"cables.csv": "Cables of the hall\n" + table(';', out)}
	}),
	inTables("NetBox: cables", func(m *built, rows []row) map[string]string {
		types := map[string]string{"": "dcim.interface", "power": "dcim.powerport", "console": "dcim.consoleport"}
		return split(3, rows, ".csv", func(rows []row) string {
			out := [][]string{{
				"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "status",
			}}
			for _, r := range rows {
				out = append(out, []string{
					r[0].box, types[r[0].kind], r[0].port, r[1].box, types[r[1].kind], r[1].port, "connected",
				})
			}
			return table(',', out)
		})
	}),
	inTables("NetBox: pages", func(m *built, rows []row) map[string]string {
		types := map[string]string{"": "dcim.interface", "power": "dcim.powerport", "console": "dcim.consoleport"}
		all, id := len(rows), 0
		return split(4, rows, ".json", func(rows []row) string {
			list := []object{}
			for _, r := range rows {
				x := object{"id": id + 1, "status": object{"value": "connected"}}
				for side, key := range []string{"a_terminations", "b_terminations"} {
					x[key] = []object{{
						"object_type": types[r[side].kind],
						"object":      object{"device": object{"name": r[side].box}, "name": r[side].port},
					}}
				}
				list = append(list, x)
				id++
			}
			var next any
			if id < all {
				next = fmt.Sprintf("http://nb/api/dcim/cables/?limit=9&offset=%d", id)
			}
			return document(object{"count": all, "next": next, "previous": nil, "results": list})
		})
	}),
	inTables("point-to-point", func(m *built, rows []row) map[string]string {
		return split(2, networkRows(rows), ".csv", func(rows []row) string {
			out := [][]string{{"Rack", "U", "Name", "HCA/Port", "Rack", "U", "Name", "Port"}}
			for _, r := range rows {
				out = append(out, []string{"", "", r[0].box, r[0].port, "", "", r[1].box, r[1].port})
			}
			return table(',', out)
		})
	}),
	inTables("AVD", func(m *built, rows []row) map[string]string {
		out := [][]string{{
			"Node Type", "Node", "Node Interface", "Peer Type", "Peer Node", "Peer Interface", "Node Interface Enabled",
		}}
		for _, r := range networkRows(rows) {
			for side, e := range r { // both boxes list the link
				far := r[1-side]
				out = append(out, []string{"l3leaf", e.box, e.port, "", far.box, far.port, "True"})
				if e.at < 0 {
					out = append(out, []string{"l3leaf", e.box, e.port + "8", "", "", "", "True"},
						[]string{"l3leaf", e.box, e.port + "9", "", far.box, far.port, "False"})
				}
			}
		}
		return map[string]string{"avd.csv": table(',', out)}
	}),
	inTables("SHCD", func(m *built, rows []row) map[string]string {
		out := [][]string{strings.Split("Source,Rack,Location,Slot,,Port,Destination,Rack,Location,,Port", ",")}
		jack := func(port string) string {
			if digits(port) {
				return "j" + port
			}
			return port
		}
		for _, r := range networkRows(rows) {
			out = append(out, []string{
				r[0].box, "", "", "", "-", jack(r[0].port), r[1].box, "", "", "-",
				jack(r[1].port),
			})
		}
		return map[string]string{"10G.csv": table(',', out)}
	}),
	inTables("ptm", func(m *built, rows []row) map[string]string {
		return split(2, networkRows(rows), ".dot", func(rows []row) string {
			text := newPage("graph x {\n")
			for _, r := range rows {
				text.addf("%q:%q -- %q:%q;\n", r[0].box, r[0].port, r[1].box, r[1].port)
			}
			return text.String() + "}\n"
		})
	}),
	inTables("containerlab", func(m *built, rows []row) map[string]string {
		nodes, links, seen := newPage("name: lab\ntopology:\n  nodes:\n"), newPage("  links:\n"),
			map[string]bool{}
		for _, r := range networkRows(rows) {
			for _, e := range r {
				if !seen[e.box] {
					seen[e.box] = true
					nodes.addf("    %q:\n      kind: linux\n", e.box)
				}
			}
			links.addf("    - {type: veth, endpoints: [{node: %q, interface: %q}, {node: %q, interface: %q}]}\n",
				r[0].box, r[0].port, r[1].box, r[1].port)
		}
		return map[string]string{"lab.yml": nodes.String() + links.String() + "    - endpoints: [\"" +
			"visitor-9:eth1\", \"host:br0\"]\n"}
	}),
	inTables("netlab", func(m *built, rows []row) map[string]string {
		var nodes []string
		seen := map[string]bool{}
		links := newPage("provider: clab\nlinks:\n")
		for _, r := range networkRows(rows) {
			for _, e := range r {
				if !seen[e.box] {
					seen[e.box] = true
					nodes = append(nodes, e.box)
				}
			}
			links.addf("- interfaces: [{node: %q, ifname: %q}, {node: %q, ifname: %q}]\n", r[0].box, r[0].port,
				r[1].box, r[1].port)
		}
		text := newPage("nodes:\n")
		for _, n := range nodes {
			text.addf("  %q: {}\n", n)
		}
		return map[string]string{"topology.yml": links.String() + text.String()}
	}),
	inTables("DSX Air", func(m *built, rows []row) map[string]string {
		nodes, links := object{}, []any{}
		for _, r := range networkRows(rows) {
			var ends []object
			for _, e := range r {
				nodes[e.box] = object{"os": "cumulus-vx-5.16.1"}
				ends = append(ends, object{"node": e.box, "interface": e.port})
			}
			links = append(links, ends)
		}
		content := object{"nodes": nodes, "links": links}
		return map[string]string{"air.json": document(object{"format": "JSON", "title": "p", "content": content})}
	}),
	inTables("Batfish", func(m *built, rows []row) map[string]string {
		edges := []object{}
		for _, r := range networkRows(rows) {
			edges = append(edges, object{
				"node1": object{"hostname": r[0].box, "interfaceName": r[0].port},
				"node2": object{"hostname": r[1].box, "interfaceName": r[1].port},
			})
		}
		return map[string]string{"layer1_topology.json": document(object{"edges": edges})}
	}),
	inFiles("lldpctl -f json", ".json", true, false, func(host string, all []heardAt) string {
		list := []object{}
		for _, h := range all {
			list = append(list, object{h.own: object{
				"via": "LLDP", "chassis": object{h.box: object{"id": object{"type": "mac", "value": h.chassis}}},
				"port": object{"id": object{"type": h.kind, "value": h.port}, "descr": h.descr},
			}})
		}
		return document(object{"host": host, "lldp": object{"interface": list}})
	}),
	inFiles("lldpctl -f json0", ".json", true, false, func(host string, all []heardAt) string {
		list := []object{}
		for _, h := range all {
			list = append(list, object{
				"name": h.own, "via": "LLDP",
				"chassis": []object{{"name": value(h.box), "id": []object{{"type": "mac", "value": h.chassis}}}},
				"port":    []object{{"id": []object{{"type": h.kind, "value": h.port}}, "descr": value(h.descr)}},
			})
		}
		return document(object{"host": host, "lldp": []object{{"interface": list}}})
	}),
	inFiles("EOS", ".json", false, false, func(host string, all []heardAt) string {
		list := []object{}
		for _, h := range all {
			list = append(list, object{"port": h.own, "neighborDevice": h.box, "neighborPort": h.port, "ttl": 120})
		}
		return document(object{"host": host, "lldpNeighbors": list})
	}),
	inFiles("EOS: detail", ".json", true, false, func(host string, all []heardAt) string {
		ports := map[string]object{}
		for _, h := range all {
			info := []object{}
			if was, ok := ports[h.own]; ok {
				info = was["lldpNeighborInfo"].([]object)
			}
			kind := map[string]string{"mac": "macAddress", "ifname": "interfaceName", "local": "local"}[h.kind]
			ports[h.own] = object{"lldpNeighborInfo": append(info, object{
				"systemName": h.box, "chassisId": h.chassis, "chassisIdType": "macAddress",
				"neighborInterfaceInfo": object{
					"interfaceId": `"` + h.port + `"`, "interfaceId_v2": h.port, "interfaceIdType": kind,
					"interfaceDescription": h.descr,
				},
			})}
		}
		return document(object{"jsonrpc": "2.0", "result": []object{{"hostname": host}, {"lldpNeighbors": ports}}})
	}),
	inFiles("NX-OS", ".json", false, false, func(host string, all []heardAt) string {
		list := []object{}
		for _, h := range all {
			list = append(list, object{"chassis_type": "4", "chassis_id": h.box, "l_port_id": h.own, "port_id": h.port})
		}
		return document(object{"host": host, "TABLE_nbor": object{"ROW_nbor": list}, "neigh_count": len(list)})
	}),
	inFiles("Junos", ".json", false, false, func(host string, all []heardAt) string {
		list := []object{}
		for _, h := range all {
			own := "lldp-local-port-id"
			if len(list)%2 == 0 {
				own = "lldp-local-interface"
			}
			list = append(list, object{
				own: data(h.own), "lldp-remote-chassis-id": data(h.chassis), "lldp-remote-system-name": data(h.box),
				"lldp-remote-port-id": data(h.port),
			})
		}
		return document(object{
			"host":                       host,
			"lldp-neighbors-information": []object{{"lldp-neighbor-information": list}},
		})
	}),
	inFiles("SONiC: show lldp table", ".txt", false, false, func(host string, all []heardAt) string {
		line := "%-24s %-60s %-24s %-12s %s\n"
		text := newPage("Capability codes: (R) Router, (B) Bridge, (O) Other\n" +
			fmt.Sprintf(line, "LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr") +
			fmt.Sprintf(line, strings.Repeat("-", 23), strings.Repeat("-", 59), strings.Repeat("-", 23),
				strings.Repeat("-", 11), strings.Repeat("-", 15)))
		for _, h := range all {
			text.addf(line, h.own, h.box, h.port, "BR", h.descr)
		}
		return text.String() + strings.Repeat("-", 70) + fmt.Sprintf("\nTotal entries displayed:  %d\n", len(all))
	}),
	inFiles("SONiC: minigraph.xml", ".xml", false, true, func(host string, all []heardAt) string {
		escape := func(s string) string {
			var out bytes.Buffer
			_ = xml.EscapeText(&out, []byte(s))
			return out.String()
		}
		text := newPage(`<DeviceMiniGraph xmlns="Microsoft.Search.Autopilot.Evolution">` +
			`<PngDec><DeviceInterfaceLinks>` + "\n")
		for _, h := range all {
			if strings.Contains(h.own, ".665") || h.box == "dpu-9" || strings.HasPrefix(h.box, "bmc-of-") {
				continue // only what is heard
			}
			text.addf("<DeviceLinkBase><ElementType>DeviceInterfaceLink</ElementType><StartDevice>%s</StartDevice>"+
				"<StartPort>%s</StartPort><EndDevice>%s</EndDevice><EndPort>%s</EndPort></DeviceLinkBase>\n",
				escape(h.box),
				escape(h.port), escape(host), escape(h.own))
		}
		return text.String() + "</DeviceInterfaceLinks></PngDec><Hostname>" + escape(host) +
			"</Hostname></DeviceMiniGraph>\n"
	}),
	inSubnet("ibnetdiscover", func(m *built, links []subnetLink) string {
		text := newPage("ibwarn: [123] _do_madrpc: recv failed\n" +
			"#\n# Topology file: generated on Mon Jan  1 00:00:00 2026\n#\n")
		order, ends := devices(links)
		for _, d := range shuffle(m.rnd, order) {
			word := map[string]string{"switch": "Switch", "adapter": "Ca"}[d.role]
			text.addf("\nvendid=0x2c9\n%sguid=0x%x(%x)\n%s\t%d %q\t\t# %q lid 7\n", strings.ToLower(word), d.guid,
				d.guid, word, 200, d.id(), d.name)
			for _, l := range ends[d.guid] {
				text.addf("[%d]\t%q[%d](%x)\t\t# %q lid 9 %s\n", l.ends[0].port, l.ends[1].id(), l.ends[1].port,
					l.ends[1].portGUID(), l.ends[1].name, l.rate)
			}
		}
		return text.String()
	}),
	inSubnet("ibnetdiscover -p", func(m *built, links []subnetLink) string {
		text := newPage("")
		for _, l := range links {
			for _, e := range [][2]subnetEnd{l.ends, {l.ends[1], l.ends[0]}} {
				width, word, ok := strings.Cut(l.rate, "x")
				if !ok {
					width, word = "?", "???"
				}
				text.addf("%s %5d %2d 0x%016x %sx %s - %s %5d %2d 0x%016x ( '%s' - '%s' )\n", e[0].word(),
					e[0].guid>>8&0xfff, e[0].port, e[0].portGUID(), width, word, e[1].word(), e[1].guid>>8&0xfff,
					e[1].port,
					e[1].portGUID(), e[0].name, e[1].name)
			}
		}
		return text.String()
	}),
	inSubnet("iblinkinfo", func(m *built, links []subnetLink) string {
		text := newPage("")
		order, ends := devices(links)
		for _, d := range shuffle(m.rnd, order) {
			if d.role == "adapter" {
				text.addf("CA: %s:\n", d.name)
			} else {
				text.addf("Switch: 0x%016x %s:\n", d.guid, d.name)
			}
			for _, l := range ends[d.guid] {
				line := linkInfoLine(l, false)
				if d.role == "adapter" {
					line = fmt.Sprintf("      0x%016x %s", l.ends[0].portGUID(), strings.TrimLeft(line, " "))
				}
				text.WriteString(line)
			}
			if d.role == "switch" {
				text.addf("           %d  199[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n",
					d.guid>>8&0xfff)
			}
		}
		return text.String()
	}),
	inSubnet("iblinkinfo --line", func(m *built, links []subnetLink) string {
		text := newPage("")
		for _, l := range links {
			text.WriteString(linkInfoLine(l, true) + linkInfoLine(subnetLink{
				[2]subnetEnd{l.ends[1], l.ends[0]},
				l.rate,
			}, true))
		}
		return text.String()
	}),
	inSubnet("ibdiagnet2.db_csv", func(m *built, links []subnetLink) string {
		nodes := newPage("START_NODES\nNodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,PortGUID\n")
		ports := newPage("START_PORTS\nNodeGuid,PortGuid,PortNum,LinkWidthActv,LinkSpeedActv,PortState\n")
		order, ends := devices(links)
		for _, d := range shuffle(m.rnd, order) {
			nodes.addf("%q,200,%d,0x%016x,0x%016x,0x%016x\n", d.name,
				map[string]int{"adapter": 1, "switch": 2}[d.role], d.guid, d.guid, d.portGUID())
			for _, l := range ends[d.guid] {
				width, word, _ := strings.Cut(l.rate, "x")
				speed, ok := map[string]int{
					"SDR": 1, "QDR": 4, "FDR": 256, "EDR": 512, "HDR": 1024, "NDR": 2048, "XDR": 4096,
				}[word]
				if ok {
					ports.addf("0x%016x,0x%016x,%d,%d,%d,4\n", d.guid, l.ends[0].portGUID(), l.ends[0].port,
						map[string]int{"1": 1, "4": 2}[width], speed)
				}
			}
		}
		text := newPage("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n")
		for _, l := range links {
			text.addf("0x%016x,%d,0x%016x,%d\n", l.ends[0].guid, l.ends[0].port, l.ends[1].guid, l.ends[1].port)
		}
		return nodes.String() + "END_NODES\n" + ports.String() + "END_PORTS\n" + text.String() + "END_LINKS\n"
	}),
	inSubnet("ibdiagnet2.lst", func(m *built, links []subnetLink) string {
		text := newPage("")
		for _, l := range links {
			for _, e := range l.ends {
				text.addf("{ %s Ports:c8 SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:000002C9 "+
					"DevID:0000d2f2 Rev:000000a0 {%s} LID:0009 PN:%02x } ", e.word(), e.guid, e.guid, e.portGUID(),
					e.name,
					e.port)
			}
			width, word, ok := strings.Cut(l.rate, "x")
			if !ok {
				text.WriteString("PHY=4x LOG=ACT SPD=???\n")
				continue
			}
			text.addf("PHY=%sx LOG=ACT SPD=%s\n", width, map[string]string{
				"SDR": "2.5", "QDR": "10", "FDR": "14", "EDR": "25", "HDR": "50", "NDR": "100", "XDR": "200",
			}[word])
		}
		return text.String()
	}),
}
