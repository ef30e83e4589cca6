package topology

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
)

// Local is the topology section of a local network, which replaces every clique of another family. It has no local
// networks of its own.
type Local struct{ Spec }

// localParam is the parameter of families whose cliques may be other networks.
var localParam = Param{
	Name: "local",
	Doc:  "the network in place of each clique, as a topology section; it has as many nodes as the clique",
}

// Composed is a Graph whose lowest level of links may be a local network in each group of routers, in place of a clique
// (C. Lenzen and R. Wattenhofer, arXiv:1607.00298, section I: the clique "can be replaced by any efficient local
// communication scheme").
type Composed interface {
	Graph
	// LocalNetwork returns the local network, nil if there is none, and the index of the first of its levels in Levels.
	// With n vertices in it, vertex i of group k is vertex k*n + i of the graph.
	LocalNetwork() (local Graph, level int)
}

// LocalNetworkOf returns what LocalNetwork returns for a Composed, nil for other graphs.
func LocalNetworkOf(g Graph) (local Graph, level int) {
	if c, ok := g.(Composed); ok {
		return c.LocalNetwork()
	}
	return nil, 0
}

// cliqued is a Graph whose vertices of the first kind form cliques of one size, numbered clique by clique. The links
// within cliques, and no others, are of one level.
type cliqued interface {
	Graph
	ClosedForms() ClosedForms
	// cliqueForm describes the cliques.
	cliqueForm() cliqueForm
	// otherLinks yields the links that are not of a clique, in the order of Links.
	otherLinks(yield func(Link) bool) bool
}

// cliqueForm describes the cliques of a graph.
type cliqueForm struct {
	param       string // the parameter that sets their size
	less        int    // the size less the value of that parameter
	size        int    // vertices of a clique
	level       int    // of its links
	port, ports int    // the first port of a vertex that leads into its clique, and the number of such ports
	grouping    int    // the index in Groupings of the cliques
	// router returns the vertex of the first kind that a vertex belongs to: itself, or that of a terminal.
	router func(v int) int
}

// withLocal returns g with a local network in place of every clique; g itself if local is nil, nil if it has recorded a
// mistake in m.
func withLocal(g cliqued, local *Local, m *Mistakes) Graph {
	if local == nil {
		return g
	}
	form := g.cliqueForm()
	inner, err := local.network()
	if err != nil {
		m.addBelow("local", err)
		return nil
	}
	size := inner.Kinds()[0].Count
	if size != form.size {
		m.Add("local", "a %s of %s cannot replace a clique of %d\nchange its size, or set %s to %d", inner.Family(),
			plural(size, "node"), form.size, form.param, size-form.less)
		return nil
	}
	kinds := slices.Clone(g.Kinds())
	added := inner.Kinds()[0].Ports - form.ports
	switch {
	case size == 1:
		m.Add("local", "a clique of one node has no links that a local network could replace")
		return nil
	case len(kinds) == 1 && kinds[0].Count == size:
		m.Add("local", "the network is a single clique\nuse the family %s in its place, or more levels",
			inner.Family())
		return nil
	}
	m.Ports("local", int64(kinds[0].Ports)+int64(added))
	if !m.None() {
		return nil
	}
	kinds[0].Ports += added
	c := composed{outer: g, local: inner, form: form, kinds: kinds}
	for i, l := range g.Levels() {
		if i != form.level {
			c.levels = append(c.levels, l)
			continue
		}
		for _, l := range inner.Levels() {
			l.Name = localName(l.Name)
			c.levels = append(c.levels, l)
		}
	}
	switch g := g.(type) {
	case CliqueGraph:
		return &composedCLEX{c, g}
	case Grouped:
		return &composedDragonfly{c, g}
	}
	return &c
}

// localName returns the name, in the composed graph, of a level or a grouping of the local network.
func localName(name string) string { return "local_" + name }

// network builds the local network: a direct one, whose nodes are its routers. Where the family asks for terminals, the
// local network is the routers without them. The errors are FieldErrors.
func (l *Local) network() (Graph, error) {
	spec := l.Spec
	if spec.Params == nil {
		return New(spec) // always an error: it says what is missing
	}
	if _, ok := spec.Params.(Located); ok {
		return nil, diag.Fieldf("family", "a graph from a file cannot be a local network")
	}
	v := reflect.New(reflect.Indirect(reflect.ValueOf(spec.Params)).Type()).Elem()
	v.Set(reflect.Indirect(reflect.ValueOf(spec.Params)))
	if f := v.FieldByName("Local"); f.IsValid() && !f.IsZero() {
		return nil, diag.Fieldf("local", "a local network has no local networks of its own")
	}
	terminals := v.FieldByName("Terminals")
	hosted := terminals.IsValid() && terminals.CanInt() && requiresTerminals(spec.Family())
	switch {
	case terminals.IsValid() && terminals.CanInt() && !terminals.IsZero():
		return nil, diag.Fieldf("terminals", "a local network connects the nodes of the clique that it replaces\n"+
			"leave terminals out")
	case hosted:
		terminals.SetInt(1)
		spec.Params = v.Interface().(Params)
	}
	g, err := New(spec)
	if err != nil {
		return nil, err
	}
	if kinds := g.Kinds(); hosted && len(kinds) == 2 && kinds[1].Count == kinds[0].Count {
		return newBare(g), nil
	}
	if kinds := g.Kinds(); len(kinds) != 1 || kinds[0].Role != Node {
		var names []string
		for _, k := range kinds {
			if k.Role == Switch {
				names = append(names, k.Name)
			}
		}
		return nil, diag.Fieldf("family", "the nodes of this %s are connected by switches (%s)\na local network "+
			"connects the nodes of a clique directly, as a torus, a mesh, a hypercube or a hyperx does", g.Family(),
			english.List(names))
	}
	return g, nil
}

// requiresTerminals reports whether a family asks for nodes on its routers.
func requiresTerminals(family string) bool {
	f := familyNamed(family)
	return f != nil && slices.ContainsFunc(f.Params, func(p Param) bool { return p.Name == "terminals" && p.Required })
}

// bare is a network of routers with one terminal each, without the terminals: the routers are its nodes.
type bare struct {
	Graph
	port, level int32 // of the terminals
	kinds       []Kind
	levels      []Level
}

func newBare(g Graph) *bare {
	b := &bare{Graph: g, kinds: slices.Clone(g.Kinds()[:1])}
	b.kinds[0].Name, b.kinds[0].Role = "node", Node
	b.kinds[0].Ports--
	for l := range g.Links() {
		if routers := int32(b.kinds[0].Count); l.A >= routers || l.B >= routers {
			b.level, b.port = l.Level, l.PortA
			break
		}
	}
	b.levels = slices.Delete(slices.Clone(g.Levels()), int(b.level), int(b.level)+1)
	return b
}

func (b *bare) Kinds() []Kind         { return b.kinds }
func (b *bare) Levels() []Level       { return b.levels }
func (b *bare) Groupings() []Grouping { return nil }

// Links yields those between routers.
func (b *bare) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range b.Graph.Links() {
			if l.Level == b.level {
				continue
			}
			if l.Level > b.level {
				l.Level--
			}
			l.PortA, l.PortB = b.shift(l.PortA), b.shift(l.PortB)
			if !yield(l) {
				return
			}
		}
	}
}

// shift is the number of a port without that of the terminal.
func (b *bare) shift(port int32) int32 {
	if port > b.port {
		return port - 1
	}
	return port
}

// LevelChannels are those between routers, nil where they are not known.
func (b *bare) LevelChannels() []int64 {
	channels := levelChannels(b.Graph)
	if channels == nil {
		return nil
	}
	return slices.Delete(slices.Clone(channels), int(b.level), int(b.level)+1)
}

// ClosedForms are over routers.
func (b *bare) ClosedForms() ClosedForms { return formsOf(b.Graph) }

// levelChannels returns the channels of every level of a Counted that knows them, nil for other graphs.
func levelChannels(g Graph) []int64 {
	if c, ok := g.(Counted); ok {
		if channels := c.LevelChannels(); len(channels) == len(g.Levels()) {
			return channels
		}
	}
	return nil
}

// formsOf returns the closed forms of a graph, unknown ones where it has none.
func formsOf(g Graph) ClosedForms {
	if f, ok := g.(Formulas); ok {
		return f.ClosedForms()
	}
	return unknownForms()
}

// unknownForms are closed forms none of which is known.
func unknownForms() ClosedForms {
	return ClosedForms{DegreeMin: -1, DegreeMax: -1, Diameter: -1, MeanHops: -1, Bisection: -1}
}

// composed is a network in which every clique of another one is replaced by a local network. Its vertices, its kinds
// and its labels are those of the other one. The levels of the local network, local_ and their names, take the place of
// the level of the cliques, and its ports the place of the ports that led into the clique; the ports behind these move
// up or down. The groupings of the local network come before those of the cliques.
//
// It knows of itself the number of its channels and, where the local network is regular, its degree. Distances and
// bisection are not known.
type composed struct {
	outer  cliqued
	local  Graph
	form   cliqueForm
	kinds  []Kind
	levels []Level
}

// composedCLEX is a CLEX of local networks, composedDragonfly a dragonfly whose groups are local networks.
type (
	composedCLEX struct {
		composed
		clex CliqueGraph
	}
	composedDragonfly struct {
		composed
		dragonfly Grouped
	}
)

var (
	_ Composed    = (*composed)(nil)
	_ Formulas    = (*composed)(nil)
	_ Counted     = (*composed)(nil)
	_ UsualRouter = (*composed)(nil)
	_ Placeable   = (*composed)(nil)
	_ WorstCase   = (*composed)(nil)
	_ CliqueGraph = (*composedCLEX)(nil)
	_ Grouped     = (*composedDragonfly)(nil)
)

func (g *composed) Family() string     { return g.outer.Family() }
func (g *composed) Kinds() []Kind      { return g.kinds }
func (g *composed) Levels() []Level    { return g.levels }
func (g *composed) Label(v int) string { return g.outer.Label(v) }

// LocalNetwork returns the network in place of a clique.
func (g *composed) LocalNetwork() (local Graph, level int) { return g.local, g.form.level }

// Groupings are those of the cliques' network, with those of the local network inside its cliques.
func (g *composed) Groupings() []Grouping {
	groupings := slices.Clone(g.outer.Groupings())
	count := g.kinds[0].Count / g.form.size
	var inside []Grouping
	for _, own := range g.local.Groupings() {
		inside = append(inside, Grouping{Name: localName(own.Name), Count: count * own.Count, Of: func(v int) int32 {
			router := g.form.router(v)
			of := own.Of(router % g.form.size)
			if of < 0 {
				return of
			}
			return int32(router/g.form.size*own.Count) + of
		}})
	}
	return slices.Insert(groupings, g.form.grouping, inside...)
}

// Links yields the links on levels below those of the local network, the local networks one after the other, and the
// links on the levels above, in the order of the cliques' network.
func (g *composed) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		cliques := int32(g.form.level)
		inside := false
		more := g.outer.otherLinks(func(l Link) bool {
			if l.Level > cliques {
				if !inside && !g.localLinks(yield) {
					return false
				}
				inside = true
				l.Level += int32(len(g.local.Levels()) - 1)
			}
			l.PortA, l.PortB = g.shift(l.PortA), g.shift(l.PortB)
			return yield(l)
		})
		if more && !inside {
			g.localLinks(yield)
		}
	}
}

// localLinks yields the links of all local networks.
func (g *composed) localLinks(yield func(Link) bool) bool {
	for first := 0; first < g.kinds[0].Count; first += g.form.size {
		for l := range g.local.Links() {
			l.A += int32(first)
			l.B += int32(first)
			l.PortA += int32(g.form.port)
			l.PortB += int32(g.form.port)
			l.Level += int32(g.form.level)
			if !yield(l) {
				return false
			}
		}
	}
	return true
}

// shift is the number of a port that does not lead into the clique.
func (g *composed) shift(port int32) int32 {
	if int(port) >= g.form.port+g.form.ports {
		port += int32(g.local.Kinds()[0].Ports - g.form.ports)
	}
	return port
}

// LevelChannels counts the channels of all local networks, if both networks know theirs.
func (g *composed) LevelChannels() []int64 {
	outer, local := levelChannels(g.outer), slices.Clone(levelChannels(g.local))
	if outer == nil || local == nil {
		return nil
	}
	for i := range local {
		local[i] = arith.Times(local[i], int64(g.kinds[0].Count/g.form.size))
	}
	return slices.Replace(slices.Clone(outer), g.form.level, g.form.level+1, local...)
}

// ClosedForms has the degrees only, and only if all routers of the local network have as many links.
func (g *composed) ClosedForms() ClosedForms {
	outer, local, c := g.outer.ClosedForms(), formsOf(g.local), unknownForms()
	if outer.DegreeMin >= 0 && local.DegreeMin >= 0 && local.DegreeMin == local.DegreeMax {
		c.DegreeMin = outer.DegreeMin - (g.form.size - 1) + local.DegreeMin
		c.DegreeMax = outer.DegreeMax - (g.form.size - 1) + local.DegreeMax
	}
	c.SingleLinks = outer.SingleLinks && local.SingleLinks
	return c
}

// UsualRouting is that of the network of cliques, within a clique by a path of the local network.
func (g *composed) UsualRouting() string {
	if r, ok := g.outer.(UsualRouter); ok {
		return r.UsualRouting()
	}
	return ""
}

// PlacementGroups are those of the network of cliques.
func (g *composed) PlacementGroups() (strategy string, grouping int) {
	strategy, grouping = placementGroups(g.outer)
	if grouping >= g.form.grouping {
		grouping += len(g.local.Groupings())
	}
	return strategy, grouping
}

// WorstCaseTraffic is that of the network of cliques, whose links between cliques it loads.
func (g *composed) WorstCaseTraffic() string {
	if w, ok := g.outer.(WorstCase); ok {
		return w.WorstCaseTraffic()
	}
	return ""
}

// Advice is that of the local network.
func (g *composed) Advice() []string {
	var out []string
	for _, note := range adviceOf(g.local) {
		out = append(out, fmt.Sprintf("local %s: %s", g.local.Family(), note))
	}
	return out
}

// Cliques are those that the local networks replace.
func (g *composedCLEX) Cliques() (size, levels int, bundled bool) { return g.clex.Cliques() }

// RoutingGroups are the local networks, which may have any diameter.
func (g *composedDragonfly) RoutingGroups() Grouping {
	groupings := g.Groupings()
	return groupings[len(groupings)-1]
}
