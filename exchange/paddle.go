package exchange

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

func isPaddle(head []byte) bool {
	keys := jsonKeys(head)
	return keys["topology"] == 1 && (keys["canu_version"] == 1 || keys["common_name"] == 2)
}

// elevation is a rack unit in a paddle, or the lowest of several.
var elevation = lazyregexp.New(`(?i)^u(\d{1,3})(?:\D|$)`)

// ReadPaddle reads a paddle of HPE's CANU (JSON): the network as it is planned, with every link at both of its ends. A
// port in a slot is called by both, as CANU prints it: "ocp:1". The racks and units of devices become places, 0 for a
// unit that is not known. The error is the first mistake, with its place in the file.
func ReadPaddle(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	l := newLab(path)
	names, racks := map[string]string{}, map[string]bool{}
	nodes := items(get(root, "topology"))
	for _, n := range nodes {
		id, name := textOf(n, "id"), textOf(n, "common_name")
		switch {
		case n.Kind != yaml.MappingNode || id == "" || name == "":
			return nil, mistake(path, n, "the device has no id or no common_name", "")
		case names[id] != "":
			return nil, mistake(path, n, fmt.Sprintf("the id %.40s is there twice", id), "")
		}
		names[id] = name
		l.w.Boxes[l.node(name)].Model = textOf(n, "model")
		place := Place{
			Box: name, Rack: cmp.Or(textOf(get(n, "location"), "rack"), textOf(n, "rack_number")), Line: n.Line,
		}
		at := cmp.Or(textOf(get(n, "location"), "elevation"), textOf(n, "rack_elevation"))
		if m := elevation.FindStringSubmatch(at); m != nil {
			place.Unit, _ = strconv.Atoi(m[1])
		}
		if place.Rack != "" {
			l.w.Places = append(l.w.Places, place)
			if !racks[place.Rack] {
				racks[place.Rack] = true
				l.w.Racks = append(l.w.Racks, Rack{Name: place.Rack, Line: n.Line})
			}
		}
	}
	for _, n := range nodes {
		for _, p := range items(get(n, "ports")) {
			id := textOf(p, "destination_node_id")
			if id == "" {
				continue // nothing is in the port
			}
			far, ok := names[id]
			if !ok {
				return nil, mistake(path, p, fmt.Sprintf("there is no device with the id %.40s", id), "")
			}
			l.cable(p.Line, textOf(n, "common_name"), joinSlot(textOf(p, "slot"), textOf(p, "port")),
				far, joinSlot(textOf(p, "destination_slot"), textOf(p, "destination_port")))
		}
	}
	return l.end(), nil
}

// joinSlot returns a port with its slot, "ocp:1", or the port alone if either is "".
func joinSlot(slot, port string) string {
	if slot == "" || port == "" {
		return port
	}
	return strings.Join([]string{slot, port}, ":")
}
