package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
	"github.com/plenum-planner/plenum/sim/workload"
)

// workloadFlags are what is played on every machine of a comparison.
type workloadFlags struct {
	file, groups string
	perNode      int // ranks
}

func (s *workloadFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&s.file, "workload", "", "description of a training job, trace NAME.0.et of the first rank, or "+
		strings.Join(workload.Presets(), ", "))
	f.StringVar(&s.groups, "groups", "", "JSON file with the ranks of the process groups of traces")
	f.IntVar(&s.perNode, "ranks-per-node", 1, "ranks that share a node, each with a port of its own")
}

// check refuses flags that go with others only.
func (s *workloadFlags) check(changed func(string) bool) error {
	var wrong []error
	if s.groups != "" && !workload.IsTrace(s.file) {
		wrong = append(wrong, errors.New("--groups: goes with --workload of traces (NAME.0.et) only"))
	}
	if s.perNode < 1 || s.perNode > goal.MaxRanks {
		wrong = append(wrong, fmt.Errorf("--ranks-per-node: must be from 1 to %d, not %d", goal.MaxRanks, s.perNode))
	}
	if s.file == "" && changed("ranks-per-node") {
		wrong = append(wrong, errors.New("--ranks-per-node: goes with --workload only"))
	}
	return errors.Join(wrong...)
}

// player reads the workload and returns what plays it on a planned machine.
func (s *workloadFlags) player(ctx context.Context,
) (func(*machine.Result, *machine.Network) (*report.Step, error), error) {
	w, err := workload.Read(s.file, s.groups)
	if err != nil {
		return nil, err
	}
	ranks, ops := w.Schedule.Ranks(), len(w.Schedule.Ops())
	if err := cli.Afford(ctx, opNeed.Times(float64(ops)), "%s", w.Name); err != nil {
		return nil, err
	}
	return func(p *machine.Result, n *machine.Network) (*report.Step, error) {
		opt := loggops.Options{Params: loggops.DefaultParams()}
		if rate := p.PortRate(n); rate > 0 {
			opt.GapByte = loggops.PerByteAt(rate)
		}
		seen := n.Seen()
		on, _, err := measuredOn(seen.Graph, seen.Model, seen.Links, "", p.Spec.Embedding.Seed)
		if err != nil {
			return nil, err
		}
		if opt.Latency, err = on.latency("consecutive", ranks, s.perNode, 0); err != nil {
			return nil, err
		}
		played, err := loggops.Play(ctx, w.Schedule, opt)
		if err != nil {
			return nil, err
		}
		step := &report.Step{Workload: w.Name, Ranks: ranks, Nodes: (ranks + s.perNode - 1) / s.perNode}
		step.Seconds = float64(played.Makespan) / 1e9
		if w.Job != nil {
			f := stepOf(w.Job, played.Makespan)
			step.Compute, step.Tokens = &f.Calculating, &f.TokensPerSecond
			step.Source = f.Source
		}
		return step, nil
	}, nil
}
