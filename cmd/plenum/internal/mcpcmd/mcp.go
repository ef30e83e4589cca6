// Package mcpcmd is the command plenum mcp: a server of the Model Context Protocol, by which agents plan machines.
// Every call runs a command of plenum with --json in a process of its own: a call that fails, hangs or takes too much
// memory ends alone, and an agent gets the document that a user gets.
package mcpcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine"
)

// Defaults of the flags --call-time and --calls, and the highest value of --calls.
const (
	defaultTime  = 2 * time.Minute
	defaultCalls = 2
	mostCalls    = 64
)

// New returns the command.
func New() *cobra.Command {
	var s server
	var root string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve plans to agents, by the Model Context Protocol",
		Long: `Serve the tools plan, compare, explain, search, verify and catalog to an agent, by the
Model Context Protocol on standard input and output. Each gives the JSON document that
the command of the same name prints with --json (docs/reference/json.md lists the keys).

  plenum mcp --root ~/machines

Only files below --root are read, those that machine files name included; absolute
paths, "..", symbolic links that leave the directory and pipes are refused. Nothing is
written unless --allow-write is given; then plan, compare and search take a directory
below --root to write their files into.

A call ends after --call-time, and when the agent cancels it. --calls of them run at a
time; the others wait. The server ends with the connection or an interrupt, with exit
status 0. docs/agents.md shows how agents are set up.`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.open(cmd, root); err != nil {
				return cli.InputError(err)
			}
			defer s.root.Close()
			return s.serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&root, "root", ".", "directory below which files are read")
	f.BoolVar(&s.write, "allow-write", false, "let plan, compare and search write files below --root")
	f.DurationVar(&s.time, "call-time", defaultTime, "longest that a call may take")
	f.IntVar(&s.calls, "calls", defaultCalls, "how many calls run at a time")
	return cmd
}

// server runs calls of tools.
type server struct {
	root   *os.Root
	write  bool          // tools may write files
	time   time.Duration // the longest that a call may take
	calls  int           // number of calls that run at a time
	memory int64         // bytes that a call may use; 0 leaves the limit to the command
	turns  chan struct{} // has an element for each call that runs
	queue  chan struct{} // has an element for each call that runs or waits
	run    runner
}

// waiting is the number of calls that may wait for each one that runs; further calls are refused.
const waiting = 16

// open checks the flags and opens the directory.
func (s *server) open(cmd *cobra.Command, root string) error {
	var wrong []error
	if s.time <= 0 {
		wrong = append(wrong, fmt.Errorf("--call-time: must be above 0, not %s", s.time))
	}
	if s.calls < 1 || s.calls > mostCalls {
		wrong = append(wrong, fmt.Errorf("--calls: must be from 1 to %d, not %d", mostCalls, s.calls))
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	var err error
	if s.root, err = os.OpenRoot(root); err != nil {
		return fmt.Errorf("--root: %w", err)
	}
	s.memory = budget.Of(cmd.Context()).Memory / int64(s.calls)
	s.begin()
	s.run, err = newProcess(root)
	return err
}

// begin makes the queues for calls.
func (s *server) begin() {
	s.turns, s.queue = make(chan struct{}, s.calls), make(chan struct{}, (waiting+1)*s.calls)
}

// serve serves the protocol until the client disconnects or the context ends.
func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	transport := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}
	done := make(chan error, 1)
	go func() { done <- s.tools().Run(ctx, transport) }()
	select {
	case err := <-done:
		if ctx.Err() != nil {
			return nil
		}
		return err
	case <-ctx.Done(): // a read of standard input does not end by itself
		return nil
	}
}

// unclosed is a writer whose Close does nothing: the transport must not close standard output.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// tools returns a server of the protocol with all tools.
func (s *server) tools() *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "plenum", Title: "Plenum", Version: machine.Version},
		&mcp.ServerOptions{Instructions: instructions()},
	)
	add(s, server, "plan", "Plan a machine: places, cables, bill of materials, power, delays and violations of design "+
		"rules.", true, (*planInput).arguments)
	add(s, server, "compare", "Plan several machines and compare size, cables, cost, power and delay.", true,
		(*compareInput).arguments)
	add(s, server, "explain", "Explain a key figure, a cable, a box or a part of a plan, a part of "+
		"the catalog, or a design rule.", false, (*explainInput).arguments)
	add(s, server, "search", "Find the machines of any family that meet the requirement of a search file.", true,
		(*searchInput).arguments)
	add(s, server, "verify", "Compare a plan with what is really cabled, as files of LLDP, InfiniBand and others tell "+
		"it, and say how to mend it.", false, (*verifyInput).arguments)
	add(s, server, "catalog", "List or show the parts and price sets that come along, or list what is not known about "+
		"parts.", false, (*catalogInput).arguments)
	return server
}

// instructions returns the text that tells an agent which machines there are and in which units figures are.
func instructions() string {
	return "Plenum plans the physical layout and the cabling of large machines. A machine is a file below the " +
		"directory that is served, or one of these examples: " + strings.Join(cli.ExampleNames(), ", ") +
		". Money is in the currency of the document, lengths are in metres, delays in nanoseconds. Figures have a " +
		"source; those marked as estimates are not quotes. A plan with violations of severity error cannot be built " +
		"as it is."
}

// add adds a tool whose arguments are the fields of In. writes says that the tool writes files if --allow-write is
// given.
func add[In any](s *server, to *mcp.Server, name, text string, writes bool,
	arguments func(*In, *server) ([]string, error),
) {
	no := false
	tool := &mcp.Tool{Name: name, Description: text, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: !writes || !s.write, DestructiveHint: &s.write, OpenWorldHint: &no,
	}}
	if !writes {
		tool.Annotations.DestructiveHint = &no
	}
	described, err := schema[In]()
	if err != nil {
		panic(err) // a type of this package has no schema
	}
	tool.InputSchema = described
	type request = mcp.CallToolRequest
	mcp.AddTool(to, tool, func(ctx context.Context, _ *request, in In) (*mcp.CallToolResult, any, error) {
		args, err := arguments(&in, s)
		if err != nil {
			return nil, nil, err
		}
		r, err := s.call(ctx, args)
		return r, nil, err
	})
}
