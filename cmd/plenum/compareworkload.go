package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/study/ranking"
)

// workloadFlags holds the flags of compare about the workload that is played on every machine.
type workloadFlags struct {
	file, groups string
	perNode      int // ranks
}

func (s *workloadFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&s.file, "workload", "", "description of a training job, trace of the first rank (NAME.0.et or "+
		"NAME.0.json), or "+strings.Join(workload.Presets(), ", "))
	f.StringVar(&s.groups, "groups", "", "JSON file with the ranks of the process groups of traces")
	f.IntVar(&s.perNode, "ranks-per-node", 1, "ranks that share a node, each with a port of its own")
}

// check returns an error for values out of range, and for flags that go with --workload, or with traces, only.
func (s *workloadFlags) check(changed func(string) bool) error {
	var wrong []error
	if s.groups != "" && !workload.IsTrace(s.file) {
		wrong = append(wrong, errors.New("--groups: goes with --workload of traces (NAME.0.et, NAME.0.json) only"))
	}
	if s.perNode < 1 || s.perNode > goal.MaxRanks {
		wrong = append(wrong, fmt.Errorf("--ranks-per-node: must be from 1 to %d, not %d", goal.MaxRanks, s.perNode))
	}
	if s.file == "" && changed("ranks-per-node") {
		wrong = append(wrong, errors.New("--ranks-per-node: goes with --workload only"))
	}
	return errors.Join(wrong...)
}

// player reads the workload and returns a function that plays it on a network of a planned machine.
func (s *workloadFlags) player(ctx context.Context,
) (func(*machine.Result, *machine.Network) (*report.Step, error), error) {
	w, err := workload.Read(s.file, s.groups)
	if err != nil {
		return nil, err
	}
	if err := cli.Afford(ctx, cli.OpNeed.Times(float64(len(w.Schedule.Ops()))), "%s", w.Name); err != nil {
		return nil, err
	}
	player := ranking.Player{Workload: w, RanksPerNode: s.perNode}
	return func(p *machine.Result, n *machine.Network) (*report.Step, error) {
		step, err := player.Play(ctx, p, n)
		if diag.Fields(err) != nil {
			err = cli.InputUnlessDiagnosed(cli.Spelled(err, goalFlags))
		}
		return step, err
	}, nil
}
