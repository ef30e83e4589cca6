package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// DefaultAlphas are the hop delays in nanoseconds at which D is compared unless others are given: 100 ns is that of a
// node with a router of its own. D is the delay of a message by the CLEX paper: alpha times what delay.Count counts on
// its path plus beta times the length of the path; a comparison reports its mean and its maximum. It also reports the
// delays of each machine by the hop and propagation delays of its own file.
var DefaultAlphas = []units.Time{100}

// DefaultBeta is the propagation delay that goes with any alphas unless another is given: 5 ns per metre, that of
// fibre.
const DefaultBeta units.Propagation = 5

// CompareOptions says how machines are compared. For each machine Score is called first, then Play, Planned and Floor;
// an error of one of them ends Compare.
type CompareOptions struct {
	Alphas []units.Time      // DefaultAlphas when empty
	Beta   units.Propagation // DefaultBeta when zero: a beta of 0 cannot be asked for
	// Count is what alpha multiplies in D: delay.Routers, the routers that a path traverses, or delay.Hops, its links;
	// delay.Routers when empty.
	Count delay.Count
	// Equal is what all machines are planned with in place of what their files say.
	Equal spec.Equal
	// Fabric names the fabric of machines that have several and whose Candidate names none; without either, they are
	// compared as a whole.
	//
	// Planned, Score and Play need one fabric: with them a machine of several and no name is an error.
	Fabric string
	// Baseline is the number of the machine that the others are set against, from 1 to the number of machines; 0 for
	// none. Others are an error.
	Baseline int
	// Planned, if set, is handed every plan, with the lengths of its links, and the network that is compared; machines
	// come in their order. Planned may keep the plan but not change it, as the
	// report shares its memory.
	Planned func(p *Result, n *Network) error
	// Score, if set, finds how deployable every plan is, which then has a list of cables.
	Score func(p *Result, n *Network) (*report.Deployability, error)
	// Play, if set, plays a workload on every plan, which then keeps the lengths of its links. Compare fills in the
	// figures by cost and by power of the step that Play returns.
	Play func(p *Result, n *Network) (*report.Step, error)
	// Floor, if set, draws every plan from above, as a PNG; also machines that are compared as a whole.
	Floor func(p *Result) ([]byte, error)
	// Progress, if set, receives the file and what is being done, "a.yaml: bounding the bisection", and how much of
	// that stage is done, in units of the stage. It begins anew for every stage.
	Progress func(stage string, done, total int)
}

// Candidate is a machine to compare.
type Candidate struct {
	File string // path of the machine file or name of the example, for messages
	Spec *spec.Spec
	// Fabric names the fabric that is compared, in place of that of the options; "" for that. Machines of one topology
	// need no name and ignore one.
	Fabric string
	// Shuffle is how lanes of ports that are split at both ends are led, in place of what the file says under
	// cabling.shuffle; "" for that.
	Shuffle string
}

// withShuffle returns a copy of the spec that has the Shuffle of the candidate, also in its name; without a Shuffle the
// spec itself.
func (c *Candidate) withShuffle() *spec.Spec {
	if c.Shuffle == "" {
		return c.Spec
	}
	own := *c.Spec
	own.Cabling.Shuffle = c.Shuffle
	own.Name = fmt.Sprintf("%s, shuffle: %s", own.Name, c.Shuffle)
	return &own
}

// shufflePath is where a machine file says how lanes are led.
const shufflePath = "cabling.shuffle"

// refusal returns the entry of report.Comparison.Refused for an error of planning, and whether the error says only that
// no part leads lanes as the candidate's Shuffle asks.
func (c *Candidate) refusal(err error) (report.Refused, bool) {
	var list diag.List
	if !slices.Contains(spec.ShuffleWays, c.Shuffle) || !errors.As(err, &list) || len(list) == 0 {
		return report.Refused{}, false
	}
	for _, d := range list {
		if d.Path != shufflePath {
			return report.Refused{}, false
		}
	}
	return report.Refused{Machine: c.Spec.Name, Shuffle: c.Shuffle, Why: list[0].Message}, true
}

// Compare plans machines one after the other and keeps the figures of each, in their order, but not the plans. Of
// machines of one name the second and later get a number: "name (2)". The first error ends it, after the name of the
// file and without a result, with one exception: a candidate whose Shuffle no part makes is listed in Refused in place
// of Machines. With a Baseline, or if all candidates would be refused, this is an error, too.
func Compare(ctx context.Context, machines []Candidate, opt CompareOptions) (*report.Comparison, error) {
	c := &report.Comparison{
		Version: Version, Alphas: opt.Alphas, Beta: opt.Beta, Baseline: opt.Baseline,
		Count: cmp.Or(opt.Count, delay.Routers), Equal: opt.Equal,
	}
	if len(c.Alphas) == 0 {
		c.Alphas = slices.Clone(DefaultAlphas)
	}
	if c.Beta == 0 {
		c.Beta = DefaultBeta
	}
	seen := map[string]int{}
	machines, err := withEqual(machines, opt.Equal)
	if err != nil {
		return nil, err
	}
	if opt.Baseline < 0 || opt.Baseline > len(machines) {
		return nil, diag.Fieldf("Baseline", "%d, but the machines are numbered from 1 to %d", opt.Baseline,
			len(machines))
	}
	for _, of := range machines {
		progress := func(stage string, done, total int) {
			if opt.Progress != nil {
				opt.Progress(of.File+": "+stage, done, total)
			}
		}
		m, err := compareOne(ctx, of, &opt, progress)
		if r, ok := of.refusal(err); ok && opt.Baseline == 0 {
			c.Refused = append(c.Refused, r)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of.File, err)
		}
		if c.Count == delay.Routers {
			m.Reach = m.Traversed
		}
		seen[m.Machine]++
		if n := seen[m.Machine]; n > 1 {
			m.Machine = fmt.Sprintf("%s (%d)", m.Machine, n)
		}
		c.Machines = append(c.Machines, *m)
	}
	if len(c.Machines) == 0 && len(c.Refused) > 0 {
		r := &c.Refused[0]
		return nil, diag.Fieldf("Shuffle", "no part makes any of the machines: %s: %s",
			r.Machine, r.Why)
	}
	if opt.Baseline > 0 {
		base := machines[opt.Baseline-1].Spec
		for i := range machines {
			if i == opt.Baseline-1 {
				continue
			}
			differ, err := differences(c.Machines[i].Machine, base, machines[i].Spec)
			if err != nil {
				return nil, err
			}
			c.Differences = append(c.Differences, differ...)
		}
	}
	return c, nil
}

// compareOne plans a machine with its paths, as a summary unless Planned, Score, Play or Floor need more. If one of
// several fabrics is named, sizes, delays and bisection are those of that fabric, while racks, cables, money and power
// are those of the whole machine. Without a name, and where neither Planned, Score nor Play needs one, it is
// compareWhole.
func compareOne(
	ctx context.Context, of Candidate, opt *CompareOptions, progress func(stage string, done, total int),
) (*report.Compared, error) {
	fabric := cmp.Or(of.Fabric, opt.Fabric)
	if len(of.Spec.Fabrics) == 0 {
		fabric = ""
	}
	needs := opt.Planned != nil || opt.Score != nil || opt.Play != nil
	if len(of.Spec.Fabrics) > 0 && fabric == "" && !needs {
		return compareWhole(ctx, of, opt, progress)
	}
	if _, err := of.Spec.Fabric(fabric); err != nil {
		return nil, err
	}
	p, err := PlanWith(ctx, of.Spec, Options{
		Summary: opt.Floor == nil && opt.Planned == nil && opt.Score == nil && opt.Play == nil, Paths: true,
		Progress: progress,
	})
	if err != nil {
		return nil, err
	}
	progress("bounding the bisection", 0, 1)
	network, err := p.Fabric(fabric)
	if err != nil {
		return nil, err
	}
	b, err := measure.Bisect(ctx, network.Graph, measure.HopEnds(network.Graph),
		measure.BisectionOptions{Seed: p.Spec.Embedding.Seed})
	if err != nil {
		return nil, err
	}
	// Halves of the cables' graph say nothing of the graph that packets see, where the two differ.
	halves := b
	if network.Seen() != network {
		halves = nil
	}
	// Without a bound, there is none to compare.
	bound, _ := measure.Throughput(ctx, network.Seen().Graph, halves)
	b.Side = nil
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m := &report.Compared{
		Plan: p.Report(), File: of.File, Topology: network.Topology, Direct: network.Counts.Switches == 0,
		Bisection: *b, Throughput: bound, Rate: p.slowest(), Breaches: p.Violations.Errors(),
		Warnings: p.warnings(),
	}
	if network.Delay != nil {
		r := network.Delay.Reach()
		traversed := r.WithTraversedRouters(network.Seen().Graph.Kinds())
		m.Reach, m.Traversed = &r, &traversed
	}
	m.Routers = p.routers(network)
	for i := range m.Fabrics {
		f := &m.Fabrics[i]
		if f.Name != fabric {
			continue
		}
		m.Machine += ", " + fabric
		m.Nodes, m.Switches, m.Links, m.Levels, m.Delay = f.Nodes, f.Switches, f.Links, f.Levels, f.Delay
		m.Rate = p.PortRate(network)
		m.Notes = append(slices.Clone(m.Notes), "nodes, switches, links, levels, bisection and delays are those of "+
			fabric+"; racks, cables, money and power those of all fabrics")
	}
	noteOwned(m, of.Spec)
	if opt.Score != nil {
		if m.Deployability, err = opt.Score(p, network); err != nil {
			return nil, err
		}
		if why := m.Deployability.ExpansionUnknown; why != "" {
			m.Notes = append(slices.Clone(m.Notes), "the expansion is not known: "+why)
		}
	}
	if opt.Play != nil {
		if m.Step, err = opt.Play(p, network); err != nil {
			return nil, err
		}
		m.Step.Rate(m.Cost.Total, m.Power)
		m.Notes = append(slices.Clone(m.Notes), m.Step.Words(m.Nodes)...)
	}
	if opt.Planned != nil {
		if err := opt.Planned(p, network); err != nil {
			return nil, err
		}
	}
	return m, drawFloor(m, p, opt)
}

// compareWhole plans a machine with several fabrics and its paths, as a summary unless Floor needs its cables, for the
// figures of the machine and of each fabric. It has no bisection, throughput or D, which are of one network.
func compareWhole(
	ctx context.Context, of Candidate, opt *CompareOptions, progress func(stage string, done, total int),
) (*report.Compared, error) {
	p, err := PlanWith(ctx, of.Spec, Options{Summary: opt.Floor == nil, Paths: true, Progress: progress})
	if err != nil {
		return nil, err
	}
	m := &report.Compared{
		Plan: p.Report(), File: of.File, Whole: true, Rate: p.slowest(), Breaches: p.Violations.Errors(),
		Warnings: p.warnings(),
	}
	for i := range m.Fabrics {
		n, err := p.Fabric(m.Fabrics[i].Name)
		if err != nil {
			return nil, err
		}
		r := p.routers(n)
		m.Routers.Hops = append(m.Routers.Hops, r.Hops...)
		m.Routers.Parts = append(m.Routers.Parts, r.Parts...)
		m.Routers.Ports = append(m.Routers.Ports, r.Ports...)
		m.Routers.InNodes = m.Routers.InNodes || r.InNodes
	}
	slices.Sort(m.Routers.Hops)
	slices.Sort(m.Routers.Parts)
	slices.Sort(m.Routers.Ports)
	m.Routers.Hops, m.Routers.Parts = slices.Compact(m.Routers.Hops), slices.Compact(m.Routers.Parts)
	m.Routers.Ports = slices.Compact(m.Routers.Ports)
	noteOwned(m, of.Spec)
	return m, drawFloor(m, p, opt)
}

// warnings are the violations that count of the rules of severity warning.
func (p *Result) warnings() []report.RuleCount {
	var out []report.RuleCount
	for _, c := range p.Violations.CountsOf(diag.Warning) {
		out = append(out, report.RuleCount(c))
	}
	return out
}

// noteOwned says of a machine that owns parts that its money is what is still to be bought.
func noteOwned(m *report.Compared, s *spec.Spec) {
	if s.Owned != nil {
		m.Notes = append(slices.Clone(m.Notes), "it owns parts: cost and network cost are what is still to be bought, "+
			"so they do not compare with those of machines that own none")
	}
}

// drawFloor keeps a picture of a plan from above in m, if the options ask for one.
func drawFloor(m *report.Compared, p *Result, opt *CompareOptions) (err error) {
	if opt.Floor != nil {
		m.Floor, err = opt.Floor(p)
	}
	return err
}

// withEqual returns copies of the machines in which equal and Shuffle replace what their files say. The error, of the
// field Equal, says that a machine cannot be planned so.
func withEqual(machines []Candidate, equal spec.Equal) ([]Candidate, error) {
	out := slices.Clone(machines)
	for i := range out {
		s, err := equal.Apply(out[i].Spec)
		if err != nil {
			return nil, diag.Fieldf("Equal", "%s: %v", out[i].File, err)
		}
		out[i].Spec = s
		out[i].Spec = out[i].withShuffle()
	}
	return out, nil
}

// routers returns the distinct hop delays, parts and numbers of ports of the vertices that forward packets in a
// network, each sorted. Of one of several fabrics, Parts and Ports are those of its switches alone, and InNodes, which
// says that nodes forward packets themselves, stays false.
func (p *Result) routers(n *Network) report.Routers {
	var out report.Routers
	graph := n.Seen().Graph
	if n.Delay != nil {
		for i, k := range graph.Kinds() {
			if k.Role != topology.Terminal {
				out.Hops = append(out.Hops, n.Model.Hop[i])
			}
		}
		slices.Sort(out.Hops)
		out.Hops = slices.Compact(out.Hops)
	}
	kinds := n.switches
	if len(p.Fabrics) == 0 {
		for i, k := range graph.Kinds() {
			if k.Role != topology.Terminal {
				kinds = append(kinds, i)
			}
			out.InNodes = out.InNodes || k.Role == topology.Node
		}
	}
	for _, kind := range kinds {
		b := p.Schedule.Boxes[kind]
		out.Parts, out.Ports = append(out.Parts, b.Part.ID), append(out.Ports, len(b.Ports))
	}
	slices.Sort(out.Parts)
	slices.Sort(out.Ports)
	out.Parts, out.Ports = slices.Compact(out.Parts), slices.Compact(out.Ports)
	return out
}

// PortRate is the rate in Gb/s of the slowest port of the boxes that make a network, 0 where no port states one. The
// boxes are the switches of n if n is one of several fabrics and has switches, else all boxes of the machine. Ports
// that are cabled only where a machine file names them (catalog.Part.OnlyByName) do not count.
func (p *Result) PortRate(n *Network) units.Rate { return p.slowest(n.switches...) }

// slowest is PortRate over the boxes of the given kinds, which count from 0 in the order of Schedule.Boxes, or of all
// kinds when none is given.
func (p *Result) slowest(kinds ...int) units.Rate {
	return slowestPort(p.Schedule.Boxes, kinds...)
}

// slowestPort is slowest for a list of boxes, one for each kind.
func slowestPort(boxes []*cabling.Box, kinds ...int) units.Rate {
	var slow units.Rate
	for kind, b := range boxes {
		if len(kinds) > 0 && !slices.Contains(kinds, kind) {
			continue
		}
		for i := range b.Part.Ports {
			g := &b.Part.Ports[i]
			if r := g.Rate; r > 0 && (slow == 0 || r < slow) && !b.Part.OnlyByName(g) {
				slow = r
			}
		}
	}
	return slow
}
