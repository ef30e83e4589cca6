package exchange

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// IBDM is the data model of ibutils. It describes systems with panel ports, each of which leads to a port of a device
// inside. A switch is a system with one device, a node is a system with a one-port adapter behind each panel port.

// TopoFile is the name of the topology file that IBDM returns.
const TopoFile = "fabric.topo"

// ErrNoSwitch is the error of IBDM for a wiring without a switch, on which no InfiniBand subnet can run.
var ErrNoSwitch = errors.New("the network has no switches, and InfiniBand adapters pass nothing on")

// IBDM returns the files that describe a wiring to ibutils, each with the function that writes it: TopoFile, and a
// definition (NAME.ibnl) of each type of system in it. IBDM_IBNL_PATH has to name their directory. A switch has all its
// ports, a node the ports up to its highest one with a link. The error is ErrNoSwitch, names a port that is not a
// number from 1 (PlannedWiring gives numbers), or names two boxes whose names are equal once systemName has changed
// them.
func IBDM(ctx context.Context, x *Wiring) (map[string]func(io.Writer) error, error) {
	systems := make([]string, len(x.Boxes))
	files := map[string]func(io.Writer) error{}
	linked := map[int]int{} // the highest port of each box that has links
	for _, l := range x.Links {
		for _, e := range []End{l.A, l.B} {
			n, err := strconv.Atoi(e.Port)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("exchange: port %q of %s is not a number", e.Port, x.Boxes[e.Box].Name)
			}
			linked[e.Box] = max(linked[e.Box], n)
		}
	}
	names := map[string]string{}
	switches := 0
	for _, i := range slices.Sorted(maps.Keys(linked)) {
		box := &x.Boxes[i]
		name := systemName(box.Name)
		if other, ok := names[name]; ok {
			return nil, fmt.Errorf("%q and %q are both %q in the letters that ibutils reads", other, box.Name, name)
		}
		names[name] = box.Name
		ports := linked[i] // of a node: its ports above may not be InfiniBand
		systems[i] = "NODE_" + strconv.Itoa(ports)
		if box.Role == "switch" {
			switches++
			ports = max(ports, box.Ports)
			systems[i] = "SWITCH_" + strconv.Itoa(ports)
		}
		files[systems[i]+".ibnl"] = func(w io.Writer) error {
			return writeSystem(w, systems[i], ports, box.Role == "switch")
		}
	}
	if switches == 0 {
		return nil, ErrNoSwitch
	}
	files[TopoFile] = func(w io.Writer) error { return writeTopo(ctx, w, x, systems) }
	return files, nil
}

// writeTopo writes every link once: under the end that is a switch, the first one of two switches.
func writeTopo(ctx context.Context, w io.Writer, x *Wiring, systems []string) error {
	ends := make([][][2]End, len(x.Boxes))
	for _, l := range x.Links {
		near, far := l.A, l.B
		if x.Boxes[near.Box].Role != "switch" && x.Boxes[far.Box].Role == "switch" {
			near, far = far, near
		}
		ends[near.Box] = append(ends[near.Box], [2]End{near, far})
	}
	out := bufio.NewWriter(w)
	for i, list := range ends {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(out, "%s %s\n", systems[i], systemName(x.Boxes[i].Name))
		for _, e := range list {
			fmt.Fprintf(out, "   P%s -> %s %s P%s\n", e[0].Port, systems[e[1].Box], systemName(x.Boxes[e[1].Box].Name),
				e[1].Port)
		}
		out.WriteString("\n")
	}
	return out.Flush()
}

// writeSystem writes the definition of a type of system with the given number of ports. The models of its devices are
// placeholders (MT54002, MT4129): ibutils does not compare them with those of real devices.
func writeSystem(w io.Writer, name string, ports int, isSwitch bool) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "TOPSYSTEM %s\n", name)
	if isSwitch {
		fmt.Fprintf(out, "\nNODE SW %d MT54002 U1\n", ports)
	}
	for p := range ports {
		if isSwitch {
			fmt.Fprintf(out, "   %d -> P%d\n", p+1, p+1)
		} else {
			fmt.Fprintf(out, "\nNODE CA 1 MT4129 U%d\n   1 -> P%d\n", p+1, p+1)
		}
	}
	out.WriteString("\n")
	return out.Flush()
}

// systemName replaces the characters of a name that ibutils cannot read by underscores.
func systemName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, name)
}
