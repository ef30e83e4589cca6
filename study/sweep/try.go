package sweep

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// try reads the machine and the options with every value of every axis, the others at their first values, as points
// will: what is then wrong with the fields of an axis is a mistake of the sweep file, at the value. Whether a machine
// can be planned is left to its points. What is returned are the mistakes of the machine file.
func (s *Study) try() diag.List {
	first := make([]setting, len(s.axes))
	for i, x := range s.axes {
		if !x.broken {
			first[i] = x.trialValues()[0]
		}
	}
	at, options := s.firstPoint(first)
	var machine diag.List
	for _, d := range s.mistakesNoting(at, options) {
		if x, _ := s.about(d.Path, nil); x != nil {
			continue // told with its value
		}
		if d.Pos.Line > 0 {
			machine.Add(d)
		} else {
			s.report(fieldError(d.Path, d))
		}
	}
	for i, x := range s.axes {
		if x.broken {
			continue
		}
		settings := slices.Clone(first)
		for v, set := range x.trialValues() {
			settings[i] = set
			at, options, err := s.with(settings)
			if err != nil { // a value that is not a mapping, for the field of another axis inside it
				path := diag.Elem(diag.Key(x.path, "values"), v)
				s.report(diag.Fieldf(path, "%v", err))
				continue
			}
			for _, d := range s.mistakesNoting(at, options) {
				s.blame(x, v, d)
			}
		}
	}
	s.noteGraphs(first)
	for i, p := range s.seeds {
		if p.at != nil {
			s.trySeed(diag.Elem("seeds", i), &p, first)
		}
	}
	return machine
}

// trySeed refuses a field that takes the seed if no machine has it: neither with the first values of all axes nor with
// another value of one of them. A machine that does not have it has no such randomness.
func (s *Study) trySeed(path string, p *place, first []setting) {
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "1"}
	wrong := func(settings []setting) []*diag.FieldError {
		at, options, err := s.with(settings)
		if err == nil {
			err = p.set(&at, &options, value)
		}
		if err != nil {
			return []*diag.FieldError{diag.Fieldf(path, "%v", err)}
		}
		var out []*diag.FieldError
		for _, d := range s.mistakesAt(p, at, options) {
			out = append(out, fieldError(path, d))
		}
		return out
	}
	mistakes := wrong(first)
	for i, x := range s.axes {
		if x.broken {
			continue
		}
		settings := slices.Clone(first)
		for _, settings[i] = range x.trialValues() {
			if len(mistakes) == 0 || len(wrong(settings)) == 0 {
				return
			}
		}
	}
	for _, e := range mistakes {
		s.report(e)
	}
}

// mistakesAt are those of a field and of what is in it, also where it is a parameter that the family of a topology does
// not take.
func (s *Study) mistakesAt(p *place, machine, options *yaml.Node) diag.List {
	out := slices.DeleteFunc(s.mistakes(machine, options), func(d diag.Diagnostic) bool {
		return d.Path != p.path && !within(p.path, d.Path)
	})
	read := s.draft.Read(machine)
	unknown := func(path string, t *topology.Spec) {
		for _, name := range t.UnknownParams() {
			if diag.Key(path, name) == p.path {
				out.Add(diag.Diagnostic{Path: p.path, Message: "is not a parameter of " + t.Family()})
			}
		}
	}
	unknown("topology", &read.Topology)
	for i := range read.Fabrics {
		unknown(diag.Elem("fabrics", i)+".topology", &read.Fabrics[i].Topology)
	}
	return out
}

// firstPoint returns the machine and the options with the first values of all axes. Axes without a path to a field are
// reported, and left out from then on.
func (s *Study) firstPoint(first []setting) (machine, options *yaml.Node) {
	machine, options = s.draft.Root(), s.options
	for i, x := range s.axes {
		for k, p := range x.places {
			if x.broken {
				break
			}
			if err := p.set(&machine, &options, first[i].nodes[k]); err != nil {
				for _, e := range diag.Fields(err) {
					s.report(diag.Fieldf(x.fieldPath(k), "%s: %s", e.Path, e.Message))
				}
				x.broken = true
			}
		}
	}
	return machine, options
}

// mistakesNoting is mistakes, and notes the files that the machine names.
func (s *Study) mistakesNoting(machine, options *yaml.Node) diag.List {
	read := s.draft.Read(machine)
	s.noteFiles(read)
	return s.mistakesOf(read, options)
}

// mistakes are those that reading finds. Those in the meaning of options have no place yet.
func (s *Study) mistakes(machine, options *yaml.Node) diag.List {
	return s.mistakesOf(s.draft.Read(machine), options)
}

func (s *Study) mistakesOf(read *spec.Spec, options *yaml.Node) diag.List {
	var out diag.List
	m := &measuring{spec: read}
	errors.As(m.spec.Locate(nil), &out)
	if len(out) == 0 {
		for _, e := range diag.Fields(s.holdEqual(m)) {
			out.Add(diag.Diagnostic{Path: e.Path, Message: e.Message})
		}
	}
	o, err := s.optionsAt(options)
	var list diag.List
	if errors.As(err, &list) {
		return append(out, list...)
	}
	for _, e := range diag.Fields(o.check(s.Measure)) {
		out.Add(diag.Diagnostic{Subject: e.Subject, Path: e.Path, Message: e.Message, Suggestion: e.Suggestion})
	}
	return out
}

// about finds the axis whose field a mistake is in, or which leads through where it is; of is the only one to regard if
// it is not nil.
func (s *Study) about(path string, of *axis) (x *axis, field int) {
	for _, x := range s.axes {
		for i, p := range x.places {
			if (of == nil || of == x) && (path == p.path || within(path, p.path) || within(p.path, path)) {
				return x, i
			}
		}
	}
	return nil, 0
}

// blame reports a mistake that value v of an axis causes.
func (s *Study) blame(x *axis, v int, d diag.Diagnostic) {
	owner, field := s.about(d.Path, x)
	if owner == nil {
		return
	}
	p := x.places[field]
	var path string
	switch {
	case d.Path != p.path && within(p.path, d.Path), strings.HasPrefix(d.Message, "unknown key") && d.Path == p.path:
		path = x.fieldPath(field) // the path of the field is wrong, for any value
	case len(x.Values) == 0 && v == 0:
		path = diag.Key(x.path, "from")
	case len(x.Values) == 0:
		path = diag.Key(x.path, []string{"", "to", "step"}[v])
	default:
		path = diag.Elem(diag.Key(x.path, "values"), v)
		if len(x.Field) > 1 {
			path = diag.Elem(path, field)
		}
		path += strings.TrimPrefix(d.Path, p.path)
	}
	s.report(fieldError(path, d))
}

// fieldError is a mistake at another path, with its own in the message.
func fieldError(path string, d diag.Diagnostic) *diag.FieldError {
	message := d.Message
	if d.Path != path {
		message = d.Path + ": " + message
	}
	return &diag.FieldError{Path: path, Message: message, Suggestion: d.Suggestion}
}
