package machine

import (
	"cmp"
	"errors"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/units"
)

// Defaults of a machine file.
const (
	DefaultRack       = "rack-42u"
	DefaultTray       = "tray-ladder"
	DefaultPriceSet   = "estimate-2025"
	DefaultColdAisle  = units.Length(1.22)
	DefaultHotAisle   = units.Length(0.92)
	DefaultAisleClear = DefaultHotAisle
	DefaultMargin     = units.Length(1.2)
	DefaultTrayRise   = units.Length(0.3) // above the racks, and between levels
	DefaultTrayFill   = 100 * cabling.DefaultTrayFill
	DefaultSeparation = units.Length(0.2) // of power and data
	DefaultDistance   = units.Length(5)   // between halls
	DefaultSlack      = units.Length(1.5) // the way from port to tray at both ends, and a loop
	DefaultRackSlack  = units.Length(0.3)
	DefaultPerRack    = 16 // switches in a rack of a network row
	DefaultExactLimit = 65536
	DefaultSamples    = 256
	FirstSamples      = 64    // of these, which will do where
	SampledWithin     = 0.001 // the standard error of the mean delay is such a share of it
)

// resolved is a spec whose names have become things.
type resolved struct {
	spec     *spec.Spec
	graph    topology.Graph // of all fabrics
	fabrics  []*fabric
	woven    []fabrics.Fabric // of the graph, where there are several: the fabrics and their uplinks
	catalog  *catalog.Catalog
	prices   *catalog.PriceSet // in the currency of the bill
	offers   []*catalog.Offer  // likewise
	stock    map[catalog.Item]int64
	boxes    []*cabling.Box // of each kind of vertex
	at       []string       // where the file says what they are
	packs    []*spec.Box    // the packaging of each kind, defaults filled in
	adapters []*catalog.Part
	rack     *catalog.Part   // nil for containers
	racks    []*catalog.Part // of each type of racks, the first is rack
	typesOf  [][]int         // of each kind of box: the types of racks that it may stand in
	// templateTypes are the types of racks of each template of the spec, racksAlike the templates as they are filled.
	templateTypes [][]int
	racksAlike    []embed.Template
	trays         []trayLevel // for data; none where cables do not run on trays
	chassis       []layout.Chassis
	tree          *layout.Tree
	room          *layout.RoomSpec
	building      *building   // nil without a drawing
	pins          []embed.Pin // of the placement file
	cropped       string      // a note about positions of the room that are left out, "" for none
	// words are what the file calls each kind of box, groups those of the ports of kinds that media rules name.
	words    []string
	groups   map[int][]*catalog.PortGroup
	existing *existing // nil where nothing is owned
	passed   []string  // notes of boxes that patterns of ends pass over, and of broken-out ports that fill badly
	racked   []int     // the kinds of boxes of which there are as many as racks to stand beside
	links    int64     // channels of all links, once they are counted
	naming   naming
	crowds   []embed.AntiAffinity
	moved    []embed.Exchange // racks that stand elsewhere than they are placed
	blocks   []int            // of every kind, that of embedding.contiguous, from 1; 0 for none
}

// resolver turns the names of a spec into things and collects what is wrong.
type resolver struct {
	resolved
	faults diag.FieldErrors
	open   int // most ports of the kinds of switches whose part is left open

	unsound map[string]bool // ids of own parts that cannot be used for their mistakes
	idsLost bool            // the id of an own part could not be read
	unmade  map[string]bool // fabrics whose topologies could not be made
}

// fault records a mistake in the value at a path of the spec.
func (r *resolver) fault(path, format string, args ...any) { r.faults.Add(path, format, args...) }

// resolve checks everything that can be checked before placing and fills in the defaults, on a copy of the spec. It
// reads the files that the spec names. The error is diag.FieldErrors with every mistake.
func resolve(given *spec.Spec) (*resolved, error) {
	s := *given
	r := &resolver{resolved: resolved{spec: &s}}
	s.Check(r.fault)
	r.parts()
	r.names()
	r.enclosures()
	if len(s.Fabrics) > 0 {
		r.weave()
	} else if r.topology(); r.graph == nil {
		r.unmake("")
		r.graph = fabrics.Join(nil, nil) // what does not depend on it is checked all the same
	}
	if r.graph != nil {
		s.CheckTopology(r.graph, r.maybe, r.fault)
		if len(s.Fabrics) == 0 {
			r.packaging()
		}
		if r.sound("fabrics") {
			r.capacities()
		}
		r.mediaEnds()
		r.checkRailColours()
		r.place()
		r.strategy()
		r.call()
		r.domains()
		r.loops()
		r.contiguous()
	}
	if r.whole() {
		r.defaults()
		r.exists()
		r.moves()
		r.placement()
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	if err := s.Locate(nil); err != nil {
		return nil, err
	}
	r.cropRoom()
	return &r.resolved, nil
}

// topology builds the topology of a machine that has one. r.graph stays nil where it is not valid or too large.
func (r *resolver) topology() {
	if r.spec.Unread("topology") || r.spec.Unread("fabrics") {
		return
	}
	g, err := topology.New(r.spec.Topology)
	if err == nil {
		if r.small("topology", g) {
			r.graph = g
			r.fabrics = []*fabric{{path: "topology", graph: g, part: -1}}
		}
		return
	}
	r.faults = append(r.faults, topologyMistakes("topology", err)...)
}

// topologyMistakes are the mistakes of a topology at a path, which says that it is one.
func topologyMistakes(at string, err error) (out diag.FieldErrors) {
	for _, e := range diag.Fields(diag.Under(at, err)) {
		told := *e
		told.Subject = ""
		out = append(out, &told)
	}
	return out
}

// small reports whether the topology at a path is small enough to be planned, and refuses it if not.
func (r *resolver) small(path string, g topology.Graph) bool {
	if n := topology.Vertices(g); n > MaxVertices {
		r.fault(path, "%d nodes and switches are more than the %d that can be planned: they would take %s",
			n, MaxVertices, Need(int64(n), int64(n), true))
		return false
	}
	if !topology.AtMostLinks(g, MaxLinks) {
		r.fault(path, "there are more than the %d links that can be planned: they would take more than %s", MaxLinks,
			Need(int64(topology.Vertices(g)), MaxLinks, true))
		return false
	}
	return true
}

// parts adds the file's own parts to the catalog and puts the power of all parts on the basis of the file.
func (r *resolver) parts() {
	c, faults := catalog.Default().Draft(r.spec.Parts)
	at := make(map[string]int) // of an id that is given twice the last
	for i := range r.spec.Parts {
		at[r.spec.Parts[i].ID] = i
	}
	for _, e := range faults {
		path := "parts"
		var f *catalog.Fault
		if !errors.As(e, &f) {
			r.fault(path, "%v", e)
			continue
		}
		if f.Repeats() {
			continue // Spec.Check has told it with the number of the other part
		}
		if i, ok := at[f.Part]; ok {
			path = diag.Join(diag.Elem("parts", i), f.Path)
		}
		told := f.FieldError
		told.Path, told.Subject = path, "" // the path says which part
		r.faults = append(r.faults, &told)
	}
	r.findUnsound()
	r.catalog = c.OnBasis(r.spec.PowerBasis)
}

// names checks the ids of parts and price sets, and reads prices, quotes and stock.
func (r *resolver) names() {
	if r.spec.Prices.Set == "" {
		r.spec.Prices.Set = DefaultPriceSet
	}
	var ids []string
	for _, p := range r.catalog.Parts() {
		ids = append(ids, p.ID)
	}
	kind := func(id string) catalog.Kind {
		p := r.catalog.Part(id)
		switch {
		case r.unsound[id], p == nil && r.idsLost:
			return spec.AnyKind
		case p == nil:
			return ""
		}
		return p.Kind
	}
	r.spec.CheckCatalog(kind, ids, r.catalog.PriceSets(), r.fault)
	if len(r.unsound) == 0 {
		r.spec.CheckStructuredParts(r.catalog, r.fault)
		r.spec.CheckShufflePart(r.catalog, r.fault)
	}
	r.exchange(r.catalog.PriceSet(r.spec.Prices.Set))
	r.store()
}

// strategy refuses one that does not fit the topology or the room.
func (r *resolver) strategy() {
	s := cmp.Or(r.spec.Embedding.Strategy, embed.Auto)
	if (r.tree != nil || r.room != nil) && len(r.unmade) == 0 {
		r.input(s.Fits(r.graph, r.tree))
	}
}

// input reports an error about a part of the input. It ignores any other error, and nil.
func (r *resolver) input(err error) {
	r.faults = append(r.faults, diag.Fields(r.spelled(err))...)
}

// part finds a part of a kind; nil if there is none, or none that is usable, which has been reported.
func (r *resolver) part(id string, kind catalog.Kind) *catalog.Part {
	if p := r.usable(id); p != nil && p.Kind == kind {
		return p
	}
	return nil
}

// defaults fills in what is left out of the sections about cables, delays and placing. Slack is 0 for containers; a
// fixed slack that is given is that inside racks too.
func (r *resolver) defaults() {
	if r.spec.Name == "" {
		r.spec.Name = "Unnamed machine"
	}
	c := &r.spec.Cabling
	if c.Route == "" {
		c.Route = spec.Tray
		if r.tree != nil {
			c.Route = spec.Manhattan
		}
	}
	if c.Route != spec.Tray {
		r.trays = nil
	}
	fixed, inRack := DefaultSlack, DefaultRackSlack
	if r.tree != nil {
		fixed, inRack = 0, 0
	}
	if c.Slack.Fixed == nil {
		c.Slack.Fixed = &fixed
	} else {
		inRack = *c.Slack.Fixed
	}
	if c.Slack.InRack == nil {
		c.Slack.InRack = &inRack
	}
	if c.Route == spec.Tray && c.Crossing == nil {
		depth := r.rack.Depth
		c.Crossing = &depth
	}
	if k := c.Consolidate; k != nil && k.Per == "" {
		c.Consolidate = &spec.Consolidate{Most: k.Most, Per: spec.PerFamily}
	}
	if k := c.Structured; k != nil {
		own := *k
		own.Beyond = cmp.Or(own.Beyond, "row")
		setDefault(&own.AtLeast, 1)
		c.Structured = &own
	}
	setDefault(&c.Bundle, cabling.DefaultBundle)
	c.Shuffle = cmp.Or(c.Shuffle, spec.AutoShuffle)
	e := &r.spec.Embedding
	if e.Strategy == "" {
		e.Strategy = embed.Auto
	}
	if e.Effort == "" {
		e.Effort = spec.NoEffort
	}
	if e.Effort != spec.NoEffort && e.Objective == "" && len(e.Weights) == 0 {
		e.Objective = spec.Money
	}
	d := &r.spec.Delay
	if d.Length == "" {
		d.Length = spec.Routed
	}
}
