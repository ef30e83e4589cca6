package opensm

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
)

// MostLanes are the virtual lanes for data that a port can have.
const MostLanes = 15

// Routing is where the switches of a fabric send packets, and in which lane.
type Routing struct {
	Lanes int // that are used
	// Pairs counts ordered pairs of switches, Longer those of them whose path is longer than the shortest.
	Pairs, Longer int

	fabric *fabric
	called []string // switches, as the tables call them
	guids  []string // of hosts, then of switches
	lane   []int    // of a switch and its hosts
	tables [][]int
}

// Route routes a planned wiring (exchange.PlannedWiring) with the GUIDs of a found one. A tree is routed up and down in
// one lane, over shortest paths that are spread evenly; so is everything else if there is one lane alone, with paths
// that may be longer. In several lanes nearly all paths are shortest: every switch has a lane, in which everyone sends
// to it and to its hosts. What was found is checked: no channels wait for each other in a circle. An error lists the
// switches and hosts that are not found, or tells that no way leads to one.
func Route(ctx context.Context, x *exchange.Wiring, g *GUIDs, lanes int) (*Routing, error) {
	if lanes < 1 || lanes > MostLanes {
		return nil, fmt.Errorf("%d lanes; expected 1 to %d", lanes, MostLanes)
	}
	f, numbers, err := fabricOf(x)
	if err != nil {
		return nil, err
	}
	if len(f.hosts)+len(f.hops) > mostLIDs {
		return nil, fmt.Errorf("%d adapters and switches are more than the %d LIDs of a subnet",
			len(f.hosts)+len(f.hops), mostLIDs)
	}
	r := &Routing{fabric: f}
	if r.guids, err = g.of(f); err != nil {
		return nil, err
	}
	for _, i := range numbers {
		r.called = append(r.called, strings.Map(printable, x.Boxes[i].Name))
	}
	f.rank()
	if lanes == 1 || f.tree {
		f.route()
		r.upAndDown()
	} else {
		found, err := f.routeLanes(ctx, lanes)
		if err != nil {
			return nil, err
		}
		r.tables, r.lane, r.Lanes = found.tables, found.lane, found.used
		r.Pairs, r.Longer = found.pairs, found.longer
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, f.check(r.tables, r.lane)
}

// upAndDown takes the ways that the fabric has found.
func (r *Routing) upAndDown() {
	f := r.fabric
	r.tables, r.lane, r.Lanes = f.balancePorts(), make([]int, len(f.hops)), 1
	for d := range f.hops {
		least := f.distances([]int{d})
		for s, far := range f.far[d] {
			if s != d && far > 0 {
				r.Pairs++
				if far > least[s] {
					r.Longer++
				}
			}
		}
	}
}

// of are the GUIDs of the hosts of a fabric, then of its switches.
func (g *GUIDs) of(f *fabric) ([]string, error) {
	var wrong []error
	names := g.fabricNames(f.names)
	for i, name := range names {
		switch {
		case len(g.described[name]) > 1:
			wrong = append(wrong, fmt.Errorf("%q is several switches or chips, which need tables of their own: %s",
				name, english.List(g.described[name])))
		case g.switches[name] == "":
			wrong = append(wrong, fmt.Errorf("no switch is called %q; they are called %s", f.names[i], g.listNames()))
		}
	}
	var guids []string
	for _, h := range f.hosts {
		guid, ok := g.behind[names[h.at]][h.port]
		if !ok {
			wrong = append(wrong, fmt.Errorf("no adapter is found at port %d of %s", h.port, f.names[h.at]))
		}
		guids = append(guids, guid)
	}
	for _, name := range names {
		guids = append(guids, g.switches[name])
	}
	if len(wrong) == 0 {
		return guids, nil
	}
	if more := len(wrong) - 10; more > 0 {
		wrong = append(wrong[:10], fmt.Errorf("and %d more", more))
	}
	return nil, errors.Join(wrong...)
}

// fabricNames returns what switches of a plan are called in the fabric: as in the plan, else in other letters, with a
// domain or with more or fewer leading zeros, as package identity compares names; a name that none or several have
// stays.
func (g *GUIDs) fabricNames(plan []string) []string {
	byHost := map[string]string{}
	for name := range g.described {
		key := identity.Host(name)
		if _, twice := byHost[key]; twice {
			name = ""
		}
		byHost[key] = name
	}
	out := slices.Clone(plan)
	for i, name := range plan {
		if g.described[name] == nil {
			out[i] = cmp.Or(byHost[identity.Host(name)], byHost[identity.Host(identity.PlainName(name))], name)
		}
	}
	return out
}

// listNames lists what switches are called, the first of them.
func (g *GUIDs) listNames() string {
	names := slices.Sorted(maps.Keys(g.switches))
	if more := len(names) - 5; more > 0 {
		names = append(names[:5], fmt.Sprintf("%d more", more))
	}
	return english.List(names)
}

// Tables writes the forwarding tables as OpenSM's file routing reads them. LIDs are numbers of the file: OpenSM finds
// out its own by the GUIDs.
func (r *Routing) Tables(ctx context.Context, w io.Writer) error {
	hosts := len(r.fabric.hosts)
	out := bufio.NewWriter(w)
	for s, table := range r.tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		lid := hosts + s + 1
		fmt.Fprintf(out, "Unicast lids [0x0-0x%x] of switch Lid %d guid 0x%s ('%s'):\n", len(table), lid,
			r.guids[lid-1], r.called[s])
		for i, port := range table {
			if port > 0 || i == lid-1 {
				kind := "Channel Adapter"
				if i >= hosts {
					kind = "Switch"
				}
				fmt.Fprintf(out, "0x%04x %03d # %s portguid 0x%s\n", i+1, port, kind, r.guids[i])
			}
		}
		fmt.Fprintf(out, "%d valid lids dumped\n", len(table))
	}
	return out.Flush()
}

// Policy writes the QoS policy of OpenSM (opensm -Y FILE -Q) by which everyone who asks for a path gets the service
// level of its destination: the number of the lane.
func (r *Routing) Policy(w io.Writer) error {
	out := bufio.NewWriter(w)
	hosts := len(r.fabric.hosts)
	group := make([][]string, r.Lanes)
	for i, guid := range r.guids {
		at := i - hosts
		if i < hosts {
			at = r.fabric.hosts[i].at
		}
		group[r.lane[at]] = append(group[r.lane[at]], "0x"+guid)
	}
	fmt.Fprintln(out, "port-groups")
	for lane, guids := range group {
		fmt.Fprintf(out, "  port-group\n    name: lane%d\n", lane)
		for few := range slices.Chunk(guids, policyLine) {
			fmt.Fprintf(out, "    port-guid: %s\n", strings.Join(few, ","))
		}
		fmt.Fprintln(out, "  end-port-group")
	}
	fmt.Fprint(out, "end-port-groups\n\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n")
	for lane := range group {
		fmt.Fprintf(out, "  qos-level\n    name: level%d\n    sl: %d\n  end-qos-level\n", lane, lane)
	}
	fmt.Fprint(out, "end-qos-levels\n\nqos-match-rules\n")
	for lane := range group {
		fmt.Fprintf(out, "  qos-match-rule\n    destination: lane%d\n    qos-level-name: level%d\n"+
			"  end-qos-match-rule\n", lane, lane)
	}
	fmt.Fprint(out, "end-qos-match-rules\n")
	return out.Flush()
}

// policyLine is the number of GUIDs in a line of a policy.
const policyLine = 16

// The files of a routing in several lanes. The options name the others, which OpenSM looks for where it is started.
const (
	TablesFile  = "lfts.dump"
	PolicyFile  = "qos-policy.conf"
	OptionsFile = "opensm.conf"
)

// Options writes the options of OpenSM (opensm -F FILE) that load the tables and the policy, and lead each service
// level into the lane of its number.
func (r *Routing) Options(w io.Writer) error {
	code := 1 // of the VLCap component: 1, 2, 4, 8 or 15 lanes
	for _, n := range []int{1, 2, 4, 8} {
		if r.Lanes > n {
			code++
		}
	}
	var levels, weights []string
	for sl := range 15 {
		levels = append(levels, strconv.Itoa(sl%r.Lanes))
	}
	for lane := range r.Lanes {
		weights = append(weights, fmt.Sprintf("%d:4", lane))
	}
	_, err := fmt.Fprintf(w, `routing_engine file,no_fallback
lfts_file %s
qos TRUE
qos_policy_file %s
max_op_vls %d
qos_max_vls %d
qos_high_limit 0
qos_vlarb_high %s
qos_vlarb_low %s
qos_sl2vl %s,15
`, TablesFile, PolicyFile, code, r.Lanes, strings.Join(weights, ","), strings.Join(weights, ","),
		strings.Join(levels, ","))
	return err
}

// mostLIDs are the unicast LIDs of a subnet, 1 to 0xBFFF.
const mostLIDs = 0xBFFF

func printable(r rune) rune {
	if r < ' ' || r == '(' || r == ')' {
		return '_'
	}
	return r
}

// fabricOf makes the fabric of a wiring, with the box of every switch.
func fabricOf(x *exchange.Wiring) (*fabric, []int, error) {
	f, number := &fabric{}, make([]int, len(x.Boxes))
	var boxes []int
	for i := range x.Boxes {
		number[i] = -1
	}
	for _, l := range x.Links {
		for _, e := range []exchange.End{l.A, l.B} {
			if x.Boxes[e.Box].Role == "switch" && number[e.Box] < 0 {
				number[e.Box] = 0
				boxes = append(boxes, e.Box)
			}
		}
	}
	slices.Sort(boxes)
	for s, i := range boxes {
		number[i] = s
		f.names = append(f.names, x.Boxes[i].Name)
	}
	if len(boxes) == 0 {
		return nil, nil, exchange.ErrNoSwitch
	}
	f.hops = make([][]hop, len(boxes))
	for _, l := range x.Links {
		a, b := number[l.A.Box], number[l.B.Box]
		p, err := strconv.Atoi(l.A.Port)
		q, err2 := strconv.Atoi(l.B.Port)
		if err := errors.Join(err, err2); err != nil {
			return nil, nil, err
		}
		switch {
		case a >= 0 && b >= 0:
			f.hops[a], f.hops[b] = append(f.hops[a], hop{p, b}), append(f.hops[b], hop{q, a})
		case a >= 0:
			f.hosts = append(f.hosts, host{a, p})
		case b >= 0:
			f.hosts = append(f.hosts, host{b, q})
		default:
			return nil, nil, errors.New("adapters are linked to each other, without a switch between them")
		}
	}
	for s := range f.hops {
		slices.SortFunc(f.hops[s], func(a, b hop) int { return a.port - b.port })
	}
	slices.SortFunc(f.hosts, func(a, b host) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.port - b.port
	})
	return f, boxes, nil
}
