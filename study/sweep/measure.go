package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology/measure"
)

// Plan is the options of planning. What is planned otherwise stands in the machine.
type Plan struct {
	Summary bool `yaml:"summary,omitempty"`
	Paths   bool `yaml:"paths,omitempty"`
}

// Metrics is the options of measuring a topology.
type Metrics struct {
	Fabric      string   `yaml:"fabric,omitempty"`
	Figures     []string `yaml:"figures,omitempty"`
	FailLinks   float64  `yaml:"fail_links,omitempty" most:"1"`
	FailRouters float64  `yaml:"fail_routers,omitempty" most:"1"`
	Draws       int      `yaml:"draws,omitempty" jsonschema:"minimum=1" most:"1000000"`
	Seed        *uint64  `yaml:"seed,omitempty"`
}

// settings are the options as the library takes them; the figures are those of plenum topology if none are named.
func (o *Metrics) settings() measure.MeasureOptions {
	opt := measure.MeasureOptions{Draws: o.Draws, Seed: 1}
	if o.Seed != nil {
		opt.Seed = *o.Seed
	}
	for _, f := range o.Figures {
		opt.Metrics = append(opt.Metrics, measure.Metric(f))
	}
	if len(o.Figures) == 0 {
		opt.Metrics = []measure.Metric{measure.MetricHops, measure.MetricBisection}
	}
	if failed := (measure.Failure{Links: o.FailLinks, Routers: o.FailRouters}); failed != (measure.Failure{}) {
		opt.Failed = []measure.Failure{failed}
		if !slices.Contains(opt.Metrics, measure.MetricFailures) {
			opt.Metrics = append(opt.Metrics, measure.MetricFailures)
		}
	}
	return opt
}

// optionsAt reads the options of a point.
func (s *Study) optionsAt(n *yaml.Node) (*options, error) {
	o := &options{}
	err := language.Decode(s.doc, n, o).Err()
	return o, err
}

// check says what is wrong with the options of what is measured, by their paths in the sweep file.
func (o *options) check(measured []string) error {
	var wrong diag.FieldErrors
	if slices.Contains(measured, MeasurePackets) {
		wrong = append(wrong, diag.Fields(diag.Under(MeasurePackets, o.Packets.check()))...)
	}
	if slices.Contains(o.Metrics.Figures, string(measure.MetricFailures)) &&
		o.Metrics.FailLinks+o.Metrics.FailRouters == 0 {
		wrong.Add("metrics.figures", "nothing is let fail\nset metrics.fail_links or metrics.fail_routers")
	}
	if slices.Contains(measured, MeasurePlan) && o.Plan.Paths && !o.Plan.Summary {
		wrong.Add("plan.paths", "paths are measured anyway, unless plan.summary leaves them out")
	}
	return wrong.Err()
}

// measuring is a point that is being measured.
type measuring struct {
	planner *machine.Planner // of the study: points that differ in nothing that moves a box share their places
	spec    *spec.Spec
	options *options
	plan    *machine.Result // made when the first measure needs it
}

// measures are how each of Measures is done. The figures are those that are added to the row.
var measures = map[string]func(ctx context.Context, m *measuring, out *figures) error{
	MeasurePlan: func(ctx context.Context, m *measuring, out *figures) error {
		plan, err := m.planner.PlanWith(ctx, m.spec, machine.Options{
			Summary: m.options.Plan.Summary,
			Paths:   m.options.Plan.Paths,
		})
		if err != nil {
			return err
		}
		if !m.options.Plan.Summary {
			m.plan = plan
		}
		return out.plan(plan)
	},
	MeasureEstimate: func(ctx context.Context, m *measuring, out *figures) error {
		e, err := machine.Estimate(ctx, m.spec)
		if err != nil {
			return err
		}
		return out.add(e)
	},
	MeasureMetrics: func(ctx context.Context, m *measuring, out *figures) error {
		o := &m.options.Metrics
		return m.eachFabric(ctx, o.Fabric, out, func(fabric string, out *figures) error {
			g, _, err := machine.Topology(m.spec, fabric)
			if err != nil {
				return err
			}
			found, err := measure.Measure(ctx, g, o.settings())
			if err != nil {
				return err
			}
			return out.metrics(found)
		})
	},
	MeasurePackets: func(ctx context.Context, m *measuring, out *figures) error {
		return m.eachFabric(ctx, m.options.Packets.Fabric, out, func(fabric string, out *figures) error {
			return m.packets(ctx, fabric, out)
		})
	},
}

// eachFabric calls do for the fabric that is named or, where none is, for each of a machine that has several, whose
// figures then have its name. Without fabrics, it calls do once, with no name.
func (m *measuring) eachFabric(ctx context.Context, named string, out *figures,
	do func(fabric string, out *figures) error,
) error {
	if named != "" || len(m.spec.Fabrics) == 0 {
		return do(named, out)
	}
	for _, fabric := range m.spec.FabricNames() {
		own := figures{prefix: out.prefix + ".fabrics." + fabric}
		if err := do(fabric, &own); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%s: %s; the option fabric measures one fabric only", fabric, reasonOf(err))
		}
		out.cells = append(out.cells, own.cells...)
	}
	return nil
}

// read reads the machine and the options of a point. The measuring has what was read where the error says what is wrong
// with it.
func (s *Study) read(p *point) (*measuring, error) {
	m := &measuring{planner: &s.planner, spec: s.draft.Read(p.machine)}
	err := m.spec.Locate(nil)
	if err == nil {
		err = s.holdEqual(m)
	}
	if err == nil {
		m.options, err = s.optionsAt(p.options)
	}
	if err == nil {
		err = m.options.check(s.Measure)
	}
	return m, err
}

// holdEqual gives the machine of a point what is to be equal.
func (s *Study) holdEqual(m *measuring) error {
	own, err := s.Equal.Apply(m.spec)
	if err != nil {
		return diag.Fieldf("equal", "%v", err)
	}
	m.spec = own
	return nil
}

// row computes the row of a point. The error is that of ctx; what is wrong with the point is in the row.
func (s *Study) row(ctx context.Context, number int) (row, error) {
	p, err := s.at(number)
	if err != nil {
		return row{}, err // every value of every axis was tried
	}
	r := row{number: number}
	m, wrong := s.read(p)
	var files []string
	for _, f := range machine.Inputs(m.spec) {
		files = append(files, f.Path)
	}
	r.add("point", fmt.Sprint(number))
	r.add("hash", quoteJSON(s.hashPoint(p, files)))
	i := 0
	for _, x := range s.axes {
		for k := range x.columns() {
			r.add(x.names[k], p.cells[i])
			i++
		}
	}
	r.add("repeat", fmt.Sprint(p.repeat))
	r.add("seed", p.seed)
	var out []figures
	var reason reasons
	if wrong != nil {
		reason = reasons(reasonOf(wrong))
	} else {
		for _, name := range s.Measure {
			f := figures{prefix: name}
			if err := recoverFaults(ctx, measures[name], m, &f); err != nil {
				if ctx.Err() != nil {
					return row{}, context.Cause(ctx)
				}
				reason.add(name, err)
				continue
			}
			out = append(out, f)
		}
	}
	r.add("error", nullIfEmpty(string(reason)))
	for _, f := range out {
		r.cells = append(r.cells, f.cells...)
	}
	r.failed = reason != ""
	return r, nil
}

// reasons is why figures of a point are missing, on one line.
type reasons string

// add adds why a measure has failed.
func (r *reasons) add(measure string, err error) {
	*r = reasons(strings.TrimPrefix(string(*r)+"; "+measure+": "+reasonOf(err), "; "))
}

// recoverFaults turns a panic at one point into an error, so that the study goes on.
func recoverFaults(
	ctx context.Context, do func(context.Context, *measuring, *figures) error, m *measuring, out *figures,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault of Plenum: %v", p)
		}
	}()
	return do(ctx, m, out)
}

// reasonOf is an error on one line, without the places in files, which a row does not have.
func reasonOf(err error) string {
	var words []string
	var list diag.List
	switch fields := diag.Fields(err); {
	case errors.As(err, &list):
		for _, d := range list {
			e := diag.FieldError{Subject: d.Subject, Path: d.Path, Message: d.Message, Suggestion: d.Suggestion}
			words = append(words, e.Error())
		}
	case fields != nil:
		for _, e := range fields {
			words = append(words, e.Error())
		}
	default:
		words = append(words, err.Error())
	}
	if more := len(words) - mostReasons; more > 0 {
		words = append(words[:mostReasons], fmt.Sprintf("%d more", more))
	}
	return strings.Join(strings.Fields(strings.Join(words, "; ")), " ")
}

// mostReasons is how many mistakes a row tells of.
const mostReasons = 3

func nullIfEmpty(text string) string {
	if text == "" {
		return "null"
	}
	return quoteJSON(text)
}
