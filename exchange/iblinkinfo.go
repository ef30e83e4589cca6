package exchange

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// The output of iblinkinfo has a line for each port below a head for each device; with --line, each line names the
// device of its port and the GUID of the far one:
//
//	Switch: 0x0000000000200001 MF0;leaf-1:MQM9700/U1:
//	           3    1[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>       9    1[  ] "node-1 mlx5_0" ( )
//	           3    2[17] ==(                Down/ Polling)==>             [  ] "" ( )
//	CA: node-1 mlx5_0:
//	      0x0000000000100009      9    1[  ] ==( 4X ...
//	0x0000000000200001 "    leaf-1"      3    1[  ] ==( 4X ... )==>  0x0000000000100009      9    1[  ] "node-1" ( )
var (
	linkInfoHead = lazyregexp.New(`^(Switch|CA|Router): (?:(0x[0-9a-fA-F]+) )?(.*):$`)
	linkInfoNear = lazyregexp.New(`^(?:(0x[0-9a-fA-F]+)\s+(?:"\s*(.*)"\s+)?)?(\d+)\s+(\d+)\[\s*(\d*)\s*\]$`)
	linkInfoFar  = lazyregexp.New(`^(?:(0x[0-9a-fA-F]+)\s+)?(\d+)\s+(\d+)\[\s*(\d*)\s*\]\s+"(.*)"\s*\(.*\)$`)
	linkInfoRole = map[string]string{"Switch": "switch", "CA": "adapter", "Router": "router"}
)

func isIBLinkInfo(head []byte) bool {
	for line := range bytes.Lines(head) {
		if near, rest, ok := bytes.Cut(line, []byte("==(")); ok && linkInfoNear.Match(bytes.TrimSpace(near)) {
			return bytes.Contains(rest, []byte("==>"))
		}
	}
	return false
}

// linkInfo is a line of iblinkinfo.
type linkInfo struct {
	discoveredPort
	nearLID, farLID string // 0 where the subnet has no manager
	ambiguous       bool   // several devices may be at the far end
}

// ReadIBLinkInfo reads the output of iblinkinfo, with --line or without. Without, the far end of a link has a name and
// no GUID: it is the device of that name whose own line tells of the link. Where several devices are alike, the link is
// passed over, and a note counts such links.
func ReadIBLinkInfo(path string, r io.Reader) (*Wiring, error) {
	s := newSubnet(path, r)
	var all []linkInfo
	var head subnetPort
	for text, ok := s.next(); ok; text, ok = s.next() {
		text = strings.TrimSpace(text)
		if m := linkInfoHead.FindStringSubmatch(text); m != nil {
			head = subnetPort{role: linkInfoRole[m[1]], guid: hexGUID(m[2]), name: m[3]}
			continue
		}
		near, rest, ok := strings.Cut(text, "==(")
		state, far, arrow := strings.Cut(rest, "==>")
		m := linkInfoNear.FindStringSubmatch(strings.TrimSpace(near))
		switch {
		case text == "":
		case !ok || m == nil && !arrow:
			s.pass(text)
		case m == nil || !arrow:
			s.wrong(1, "is not a port of iblinkinfo",
				`expected a line like: 3 1[  ] ==( 4X 106.25 Gbps Active/ LinkUp)==> 9 1[  ] "node-1" ( )`)
		case head.role == "" && m[1] == "":
			s.pass(text) // of a device whose head is cut off
		default:
			x := linkInfo{nearLID: m[3]}
			x.near = head
			if m[1] != "" {
				x.near.guid = hexGUID(m[1])
			}
			if m[2] != "" {
				x.near.role, x.near.name = "", m[2]
			}
			x.near.port = port(m[4])
			x.link = Link{A: End{Outer: m[5]}, Line: s.line}
			x.link.Rate, x.link.Down = linkState(state)
			if f := linkInfoFar.FindStringSubmatch(strings.TrimSpace(far)); f != nil {
				x.linked, x.farLID = true, f[2]
				x.far = subnetPort{guid: hexGUID(f[1]), name: f[5], port: port(f[3])}
				x.link.B.Outer = f[4]
			} else {
				x.unsure = !x.link.Down
			}
			all = append(all, x)
		}
	}
	s.rolesOfLines(all)
	s.farEnds(all)
	var out []discoveredPort
	downAlone := !slices.ContainsFunc(all, func(x linkInfo) bool { return x.linked }) // as with --down
	for i := range all {
		x := &all[i]
		x.unsure = x.unsure || downAlone
		if s.passAggregate(x.near.guid, x.near.name) {
			continue
		}
		switch {
		case x.ambiguous:
			x.linked, x.unsure = false, true
			s.alike++
		case x.linked && s.passAggregate(cmp.Or(x.far.guid, x.far.id), x.far.name):
			x.linked = false
		}
		out = append(out, x.discoveredPort)
	}
	s.addPorts(out)
	return s.finish()
}

// linkState takes what stands in the arrow apart: width and rate, unless the port is down, and its states.
func linkState(text string) (rate string, down bool) {
	text, _, _ = strings.Cut(text, "/")
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", false
	}
	last := len(words) - 1
	return strings.Join(words[:last], " "), words[last] == "Down"
}

// rolesOfLines finds out what devices are that --line does not tell of: the ports of a switch have one GUID, and each
// port of an adapter its own.
func (s *subnet) rolesOfLines(all []linkInfo) {
	ports := map[string]string{}
	isSwitch := map[string]bool{}
	for i := range all {
		if p := &all[i].near; p.role == "" {
			if other, ok := ports[p.guid]; ok && other != p.port {
				isSwitch[p.guid] = true
			}
			ports[p.guid] = p.port
		}
	}
	role := func(p *subnetPort, listed bool) {
		_, _, _, device := identity.Description(p.name)
		switch {
		case p.role != "" || p.guid == "":
		case isSwitch[p.guid]:
			p.role = "switch"
		case listed || device != "":
			p.role = "adapter"
		}
	}
	for i := range all {
		role(&all[i].near, true)
		_, listed := ports[all[i].far.guid]
		role(&all[i].far, listed)
	}
}

// farEnds finds the far ends that have no GUID among the near ones.
func (s *subnet) farEnds(all []linkInfo) {
	type key struct{ name, port string }
	near := map[key][]*linkInfo{}
	for i := range all {
		x := &all[i]
		near[key{x.near.name, x.near.port}] = append(near[key{x.near.name, x.near.port}], x)
	}
	for i := range all {
		x := &all[i]
		if !x.linked || x.far.guid != "" {
			continue
		}
		var found *linkInfo
		devices := near[key{x.far.name, x.far.port}]
		for _, y := range devices {
			if len(devices) > 1 && (!y.linked || y.far.name != x.near.name || y.far.port != x.near.port ||
				y.farLID != x.nearLID || y.nearLID != x.farLID) {
				continue
			}
			if x.ambiguous = found != nil; x.ambiguous {
				break
			}
			found = y
		}
		switch {
		case x.ambiguous:
		case found != nil:
			x.far.guid, x.far.role = found.near.guid, found.near.role
		case x.farLID != "0":
			x.far.id = "lid " + x.farLID
		default:
			x.far.id = fmt.Sprintf("behind %s %s", x.near.guid, x.near.port)
		}
	}
}
