package exchange

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
)

func isConfigDB(head []byte) bool {
	return hasKeys(head, "DEVICE_NEIGHBOR") || hasKeys(head, "DEVICE_METADATA")
}

// ReadConfigDB reads the neighbours in config_db.json of a SONiC switch: what its configuration expects, not what it
// hears. The alias of a port may name it, too.
func ReadConfigDB(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	b := newBuilder()
	self := get(root, "DEVICE_METADATA", "localhost")
	host := cmp.Or(textOf(self, "hostname"), fileHost(path))
	box := func(name string, meta *yaml.Node) int {
		i := b.box(name, name)
		x := &b.w.Boxes[i]
		x.Model = cmp.Or(x.Model, textOf(meta, "hwsku"))
		x.Address = cmp.Or(x.Address, textOf(meta, "mgmt_addr"))
		return i
	}
	own := box(host, self)
	b.w.Boxes[own].Listed = true
	if mac := macAddress(textOf(self, "mac")); mac != "" {
		b.w.Boxes[own].MACs = []string{mac}
	}
	metas, ports := map[string]*yaml.Node{}, map[string]string{}
	for name, meta := range pairs(get(root, "DEVICE_NEIGHBOR_METADATA")) {
		metas[name] = meta
	}
	for name, port := range pairs(get(root, "PORT")) {
		if alias := textOf(port, "alias"); alias != name {
			ports[name] = alias
		}
	}
	for key, n := range pairs(get(root, "DEVICE_NEIGHBOR")) {
		local, name := textOf(n, "local_port"), textOf(n, "name")
		if local == "" {
			local = key
		} else {
			name = cmp.Or(name, key) // the table is by neighbour
		}
		if name == "" || local == "" {
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: the neighbour of %s has no name", host, local))
			continue
		}
		meta := metas[name]
		if meta == nil {
			meta = n
		}
		b.link(Link{
			A: End{Box: own, Port: local, Also: ports[local]},
			B: lldpEnd(box(name, meta), "", textOf(n, "port"), "", ""), Line: n.Line,
		})
	}
	return b.w, nil
}

func isMinigraph(head []byte) bool {
	head = bytes.TrimSpace(head)
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("<DeviceMiniGraph"))
}

// minigraphLink is a link of a minigraph.
type minigraphLink struct {
	Type                                       string `xml:"ElementType"`
	Bandwidth                                  string
	StartDevice, StartPort, EndDevice, EndPort string
}

// minigraphDevice is a device of a minigraph.
type minigraphDevice struct {
	Name    string `xml:"Hostname"`
	Model   string `xml:"HwSku"`
	Address struct {
		Prefix string `xml:"IPPrefix"`
	} `xml:"ManagementAddress"`
}

// ReadMinigraph reads the links in minigraph.xml of a SONiC switch, which lists those of the switch that it is for. Its
// ports may be called by their names or their aliases. Serial links and those between ASICs of a box are passed over.
func ReadMinigraph(path string, r io.Reader) (*Wiring, error) {
	in, b := csvtable.XML(path, r), newBuilder()
	wrong := func(line int, err error) error {
		return diag.List{{Pos: diag.Position{File: path, Line: line, Column: 1}, Message: err.Error()}}
	}
	var within []string
	other, host := 0, ""
	for {
		token, err := in.Token()
		line, _ := in.InputPos()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, wrong(line, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			if _, ends := token.(xml.EndElement); ends {
				within = within[:len(within)-1]
			}
			continue
		}
		parent := ""
		if len(within) > 0 {
			parent = within[len(within)-1]
		}
		switch {
		case parent == "DeviceInterfaceLinks" && start.Name.Local == "DeviceLinkBase":
			var l minigraphLink
			if err := in.DecodeElement(&l, &start); err != nil {
				return nil, wrong(line, err)
			}
			ends := []*string{&l.StartDevice, &l.StartPort, &l.EndDevice, &l.EndPort}
			named := true
			for _, e := range ends {
				*e = strings.TrimSpace(*e)
				named = named && *e != ""
			}
			if !named || strings.Contains(l.Type, "Serial") || strings.Contains(l.Type, "Logical") {
				other++
				continue
			}
			b.link(Link{
				A: lldpEnd(b.box(l.StartDevice, l.StartDevice), "ifname", l.StartPort, "", ""),
				B: lldpEnd(b.box(l.EndDevice, l.EndDevice), "ifname", l.EndPort, "", ""), Line: line,
			})
		case parent == "Devices" && start.Name.Local == "Device":
			var d minigraphDevice
			if err := in.DecodeElement(&d, &start); err != nil {
				return nil, wrong(line, err)
			}
			if d.Name == "" {
				continue
			}
			x := &b.w.Boxes[b.box(d.Name, d.Name)]
			x.Model = cmp.Or(x.Model, d.Model)
			address, _, _ := strings.Cut(d.Address.Prefix, "/")
			if strings.Trim(address, "0.:") != "" {
				x.Address = cmp.Or(x.Address, address)
			}
		case len(within) == 1 && start.Name.Local == "Hostname":
			if err := in.DecodeElement(&host, &start); err != nil {
				return nil, wrong(line, err)
			}
			host = strings.TrimSpace(host)
		default:
			within = append(within, start.Name.Local)
		}
	}
	if host != "" {
		b.w.Boxes[b.box(host, host)].Listed = true
	}
	b.noteSkipped(path, other, "link", "without two data ports that have a name")
	return b.w, nil
}

// noteSkipped notes that something of the source was passed over.
func (b *builder) noteSkipped(path string, count int, what, why string) {
	if count > 0 {
		verb := "is"
		if count > 1 {
			verb = "are"
		}
		b.w.Notes = append(b.w.Notes,
			fmt.Sprintf("%s: passed over %s %s %s", filepath.Base(path), verb, english.Count(count, what), why))
	}
}
