package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// openLoops runs all loads of all machines side by side.
func (s *simCommand) openLoops(cmd *cobra.Command, machines []*simMachine, report *packetReport, p *progress) error {
	f := &s.packet
	report.Traffic = f.traffic
	loads, err := s.loads()
	if err != nil {
		return inputError(err)
	}
	type job struct {
		m    *simMachine
		open packet.OpenLoop
	}
	var jobs []job
	for _, m := range machines {
		open := packet.OpenLoop{Measurement: f.measure}
		if open.Pattern, err = traffic.ParsePattern(f.traffic, m.cfg.Network.Graph, s.seed); err != nil {
			return inputError(err)
		}
		if f.sizes != "" {
			sizes, err := traffic.ParseSizes(f.sizes)
			if err != nil {
				return inputError(err)
			}
			open.Sizes = &sizes
		}
		process, err := traffic.ParseInjection(f.injection, 1/float64(f.opt.PacketPhits), int64(f.opt.PacketPhits))
		if err != nil {
			return inputError(err)
		}
		open.Burst = process.Burst
		if f.saturation {
			jobs = append(jobs, job{m, open})
			continue
		}
		for _, load := range loads {
			open.Load = load
			jobs = append(jobs, job{m, open})
		}
	}
	if f.saturation {
		report.Saturations = make([]saturationReport, len(jobs))
	} else {
		report.Runs = make([]runReport, len(jobs))
	}
	done := 0
	return parallel.Each(cmd.Context(), len(jobs), func(ctx context.Context, i int) error {
		m := jobs[i].m
		cfg := m.cfg
		cfg.Cores = packet.Share(len(jobs))
		if f.saturation {
			found, err := packet.FindSaturation(ctx, cfg, jobs[i].open, f.tolerance)
			report.Saturations[i] = saturationReport{m.Name, found}
			return err
		}
		r, err := packet.Run(ctx, cfg, jobs[i].open)
		if err != nil {
			return fmt.Errorf("%s at load %g: %w", m.Name, jobs[i].open.Load, err)
		}
		r.Warnings = nil // once for the machine
		report.Runs[i] = runReport{m.Name, r, r.Latency.Times(1 / f.clock)}
		s.lock.Lock()
		defer s.lock.Unlock()
		done++
		p.stage("simulating", done, len(jobs))
		return nil
	})
}

// charts draws latency and throughput over the load, a curve for each machine.
func (s *simCommand) charts(ctx context.Context, r *packetReport) error {
	if len(r.Runs) == 0 {
		return inputError(errors.New("--output: charts are of runs over loads, not of --saturation"))
	}
	sweeps := make([]render.Sweep, len(r.Machines))
	for i, m := range r.Machines {
		sweeps[i].Name = m.Name + ", " + m.Routing
		for _, run := range r.Runs {
			if run.Machine == m.Name {
				sweeps[i].Runs = append(sweeps[i].Runs, run.Result)
			}
		}
	}
	latency, throughput := render.LoadCharts(r.Traffic, r.PacketPhits, sweeps)
	for name, chart := range map[string]render.CurveChart{
		"load-latency.png":    latency,
		"load-throughput.png": throughput,
	} {
		if err := render.WriteFile(ctx, filepath.Join(s.packet.out, name),
			func(w io.Writer) error { return render.Curves(w, chart) }); err != nil {
			return err
		}
	}
	return nil
}
