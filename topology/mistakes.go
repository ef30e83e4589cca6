package topology

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Mistakes collects what is wrong with the parameters of a Spec: a *diag.FieldError for each,
// with the family as its subject and the parameter's YAML name as its path.
type Mistakes struct {
	family string
	found  diag.FieldErrors
	long   bool // a list is too long to be looked at
}

func (m *Mistakes) err() error { return m.found.Err() }

// None reports whether nothing is wrong.
func (m *Mistakes) None() bool { return len(m.found) == 0 }

// Add reports a mistake in a parameter. The text after the first line break of the message is what to do about it.
func (m *Mistakes) Add(param, format string, args ...any) {
	e := diag.Fieldf(param, format, args...)
	e.Subject = m.family
	m.found = append(m.found, e)
}

// addBelow reports the mistakes of a section that is the value of a parameter.
func (m *Mistakes) addBelow(param string, err error) {
	for _, e := range diag.Fields(err) {
		below := *e
		below.Subject, below.Path = m.family, diag.Join(param, e.Path)
		m.found = append(m.found, &below)
	}
}

// AddAt reports a mistake in an element of a list.
func (m *Mistakes) AddAt(param string, index int, format string, args ...any) {
	m.Add(diag.Elem(param, index), format, args...)
}

// mostEntries is the most entries of a list of numbers: no family has a use for more, and each may cost a mistake.
const mostEntries = 4096

// checkGiven reports the parameters that the family needs and p lacks, and unknown ones, which
// are given and which the family does not take.
func (m *Mistakes) checkGiven(p Params, unknown []string, f *Family) {
	given := make(map[string]bool)
	for name, v := range GivenParams(p) {
		given[name] = true
		if v.Kind() == reflect.Slice && v.Len() > mostEntries {
			m.Add(name, "has %d entries; the most is %d", v.Len(), mostEntries)
			m.long = true
		}
	}
	var required []Param
	list := make([]string, len(f.Params))
	for i, q := range f.Params {
		list[i] = q.Name
		if q.Required && !given[q.Name] {
			required = append(required, q)
		}
	}
	if len(required)+len(unknown) == 0 {
		return
	}
	for _, key := range Keys() {
		if slices.Contains(unknown, key.Name) {
			m.Add(key.Name, "is not a parameter of this family, which takes %s", english.List(list))
		}
		for _, q := range required {
			if q.Name == key.Name {
				m.Add(q.Name, "is missing: %s", q.Doc)
			}
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
		m.Add(param, "leads to %s vertices%s; the most possible is %d", amount(n), leastNeed(n), MaxVertices)
	}
}

// leastNeed tells what so many vertices would take: a row of 64 bytes each, read once.
func leastNeed(vertices int64) string {
	if vertices == math.MaxInt64 {
		return ""
	}
	need := budget.Need{Bytes: 64, Seconds: 50e-9}.Times(float64(vertices))
	return fmt.Sprintf(", which would take %s", need)
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

// checkMissing reports the parameters whose values are zero, in the order of params, as
// checkGiven does for those that are always required.
func (m *Mistakes) checkMissing(params []Param, values map[string]int) {
	for _, p := range params {
		if v, ok := values[p.Name]; ok && v == 0 {
			m.Add(p.Name, "is missing: %s", p.Doc)
		}
	}
}

// OneOf reports a word that is not in the list; an empty one was left out.
func (m *Mistakes) OneOf(param, word string, list []string) {
	if word == "" || slices.Contains(list, word) {
		return
	}
	hint := ""
	if near := diag.Nearest(word, list); diag.Distance(word, near) <= min(3, len(word)) {
		hint = "; " + diag.DidYouMean(near)
	}
	m.Add(param, "must be one of %s, not %q%s", english.List(list), word, hint)
}
