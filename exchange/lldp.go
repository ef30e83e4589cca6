package exchange

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

func isLLDP(head []byte) bool { return hasKeys(head, "lldp") }

// ReadLLDP reads what lldpctl -f json or -f json0 prints on a host, or net show lldp json of Cumulus: the neighbours of
// its ports. The host itself, which the output does not name, is called by a key "host" beside "lldp" that whoever
// gathered the files has added, else as the file is, without its ending. See hearing for what ports are called.
func ReadLLDP(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	h := newHearing(root, path)
	for _, entry := range items(get(root, "lldp", "interface")) {
		if entry.Kind != yaml.MappingNode {
			return nil, mistake(path, entry, "an interface is not as lldpctl writes it", "expected an object")
		}
		if name := get(entry, "name"); name != nil && name.Kind == yaml.ScalarNode {
			h.lldpctl(text(name), entry)
			continue
		}
		for name, neighbours := range pairs(entry) {
			for _, n := range items(neighbours) {
				if n.Kind != yaml.MappingNode {
					return nil, mistake(path, n, "an interface is not as lldpctl writes it", "expected an object")
				}
				h.lldpctl(name, n)
			}
		}
	}
	return h.wiring(), nil
}

// lldpctl takes a neighbour in a form of lldpctl: of json, where the chassis stands under its name, or of json0.
func (h *hearing) lldpctl(own string, n *yaml.Node) {
	if get(n, "status") != nil {
		h.own++ // lldpcli show interfaces: what the box says of itself
		return
	}
	chassis := get(n, "chassis")
	name := text(get(chassis, "name"))
	if id := get(chassis, "id"); name == "" && chassis != nil && (id == nil || get(id, "value") == nil) {
		for key, fields := range pairs(chassis) {
			if fields.Kind == yaml.MappingNode {
				name, chassis = key, fields
				break
			}
		}
	}
	port, inventory := get(n, "port"), get(n, "lldp-med", "inventory")
	h.hear(heard{
		own: own, name: name, chassis: text(get(chassis, "id")), address: textOf(chassis, "mgmt-ip"),
		model:  cmp.Or(textOf(inventory, "model"), textOf(chassis, "descr")),
		serial: textOf(inventory, "serial"),
		kind:   textOf(get(port, "id"), "type"), port: textOf(port, "id"), descr: textOf(port, "descr"), line: n.Line,
	})
}

// heard is a neighbour that a port hears, in the words of the source.
type heard struct {
	own                    string // the port
	ownForm                PortForm
	name, chassis          string // of the neighbour, and the id of its chassis
	address, model, serial string
	kind, port, descr      string // the kind of id of its port, the id, and the description
	line                   int
}

// hearing collects the neighbours that the ports of one box hear.
//
// The id of a neighbour's port names it if it is the name of an interface, or another text with a letter. A number
// alone may be the index of an interface and names nothing. A MAC address names the port, except where it is that of
// the chassis, which names only the box; the description beside a MAC address may name the port, too.
type hearing struct {
	b     *builder
	path  string
	host  string
	heard []heard
	own   int // interfaces of the box itself that stand in the place of neighbours
}

// newHearing begins with the box that a document is about: that under the key host or hostname, on the first levels, or
// what the file is called.
func newHearing(root *yaml.Node, path string) *hearing {
	host := textOf(root, "host", "hostname")
	if host == "" {
		host = cmp.Or(text(get(get(root, "result"), "hostname")), fileHost(path))
	}
	h := &hearing{b: newBuilder(), path: path, host: host}
	h.b.w.Boxes[h.b.box(host, host)].Listed = true
	return h
}

func (h *hearing) hear(n heard) {
	if mac := macAddress(n.name); mac != "" { // some print the id where there is no name
		n.name, n.chassis = "", cmp.Or(n.chassis, mac)
	}
	h.heard = append(h.heard, n)
}

// wiring returns what was heard. Several neighbours of one port are a choice, except where they are one cable: a port
// and its VLAN interfaces hear the same neighbour, and so do a bond, a bridge or a VLAN and a port of it.
func (h *hearing) wiring() *Wiring {
	byMAC := map[string]string{} // names by the MAC addresses of chassis
	for _, n := range h.heard {
		if mac := macAddress(n.chassis); mac != "" && n.name != "" {
			if was, ok := byMAC[mac]; !ok || n.name < was {
				byMAC[mac] = n.name
			}
		}
	}
	var links []Link
	for i := range h.heard {
		n := &h.heard[i]
		mac := macAddress(n.chassis)
		name := cmp.Or(n.name, byMAC[mac], mac, n.chassis)
		if n.own == "" || name == "" {
			note := "the neighbour of " + n.own + " has no name"
			if n.own == "" {
				note = "a neighbour is heard at no port"
			}
			h.b.w.Notes = append(h.b.w.Notes, h.host+": "+note)
			continue
		}
		box := h.b.box(name, name)
		x := &h.b.w.Boxes[box]
		if mac != "" && !slices.Contains(x.MACs, mac) {
			x.MACs = append(x.MACs, mac)
		}
		x.Address, x.Model = cmp.Or(x.Address, n.address), cmp.Or(x.Model, n.model)
		x.Serial = cmp.Or(x.Serial, n.serial)
		links = append(links, Link{
			A: End{Box: h.b.box(h.host, h.host), Port: n.own, Form: n.ownForm},
			B: lldpEnd(box, n.kind, n.port, n.descr, mac), Line: n.line,
		})
	}
	h.b.noteSkipped(h.path, h.own, "interface", "of the box itself")
	links = oncePerCable(links)
	count := map[string]int{}
	for i := range links {
		count[links[i].A.Port]++
	}
	choices := map[string]int{}
	for _, l := range links {
		if count[l.A.Port] > 1 {
			if choices[l.A.Port] == 0 {
				choices[l.A.Port] = len(choices) + 1
			}
			l.Choice = choices[l.A.Port]
		}
		h.b.link(l)
	}
	return h.b.w
}

// lldpadDescription is that of an interface as lldpad describes it.
var lldpadDescription = lazyregexp.New(`^Interface\s+\d+ as (\S+)$`)

// lldpEnd is the port of a neighbour whose chassis has a MAC address or not. The kind of its id is in the words of any
// system, and "" where it is not told.
func lldpEnd(box int, kind, id, descr, chassis string) End {
	kind = strings.ToLower(strings.ReplaceAll(kind, " ", ""))
	if m := lldpadDescription.FindStringSubmatch(descr); m != nil {
		descr = m[1]
	}
	mac := macAddress(id)
	e := End{Box: box, Port: id}
	switch {
	case mac != "" && mac == chassis:
		e.Port, e.Form, e.Also = mac, Untold, descr
	case mac != "":
		e.Port, e.Form, e.Also = mac, Hardware, descr
	case id == "":
		e.Form, e.Also = Untold, descr
	case kind == "ifname" || kind == "interfacename" || kind == "5":
	case strings.Trim(id, "0123456789") == "", kind == "ip", kind == "networkaddress", kind == "4":
		e.Form = Untold
	}
	return e
}

var macPattern = lazyregexp.New(`^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^[0-9a-f]{4}([.-])[0-9a-f]{4}[.-][0-9a-f]{4}$`)

// macMarks takes what stands between the digits of an address out.
var macMarks = strings.NewReplacer(":", "", "-", "", ".", "")

// macAddress returns a MAC address in small letters with colons, however it is divided; "" for any other text.
func macAddress(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if !macPattern.MatchString(text) {
		return ""
	}
	digits := macMarks.Replace(text)
	var out []string
	for i := 0; i < len(digits); i += 2 {
		out = append(out, digits[i:i+2])
	}
	return strings.Join(out, ":")
}

// oncePerCable leaves links out that are the cable of another one, all at the same box A. Which stays does not depend
// on their order.
func oncePerCable(links []Link) []Link {
	type seen struct {
		box  int
		port string
	}
	byFar := map[seen][]int{}
	byOwn := map[seen][]int{}
	for i := range links {
		l := &links[i]
		byFar[seen{l.B.Box, l.B.displayName()}] = append(byFar[seen{l.B.Box, l.B.displayName()}], i)
		byOwn[seen{l.B.Box, l.A.Port}] = append(byOwn[seen{l.B.Box, l.A.Port}], i)
	}
	var out []Link
	for i := range links {
		l := &links[i]
		own, far := parents(l.A.Port), parents(l.B.displayName())
		double := false
		for _, k := range byFar[seen{l.B.Box, l.B.displayName()}] {
			o := &links[k]
			switch {
			case o.A.Port == l.A.Port:
				double = double || k != i && before(o, l, k, i)
			case slices.Contains(own, o.A.Port), isVirtual(l.A.Port) && !isVirtual(o.A.Port):
				double = true
			}
		}
		for _, port := range append(own, l.A.Port) {
			for _, k := range byOwn[seen{l.B.Box, port}] {
				double = double || slices.Contains(far, links[k].B.displayName())
			}
		}
		if !double {
			out = append(out, *l)
		}
	}
	return out
}

// before orders links whose ends are called alike: one with the name of a port comes first.
func before(a, b *Link, i, k int) bool {
	return cmp.Or(cmp.Compare(a.B.Form, b.B.Form), cmp.Compare(a.B.Port, b.B.Port), cmp.Compare(i, k)) < 0
}

// displayName returns what people call the port of an end, as far as the source tells.
func (e End) displayName() string {
	if e.Form != Named && e.Also != "" {
		return e.Also
	}
	return e.Port
}

// parents are the interfaces that an interface such as eth1.665.2 is a VLAN of: eth1.665 and eth1.
func parents(port string) []string {
	var out []string
	for {
		i := strings.LastIndexByte(port, '.')
		if i <= 0 || i+1 == len(port) || strings.Trim(port[i+1:], "0123456789") != "" {
			return out
		}
		port = port[:i]
		out = append(out, port)
	}
}

var virtualPort = lazyregexp.New(
	`(?i)^(?:vlan|bond|team|bridge|vmbr|lag|port-?channel|br[-_]|(?:br|po|ae)\d)|\.\d+$`)

// isVirtual reports whether an interface is called as VLANs, bonds and bridges are, which have no plug of their own.
func isVirtual(port string) bool { return virtualPort.MatchString(port) }
