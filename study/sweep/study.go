package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/internal/yamldigest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// MaxPoints is the most points of a study.
const MaxPoints = 10_000_000

// Study is a sweep file that was checked, with its machine: a number of points.
type Study struct {
	File
	// Points is how many there are, every repeat for itself, and Shards in how many files their results are.
	Points, Shards int

	path    string
	text    []byte // of the whole file
	doc     *strictyaml.Document
	draft   *spec.Draft
	options *yaml.Node
	axes    []*axis
	seeds   []place // fields that take the seed of a repeat
	known   yamldigest.Known
	files   []string // that machines name, in the order in which values bring them in
	inputs  sync.Map // digests of these when the study was read, by path
	fields  sync.Map // whether sections have a field that takes the seed, by the digest of both
	hash    string
	planner machine.Planner
}

// Hash tells studies apart by the sweep file, the machine file and the contents of the files that these name.
func (s *Study) Hash() string { return s.hash }

// prepare checks what the file means.
func (s *Study) prepare() (*Study, error) {
	var wrong diag.FieldErrors
	s.defaults(&wrong)
	for i := range s.Axes {
		s.axes = append(s.axes, newAxis(&s.Axes[i], diag.Elem("axes", i), &wrong))
	}
	s.apart(&wrong)
	seen := map[string]bool{}
	for i, f := range s.Seeds {
		before := len(wrong)
		p, err := parsePlace(f)
		switch {
		case err != nil:
			wrong.Add(diag.Elem("seeds", i), "%v", err)
		case seen[f]:
			wrong.Add(diag.Elem("seeds", i), "%s is there already", f)
		case s.isAxis(f):
			wrong.Add(diag.Elem("seeds", i), "%s is changed by an axis", f)
		case p.option && !slices.Contains(s.Measure, p.at[0].key):
			wrong.Add(diag.Elem("seeds", i), "%s is not measured", p.at[0].key)
		}
		if len(wrong) > before {
			p.at = nil // it is not tried
		}
		seen[f] = true
		s.seeds = append(s.seeds, p)
	}
	s.Slurm.Check(&wrong)
	var err error
	var inMachine diag.List
	if s.draft, err = s.base(); err != nil && !errors.As(err, &inMachine) {
		wrong.Add("machine", "%v", err)
	}
	for _, e := range wrong {
		s.report(e)
	}
	if err == nil {
		inMachine = s.try()
	}
	if list := append(s.doc.Mistakes(), inMachine...); len(list) > 0 {
		return nil, list
	}
	return s, s.count()
}

// report takes in a mistake of the sweep file. An only field of an axis is written, and told, without brackets.
func (s *Study) report(e *diag.FieldError) {
	shown := *e
	for _, x := range s.axes {
		if rest, ok := strings.CutPrefix(e.Path, x.fieldPath(0)); ok && len(x.Field) == 1 {
			shown.Path = diag.Key(x.path, "field") + rest
		}
	}
	s.doc.Report(e.Path, &shown)
}

// defaults fills in what is left out.
func (s *Study) defaults(wrong *diag.FieldErrors) {
	if len(s.Measure) == 0 {
		s.Measure = []string{MeasurePlan}
	}
	for i, m := range s.Measure {
		if slices.Contains(s.Measure[:i], m) {
			wrong.Add(diag.Elem("measure", i), "%s is measured already", m)
		}
	}
	slices.SortFunc(s.Measure, func(a, b string) int {
		return slices.Index(Measures(), a) - slices.Index(Measures(), b)
	})
	var measured []*yaml.Node
	for i := 0; i+1 < len(s.options.Content); i += 2 {
		name := s.options.Content[i].Value
		if !slices.Contains(s.Measure, name) {
			wrong.Add(name, "options of what is not measured\nadd it: measure: [%s]",
				strings.Join(append(slices.Clone(s.Measure), name), ", "))
			continue
		}
		measured = append(measured, s.options.Content[i], s.options.Content[i+1])
	}
	s.options.Content = measured
	s.Repeats = max(s.Repeats, 1)
	if s.Engine == "" {
		s.Engine = Local
	}
	if s.Sample != nil && s.Sample.Points > MaxPoints/s.Repeats {
		wrong.Add("sample.points", "%d points with %d repeats are more than %d", s.Sample.Points, s.Repeats, MaxPoints)
	}
	if s.Seed == nil && s.Repeats > 1 {
		s.Seed = new(uint64(1))
	}
	switch {
	case s.Seed == nil && s.Seeds != nil:
		wrong.Add("seeds", "there is no seed to give to these fields\nset repeats or seed")
	case s.Seed != nil && s.Seeds == nil:
		s.Seeds = s.usualSeeds()
	}
	if s.Seed != nil && *s.Seed > maxSeed {
		wrong.Add("seed", "%d is too large\nit is at most %d", *s.Seed, uint64(maxSeed))
	}
}

// maxSeed keeps all seeds exact in tables, whose readers may take them for floating-point numbers.
const maxSeed = 1 << 52

// usualSeeds are the fields by which what is measured depends on a seed.
func (s *Study) usualSeeds() []string {
	var out []string
	for _, m := range s.Measure {
		switch m {
		case MeasurePlan:
			out = append(out, "embedding.seed")
		case MeasureMetrics:
			out = append(out, "metrics.seed")
		case MeasurePackets:
			out = append(out, "embedding.seed", "packets.seed")
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), s.isAxis)
}

// isAxis reports whether an axis changes a field.
func (s *Study) isAxis(field string) bool {
	return slices.ContainsFunc(s.Axes, func(a Axis) bool { return slices.Contains(a.Field, field) })
}

// apart refuses axes that change the same field, or a field inside one that is replaced as a whole after it, and
// columns of the same name.
func (s *Study) apart(wrong *diag.FieldErrors) {
	named, fields := map[string]bool{}, map[string]bool{}
	for _, name := range append(fixedColumns(), repeatsColumn, failedColumn) {
		named[name] = true
	}
	for _, x := range s.axes {
		for i, name := range x.names {
			twice := len(x.Name) == 0 && fields[x.Field[i]] // which is reported below
			if named[name] && !twice {
				wrong.Add(diag.Key(x.path, "name"), "there is a column %q already\nchoose another name", name)
			}
			named[name], fields[x.Field[i]] = true, true
			head, _, _ := strings.Cut(name, ".")
			if slices.Contains(s.Measure, head) && len(x.Name) > 0 {
				wrong.Add(diag.Key(x.path, "name"), "%q is named like a figure of %s\nchoose another name", name, head)
			}
		}
	}
	set := map[string]bool{}     // the fields of the axes so far
	parts := map[string]string{} // of a field that holds others: the first of these that is set
	for _, x := range s.axes {
		for i, p := range x.places {
			at := x.fieldPath(i)
			if p.option && !slices.Contains(s.Measure, p.at[0].key) {
				wrong.Add(at, "%s is not measured\nadd it to measure", p.at[0].key)
			}
			if set[p.path] {
				wrong.Add(at, "%s is changed twice", p.path)
				continue
			}
			if part, ok := parts[p.path]; ok {
				wrong.Add(at, "%s would be set after %s, which is a part of it\nput the axis of %[1]s first", p.path,
					part)
			}
			set[p.path] = true
			for n := range p.path {
				if of := p.path[:n]; n > 0 && within(p.path, of) && parts[of] == "" {
					parts[of] = p.path
				}
			}
		}
	}
}

// within reports whether a path leads to a value inside that of another.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

// count counts points and shards, and hashes the study.
func (s *Study) count() error {
	var wrong diag.FieldErrors
	combinations := 0
	if s.Sample != nil {
		combinations = s.Sample.Points
	} else {
		for _, x := range s.axes {
			if x.drawn {
				wrong.Add(x.path, "a range without step or count has no values for a grid\n"+
					"give it one, or draw points with sample")
			}
		}
		var err error
		if combinations, err = grid(s.axes); err != nil {
			wrong.Add("axes", "%v", err)
		}
	}
	if wrong == nil && combinations > MaxPoints/s.Repeats {
		wrong.Add("repeats", "%d points with %d repeats are more than %d", combinations, s.Repeats, MaxPoints)
	}
	for _, e := range wrong {
		s.report(e)
	}
	if wrong != nil {
		return s.doc.Err()
	}
	s.Points = combinations * s.Repeats
	if s.Shard == 0 {
		s.Shard = min(max(1, s.Points/usualShards), mostUsual)
	}
	s.Shards = (s.Points + s.Shard - 1) / s.Shard
	s.known = yamldigest.Known{}
	base := s.known.Of(s.draft.Root(), true)
	given := s.known.Of(s.options, true)
	parts := [][]byte{[]byte("plenum study 1"), base[:], given[:]}
	for _, x := range s.axes {
		text := fmt.Sprintf("%q %q %q", x.Field, x.names, x.Labels)
		for _, v := range []*float64{x.From, x.To, x.Step} {
			if text += " -"; v != nil {
				text += fmt.Sprint(*v)
			}
		}
		parts = append(parts, []byte(fmt.Sprintf("%s %d %q %q %v", text, x.Count, x.Scale, x.Unit, x.Whole)))
		for i := range x.Values {
			d := s.known.Of(&x.Values[i], true)
			parts = append(parts, d[:])
		}
	}
	seed := "own"
	if s.Seed != nil {
		seed = fmt.Sprint(*s.Seed)
	}
	sample := "grid"
	if s.Sample != nil {
		sample = fmt.Sprint(*s.Sample)
	}
	rest := fmt.Sprintf("%q %q %s %s %d %d", s.Measure, s.Seeds, seed, sample, s.Repeats, s.Shard)
	rest += strings.Join(s.Equal.Words(), " ")
	parts = append(parts, []byte(rest))
	for _, path := range s.files {
		d := s.content(path)
		parts = append(parts, d[:])
	}
	s.hash = yamldigest.Join(parts...).Text()
	return nil
}

// A study has some hundred shards if the file says nothing else, so that little is done anew after a kill, and no
// directory gets too full.
const (
	usualShards = 200
	mostUsual   = 100 // points of a shard
)

// point is what a row is computed from.
type point struct {
	number, repeat int
	seed           string   // as JSON
	cells          []string // of the axes, as JSON
	machine        *yaml.Node
	options        *yaml.Node
}

// at puts a point together.
func (s *Study) at(number int) (*point, error) {
	p := &point{number: number, repeat: number % s.Repeats, seed: "null"}
	settings := s.combination(number / s.Repeats)
	var err error
	if p.machine, p.options, err = s.with(settings); err != nil {
		return nil, err
	}
	for _, set := range settings {
		p.cells = append(p.cells, set.cells...)
	}
	if s.Seed == nil {
		return p, nil
	}
	seed := fmt.Sprint(*s.Seed + uint64(p.repeat))
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: seed}
	for _, f := range s.seeds {
		machine, options := p.machine, p.options
		err := f.set(&machine, &options, value)
		if err == nil && !s.hasField(&f, p.machine, machine) || err != nil && !f.option {
			continue // a machine without this randomness
		}
		if err != nil {
			return nil, err
		}
		p.machine, p.options, p.seed = machine, options, seed
	}
	return p, nil
}

// hasField reports whether a machine has the field that a seed was set in, given the machine before and after. The
// family of a topology decides whether it has a seed.
func (s *Study) hasField(f *place, before, after *yaml.Node) bool {
	if f.option || f.path == "embedding.seed" {
		return true
	}
	var section yamldigest.Digest
	if n := inside(before, f.at[:len(f.at)-1]); n != nil {
		section = s.known.Of(n, false)
	}
	key := yamldigest.Join([]byte(f.path), section[:])
	if known, ok := s.fields.Load(key); ok {
		return known.(bool)
	}
	has := len(s.mistakesAt(f, after, s.options)) == 0
	s.fields.Store(key, has)
	return has
}

// with is the machine and the options with settings of all axes.
func (s *Study) with(settings []setting) (machine, options *yaml.Node, err error) {
	machine, options = s.draft.Root(), s.options
	for i, x := range s.axes {
		if x.broken {
			continue
		}
		for k, p := range x.places {
			if err := p.set(&machine, &options, settings[i].nodes[k]); err != nil {
				return nil, nil, err
			}
		}
	}
	return machine, options, nil
}

// set puts a value at its place, in the machine or in the options.
func (p *place) set(machine, options **yaml.Node, value *yaml.Node) error {
	in := machine
	if p.option {
		in = options
	}
	out, err := put(*in, p.at, value)
	if err != nil {
		return diag.Fieldf(p.path, "%v", err)
	}
	*in = out
	return nil
}

// hashPoint returns the hash of a point whose machine names some files.
func (s *Study) hashPoint(p *point, files []string) string {
	machine, options := s.known.Of(p.machine, false), s.known.Of(p.options, false)
	parts := [][]byte{[]byte("plenum point 1"), []byte(strings.Join(s.Measure, " ")), machine[:], options[:]}
	if equal := s.Equal.Words(); len(equal) > 0 {
		parts = append(parts, []byte(strings.Join(equal, " ")))
	}
	for _, f := range files {
		d := s.content(f)
		parts = append(parts, d[:])
	}
	return yamldigest.Join(parts...).Text()
}
