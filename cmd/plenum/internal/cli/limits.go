package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/diag"
)

// Limits are the flags of all commands: those that bound what a run takes, and --color.
type Limits struct {
	Colour string // of --color

	memory string
	time   time.Duration

	mu      sync.Mutex
	reached error // why the run was ended
	closed  bool
	free    []func()
}

// Add gives a command and all below it the flags, and has them hold.
func (l *Limits) Add(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&l.memory, "max-memory", "",
		"`most` memory to take, like 4 GB (nine tenths of what this process may have when left out)")
	f.DurationVar(&l.time, "max-time", 0, "`longest` that the run may take, like 30m (no limit when left out)")
	f.StringVar(&l.Colour, ColourFlag, colourAuto,
		"`when` output is coloured: auto (on a terminal, unless NO_COLOR is set), always or never")
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := checkColour(l.Colour); err != nil {
			return err
		}
		if o, ok := cmd.OutOrStdout().(*Output); ok {
			o.Colour = HasColour(o.W, l.Colour)
		}
		if err := Misspelt(cmd, args); err != nil {
			return err
		}
		return l.begin(cmd)
	}
}

// begin puts the budget into the context of a command, and watches that it is kept.
func (l *Limits) begin(cmd *cobra.Command) error {
	b := budget.Budget{Memory: budget.Machine() / 10 * 9, Time: l.time}
	if l.time < 0 || l.time == 0 && cmd.Flags().Changed("max-time") {
		return Inputf("--max-time: must be above 0, not %s", l.time)
	}
	if cmd.Flags().Changed("max-memory") {
		n, err := budget.ParseSize(l.memory)
		if err != nil {
			return Inputf("--max-memory: %w", err)
		}
		b.Memory = n
	}
	parent := budget.With(cmd.Context(), b)
	own, cancel := context.WithCancel(parent)
	ctx := limited{own, parent}
	l.free = append(l.free, cancel)
	if b.Memory > 0 {
		if os.Getenv("GOMEMLIMIT") == "" {
			before := debug.SetMemoryLimit(b.Memory / 20 * 19)
			l.free = append(l.free, func() { debug.SetMemoryLimit(before) })
		}
	}
	if b.Time > 0 {
		soft := time.AfterFunc(b.Time, func() {
			l.end(fmt.Errorf("ended after the %s of --max-time", b.Time))
			cancel()
		})
		hard := time.AfterFunc(2*b.Time+time.Second, func() { l.exit(cmd.ErrOrStderr()) })
		l.free = append(l.free, func() { soft.Stop(); hard.Stop() })
	}
	if b.Memory > 0 { // from here on, the list of what is to be undone is shared
		go l.watch(ctx, cancel, cmd.ErrOrStderr(), b.Memory)
	}
	cmd.SetContext(ctx)
	return nil
}

// limited is a context with an end of its own that asks the one it comes from at every call of Err, as a test that ends
// a run at the n-th call needs.
type limited struct {
	context.Context
	from context.Context
}

func (l limited) Err() error { return cmp.Or(l.from.Err(), l.Context.Err()) }

// What is in use may grow to twice its size before memory is collected. Where that is more than largeHeap bytes, it
// grows by thrift percent only: to look at few large arrays more often takes next to no time.
const (
	largeHeap = 128 << 20
	thrift    = 40
)

// watch ends the run when it takes more memory than it may: it cancels the context, and ends the process where that is
// of no avail.
func (l *Limits) watch(ctx context.Context, cancel func(), stderr io.Writer, most int64) {
	taken := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	thrifty := os.Getenv("GOGC") != ""
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for done := ctx.Done(); ; {
		select {
		case <-done:
			l.mu.Lock()
			ended := l.reached != nil
			l.mu.Unlock()
			if !ended { // an interrupt, or the end of the run
				return
			}
			done = nil
		case <-tick.C:
		}
		metrics.Read(taken)
		bytes := int64(taken[0].Value.Uint64() - taken[1].Value.Uint64())
		if !thrifty && taken[2].Value.Uint64() > largeHeap {
			thrifty = true
			l.pace(thrift)
		}
		if bytes > most {
			l.end(fmt.Errorf("ended, as it took more than the %s of --max-memory", budget.Size(float64(most))))
			cancel()
		}
		if bytes > most/4*5 {
			l.exit(stderr)
		}
	}
}

// end remembers why a run was ended, the first time.
func (l *Limits) end(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reached == nil {
		l.reached = why
	}
}

// pace sets by how many percent memory grows before it is collected, until the limits are closed.
func (l *Limits) pace(percent int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	before := debug.SetGCPercent(percent)
	l.free = append(l.free, func() { debug.SetGCPercent(before) })
}

// exit ends the process. What it leaves behind is cleared up by the next run that writes there.
func (l *Limits) exit(stderr io.Writer) {
	l.mu.Lock()
	why := l.reached
	l.mu.Unlock()
	if why == nil {
		why = errors.New("ended, as a limit was reached")
	}
	fmt.Fprintln(stderr, "plenum:", diag.Escape(why.Error()))
	os.Exit(ExitFault)
}

// Reached says which limit ended the run, nil where none did.
func (l *Limits) Reached() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reached
}

// Close ends the watch.
func (l *Limits) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reached, l.closed = nil, true
	for _, free := range l.free {
		free()
	}
	l.free = nil
}
