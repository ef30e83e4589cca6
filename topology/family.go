package topology

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Family describes a family of topologies and the parameters that select one
// of its members.
type Family struct {
	Name   string  // as in a Spec: "torus"
	Doc    string  // one line
	Source string  // where the family is defined
	Params []Param // in the order in which a user gives them

	// Build makes the graph, or reports what is wrong with the parameters.
	Build func(Spec, *Mistakes) Graph
}

// Param is a parameter of a family.
type Param struct {
	Name     string // the YAML name: "dims"
	Doc      string // what it counts, its range, and what leaving it out means
	Required bool
}

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
	mooreFamily,
	slimFlyFamily,
	polarFlyFamily,
	angelfishFamily,
	flyingFishFamily,
	randomRegularFamily,
	railOnlyFamily,
	bcubeFamily,
	dcellFamily,
	hammingMeshFamily,
}

// Register adds a family from outside this package to those that New, Families and
// Sizes know, behind them in order. It is for init functions, and panics if there is a
// family of the name.
func Register(f Family) {
	if familyNamed(f.Name) != nil {
		panic("topology: family " + f.Name + " is registered twice")
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

// New builds the graph that s describes. If s is wrong, the error joins a
// *ParamError for every mistake; ParamErrors lists them.
func New(s Spec) (Graph, error) {
	f := familyNamed(s.Family)
	if f == nil {
		return nil, errors.Join(&ParamError{Param: "family", Index: -1, Reason: unknownFamily(s.Family)})
	}
	m := &Mistakes{family: s.Family}
	m.checkGiven(s, f)
	g := f.Build(s, m)
	if err := m.err(); err != nil {
		return nil, err
	}
	return g, nil
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
		return "is missing; the families are " + JoinWords(all)
	}
	return fmt.Sprintf("there is no family %q; did you mean %q? The families are %s", name, diag.Nearest(name, all), JoinWords(all))
}

// Mistakes collects what is wrong with the parameters of a Spec.
type Mistakes struct {
	family string
	found  []error
}

func (m *Mistakes) err() error { return errors.Join(m.found...) }

// None tells whether nothing is wrong.
func (m *Mistakes) None() bool { return len(m.found) == 0 }

// Add reports a mistake in a parameter.
func (m *Mistakes) Add(param, format string, args ...any) {
	m.AddAt(param, -1, format, args...)
}

// AddAt reports a mistake in an element of a list.
func (m *Mistakes) AddAt(param string, index int, format string, args ...any) {
	m.found = append(m.found, &ParamError{
		Family: m.family, Param: param, Index: index, Reason: fmt.Sprintf(format, args...),
	})
}

// Named reports a mistake in an element of param in a sentence which names it.
func (m *Mistakes) Named(param string, index int, format string, args ...any) {
	m.found = append(m.found, &ParamError{
		Family: m.family, Param: param, Index: index, Reason: fmt.Sprintf(format, args...), Named: true,
	})
}

// checkGiven reports the parameters that the family needs and s lacks, and
// those that s gives and the family does not take.
func (m *Mistakes) checkGiven(s Spec, f *Family) {
	taken := make(map[string]*Param)
	list := make([]string, len(f.Params))
	for i := range f.Params {
		taken[f.Params[i].Name] = &f.Params[i]
		list[i] = f.Params[i].Name
	}
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "family" {
			continue
		}
		given := !v.Field(i).IsZero()
		if ints, ok := v.Field(i).Interface().(Ints); ok {
			given = len(ints) > 0
		}
		switch p := taken[name]; {
		case p == nil && given:
			m.Add(name, "is not a parameter of this family, which takes %s", JoinWords(list))
		case p != nil && p.Required && !given:
			m.Add(name, "is missing: %s", p.Doc)
		}
	}
}

// Within reports v if it lies outside lo..hi. Zero means that the parameter
// was left out, which checkGiven judges.
func (m *Mistakes) Within(param string, v, lo, hi int) {
	if v != 0 && (v < lo || v > hi) {
		m.Add(param, "must be from %d to %d, not %d", lo, hi, v)
	}
}

// Vertices reports param if it leads to more vertices than can be numbered.
func (m *Mistakes) Vertices(param string, n int64) {
	if n > MaxVertices {
		m.Add(param, "leads to %s vertices; the most possible is %d", amount(n), MaxVertices)
	}
}

// Ports reports param if it leads to more ports on one vertex than can be
// numbered.
func (m *Mistakes) Ports(param string, n int64) {
	if n > MaxPorts {
		m.Add(param, "leads to %s ports on one vertex; the most possible is %d", amount(n), MaxPorts)
	}
}

// amount prints the result of times, which stops at the largest number.
func amount(n int64) string {
	if n == math.MaxInt64 {
		return "far too many"
	}
	return fmt.Sprint(n)
}

// times multiplies numbers that are not negative and stops at the largest.
func times(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func plural(n int, noun string) string { return english.Count(n, noun) }
