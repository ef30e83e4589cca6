package delay

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// given is what InputsOf sums up.
type given struct {
	g              topology.Graph
	c              topology.CSR
	m              Model
	l              Links
	at             [][3]units.Length
	paths, stretch Options
}

func (x *given) sum() Inputs {
	at := func(v int) [3]units.Length { return x.at[v] }
	return InputsOf(x.g, &x.c, x.m, x.l, at, x.paths, x.stretch)
}

// drawnInputs is the same at every call.
func drawnInputs() *given {
	g := torus(4, 3)
	x := &given{
		g: g, c: *topology.NewCSR(g), m: model(g), l: lengths(g, rand.New(rand.NewPCG(1, 2)), 3),
		at: make([][3]units.Length, topology.Vertices(g)),
	}
	return x
}

// reordered is a lattice of other dimensions with the same links.
type reordered struct {
	*grid
	dims []int
}

func (r reordered) Dims() []int { return r.dims }

// TestInputs changes one thing after the other, by no more than the last bit: the sum is another one every time.
func TestInputs(t *testing.T) {
	want := drawnInputs().sum()
	if drawnInputs().sum() != want {
		t.Fatal("the same inputs have two sums")
	}
	changes := map[string]func(x *given){
		"no lattice":  func(x *given) { x.g = &x.g.(*grid).listed },
		"dimensions":  func(x *given) { x.g = reordered{x.g.(*grid), []int{3, 4}} },
		"kinds":       func(x *given) { x.g.(*grid).kinds[0].Ports++ },
		"head":        func(x *given) { x.c.To[5]++ },
		"link":        func(x *given) { x.c.Link[5]++ },
		"rows":        func(x *given) { x.c.First[3]-- },
		"length":      func(x *given) { x.l.length[2] = math.Nextafter32(x.l.length[2], 100) },
		"medium":      func(x *given) { x.l.medium[2]++ },
		"hop":         func(x *given) { x.m.Hop[0] = next(x.m.Hop[0]) },
		"propagation": func(x *given) { x.m.Media[0].Propagation = next(x.m.Media[0].Propagation) },
		"end":         func(x *given) { x.m.Media[0].End = next(x.m.Media[0].End) },
		"name":        func(x *given) { x.m.Media[0].Name += "x" },
		"place":       func(x *given) { x.at[3][2] = next(x.at[3][2]) },
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		if f.Name == "Progress" {
			continue
		}
		set := func(o *Options) {
			switch v := reflect.ValueOf(o).Elem().Field(i); {
			case v.CanInt():
				v.SetInt(7)
			case v.CanFloat():
				v.SetFloat(7)
			default:
				v.SetUint(7)
			}
		}
		changes["paths, "+f.Name] = func(x *given) { set(&x.paths) }
		changes["stretch, "+f.Name] = func(x *given) { set(&x.stretch) }
	}
	sums := map[Inputs]string{want: "nothing"}
	for name, change := range changes {
		x := drawnInputs()
		change(x)
		got := x.sum()
		if other, ok := sums[got]; ok {
			t.Errorf("%s has the sum of %s", name, other)
		}
		sums[got] = name
	}
	x := drawnInputs()
	x.paths.Progress = func(int, int) {}
	if x.sum() != want {
		t.Error("who is told how far it is changes the sum")
	}
}

func next[T ~float64](x T) T { return T(math.Nextafter(float64(x), math.Inf(1))) }
