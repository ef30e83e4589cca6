package graphtest

import (
	"reflect"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// Grow draws parameters of a larger member of the family of p, with at most as many vertices as given: one or two of
// the numbers in p are larger. It reports whether it found one.
func Grow(t *rapid.T, p topology.Params, most int) (topology.Params, bool) {
	g, err := topology.New(p)
	if err != nil {
		return nil, false
	}
	for range 60 {
		larger := reflect.New(reflect.TypeOf(p)).Elem()
		larger.Set(reflect.ValueOf(p))
		var numbers []reflect.Value
		for i := range larger.NumField() {
			f := larger.Field(i)
			switch f.Kind() {
			case reflect.Int:
				numbers = append(numbers, f)
			case reflect.Slice:
				if f.Type().Elem().Kind() != reflect.Int {
					continue
				}
				f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
				for j := range f.Len() {
					numbers = append(numbers, f.Index(j))
				}
			}
		}
		for range rapid.IntRange(1, 2).Draw(t, "numbers") {
			n := rapid.SampledFrom(numbers).Draw(t, "grown")
			if n.Int() > 0 {
				n.SetInt(n.Int() + int64(rapid.IntRange(1, max(1, int(n.Int()))).Draw(t, "more")))
			}
		}
		q := larger.Interface().(topology.Params)
		if h, err := topology.New(q); err == nil && topology.Vertices(h) <= most &&
			topology.Vertices(h) > topology.Vertices(g) {
			return q, true
		}
	}
	return nil, false
}
