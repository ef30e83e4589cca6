package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// embedDomains are the domains by the words of the file.
var embedDomains = map[string]embed.Domain{
	"": embed.RackDomain, "rack": embed.RackDomain, "row": embed.RowDomain, "feed": embed.FeedDomain,
	"hall": embed.HallDomain,
}

// domains sets r.crowds to the rules of embedding.apart: of which boxes how many at most may stand in one failure
// domain.
func (r *resolver) domains() {
	r.crowds = nil
	for i := range r.spec.Embedding.Apart {
		a := &r.spec.Embedding.Apart[i]
		at := diag.Elem("embedding.apart", i)
		switch {
		case a.Within == "feed" && len(r.spec.Room.Feeds) == 0:
			r.fault(at+".within", "the room has no feeds\ngive room.feeds")
		case a.Within == "hall" && len(r.spec.Room.Halls) == 0:
			r.fault(at+".within", "the room has no halls\ngive room.halls")
		}
		groups := r.antiAffinityGroups(at, a)
		if len(a.By) > 0 {
			groups = r.divideGroups(at, a, groups)
		}
		r.crowds = append(r.crowds, embed.AntiAffinity{
			Groups: groups, Within: embedDomains[a.Within], AtMost: max(a.AtMost, 1),
		})
	}
}

// antiAffinityGroups finds the boxes that a rule names: kinds and single boxes as one group, or the groups of a
// container.
func (r *resolver) antiAffinityGroups(at string, a *spec.Apart) []embed.Group {
	if len(a.Of) == 0 {
		r.fault(at+".of", "names no boxes")
		return nil
	}
	whole := embed.Group{Name: strings.Join(a.Of, ", ")}
	for j, word := range a.Of {
		path := at + ".of"
		if len(a.Of) > 1 {
			path = diag.Elem(path, j)
		}
		vs, found := r.kindsCalled(path, word)
		if nest := r.nest(word); !found && nest != nil {
			if len(a.Of) > 1 {
				r.fault(path, "the groups of a topology are each for themselves: %s cannot be one of several\n"+
					"give it a rule of its own", word)
			}
			return r.ofNest(nest)
		}
		if !found {
			v, err := r.naming.called.Find(word)
			if err != nil && (r.maybe(word) || !r.allSure() && !isSlip(word, r.groupWords())) {
				continue
			}
			if err != nil {
				r.fault(path, "there is no %q\n%s", word, diag.Suggest(word, r.groupWords(), "there are "))
				continue
			}
			vs = []int32{int32(v)}
		}
		whole.Vertices = append(whole.Vertices, vs...)
	}
	slices.Sort(whole.Vertices)
	whole.Vertices = slices.Compact(whole.Vertices)
	return []embed.Group{whole}
}

// groupWords are what a rule may name, but for single boxes.
func (r *resolver) groupWords() []string {
	out := slices.Clone(r.words)
	for _, n := range r.graph.Groupings() {
		out = append(out, n.Name)
	}
	return out
}

// nest returns the grouping of the topology with a name, nil if there is none.
func (r *resolver) nest(name string) *topology.Grouping {
	nests := r.graph.Groupings()
	if i := slices.IndexFunc(nests, func(n topology.Grouping) bool { return n.Name == name }); i >= 0 {
		return &nests[i]
	}
	return nil
}

// kindsCalled lists the boxes of the kinds that a word of the file matches, without those beside the units of racks.
// found is true also where only such boxes match, which is reported.
func (r *resolver) kindsCalled(path, word string) (vs []int32, found bool) {
	upright := false
	for i, k := range r.graph.Kinds() {
		if !matches(word, r.words[i]) && word != k.Name {
			continue
		}
		found = true
		if b := r.boxes[i]; b != nil && b.Part.ZeroU {
			upright = true
			continue
		}
		for v := range k.Count {
			vs = append(vs, int32(k.First+v))
		}
	}
	if upright && len(vs) == 0 {
		r.fault(path, "%s stand beside the units of racks, as many in each: they cannot be kept apart", word)
	}
	return vs, found
}

// ofNest returns the groups of a grouping, by their number from 0, with their boxes.
func (r *resolver) ofNest(nest *topology.Grouping) []embed.Group {
	out := make([]embed.Group, nest.Count)
	for g := range out {
		out[g].Name = nest.Name + " " + strconv.Itoa(g)
	}
	for v := range topology.Vertices(r.graph) {
		if g := nest.Of(v); g >= 0 {
			out[g].Vertices = append(out[g].Vertices, int32(v))
		}
	}
	return out
}

// divideGroups divides groups by the properties of their boxes (a.By). Boxes without one of these are in no group. It
// returns nil, and reports it, where no box has a property.
func (r *resolver) divideGroups(at string, a *spec.Apart, groups []embed.Group) []embed.Group {
	fields := r.fields()
	var by []names.Field
	for j, name := range a.By {
		i := slices.IndexFunc(fields, func(f names.Field) bool { return f.Name == name })
		if i >= 0 && slices.ContainsFunc(groups, func(g embed.Group) bool {
			return slices.ContainsFunc(g.Vertices, func(v int32) bool { return fields[i].Of(int(v)).IsKnown() })
		}) {
			by = append(by, fields[i])
			continue
		}
		var known []string
		for _, g := range groups {
			for _, v := range g.Vertices[:min(1, len(g.Vertices))] {
				known = append(known, names.KnownFields(fields, int(v))...)
			}
		}
		slices.Sort(known)
		known = slices.Compact(known)
		if r.draft() && !isSlip(name, known) {
			continue
		}
		path := at + ".by"
		if len(a.By) > 1 {
			path = diag.Elem(path, j)
		}
		r.fault(path, "%s have no %q\n%s", english.List(a.Of), name, diag.Suggest(name, known, "they have "))
	}
	if len(by) < len(a.By) {
		return nil
	}
	pattern, err := names.Parse("{" + strings.Join(a.By, "}, {") + "}")
	if err != nil {
		r.fault(at+".by", "%v", err)
		return nil
	}
	var out []embed.Group
	for _, g := range groups {
		index := map[string]int{}
		for _, v := range g.Vertices {
			value, err := pattern.Append(nil, func(field string) names.Value {
				return by[slices.Index(a.By, field)].Of(int(v))
			})
			if err != nil {
				continue // without one of the properties
			}
			i, ok := index[string(value)]
			if !ok {
				i = len(out)
				index[string(value)] = i
				out = append(out, embed.Group{
					Name: fmt.Sprintf("%s of %s %s", g.Name, strings.Join(a.By, ", "), value),
				})
			}
			out[i].Vertices = append(out[i].Vertices, v)
		}
	}
	return out
}

// contiguous sets r.blocks: for each kind of boxes the number, from 1, of its entry of embedding.contiguous, 0 for
// none.
func (r *resolver) contiguous() {
	kinds := r.graph.Kinds()
	r.blocks = make([]int, len(kinds))
	for i, words := range r.spec.Embedding.Contiguous {
		at := diag.Elem("embedding.contiguous", i)
		if len(words) == 0 {
			r.fault(at, "names no boxes")
		}
		for j, word := range words {
			path := at
			if len(words) > 1 {
				path = diag.Elem(at, j)
			}
			found := r.kindsIn(word)
			if len(found) == 0 && !r.maybe(word) {
				names := slices.Clone(r.words)
				for f := range r.spec.Fabrics {
					names = append(names, r.spec.Fabrics[f].Name)
				}
				r.fault(path, "there are no boxes %q, and no fabric\n%s", word, diag.Suggest(word, names, "there are "))
			}
			for _, k := range found {
				if other := r.blocks[k]; other > 0 && other != i+1 {
					r.fault(path, "%s have rows of their own by embedding.contiguous[%d] already\n"+
						"name kinds of boxes, each once", r.words[k], other-1)
					continue
				}
				r.blocks[k] = i + 1
			}
		}
	}
	for k := range kinds {
		for other := range kinds[:k] {
			name := r.sharedRacks(k, other)
			if name != "" && r.blocks[k] != r.blocks[other] && !r.upright(k) && !r.upright(other) {
				r.fault("embedding.contiguous", "%s and %s share the racks %q, and cannot be in different rows",
					r.words[other], r.words[k], name)
			}
		}
	}
}

// sharedRacks is the name of racks that boxes of two kinds share, "" for none.
func (r *resolver) sharedRacks(a, b int) string {
	names := func(kind int) (out []string) {
		for _, t := range r.spec.TemplatesOf(r.wordsOfKinds()[kind]) {
			out = append(out, r.spec.Racks[t].Name)
		}
		if p := r.packs[kind]; p != nil && p.Racks != "" {
			out = append(out, p.Racks)
		}
		return out
	}
	for _, name := range names(a) {
		if slices.Contains(names(b), name) {
			return name
		}
	}
	return ""
}

// upright reports whether boxes of a kind stand beside the units of racks.
func (r *resolver) upright(kind int) bool { return r.boxes[kind] != nil && r.boxes[kind].Part.ZeroU }

// kindsIn lists the kinds that a word names, without those beside the units of racks: those that it matches, or the
// switches and ends of a fabric of that name.
func (r *resolver) kindsIn(word string) []int {
	var out []int
	for k, name := range r.words {
		of, _, _ := strings.Cut(name, "/")
		if !r.upright(k) && (matches(word, name) || word == r.graph.Kinds()[k].Name || of == word && of != name) {
			out = append(out, k)
		}
	}
	if len(out) > 0 && slices.Contains(r.words, word) {
		return out
	}
	for i := range r.spec.Fabrics {
		if f := &r.spec.Fabrics[i]; f.Name == word {
			for _, e := range f.Ends {
				for k, name := range r.words {
					if matches(e.Boxes, name) && !r.upright(k) && !strings.Contains(name, "/") &&
						!slices.Contains(out, k) {
						out = append(out, k)
					}
				}
			}
		}
	}
	return out
}
