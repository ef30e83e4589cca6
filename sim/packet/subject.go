package packet

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// Setup is how a network is simulated: all but the network and what is sent.
type Setup struct {
	Options
	// Routing is the name of a routing function, the usual one of the family when
	// empty, and Threshold is that of routing.Options.
	Routing   string
	Threshold int
	Failures  Failures
	// Latency and Vertex are those of Config.
	Latency, Vertex []int32
	// Delay is that of routing.Options, such as the delays of a plan; cycles by Latency and Vertex when nil.
	Delay func(link, vertex int32) float64
	// Names are those of the vertices; their labels when nil.
	Names *names.Names
}

// Failures says what fails: a share that the seed draws, like "5%" or "0.05", or
// names.
type Failures struct {
	Links    string // between switches; by label like "A--B;C--D"
	Vertices string // nodes and switches; by label like "A;B"
}

// Check says what is wrong with a setup by itself, as diag.FieldErrors. What fails
// by its label is found in NewSubject.
func (s Setup) Check() error {
	wrong := diag.Fields(s.Options.Check())
	inRange(&wrong, "Threshold", s.Threshold, 0, 1<<30)
	return wrong.Err()
}

// Subject is a network that is to be simulated: failed as a seed says, with packets
// routed around what has failed.
type Subject struct {
	Config
	FailedLinks, FailedVertices int

	setup Setup
	whole *routing.Network
}

// NewSubject prepares a graph. What is wrong with the setup, on this graph, is an
// error of diag.FieldErrors; the field Graph stands for the graph.
func NewSubject(g topology.Graph, s Setup, seed uint64) (*Subject, error) {
	whole, err := routing.NewNetwork(g)
	if err != nil {
		return nil, diag.Fieldf("Graph", "%v", err)
	}
	if s.Names != nil {
		whole.Names = s.Names
	}
	sub := &Subject{setup: s, whole: whole, Config: Config{Options: s.Options, Latency: s.Latency, Vertex: s.Vertex}}
	return sub, sub.draw(seed)
}

// WithSeed returns the subject as another seed draws it; s itself for the seed that it has. It does not change s.
func (s *Subject) WithSeed(seed uint64) (*Subject, error) {
	if seed == s.Seed {
		return s, nil
	}
	drawn := *s
	return &drawn, drawn.draw(seed)
}

// draw has things fail as a seed says, and routes packets around them.
func (s *Subject) draw(seed uint64) error {
	n := s.whole
	links, err := s.setup.Failures.links(n, seed)
	if err != nil {
		return diag.Fieldf("Failures.Links", "%v", err)
	}
	vertices, err := s.setup.Failures.vertices(n, seed)
	if err != nil {
		return diag.Fieldf("Failures.Vertices", "%v", err)
	}
	s.Seed = seed
	if len(links)+len(vertices) > 0 {
		n = n.Fail(links, vertices)
	} else if s.Config.Routing != nil { // nothing else depends on the seed
		return nil
	}
	opt := routing.Options{Threshold: s.setup.Threshold, VCs: s.VCs, Delay: s.setup.Delay}
	if opt.Delay == nil {
		if opt.Delay, err = s.cycles(n.Graph); err != nil {
			return err
		}
	}
	fn, err := routing.New(n, s.setup.Routing, opt)
	if err != nil {
		return diag.Fieldf("Routing", "%v", err)
	}
	s.Network, s.Config.Routing = n, fn
	s.FailedLinks, s.FailedVertices = len(links), len(vertices)
	return nil
}

// cycles are those that it takes a packet to enter a vertex over a link, with the vertex.
func (c Config) cycles(g topology.Graph) (func(link, vertex int32) float64, error) {
	if err := c.checkLatency(g); err != nil {
		return nil, err
	}
	kinds := g.Kinds()
	byKind, err := c.byKind(kinds)
	return func(link, vertex int32) float64 {
		return float64(c.latency(link) + byKind[topology.KindOf(kinds, int(vertex))])
	}, err
}

// links reads the links that fail.
func (f Failures) links(n *routing.Network, seed uint64) ([]int32, error) {
	if f.Links == "" {
		return nil, nil
	}
	if !strings.Contains(f.Links, "--") {
		share, err := units.ParseShare(f.Links)
		if err != nil {
			return nil, fmt.Errorf("%w, nor a list of links like A--B;C--D", err)
		}
		return DrawLinks(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(f.Links, ";") {
		left, right, _ := strings.Cut(item, "--")
		a, err := n.Names.Find(strings.TrimSpace(left))
		if err != nil {
			return nil, err
		}
		b, err := n.Names.Find(strings.TrimSpace(right))
		if err != nil {
			return nil, err
		}
		between := topology.LinksBetween(n.Graph, a, b)
		if len(between) == 0 {
			return nil, fmt.Errorf("there is no link between %s and %s",
				n.Names.NameOrAddress(a), n.Names.NameOrAddress(b))
		}
		out = append(out, between...)
	}
	return out, nil
}

// vertices reads the nodes and switches that fail: a share of those that forward,
// or labels.
func (f Failures) vertices(n *routing.Network, seed uint64) ([]int32, error) {
	if f.Vertices == "" {
		return nil, nil
	}
	if share, err := units.ParseShare(f.Vertices); err == nil {
		return DrawRouters(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(f.Vertices, ";") {
		v, err := n.Names.Find(strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("%w; or a share like 5%%", err)
		}
		out = append(out, int32(v))
	}
	return out, nil
}

// maxLoads is the most loads of one range.
const maxLoads = 1000

// ParseLoads reads loads in phits per cycle and terminal, each above 0 and at most 1:
// a number, a list, or a range FROM:TO:STEP of at most 1000 loads. The error is a
// diag.FieldError of OpenLoop.Load.
func ParseLoads(text string) ([]float64, error) {
	var out []float64
	for item := range strings.SplitSeq(text, ",") {
		part := strings.Split(item, ":")
		var v [3]float64
		for i, text := range part {
			x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || i > 2 || !(x > 0 && x <= 1) {
				return nil, diag.Fieldf("Load", "%q is not a load above 0 and at most 1 phit per cycle, nor a range "+
					"like 0.1:1.0:0.1", item)
			}
			v[i] = x
		}
		switch {
		case len(part) == 1:
			out = append(out, v[0])
		case len(part) == 3 && v[1] >= v[0] && (v[1]-v[0])/v[2] < maxLoads:
			for i := 0; ; i++ {
				load := v[0] + float64(float64(i)*v[2])
				if load > v[1]*(1+1e-9) {
					break
				}
				out = append(out, math.Round(load*1e9)/1e9)
			}
		default:
			return nil, diag.Fieldf("Load", "%q is not a range like 0.1:1.0:0.1 of at most %d loads", item, maxLoads)
		}
	}
	return out, nil
}
