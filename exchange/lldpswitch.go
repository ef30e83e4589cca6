package exchange

import (
	"cmp"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

func isEOS(head []byte) bool { return jsonKeys(head)["lldpNeighbors"] > 0 }

// ReadEOS reads what show lldp neighbors | json prints on Arista's EOS, also with detail, by itself or as the answer of
// eAPI. The switch is called by the host name in the answer (show hostname), a key "host", or as the file is.
func ReadEOS(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	h := newHearing(root, path)
	for _, neighbours := range findAll(root, "lldpNeighbors") {
		if neighbours.Kind == yaml.SequenceNode {
			for _, n := range neighbours.Content {
				h.hear(heard{
					own: textOf(n, "port"), name: textOf(n, "neighborDevice"), port: textOf(n, "neighborPort"),
					line: n.Line,
				})
			}
			continue
		}
		for own, port := range pairs(neighbours) {
			for _, n := range items(get(port, "lldpNeighborInfo")) {
				far := get(n, "neighborInterfaceInfo")
				h.hear(heard{
					own: own, name: textOf(n, "systemName"), chassis: textOf(n, "chassisId"),
					address: textOf(get(n, "managementAddresses"), "address"), model: textOf(n, "systemDescription"),
					kind:  textOf(far, "interfaceIdType"),
					port:  cmp.Or(textOf(far, "interfaceId_v2"), strings.Trim(textOf(far, "interfaceId"), `"`)),
					descr: textOf(far, "interfaceDescription"), line: n.Line,
				})
			}
		}
	}
	return h.wiring(), nil
}

func isNXOS(head []byte) bool {
	keys := jsonKeys(head)
	return (keys["TABLE_nbor"] > 0 || keys["TABLE_nbor_detail"] > 0) && keys["l_port_id"] > 0
}

// ReadNXOS reads what show lldp neighbors | json prints on Cisco's NX-OS, also with detail, by itself or as the answer
// of NX-API. The switch is called by a key "host" or as the file is.
func ReadNXOS(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	h := newHearing(root, path)
	told := func(n *yaml.Node, key string) string {
		t := textOf(n, key)
		switch strings.ToLower(t) {
		case "not advertised", "null", "n/a":
			return ""
		}
		return t
	}
	for _, suffix := range []string{"", "_detail"} {
		for _, n := range findAll(root, "ROW_nbor"+suffix) {
			for _, n := range items(n) {
				name, chassis := told(n, "sys_name"), told(n, "chassis_id")
				if name == "" && macAddress(chassis) == "" {
					name = chassis // the short form has the name there
				}
				h.hear(heard{
					own: told(n, "l_port_id"), name: name, chassis: chassis, address: told(n, "mgmt_addr"),
					model: told(n, "sys_desc"), kind: told(n, "port_type"), port: told(n, "port_id"),
					descr: told(n, "port_desc"), line: n.Line,
				})
			}
		}
	}
	return h.wiring(), nil
}

func isJunos(head []byte) bool { return jsonKeys(head)["lldp-neighbors-information"] > 0 }

// ReadJunos reads what show lldp neighbors | display json prints on Juniper's Junos, also with detail. The switch is
// called by a key "host" or as the file is. Its own interfaces are called without the logical unit, as et-0/0/0.
func ReadJunos(path string, r io.Reader) (*Wiring, error) {
	root, err := readTree(path, r)
	if err != nil {
		return nil, err
	}
	h := newHearing(root, path)
	for _, n := range findAll(root, "lldp-neighbor-information") {
		for _, n := range items(n) {
			own := textOf(n, "lldp-local-interface", "lldp-local-port-id")
			if up := parents(own); len(up) > 0 {
				own = up[len(up)-1]
			}
			form := Named
			if strings.Trim(own, "0123456789") == "" {
				form = Untold // the index of the interface
			}
			h.hear(heard{
				own: own, ownForm: form,
				name: textOf(n, "lldp-remote-system-name"), chassis: textOf(n, "lldp-remote-chassis-id"),
				address: textOf(n, "lldp-remote-management-address"),
				model:   textOf(get(n, "lldp-system-description"), "lldp-remote-system-description"),
				kind:    textOf(n, "lldp-remote-port-id-subtype"), port: textOf(n, "lldp-remote-port-id"),
				descr: textOf(n, "lldp-remote-port-description"), line: n.Line,
			})
		}
	}
	return h.wiring(), nil
}

// sonicTable is the line of columns of show lldp table.
var sonicTable = lazyregexp.New(`(?m)^LocalPort +RemoteDevice +RemotePortID +Capability +RemotePortDescr`)

func isSONiCTable(head []byte) bool { return sonicTable.Match(head) }

// ReadSONiCTable reads what show lldp table prints on SONiC. The switch is called as the file is, without its ending.
func ReadSONiCTable(path string, r io.Reader) (*Wiring, error) {
	l, h := newLines(path, r), newHearing(nil, path)
	var starts []int // of columns
	table := false
	for {
		text, ok := l.next()
		if !ok {
			break
		}
		text = strings.TrimRight(text, " \r")
		switch {
		case sonicTable.MatchString(text):
			table, starts = true, nil
		case !table || text == "":
		case strings.Trim(text, "- ") == "" && starts == nil:
			starts = dashes(text)
			if len(starts) != 5 {
				l.wrong(1, "the line below the heads does not mark the 5 columns", "expected five groups of dashes")
			}
		case strings.Trim(text, "- ") == "" || strings.HasPrefix(text, "Total entries"):
			table = false
		case len(starts) != 5:
			l.wrong(1, "there is no line of dashes between the heads and the first neighbour", "")
			table = false
		default:
			var f [5]string
			row := []rune(text)
			for i, start := range starts {
				end := len(row)
				if i+1 < len(starts) {
					end = min(starts[i+1], end)
				}
				if start < end {
					f[i] = strings.TrimSpace(string(row[start:end]))
				}
			}
			if f[0] != "" { // else more of a text in several lines
				h.hear(heard{own: f[0], name: f[1], port: f[2], descr: f[4], line: l.line})
			}
		}
	}
	if err := l.end(); err != nil {
		return nil, err
	}
	return h.wiring(), nil
}

// dashes returns where the groups of dashes begin that mark the columns of a table.
func dashes(text string) []int {
	var out []int
	for i := range len(text) {
		if text[i] == '-' && (i == 0 || text[i-1] == ' ') {
			out = append(out, i)
		}
	}
	return out
}
