package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/internal/yamldigest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/sim/packet"
)

// Failures are the points of which it is known before they are computed that figures will be missing.
type Failures struct {
	// Points is how many of those that were checked fail, every repeat for itself.
	Points  int `json:"points"`
	Checked int `json:"checked"` // points that were checked
	// Reasons is why, the reasons of the first points first; empty where none fails.
	Reasons []Failure `json:"reasons"`
}

// Failure is a reason and the points that fail for it.
type Failure struct {
	Reason string `json:"reason"` // as in the column `error`
	Points int    `json:"points"` // how many fail for it, every repeat for itself
	// Values is those of the axes of the first of these points, each as column=value.
	Values [][]string `json:"values"`
}

// mostShown is how many points of a reason are listed with their values.
const mostShown = 5

// The most combinations of values that are looked at; of more, as many at equal distances.
const (
	mostChecked = 20_000
	FirstCheck  = 1_000 // before points are computed
)

// Check finds the points of some shards that fail for what is known without planning: values that do not go together,
// missing parts, machines whose boxes do not fit, routing or traffic that is not for a topology. It looks at no more
// than so many combinations, and at one repeat of each; at so many at a time, or one for each core when jobs is 0. The
// error is that of ctx.
func (s *Study) Check(ctx context.Context, shards []int, most, jobs int) (*Failures, error) {
	var all []int // combinations
	m := s.manifest()
	for _, shard := range shards {
		first, end := m.span(shard)
		for c := first / s.Repeats; c <= (end-1)/s.Repeats; c++ {
			if len(all) == 0 || all[len(all)-1] != c {
				all = append(all, c)
			}
		}
	}
	step := (len(all) + most - 1) / max(most, 1)
	if step > 1 {
		n := 0
		for i := 0; i < len(all); i += step {
			all[n] = all[i]
			n++
		}
		all = all[:n]
	}
	reasons := make([]string, len(all))
	if jobs == 0 {
		jobs = parallel.Cores(MaxPoints)
	}
	var known ahead
	workers := make([]struct{}, min(max(len(all), 1), jobs))
	err := parallel.With(ctx, workers, len(all), func(ctx context.Context, _ struct{}, task int) (err error) {
		reasons[task], err = s.ahead(ctx, all[task]*s.Repeats, &known)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Failures{Checked: len(all) * s.Repeats, Reasons: []Failure{}}
	for i, reason := range reasons {
		if reason == "" {
			continue
		}
		out.Points += s.Repeats
		k := slices.IndexFunc(out.Reasons, func(f Failure) bool { return f.Reason == reason })
		if k < 0 {
			k = len(out.Reasons)
			out.Reasons = append(out.Reasons, Failure{Reason: reason})
		}
		f := &out.Reasons[k]
		if f.Points += s.Repeats; len(f.Values) < mostShown {
			f.Values = append(f.Values, s.valuesAt(all[i]))
		}
	}
	return out, nil
}

// CheckAll is Check of all shards, at no more than 20,000 combinations.
func (s *Study) CheckAll(ctx context.Context, jobs int) (*Failures, error) {
	shards := make([]int, s.Shards)
	for i := range shards {
		shards[i] = i
	}
	return s.Check(ctx, shards, mostChecked, jobs)
}

// Tell returns what fails for people, a line for each reason and for each point that is listed; "" where nothing does.
func (f *Failures) Tell() string {
	if f.Points == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s will fail:\n", english.Grouped(int64(f.Points)),
		english.Count(f.Checked, "checked point"))
	for _, r := range f.Reasons {
		fmt.Fprintf(&b, "  %s: %s\n", english.Count(r.Points, "point"), r.Reason)
		for _, values := range r.Values {
			fmt.Fprintf(&b, "    %s\n", strings.Join(values, ", "))
		}
		if len(r.Values) == mostShown && r.Points > mostShown {
			b.WriteString("    ...\n")
		}
	}
	return b.String()
}

// valuesAt is the values of the axes of a combination.
func (s *Study) valuesAt(combination int) []string {
	out := []string{}
	for i, set := range s.combination(combination) {
		for k, cell := range set.cells {
			out = append(out, s.axes[i].names[k]+"="+unquote(cell))
		}
	}
	return out
}

// ahead remembers what was found of machines and networks that several points have.
type ahead struct{ found sync.Map }

// once returns what was found of a key, or else finds it.
func (a *ahead) once(key yamldigest.Digest, find func() error) error {
	if known, ok := a.found.Load(key); ok {
		err, _ := known.(error)
		return err
	}
	err := find()
	a.found.Store(key, err)
	return err
}

// ahead says why a point will fail, as its row will, if that is known without planning; "" if it is not.
func (s *Study) ahead(ctx context.Context, number int, a *ahead) (string, error) {
	p, err := s.at(number)
	if err != nil {
		return "", err
	}
	m, wrong := s.read(p)
	if wrong != nil {
		return reasonOf(wrong), nil
	}
	var reason reasons
	for _, name := range s.Measure {
		check := func(ctx context.Context, m *measuring, _ *figures) error {
			return checks[name](ctx, m, a, s.known.Of(p.machine, false))
		}
		if err := recoverFaults(ctx, check, m, nil); err != nil {
			if ctx.Err() != nil {
				return "", context.Cause(ctx)
			}
			reason.add(name, err)
		}
	}
	return string(reason), nil
}

// checks are how what keeps each of Measures from being done is found ahead. The digest is that of the machine.
var checks = map[string]func(context.Context, *measuring, *ahead, yamldigest.Digest) error{
	MeasurePlan: func(ctx context.Context, m *measuring, a *ahead, of yamldigest.Digest) error {
		o := m.options.Plan
		return a.checkPlan(ctx, m, of, machine.Options{Summary: o.Summary, Paths: o.Paths})
	},
	MeasureEstimate: func(ctx context.Context, m *measuring, a *ahead, of yamldigest.Digest) error {
		return a.once(yamldigest.Join([]byte(MeasureEstimate), of[:]), func() error {
			_, err := machine.Estimate(ctx, m.spec)
			return err
		})
	},
	MeasureMetrics: func(ctx context.Context, m *measuring, a *ahead, of yamldigest.Digest) error {
		named := m.options.Metrics.Fabric
		return a.once(yamldigest.Join([]byte(MeasureMetrics), of[:], []byte(named)), func() error {
			return m.eachFabric(ctx, named, &figures{}, func(fabric string, _ *figures) error {
				_, _, err := machine.Topology(m.spec, fabric)
				return err
			})
		})
	},
	MeasurePackets: func(ctx context.Context, m *measuring, a *ahead, of yamldigest.Digest) error {
		if !m.options.Packets.bare() {
			if err := a.checkPlan(ctx, m, of, machine.Options{}); err != nil {
				return err
			}
		}
		return a.checkSimulation(m)
	},
}

// checkPlan checks a machine that is to be planned.
func (a *ahead) checkPlan(ctx context.Context, m *measuring, of yamldigest.Digest, opt machine.Options) error {
	key := yamldigest.Join([]byte(MeasurePlan), of[:], fmt.Append(nil, opt.Summary, opt.Paths))
	return a.once(key, func() error { return machine.Check(ctx, m.spec, opt) })
}

// checkSimulation checks a simulation on a topology whose links take a cycle each: routing, traffic or workload, and
// what fails must be for it, for any load.
func (a *ahead) checkSimulation(m *measuring) error {
	own := m.options.Packets
	own.Load, own.Room, own.Propagation = 0, new(false), nil
	key, err := json.Marshal(struct {
		Packets           Packets
		Topology, Fabrics any
	}{own, &m.spec.Topology, m.spec.Fabrics})
	if err != nil {
		return err
	}
	return a.once(yamldigest.Join([]byte(MeasurePackets), key), func() error {
		bare := *m
		bare.options = &options{Packets: own}
		ctx := context.Background()
		return bare.eachFabric(ctx, own.Fabric, &figures{}, func(fabric string, _ *figures) error {
			on, _, err := bare.subject(ctx, fabric)
			if err != nil {
				return err
			}
			if _, _, err := packet.Check(on.Config); err != nil {
				return withOptionKeys(err)
			}
			_, err = own.openLoop(on)
			return err
		})
	})
}
