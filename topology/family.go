package topology

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/mergeorder"
)

// Family describes a family of topologies and the parameters that select one
// of its members.
type Family struct {
	Name   string  // as in a machine file: "torus"
	Doc    string  // one line
	Source string  // where the family is defined
	Params []Param // in the order in which a user gives them

	// Zero is the family's Params without any parameter given.
	Zero Params

	// Sizes adds the members that a designer would consider to a search by size. It is nil if the family is not
	// searched.
	Sizes    func(*SizeSearch)
	SizesDoc string // for users: which members these are
}

// Param is a parameter of a family.
type Param struct {
	Name     string // the YAML name: "dims"
	Doc      string // what it counts, its range, and what leaving it out means
	Required bool
}

// paramsType returns the type of the struct of the family's parameters.
func (f *Family) paramsType() reflect.Type { return reflect.Indirect(reflect.ValueOf(f.Zero)).Type() }

// Key is a parameter of one family or several, as a machine file spells it.
type Key struct {
	Name string
	Type reflect.Type // of its values; if families have different types, that of the first family
}

// keysOf lists the parameters of a family by the struct that holds them.
func keysOf(params reflect.Type) []Key {
	out := make([]Key, params.NumField())
	for i := range out {
		f := params.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		out[i] = Key{name, f.Type}
	}
	return out
}

// Keys lists the parameters of all families, each once. Their order agrees with the order of
// the parameters of each family.
func Keys() []Key { return slices.Clone(allKeys()) }

var allKeys = sync.OnceValue(func() []Key {
	types := make(map[string]reflect.Type)
	names := make([][]string, len(families))
	for i := range families {
		for _, key := range keysOf(families[i].paramsType()) {
			names[i] = append(names[i], key.Name)
			if types[key.Name] == nil {
				types[key.Name] = key.Type
			}
		}
	}
	var out []Key
	for _, name := range mergeorder.Merge(names) {
		out = append(out, Key{name, types[name]})
	}
	return out
})

// families is in the order of the documentation.
var families = []Family{
	torusFamily,
	meshFamily,
	hypercubeFamily,
	ibtFamily,
	pecFamily,
	srtFamily,
	rdtFamily,
	cccFamily,
	barrelShifterFamily,
	deBruijnFamily,
	hybridFatTreeFamily,
	clexFamily,
	hyperXFamily,
	flattenedButterflyFamily,
	kAryNTreeFamily,
	thinTreeFamily,
	fatTreeFamily,
	foldedClosFamily,
	dragonflyFamily,
	dragonflyPlusFamily,
	fatCliqueFamily,
	mooreFamily,
	slimFlyFamily,
	polarFlyFamily,
	angelfishFamily,
	flyingFishFamily,
	randomRegularFamily,
}

// Register adds a family from outside this package, after the families so far, for New, Families and Sizes. It is for
// init functions. It panics if Zero is nil or has another name, or if there is a family with the name already.
func Register(f Family) {
	if familyNamed(f.Name) != nil {
		panic("topology: family " + f.Name + " is registered twice")
	}
	if name := f.Zero.Family(); name != f.Name {
		panic("topology: the parameters of family " + f.Name + " say that they are of " + name)
	}
	families = append(families, f)
}

// Families lists the families that New knows.
func Families() []Family {
	out := make([]Family, len(families))
	for i, f := range families {
		f.Params = append([]Param(nil), f.Params...)
		out[i] = f
	}
	return out
}

// New builds the graph that p selects, which may be a Spec. If p is wrong, the error joins a
// *diag.FieldError for every mistake; diag.Fields lists them.
func New(p Params) (Graph, error) {
	var unknown []string
	var ports NodePorts
	var capacity LevelCapacity
	if s, ok := p.(Spec); ok {
		p, ports, capacity, unknown = s.Params, s.NodePorts, s.LevelCapacity, s.unknown
	}
	name := ""
	if p != nil {
		name = p.Family()
	}
	f := familyNamed(name)
	if f == nil {
		return nil, noFamily(name)
	}
	m := &Mistakes{family: name}
	if m.checkGiven(p, unknown, f); m.long {
		return nil, m.err()
	}
	ports.check(m)
	g := ports.scaleNodes(p, m).Build(m)
	if err := m.err(); err != nil {
		return nil, err
	}
	g, err := ports.attach(g)
	if err == nil {
		err = capacity.apply(g)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// noFamily returns the error about a name that is not the name of a family.
func noFamily(name string) error {
	return diag.Fieldf("family", "%s", unknownFamily(name))
}

func familyNamed(name string) *Family {
	for i := range families {
		if families[i].Name == name {
			return &families[i]
		}
	}
	return nil
}

func unknownFamily(name string) string {
	all := make([]string, len(families))
	for i, f := range families {
		all[i] = f.Name
	}
	if name == "" {
		return "is missing; the families are " + english.List(all)
	}
	return fmt.Sprintf("there is no family %q; did you mean %q? The families are %s", name, diag.Nearest(name, all),
		english.List(all))
}

func plural(n int, noun string) string { return english.Count(n, noun) }
