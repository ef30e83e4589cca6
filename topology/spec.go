package topology

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Params selects one member of a family. It is a struct of the family's own, such as Torus,
// whose fields carry the parameters' names in a machine file as yaml and json tags; a
// parameter at zero is left out.
type Params interface {
	// Family is the family's name in a machine file: "torus".
	Family() string
	// Build makes the graph, or reports to m what is wrong with the parameters; its result must not
	// be used then, and may be nil. New calls it, after it has reported those that the family
	// requires and that are missing.
	Build(m *Mistakes) Graph
}

// Spec is the `topology:` section of a machine file: a family and its parameters. The zero
// Spec has no family, and New refuses it.
type Spec struct {
	Params
	// NodePorts gives nodes several ports; the zero value leaves them those of the family.
	NodePorts NodePorts
	// LevelCapacity sets the capacity of levels; the zero value leaves them that of the family.
	LevelCapacity LevelCapacity
	// unknown names the parameters that are given and that the family does not take, which New
	// refuses.
	unknown []string
}

// Family is the name of the family, "" where none is chosen.
func (s Spec) Family() string {
	if s.Params == nil {
		return ""
	}
	return s.Params.Family()
}

// Build calls that of the parameters, without NodePorts and LevelCapacity, which only New applies. A Spec without a
// family is a mistake.
func (s Spec) Build(m *Mistakes) Graph {
	if s.Params == nil {
		m.Add("family", "%s", unknownFamily(""))
		return nil
	}
	return s.Params.Build(m)
}

// UnknownParams names the parameters that are given and that the family does not take, which New refuses.
func (s Spec) UnknownParams() []string { return slices.Clone(s.unknown) }

// Equal reports whether two specs have the same family and the same parameters, unknown ones included. A parameter that
// is left out differs from one given with its default.
func (s Spec) Equal(other Spec) bool { return reflect.DeepEqual(s, other) }

// In returns s with relative paths in its parameters taken from a directory.
func (s Spec) In(dir string) Spec {
	if p, ok := s.Params.(Located); ok {
		s.Params = p.In(dir)
	}
	return s
}

// Named is Params that have a short name for their member: "torus 16x16".
type Named interface {
	Params
	// ShortName is the name, by which a reader tells members of a family apart.
	ShortName() string
}

// Located is Params that name files.
type Located interface {
	Params
	// In returns the parameters with relative paths taken from a directory.
	In(dir string) Params
}

// Nodes returns the parameter nodes of a family's own parameters (not of a Spec), 0 if it is left out. ok is false if
// the family has no such parameter, and for nil.
func Nodes(p Params) (n int, ok bool) {
	if p == nil {
		return 0, false
	}
	f := nodesOf(reflect.Indirect(reflect.ValueOf(p)))
	if !f.IsValid() {
		return 0, false
	}
	return int(f.Int()), true
}

// WithNodes returns a copy of a family's own parameters (not of a Spec) with another value of the parameter nodes. It
// returns p itself if the family has no such parameter.
func WithNodes(p Params, nodes int) Params {
	if p == nil {
		return nil
	}
	v := reflect.New(reflect.Indirect(reflect.ValueOf(p)).Type()).Elem()
	v.Set(reflect.Indirect(reflect.ValueOf(p)))
	f := nodesOf(v)
	if !f.IsValid() {
		return p
	}
	f.SetInt(int64(nodes))
	return v.Interface().(Params)
}

// nodesOf returns the field of the parameter nodes in a family's parameters; invalid if there is none.
func nodesOf(params reflect.Value) reflect.Value {
	for i, key := range keysOf(params.Type()) {
		if key.Name == "nodes" && key.Type.Kind() == reflect.Int {
			return params.Field(i)
		}
	}
	return reflect.Value{}
}

// GivenParams yields the parameters that are not left out (not zero, not empty), with their names in a machine file:
// those of the family in the order of its fields, then those of NodePorts and LevelCapacity if p is a Spec.
func GivenParams(p Params) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		s, ok := p.(Spec)
		if ok {
			p = s.Params
		}
		if p == nil {
			return
		}
		for _, given := range []any{p, s.NodePorts, s.LevelCapacity} {
			v := reflect.Indirect(reflect.ValueOf(given))
			for i, key := range keysOf(v.Type()) {
				f := v.Field(i)
				if f.IsZero() || (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.Len() == 0 {
					continue
				}
				if !yield(key.Name, f) {
					return
				}
			}
		}
	}
}

// String writes s as the topology section of a machine file in one line:
// {family: torus, dims: [8, 8]}. Parameters that are left out are not written.
func (s Spec) String() string {
	var parts []string
	if s.Params != nil {
		parts = append(parts, "family: "+s.Family())
	}
	for name, v := range GivenParams(s) {
		value := v.Interface()
		switch v.Kind() {
		case reflect.Slice:
			value = strings.ReplaceAll(fmt.Sprint(value), " ", ", ")
		case reflect.Map:
			value = formatMapping(value.(map[string]int))
		}
		if name == "path" { // the other words need no quotes
			value = strconv.Quote(v.String())
		}
		parts = append(parts, fmt.Sprintf("%s: %v", name, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// formatMapping writes numbers by name in one line: {level2: 4}.
func formatMapping(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		key := name
		if !plainKey.MatchString(key) {
			key = strconv.Quote(key)
		}
		parts = append(parts, fmt.Sprintf("%s: %d", key, of[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// plainKey is a key that needs no quotes.
var plainKey = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// section is a struct with the family and all parameters of s as fields of their own, as
// libraries for JSON and YAML write them.
func (s Spec) section() any {
	fields := []reflect.StructField{familyField}
	values := []reflect.Value{reflect.ValueOf(s.Family())}
	if s.Params != nil {
		for _, part := range []any{s.Params, s.NodePorts, s.LevelCapacity} {
			v := reflect.Indirect(reflect.ValueOf(part))
			for i := range v.NumField() {
				fields = append(fields, v.Type().Field(i))
				values = append(values, v.Field(i))
			}
		}
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range values {
		out.Field(i).Set(v)
	}
	return out.Interface()
}

// familyField is the key of a section that names the family.
var familyField = reflect.StructField{
	Name: "PlenumFamily", Type: reflect.TypeFor[string](), Tag: `yaml:"family" json:"family"`,
}

// MarshalJSON writes the family and its parameters as one object:
// {"family":"torus","dims":[8,8]}.
func (s Spec) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the caller's encoder decides
	err := e.Encode(s.section())
	return b.Bytes(), err
}

// MarshalYAML writes the family and its parameters as one mapping.
func (s Spec) MarshalYAML() (any, error) { return s.section(), nil }

// UnmarshalJSON reads what MarshalJSON writes. It accepts the parameters of all families; New
// refuses those that the family does not take. A family that does not exist is an error. A section
// without a family gives the zero Spec, with any parameters.
func (s *Spec) UnmarshalJSON(text []byte) error {
	return s.read(func(target any) error { return json.Unmarshal(text, target) })
}

// UnmarshalYAML reads a topology section, as UnmarshalJSON does. It takes the decoder as a
// function, so that this package needs no YAML library.
func (s *Spec) UnmarshalYAML(decode func(any) error) error { return s.read(decode) }

// read has a library fill a struct that has the family and the parameters of all families as fields.
func (s *Spec) read(decode func(any) error) error {
	var chosen struct {
		Family string `yaml:"family" json:"family"`
	}
	if err := decode(&chosen); err != nil {
		return err
	}
	if chosen.Family != "" && familyNamed(chosen.Family) == nil {
		return noFamily(chosen.Family)
	}
	d := NewDraft(chosen.Family)
	fields := []reflect.StructField{familyField}
	keys := append(Keys(), commonKeys...)
	for i, key := range keys {
		fields = append(fields, reflect.StructField{
			Name: "Param" + strconv.Itoa(i), Type: d.Value(key.Name).Type(),
			Tag: reflect.StructTag(fmt.Sprintf("yaml:%q json:%q", key.Name, key.Name)),
		})
	}
	section := reflect.New(reflect.StructOf(fields))
	if err := decode(section.Interface()); err != nil {
		return err
	}
	for i, key := range keys {
		d.Value(key.Name).Set(section.Elem().Field(1 + i))
	}
	*s = d.Spec()
	return nil
}

// Draft is a topology section while it is read, one parameter after the other.
type Draft struct {
	family   *Family // nil if there is none of the name
	params   reflect.Value
	ports    NodePorts
	capacity LevelCapacity
	unknown  map[string]reflect.Value // what the family does not take
}

// NewDraft begins the section of a family. With a name that is not one of a family, the result takes values, and its
// Spec is the zero Spec.
func NewDraft(family string) *Draft {
	d := &Draft{family: familyNamed(family), unknown: map[string]reflect.Value{}}
	if d.family != nil {
		d.params = reflect.New(d.family.paramsType()).Elem()
	}
	return d
}

// Value returns the settable place for the value of a parameter, invalid for a name that is not a parameter of any
// family. A value other than zero of a parameter that this family does not take is one of UnknownParams of the Spec.
func (d *Draft) Value(param string) reflect.Value {
	for _, common := range []any{&d.ports, &d.capacity} {
		v := reflect.ValueOf(common).Elem()
		for i, key := range keysOf(v.Type()) {
			if key.Name == param {
				return v.Field(i)
			}
		}
	}
	if d.family != nil {
		for i, key := range keysOf(d.params.Type()) {
			if key.Name == param {
				return d.params.Field(i)
			}
		}
	}
	v, ok := d.unknown[param]
	if !ok {
		for _, key := range Keys() {
			if key.Name == param {
				v = reflect.New(key.Type).Elem()
				d.unknown[param] = v
			}
		}
	}
	return v
}

// Spec returns the section as far as it was read, the zero Spec without a known family.
func (d *Draft) Spec() Spec {
	if d.family == nil {
		return Spec{}
	}
	s := Spec{Params: d.params.Interface().(Params), NodePorts: d.ports, LevelCapacity: d.capacity}
	for _, key := range Keys() {
		v := d.unknown[key.Name]
		if v.IsValid() && !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
			s.unknown = append(s.unknown, key.Name)
		}
	}
	return s
}
