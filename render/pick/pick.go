// Package pick chooses cables of a plan by what they are called, where they end and what they are. It draws nothing.
//
// A name may have wildcards: * stands for any characters, none too, and ? for one. A name that no cable of the plan has
// is an error that tells the nearest one.
package pick

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
)

// Filter says which cables are chosen: those that meet all of its conditions, each by one of its names.
type Filter struct {
	// Cables are ids of cables or the labels of their ends.
	Cables []string
	// Ends are boxes, patch panels and racks in which a cable ends.
	Ends []string
	// Levels are levels of the topology, Fabrics fabrics, and Products cables of the catalog, with their lengths or
	// without ("id", "id@3 m").
	Levels, Fabrics, Products []string
	// Media are media, or what catalog.MediumAliases calls several.
	Media []string
	// Longest keeps so many of the longest cables, of equally long ones the first; 0 keeps all.
	Longest int
}

// Empty reports whether nothing is asked for.
func (f *Filter) Empty() bool {
	return len(f.Cables)+len(f.Ends)+len(f.Levels)+len(f.Fabrics)+len(f.Products)+len(f.Media) == 0 && f.Longest == 0
}

// Words are the conditions in words.
func (f *Filter) Words() string {
	var out []string
	for _, c := range []struct {
		what  string
		names []string
	}{
		{"cable", f.Cables},
		{"end", f.Ends},
		{"level", f.Levels},
		{"fabric", f.Fabrics},
		{"medium", f.Media},
		{"product", f.Products},
	} {
		if len(c.names) > 0 {
			out = append(out, c.what+" "+strings.Join(c.names, " or "))
		}
	}
	if f.Longest > 0 {
		out = append(out, fmt.Sprintf("the %s longest", english.Grouped(int64(f.Longest))))
	}
	return strings.Join(out, ", ")
}

// Chosen is the cables of a plan that a filter has chosen.
type Chosen struct {
	// Segments are the links that they carry, as indices of Schedule.Segments, in their order.
	Segments []int32
	// Cables is how many they are, of All cables of the plan.
	Cables, All int64
	// Words are the conditions in words; "" for none.
	Words string
}

// ErrSummary says that a plan has no list of cables.
var ErrSummary = errors.New("the plan is a summary, which has no list of cables to choose from")

// Of chooses cables. No cable is an error, and so is a name that no cable has, as a diag.FieldError.
func Of(r *machine.Result, f Filter) (*Chosen, error) {
	s := r.Schedule
	if s.Segments == nil {
		return nil, ErrSummary
	}
	if f.Longest < 0 {
		return nil, diag.Fieldf("Longest", "must be at least 1, not %d", f.Longest)
	}
	p := &picker{r: r, s: s}
	tests := []func(i int) bool{
		p.media(f.Media), p.levels(f.Levels), p.fabrics(f.Fabrics), p.products(f.Products), p.ends(f.Ends),
		p.cables(f.Cables),
	}
	tests = slices.DeleteFunc(tests, func(t func(int) bool) bool { return t == nil })
	if err := p.wrong.Err(); err != nil {
		return nil, err
	}
	chosen := make([]bool, s.Cables+1) // by number
	for i := range s.Segments {
		n := s.Segments[i].Cable
		if n > 0 && !slices.ContainsFunc(tests, func(t func(int) bool) bool { return !t(i) }) {
			chosen[n] = true
		}
	}
	p.longest(chosen, f.Longest)
	out := &Chosen{All: s.Cables, Words: f.Words()}
	for _, is := range chosen {
		if is {
			out.Cables++
		}
	}
	if out.Cables == 0 {
		if out.Words == "" {
			return nil, errors.New("the plan has no cable")
		}
		return nil, fmt.Errorf("no cable of the plan meets all of: %s", out.Words)
	}
	for i := range s.Segments {
		if n := s.Segments[i].Cable; n > 0 && chosen[n] {
			out.Segments = append(out.Segments, int32(i))
		}
	}
	return out, nil
}

// picker tests the segments of a plan.
type picker struct {
	r     *machine.Result
	s     *cabling.Schedule
	wrong diag.FieldErrors
}

// names tells which of known are asked for, nil where nothing is.
func (p *picker) names(field, what string, asked, known []string) []bool {
	if len(asked) == 0 {
		return nil
	}
	out := make([]bool, len(known))
	for _, name := range asked {
		found := false
		for i, k := range known {
			if Match(name, k) {
				out[i], found = true, true
			}
		}
		if !found {
			p.refuse(field, what, name, known)
		}
	}
	return out
}

// refuse tells that nothing has a name.
func (p *picker) refuse(field, what, name string, known []string) {
	const few = 12
	if near, ok := diag.Closest(name, known); ok {
		p.wrong.Add(field, "no %s %s; %s", what, diag.Escape(name), diag.DidYouMean(near))
		return
	}
	seen := slices.Compact(slices.Sorted(slices.Values(known)))
	switch {
	case len(seen) == 0:
		p.wrong.Add(field, "no %s %s; the plan has none", what, diag.Escape(name))
	case len(seen) <= few:
		p.wrong.Add(field, "no %s %s; there are %s", what, diag.Escape(name), strings.Join(seen, ", "))
	default:
		p.wrong.Add(field, "no %s %s; there are %s, such as %q", what, diag.Escape(name),
			english.Grouped(int64(len(seen))), diag.Nearest(name, seen))
	}
}

func (p *picker) levels(asked []string) func(int) bool {
	var known []string
	for _, l := range p.r.Graph.Levels() {
		known = append(known, l.Name)
	}
	is := p.names("Levels", "level", asked, known)
	if is == nil {
		return nil
	}
	return func(i int) bool { return is[p.s.Segments[i].Level] }
}

func (p *picker) fabrics(asked []string) func(int) bool {
	var known []string
	for _, n := range p.r.Fabrics {
		known = append(known, n.Name)
	}
	if len(asked) > 0 && len(known) == 0 {
		p.wrong.Add("Fabrics", "the machine has one fabric, without a name")
		return nil
	}
	is := p.names("Fabrics", "fabric", asked, known)
	if is == nil {
		return nil
	}
	var within []bool
	for _, l := range p.r.Graph.Levels() {
		within = append(within, slices.ContainsFunc(known, func(name string) bool {
			return is[slices.Index(known, name)] && machine.InFabric(l.Name, name)
		}))
	}
	return func(i int) bool { return within[p.s.Segments[i].Level] }
}

func (p *picker) media(asked []string) func(int) bool {
	if len(asked) == 0 {
		return nil
	}
	var known []string
	for _, m := range catalog.Media {
		known = append(known, string(m))
	}
	words := append(slices.Clone(known), slices.Sorted(maps.Keys(catalog.MediumAliases))...)
	is := p.names("Media", "medium", asked, words)
	for i, word := range words[len(known):] {
		for _, m := range catalog.MediumAliases[word] {
			k := slices.Index(catalog.Media, m)
			is[k] = is[k] || is[len(known)+i]
		}
	}
	return func(i int) bool {
		m := p.s.Medium(&p.s.Segments[i])
		return m != "" && is[slices.Index(catalog.Media, m)]
	}
}

func (p *picker) products(asked []string) func(int) bool {
	if len(asked) == 0 {
		return nil
	}
	var items, ids []string
	for i := range p.s.Products {
		item := p.s.Products[i].Item()
		items, ids = append(items, item.String()), append(ids, item.Part)
	}
	is := make([]bool, len(items))
	for _, name := range asked {
		found := false
		for i := range items {
			if Match(name, items[i]) || Match(name, ids[i]) {
				is[i], found = true, true
			}
		}
		if !found {
			known := ids
			if strings.Contains(name, "@") {
				known = items
			}
			p.refuse("Products", "cable", name, known)
		}
	}
	return func(i int) bool {
		n := p.s.Segments[i].Product
		return n >= 0 && is[n]
	}
}

// ends tests for boxes, panels and racks.
func (p *picker) ends(asked []string) func(int) bool {
	if len(asked) == 0 {
		return nil
	}
	slot := p.s.Placement.Slot // of vertices, and of panels after them
	is := make([]bool, len(slot))
	for _, name := range asked {
		found := false
		for v := range slot {
			if Match(name, p.s.Device(int32(v))) || Match(name, p.rack(int32(v))) {
				is[v], found = true, true
			}
		}
		if found {
			continue
		}
		var known []string
		for v := range slot {
			known = append(known, p.s.Device(int32(v)))
			if rack := p.rack(int32(v)); v == 0 || known[max(0, len(known)-2)] != rack {
				known = append(known, rack)
			}
		}
		p.refuse("Ends", "box or rack", name, known)
	}
	return func(i int) bool { return is[p.s.Segments[i].A] || is[p.s.Segments[i].B] }
}

// rack is the name of the rack that a box stands in, or of its innermost container.
func (p *picker) rack(v int32) string {
	return p.s.Placement.Layout.Rack(p.s.Placement.Slot[v])
}

// cables tests for ids and labels.
func (p *picker) cables(asked []string) func(int) bool {
	if len(asked) == 0 {
		return nil
	}
	exact := map[string]int{} // what is asked for without wildcards
	var wild []int
	found := make([]bool, len(asked))
	for k, name := range asked {
		if match := machine.CableID.FindStringSubmatch(name); match != nil && p.s.Naming.Cables == nil {
			name = strings.ToUpper(name[:1]) + match[1] // without zeros
		}
		if strings.ContainsAny(name, "*?") {
			wild = append(wild, k)
		} else {
			exact[name] = k
		}
	}
	chosen := make([]bool, len(p.s.Segments))
	var b []byte
	var names [4]string
	for i := range p.s.Segments {
		seg := &p.s.Segments[i]
		if seg.Cable <= 0 {
			continue
		}
		n := int64(seg.Cable)
		b = p.s.AppendCableID(b[:0], n)
		names = [4]string{string(b), fmt.Sprintf("C%d", n), p.s.Label(seg.A, seg.PortA), p.s.Label(seg.B, seg.PortB)}
		if p.s.Naming.Cables != nil {
			names[1] = names[0]
		}
		for _, name := range names {
			if k, is := exact[name]; is {
				chosen[i], found[k] = true, true
			}
			for _, k := range wild {
				if Match(asked[k], name) {
					chosen[i], found[k] = true, true
				}
			}
		}
	}
	for k, name := range asked {
		if !found[k] {
			p.unknown(name)
		}
	}
	return func(i int) bool { return chosen[i] }
}

// unknown tells that no cable is called so.
func (p *picker) unknown(name string) {
	const most = 50_000 // names that are compared
	s := p.s
	if machine.CableID.MatchString(name) && s.Naming.Cables == nil {
		p.wrong.Add("Cables", "no cable %s; the plan has %s, %s to %s", diag.Escape(name), english.Grouped(s.Cables),
			s.CableID(min(1, s.Cables)), s.CableID(s.Cables))
		return
	}
	var known []string
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Cable <= 0 || len(known) > most {
			continue
		}
		known = append(known, s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB))
		if s.Naming.Cables != nil {
			known = append(known, s.CableID(int64(seg.Cable)))
		}
	}
	p.refuse("Cables", "cable or label of an end", name, known)
}

// longest leaves the longest cables of those chosen.
func (p *picker) longest(chosen []bool, most int) {
	if most == 0 {
		return
	}
	length := make([]float64, len(chosen))
	var numbers []int32
	for i := range p.s.Segments {
		seg := &p.s.Segments[i]
		if seg.Cable <= 0 || !chosen[seg.Cable] {
			continue
		}
		if length[seg.Cable] == 0 {
			numbers = append(numbers, seg.Cable)
		}
		length[seg.Cable] = max(length[seg.Cable], float64(seg.Length), 1e-9)
	}
	slices.SortFunc(numbers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(length[b], length[a]), cmp.Compare(a, b))
	})
	for _, n := range numbers[min(most, len(numbers)):] {
		chosen[n] = false
	}
}

// Match reports whether a name is what a pattern stands for: * for any characters, ? for one.
func Match(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return pattern == name
	}
	p, n := []rune(pattern), []rune(name)
	i, star, mark := 0, -1, 0
	for j := 0; j < len(n); {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == n[j]):
			i, j = i+1, j+1
		case star >= 0: // let the last star take one more
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
