package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// workloads plays the closed loops on all machines and on the reference.
func (s *simCommand) workloads(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *progress) error {
	f := &s.packet
	report.workloadsRun = true
	names := strings.Split(f.workload, ",")
	if f.workload == "all" {
		names = traffic.ThinTreeSuite()
	} else if strings.Contains(f.workload, "=") { // parameters have commas of their own
		names = []string{f.workload}
	}
	weights, err := parseWeights(f.weights, names)
	if err != nil {
		return inputError(err)
	}
	all := machines
	if f.reference != "" {
		m, err := s.referenceMachine(cmd, p, report)
		if err != nil {
			return err
		}
		report.Reference = &m.machineReport
		all = append(slices.Clone(machines), m)
	}
	// The runs of a machine stand together, of these those of a workload.
	results := make([]*packet.JobResult, len(all)*len(names)*f.seeds)
	runs := make([]func(context.Context, uint64) (*packet.JobResult, error), len(all)*len(names))
	for i, m := range all {
		for j, name := range names {
			if runs[i*len(names)+j], err = s.job(m, name, packet.Share(len(results))); err != nil {
				return inputError(fmt.Errorf("%s: %w", m.Name, err))
			}
		}
	}
	done := 0
	err = parallel.Each(cmd.Context(), len(results), func(ctx context.Context, i int) error {
		var err error
		of, seed := i/f.seeds, s.seed+uint64(i%f.seeds)
		if results[i], err = runs[of](ctx, seed); err != nil {
			return fmt.Errorf("%s on %s, seed %d: %w", names[of%len(names)], all[of/len(names)].Name, seed, err)
		}
		s.lock.Lock()
		defer s.lock.Unlock()
		done++
		p.stage("playing workloads", done, len(results))
		return nil
	})
	if err != nil {
		return err
	}
	byMachine := slices.Collect(slices.Chunk(slices.Collect(slices.Chunk(results, f.seeds)), len(names)))
	for i, m := range machines {
		own := byMachine[i]
		for j, name := range names {
			w := s.played(own[j])
			w.Machine, w.Name = m.Name, name
			if report.Reference != nil {
				w.Reference, _ = packet.MeanCycles(byMachine[len(machines)][j])
				w.Relative = w.Cycles / w.Reference
			}
			report.Workloads = append(report.Workloads, w)
		}
		if report.Reference != nil {
			r := &report.Machines[i]
			phi, std := packet.PhiOver(own, byMachine[len(machines)], weights)
			cost := packet.PhiPerCost(phi, m.cfg.Network.Graph, all[len(machines)].cfg.Network.Graph)
			if r.Phi, r.PhiPerCost = &phi, &cost; f.seeds > 1 {
				r.PhiStd = &std
			}
		}
	}
	first := &report.Machines[0]
	report.Phi, report.PhiStd, report.PhiPerCost = first.Phi, first.PhiStd, first.PhiPerCost
	return nil
}

// played reports the runs of a workload on a machine, one for each seed.
func (s *simCommand) played(runs []*packet.JobResult) workloadReport {
	mean, std := packet.MeanCycles(runs)
	w := workloadReport{Cycles: mean, TimeNS: mean / s.packet.clock}
	if len(runs) == 1 {
		w.Run = runs[0]
		return w
	}
	w.CyclesStd = &std
	for _, r := range runs {
		w.CyclesBySeed = append(w.CyclesBySeed, r.Cycles)
	}
	return w
}

// job prepares a workload on a machine, to be run with any seed on some cores.
func (s *simCommand) job(m *simMachine, name string,
	cores int,
) (func(context.Context, uint64) (*packet.JobResult, error), error) {
	if s.packet.tasks > 0 && !strings.HasPrefix(strings.ToLower(name), "trace") {
		separator := ":"
		if strings.Contains(name, ":") {
			separator = ","
		}
		name += separator + "tasks=" + strconv.Itoa(s.packet.tasks)
	}
	terminals := m.cfg.Network.Terminals()
	job, err := traffic.ParseJob(name, terminals)
	if err != nil {
		return nil, err
	}
	placed := func(seed uint64) ([]int32, error) {
		return traffic.ParsePlacement(s.packet.placement, job.Tasks, terminals, seed)
	}
	if _, err := placed(s.seed); err != nil {
		return nil, err
	}
	return func(ctx context.Context, seed uint64) (*packet.JobResult, error) {
		place, err := placed(seed)
		if err != nil {
			return nil, err
		}
		drawn := *m
		if seed != s.seed {
			if _, _, err := s.draw(&drawn, seed); err != nil {
				return nil, err
			}
		}
		drawn.cfg.Cores = cores
		return packet.RunJob(ctx, drawn.cfg, job.New(), place)
	}, nil
}

// parseWeights reads NAME=WEIGHT,... for the workloads named.
func parseWeights(text string, names []string) ([]float64, error) {
	out := make([]float64, len(names))
	for i := range out {
		out[i] = 1
	}
	if text == "" {
		return out, nil
	}
	sum := 0.0
	for item := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || !(w >= 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("--weights: %q is not a workload with a weight, like W2=0.5", item)
		}
		i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) })
		if i < 0 {
			return nil, fmt.Errorf("--weights: no workload %q is run; those are %s", name, strings.Join(names, ", "))
		}
		out[i] = w
	}
	for _, w := range out {
		sum += w
	}
	if sum == 0 {
		return nil, errors.New("--weights: all are 0")
	}
	return out, nil
}
