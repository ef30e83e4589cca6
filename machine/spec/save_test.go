package spec

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// fill draws any value that the reader could have produced: no empty lists, and
// what is required present.
func fill(t *rapid.T, v reflect.Value, r strictyaml.Rule, required bool) {
	if !required && !rapid.Bool().Draw(t, "given") {
		return
	}
	if v.Type() == topologyType {
		v.Set(reflect.ValueOf(drawSection(t, true)))
		return
	}
	if v.Type() == localType {
		v.Set(reflect.ValueOf(topology.Local{Spec: drawSection(t, false)}))
		return
	}
	if rows, ok := v.Addr().Interface().(*Rows); ok {
		if rapid.Bool().Draw(t, "list") {
			fill(t, reflect.ValueOf(&rows.List).Elem(), r, true)
		} else {
			fill(t, reflect.ValueOf(&rows.Count).Elem(), r, true)
		}
		return
	}
	if end, ok := v.Addr().Interface().(*PathEnd); ok {
		if rapid.Bool().Draw(t, "opening") {
			fill(t, reflect.ValueOf(&end.Opening).Elem(), r, true)
		} else {
			fill(t, reflect.ValueOf(&end.Position).Elem(), r, true)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), r, true)
	case reflect.Struct:
		for _, f := range language.Fields(v.Type()) {
			fill(t, v.Field(f.Index), f.Rule, f.Required)
		}
	case reflect.Slice:
		n := rapid.IntRange(1, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), r, true)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			e := reflect.New(v.Type().Elem()).Elem()
			fill(t, e, r, true)
			v.SetMapIndex(reflect.ValueOf("k"+text(t)), e)
		}
	case reflect.String:
		if r.Enum != nil {
			v.SetString(rapid.SampledFrom(r.Enum).Draw(t, "word"))
		} else {
			v.SetString(text(t))
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int:
		most := strictyaml.MaxInt
		if r.Max > 0 {
			most = int(r.Max)
		}
		v.SetInt(int64(rapid.IntRange(int(r.Min), most).Draw(t, "int")))
	case reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 1e14).Draw(t, "money"))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Float64:
		most := 1e9
		if q, ok := v.Interface().(interface{ Most() float64 }); ok {
			most = q.Most()
		}
		if r.Max > 0 {
			most = r.Max
		}
		least := r.Min
		if r.Signed {
			least = -most
		}
		v.SetFloat(rapid.Float64Range(least, most).Draw(t, "float"))
	default:
		t.Fatal(v.Type())
	}
}

// drawSection draws parameters of a family without regard to what they mean, with local networks if asked to.
func drawSection(t *rapid.T, local bool) topology.Spec {
	family := rapid.SampledFrom(topology.Families()).Draw(t, "family")
	section := topology.NewDraft(family.Name)
	for _, p := range family.Params {
		if p.Name == "local" && !local {
			continue
		}
		fill(t, section.Value(p.Name), strictyaml.Rule{}, false)
	}
	return section.Spec()
}

// text draws text, often of the kind that YAML may take for something else.
func text(t *rapid.T) string {
	odd := []string{
		"", "no", "~", "null", "True", "010", "0x1F", "1_000", "1e3", ".5", "-", "- a", "a: b", "a #b", "#", "<<", "=",
		"*a", "&a", "!a", "%a", "@a", "'", `"`,
		"{a", "[a", " a ", "a\nb", "a\n\n", "\n", "2024-01-01", "12:30:00", "---", "...", "ü", "\u2028", "\u0085",
		"\u00a0", "a\tb", "?", "? a", ":", "|", ">", "\\",
	}
	if rapid.Bool().Draw(t, "odd") {
		return rapid.SampledFrom(odd).Draw(t, "text")
	}
	s := rapid.String().Draw(t, "text")
	return strings.Map(func(r rune) rune {
		unprintable := unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r)
		if unprintable || strings.ContainsRune("\ufeff\ufffe\uffff", r) {
			return -1
		}
		return r
	}, s)
}

func TestASavedSpecIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want, got Spec
		fill(t, reflect.ValueOf(&want).Elem(), strictyaml.Rule{}, true)
		data, err := want.YAML()
		if err != nil {
			t.Fatal(err)
		}
		doc := language.Read("saved", data, &got)
		if err := doc.Err(); err != nil || !doc.Whole {
			t.Fatalf("%s%v", data, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Spec{}, Loop{})); diff != "" {
			t.Fatalf("%s%s", data, diff)
		}
	})
}

func TestSavedSpec(t *testing.T) {
	fixed, aisle := units.Length(0), units.Length(1.2)
	s := Spec{
		Name: "x", Packaging: Packaging{Node: &Box{Units: []int{1, 3}}, Leaf: &Box{}}, Room: Room{ColdAisle: &aisle},
		Cabling: Cabling{Slack: Slack{Fixed: &fixed}}, Prices: Prices{Unit: map[string]units.Money{"dac@3 m": 12345}},
	}
	s.Topology.Params = topology.Torus{Dims: topology.Ints{4, 4}}
	want := `name: x
topology:
  family: torus
  dims: [4, 4]
packaging:
  node:
    units: [1, 3]
  leaf: {}
room:
  cold_aisle: 1.2 m
cabling:
  slack:
    fixed: 0 m
prices:
  unit:
    dac@3 m: "123.45"
`
	got, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
