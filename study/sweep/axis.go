package sweep

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/splitmix"
)

// place is a field that an axis changes.
type place struct {
	path   string
	at     []step
	option bool // it is one of the options of what is measured, not of the machine
}

// axis is an Axis that was checked.
type axis struct {
	*Axis
	path   string  // of the axis in the sweep file
	places []place // one for each field
	names  []string
	count  int  // values that the grid has
	drawn  bool // values are drawn from a range, not from those of the grid
	broken bool // it is not as it should be, or there is no way to one of its fields
}

// fieldPath is where a field of an axis stands in the sweep file.
func (x *axis) fieldPath(i int) string { return diag.Elem(diag.Key(x.path, "field"), i) }

// setting is the value of an axis at a point: a node and a cell for each of its fields.
type setting struct {
	nodes []*yaml.Node
	cells []string // as JSON
}

// parsePlace reads the path of a field.
func parsePlace(path string) (place, error) {
	at, err := steps(path)
	if err != nil {
		return place{}, err
	}
	return place{path, at, at[0].index < 0 && slices.Contains(Measures(), at[0].key)}, nil
}

// newAxis checks an axis by itself.
func newAxis(a *Axis, path string, wrong *diag.FieldErrors) *axis {
	x := &axis{Axis: a, path: path}
	before := len(*wrong)
	for i, f := range a.Field {
		p, err := parsePlace(f)
		if err != nil {
			wrong.Add(x.fieldPath(i), "%v\nwrite it like topology.dims or fabrics[0].topology", err)
		}
		x.places = append(x.places, p)
		x.names = append(x.names, f)
	}
	if n := len(a.Name); n > 0 && n != len(a.Field) && (n > 1 || len(a.Labels) == 0) {
		wrong.Add(diag.Key(path, "name"), "%d names for %d fields", n, len(a.Field))
	} else if n > 0 {
		x.names = a.Name
	}
	ranged := a.From != nil || a.To != nil || a.Step != nil || a.Count > 0 || a.Scale != "" || a.Unit != "" ||
		a.Whole
	switch {
	case len(a.Values) > 0 && ranged:
		wrong.Add(diag.Key(path, "values"), "an axis has values, or a range with from and to, not both")
	case len(a.Values) > 0:
		x.checkList(wrong)
	case a.From == nil || a.To == nil:
		wrong.Add(path, "needs values, or a range with from and to")
	default:
		x.checkRange(wrong)
	}
	x.broken = len(*wrong) > before
	return x
}

// checkList checks the values of a list.
func (x *axis) checkList(wrong *diag.FieldErrors) {
	x.count = len(x.Values)
	if n := len(x.Labels); n > 0 && n != x.count {
		wrong.Add(diag.Key(x.path, "labels"), "%d labels for %d values", n, x.count)
	}
	if len(x.Labels) > 0 && len(x.Field) > 1 {
		x.names = x.names[:1]
		if len(x.Name) == 0 {
			wrong.Add(diag.Key(x.path, "labels"), "one label stands for the values of several fields\n"+
				"give the axis a name, which the column of labels has")
		}
	}
	if len(x.Field) == 1 {
		return
	}
	for i := range x.Values {
		v := followAlias(&x.Values[i])
		if v.Kind != yaml.SequenceNode || len(v.Content) != len(x.Field) {
			wrong.Add(diag.Elem(diag.Key(x.path, "values"), i),
				"expected a list with a value for each of the %d fields",
				len(x.Field))
		}
	}
}

// maxValues is the most values of a range.
const maxValues = 1_000_000

// checkRange checks a range, and counts its values.
func (x *axis) checkRange(wrong *diag.FieldErrors) {
	refuse := func(key, format string, args ...any) { wrong.Add(diag.Key(x.path, key), format, args...) }
	if len(x.Field) > 1 {
		refuse("from", "a range is of one field\nlist the values of several")
	}
	if len(x.Labels) > 0 {
		refuse("labels", "labels are of listed values, not of a range")
	}
	if x.Unit != "" && len(x.Name) == 0 {
		x.names = []string{x.names[0] + "_" + strings.ReplaceAll(x.Unit, "/", "_per_")}
	}
	from, to, log := *x.From, *x.To, x.Scale == "log"
	switch {
	case to < from:
		refuse("to", "%g is below from, %g", to, from)
		return
	case log && from <= 0:
		refuse("from", "must be above 0 on a logarithmic scale, not %g", from)
		return
	case x.Step != nil && x.Count > 0:
		refuse("step", "a range has a step or a count, not both")
		return
	case x.Step != nil && log:
		refuse("step", "a logarithmic scale has a count, not a step")
		return
	case x.Step != nil && (*x.Step <= 0 || (to-from) / *x.Step >= maxValues):
		refuse("step", "must be above 0 and give at most %d values", maxValues)
		return
	case x.Step != nil:
		x.count = int(math.Floor((to-from) / *x.Step * (1+1e-12) + 1e-9)) + 1
	case x.Count > 0:
		x.count = x.Count
	default:
		x.drawn = true
	}
}

// followAlias follows an alias.
func followAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// trialValues returns the values that are tried alone when the file is read: all of a list, the ends of a range. Those
// between are no other kind of number, unless only whole ones will do.
func (x *axis) trialValues() []setting {
	if len(x.Values) == 0 {
		out := []setting{x.number(*x.From), x.number(*x.To)}
		if x.Step != nil {
			out = append(out, x.value(min(1, x.count-1)))
		}
		return out
	}
	out := make([]setting, x.count)
	for i := range out {
		out[i] = x.value(i)
	}
	return out
}

// value is a value of the grid.
func (x *axis) value(i int) setting {
	if len(x.Values) > 0 {
		return x.list(i)
	}
	if i == x.count-1 && x.Step == nil {
		return x.number(*x.To)
	}
	from, to := *x.From, *x.To
	switch {
	case x.Step != nil:
		return x.number(from + float64(float64(i)**x.Step))
	case x.Scale == "log":
		return x.number(from * math.Pow(to/from, float64(i)/float64(x.count-1)))
	}
	return x.number(from + float64((to-from)*float64(i)/float64(x.count-1)))
}

// draw is a random value by a random number of 64 bits.
func (x *axis) draw(random uint64) setting {
	if !x.drawn {
		return x.value(int(random % uint64(x.count))) // counts are so small that none is favoured
	}
	share := float64(random>>11) / (1 << 53)
	from, to := *x.From, *x.To
	if x.Scale == "log" {
		return x.number(from * math.Pow(to/from, share))
	}
	return x.number(from + float64((to-from)*share))
}

// number is a value of a range. Twelve digits are kept: what adding up makes of 0.3 is 0.3.
func (x *axis) number(v float64) setting {
	if x.Whole {
		v = math.Round(v)
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	text := strconv.FormatFloat(v, 'f', -1, 64)
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}
	if v == math.Trunc(v) {
		n.Tag = "!!int"
	}
	if x.Unit != "" {
		n.Tag, n.Value = "!!str", text+" "+x.Unit
	}
	return setting{[]*yaml.Node{n}, []string{text}}
}

// list is a value of a list.
func (x *axis) list(i int) setting {
	v := &x.Values[i]
	s := setting{nodes: []*yaml.Node{v}}
	if len(x.Field) > 1 {
		s.nodes = followAlias(v).Content
	}
	if len(x.Labels) > 0 {
		s.cells = []string{quoteJSON(x.Labels[i])}
		return s
	}
	for _, n := range s.nodes {
		s.cells = append(s.cells, cell(n))
	}
	return s
}

// cell is a value as a table has it, in JSON: a number, true or false, or a text; of what is not a scalar, its YAML on
// one line.
func cell(n *yaml.Node) string {
	n = followAlias(n)
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!int", "!!float":
			if json.Valid([]byte(n.Value)) {
				return n.Value
			}
		case "!!bool":
			return strconv.FormatBool(strings.EqualFold(n.Value, "true"))
		}
		return quoteJSON(n.Value)
	}
	var b strings.Builder
	inline(&b, n)
	return quoteJSON(b.String())
}

// maxCell is how long the text of a value gets.
const maxCell = 1000

// inline writes a value on one line.
func inline(b *strings.Builder, n *yaml.Node) {
	n = followAlias(n)
	if b.Len() > maxCell {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(n.Content[i].Value + ": ")
			inline(b, n.Content[i+1])
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				b.WriteString(", ")
			}
			inline(b, c)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.Value)
	}
}

// quoteJSON returns a text in JSON.
func quoteJSON(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text can be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// grid counts the points of all values with all others.
func grid(axes []*axis) (int, error) {
	n := 1
	for _, x := range axes {
		if n > MaxPoints/max(x.count, 1) {
			return 0, fmt.Errorf("the grid has more than %d points\ndraw some with sample", MaxPoints)
		}
		n *= x.count
	}
	return n, nil
}

// combination is the values of the axes at the point of that number, before repeats. Of a grid the last axis changes
// first.
func (s *Study) combination(number int) []setting {
	out := make([]setting, len(s.axes))
	if s.Sample != nil {
		for i, x := range s.axes {
			state := splitmix.First(cmp.Or(s.Sample.Seed, 1)) ^ splitmix.First(uint64(number))
			out[i] = x.draw(splitmix.First(state + uint64(i)*splitmix.Gamma))
		}
		return out
	}
	for i := len(s.axes) - 1; i >= 0; i-- {
		x := s.axes[i]
		out[i] = x.value(number % x.count)
		number /= x.count
	}
	return out
}
