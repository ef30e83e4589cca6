// Package servecmd is the command plenum serve.
package servecmd

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/serve"
)

// New is the command.
func New() *cobra.Command {
	var port int
	var show bool
	cmd := &cobra.Command{
		Use:   "serve [FILE|EXAMPLE]",
		Short: "Show the plan of a machine file in a browser while it is edited",
		Long: `Serve the page that plenum plan writes as report.html, with an editor of the machine
file beside it: the plan follows the text as it is typed and sliders as they are
moved, mistakes are shown at their lines, and what changes against the saved file is
listed. Save writes the file back, whole, if it can be read as a machine file and
nobody else has changed it. An example can be tried, but not saved.

Without a file, or with the name of one that does not exist yet (ending in .yaml), the
page begins with a dialog for a new machine and examples to copy, and writes the file.

The server listens on 127.0.0.1 only. Open the address that it prints: its token
keeps other users and other pages out. --open has the default browser open it.
Ctrl-C ends the server, with exit status 0.`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := what(args)
			if err != nil {
				return err
			}
			var opener []string
			if show {
				if opener, err = serve.Opener(serve.System, os.Getenv, exec.LookPath); err != nil {
					return cli.Inputf("--open: %w", err)
				}
			}
			chosen := cmd.Flags().Changed("port")
			l, err := serve.Listen(port, !chosen)
			if err != nil {
				return cli.Inputf("--port: %w", err)
			}
			s := serve.New(o, l.Addr())
			name := o.Name
			if name == "" {
				name = "The page for a new machine"
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is at\n\n  %s\n\nCtrl-C ends it.\n", name, s.URL())
			if show {
				go open(cmd, opener, s.OpenURL())
			}
			return s.Run(cmd.Context(), l)
		},
	}
	cmd.Flags().IntVar(&port, "port", serve.DefaultPort,
		"port to listen on, 0 for any that is free (when left out, the next free one if this is taken)")
	cmd.Flags().BoolVar(&show, "open", false, "show the page in the default browser")
	return cmd
}

// open has a program show an address. It ends with the server at the latest.
func open(cmd *cobra.Command, opener []string, address string) {
	out, err := exec.CommandContext(cmd.Context(), opener[0], append(opener[1:], address)...).CombinedOutput()
	if err != nil && cmd.Context().Err() == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "--open: no browser was opened: %s: %v\nOpen the address above.\n",
			strings.ToValidUTF8(strings.TrimSpace(string(out)), "?"), err)
	}
}

// what is the file or the example that an argument names, or a file that is to be written.
func what(args []string) (serve.Options, error) {
	if len(args) == 0 {
		return serve.Options{Start: true}, nil
	}
	arg := args[0]
	switch info, err := os.Stat(arg); {
	case err == nil && info.IsDir() && slices.Contains(cli.ExampleNames(), arg):
		// the directory of a plan often has the name of its example
	case err == nil && !info.Mode().IsRegular():
		return serve.Options{}, cli.Inputf("%s is not a machine file: it is not an ordinary file", arg)
	case err == nil:
		f, err := os.Open(arg)
		if err != nil {
			return serve.Options{}, err
		}
		return serve.Options{Path: arg, Name: arg}, f.Close()
	}
	name := strings.TrimSuffix(arg, ".yaml") + ".yaml"
	text, err := examples.Files.ReadFile(name)
	if err != nil && strings.HasSuffix(arg, ".yaml") {
		if err := cli.Free(arg); err != nil {
			return serve.Options{}, cli.InputError(err)
		}
		return serve.Options{Path: arg, Name: arg, Start: true}, nil
	}
	if err != nil {
		_, err = cli.NamedSpec(arg)
		return serve.Options{}, cli.InputError(err)
	}
	return serve.Options{Name: name, Text: text}, nil
}
