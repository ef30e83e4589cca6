package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/asbuilt/watch"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
)

// watchOptions holds the flags about following an installation.
type watchOptions struct {
	dir   string
	every time.Duration
}

// The limits of --every.
const (
	leastInterval = 100 * time.Millisecond
	mostInterval  = time.Hour
)

func (o *watchOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.dir, "watch", "", "follow the files that come into this directory, and print progress by rack")
	f.DurationVar(&o.every, "every", 2*time.Second, "time between two looks into the directory of --watch")
}

// notWithWatch lists the flags that do not go with --watch, which prints as long as it runs.
var notWithWatch = []string{"json", "failed", "work-order", "paths", "capacity", "floor", "elevations", "racks"}

// check returns an error for --every out of range or without --watch, and for flags that do not go with --watch.
func (o *watchOptions) check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("watch") {
		if cmd.Flags().Changed("every") {
			return errors.New("--every: goes with --watch")
		}
		return nil
	}
	var wrong []error
	if o.every < leastInterval || o.every > mostInterval {
		wrong = append(wrong, fmt.Errorf("--every: must be from %v to %v, not %v", leastInterval, mostInterval,
			o.every))
	}
	for _, name := range notWithWatch {
		if cmd.Flags().Changed(name) {
			wrong = append(wrong, fmt.Errorf("--%s: does not go with --watch", name))
		}
	}
	return errors.Join(wrong...)
}

// follow prints progress whenever the directory of --watch changes, until all links are right but those that
// --allow-unknown permits to be unknown, or the context ends. others are sources that do not change.
func (o *verifyOptions) follow(cmd *cobra.Command, p *verify.Plan, d *watch.Dir, others []*exchange.Wiring) error {
	ticker := time.NewTicker(o.watch.every)
	defer ticker.Stop()
	shown := &progress{out: cmd.OutOrStdout()}
	show := func(r *verify.Result, d *watch.Dir) error {
		if err := o.refuseGuesses(r); err != nil {
			return err
		}
		return shown.show(r, d)
	}
	r, err := watch.Follow(cmd.Context(), p, d, others, ticker.C, o.allowed, show)
	if err != nil {
		return cli.InputError(err)
	}
	if err := verdict(r); err != nil {
		return err
	}
	return o.checkUnknown(r)
}

// progress prints the state of an installation each time it changes.
type progress struct {
	out    io.Writer
	before []verify.Rack // as printed last
}

// mostRacks and mostWaiting are the most lines that are printed at a time.
const mostRacks, mostWaiting = 20, 5

// show prints the counts of all links, the racks whose counts have changed since the last call, those with wrong links
// first, then those with missing links, and the files that are not read yet.
func (p *progress) show(r *verify.Result, d *watch.Dir) error {
	var b strings.Builder
	wrong, missing := 0, 0
	for _, d := range r.Differences {
		if d.Kind == verify.Missing {
			missing += len(d.Plan)
		} else {
			wrong += len(d.Plan)
		}
	}
	n := func(v int) string { return english.Grouped(int64(v)) }
	fmt.Fprintf(&b, "%s of %s right, %s missing, %s wrong, %s unknown, by %s\n", n(r.Right),
		english.Count(r.Checked+r.Unknown, "planned link"), n(missing), n(wrong), n(r.Unknown),
		english.Count(len(d.Sources()), "file"))
	var changed []verify.Rack
	for _, k := range r.Racks {
		if !slices.Contains(p.before, k) {
			changed = append(changed, k)
		}
	}
	p.before = r.Racks
	// Where something is wrong comes first, then where something is missing.
	slices.SortStableFunc(changed, func(a, b verify.Rack) int {
		return cmp.Or(cmp.Compare(min(b.Wrong, 1), min(a.Wrong, 1)), cmp.Compare(min(b.Missing, 1), min(a.Missing, 1)))
	})
	writeRacks(&b, changed, mostRacks)
	waiting := d.Waiting()
	for _, w := range waiting[:min(len(waiting), mostWaiting)] {
		why := "has just changed"
		if w.Err != nil {
			why, _, _ = strings.Cut(w.Err.Error(), "\n")
		}
		fmt.Fprintf(&b, "  waiting for %s: %s\n", csvtable.OneLine(w.Name), csvtable.OneLine(why))
	}
	if more := len(waiting) - mostWaiting; more > 0 {
		fmt.Fprintf(&b, "  waiting for %s\n", english.Count(more, "more file"))
	}
	return cli.Print(p.out, b.String())
}

// writeRacks writes a table of the links of racks, at most `most` of them, and the number of the others.
func writeRacks(b *strings.Builder, racks []verify.Rack, most int) {
	if len(racks) == 0 {
		return
	}
	table := [][]string{{"rack", "planned", "right", "missing", "wrong", "unknown"}}
	for _, k := range racks[:min(len(racks), most)] {
		row := []string{k.Rack}
		for _, n := range []int{k.Planned, k.Right, k.Missing, k.Wrong, k.Unknown} {
			row = append(row, english.Grouped(int64(n)))
		}
		table = append(table, row)
	}
	cli.WriteTable(b, table)
	if more := len(racks) - most; more > 0 {
		fmt.Fprintf(b, "  and %s\n", english.Count(more, "more rack"))
	}
}
