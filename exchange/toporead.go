package exchange

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// The lines of a topology file of IBDM: a system, which begins a line, and below it its ports, each with what it leads
// to. Width and rate of a lane stand in the arrow.
var (
	topoSystem = lazyregexp.New(`^([^\s#-]\S*)\s+(\S+)(?:\s+CFG:.*)?\s*$`)
	topoPort   = lazyregexp.New(`^\s+(\S+)\s+-(?:(\d+)x-)?(?:([0-9.]+)G-)?>\s+(\S+)\s+(\S+)\s+(\S+)\s*$`)
)

func isTopo(head []byte) bool {
	system := false
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if text := bytes.TrimSpace(line); len(text) == 0 || text[0] == '#' {
			continue
		}
		if system {
			return topoPort.Match(line)
		}
		if !topoSystem.Match(line) {
			return false
		}
		system = true
	}
	return false
}

// ReadTopo reads a topology file of IBDM, as ibutils and ibdiagnet write it, NVIDIA's cable validation tool takes it
// and IBDM makes it of a plan. The port P3 of a system is port 3 in the subnet; mlx5_0/P1 of a host is port 1 of its
// adapter mlx5_0. Ports of the nodes of a plan are numbers.
func ReadTopo(path string, r io.Reader) (*Wiring, error) {
	l, b := newLines(path, r), newBuilder()
	system := []string(nil) // its type and name
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		if m := topoPort.FindStringSubmatch(line); m != nil {
			if system == nil {
				l.wrong(1, "the port belongs to no system", "expected a line with the type and the name of a system "+
					"before")
				continue
			}
			link := Link{A: b.topoEnd(system[0], system[1], m[1]), B: b.topoEnd(m[4], m[5], m[6]), Line: l.line}
			link.Lanes, _ = strconv.Atoi(m[2])
			if rate, err := units.ParseRate(m[3] + "G"); err == nil && m[3] != "" {
				link.LaneRate = rate
			}
			b.link(link)
			continue
		}
		if m := topoSystem.FindStringSubmatch(line); m != nil {
			system = m[1:3]
			b.topoEnd(m[1], m[2], "P0")
			continue
		}
		l.wrong(1, "the line is neither a system nor a port",
			"expected the type and the name of a system, or as in P1 -4x-100G-> MQM9700 leaf-1 P7 a port of it")
	}
	if err := l.end(); err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// topoNumber is a port by its number.
var topoNumber = lazyregexp.New(`^P?(\d+)$`)

// topoEnd is a port of a system.
func (b *builder) topoEnd(kind, name, port string) End {
	role := "switch"
	adapter, number, split := strings.Cut(port, "/")
	if upper := strings.ToUpper(kind); strings.HasPrefix(upper, "HCA") || strings.HasPrefix(upper, "NODE_") {
		role = "adapter"
		if split && topoNumber.MatchString(number) {
			name, port = name+" "+adapter, number
		}
	} else {
		split = false
	}
	i := b.box(name, name)
	box := &b.w.Boxes[i]
	box.Listed, box.Role = true, role
	if role == "switch" && !strings.HasPrefix(kind, "SWITCH_") {
		box.Model = kind
	}
	e := End{Box: i, Port: port}
	if m := topoNumber.FindStringSubmatch(port); m != nil {
		if e.Port = m[1]; role == "switch" || split {
			e.Form = Subnet
		}
	}
	return e
}
