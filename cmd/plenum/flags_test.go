package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/units"
)

// Whatever the arguments, they select a command or end with status 2. No command is run.
func FuzzFlags(f *testing.F) {
	f.Add("plan\nm.yaml\n-o\nout\n--only=bom.csv\n--max-memory\n4 GB")
	f.Add("topology\nsizes\n--nodes\n1e99\n--family=")
	f.Add("sim\npackets\n--load\n0.1,nan\n--\n-x\n--unknown\n-\x00")
	f.Add("--max-time\n-1s\nversion\n--help=2\n---\n-oo=\n--=")
	f.Fuzz(func(t *testing.T, text string) {
		var limits cli.Limits
		defer limits.Close()
		root := newRoot()
		limits.Add(root)
		root.PersistentPreRunE = nil
		root.SilenceUsage = true
		var still func(c *cobra.Command)
		still = func(c *cobra.Command) {
			if c.RunE != nil || c.Run != nil {
				c.Run, c.RunE = nil, func(*cobra.Command, []string) error { return nil }
			}
			for _, below := range c.Commands() {
				still(below)
			}
		}
		still(root)
		args := strings.Split(text, "\n")
		if strings.HasPrefix(args[0], "__complete") || args[0] == "completion" {
			t.Skip()
		}
		root.SetArgs(args)
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		status := cli.Status(root.ExecuteContext(context.Background()))
		if status != cli.ExitDone && status != cli.ExitInput {
			t.Errorf("%q: status %d", args, status)
		}
	})
}

// Whatever a value of a flag says, it is read or refused in a short message.
func FuzzWords(f *testing.F) {
	for _, word := range []string{"5%", "1/3", "1:100", "4 GB", "bimodal:1,2,3", "bernoulli", "@1e308", "\x1b", "nan"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		_, share := units.ParseShare(word)
		_, part := sweep.ParsePart(word)
		_, scale := spec.ParseScale(word)
		_, size := budget.ParseSize(word)
		_, sizes := traffic.ParseSizes(word)
		_, injection := traffic.ParseInjection(word, 0.1, 10)
		for _, err := range []error{share, part, scale, size, sizes, injection} {
			if err != nil && err.Error() == "" {
				t.Errorf("%q: a message that says nothing", word)
			}
		}
	})
}
