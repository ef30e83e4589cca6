// Package mancmd is the command plenum man: manual pages of all commands. They are set here rather than by cobra's own
// generator, which takes the help for Markdown and refills the tables in it.
package mancmd

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
)

// New is the command.
func New() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man -o DIR",
		Short: "Write the manual pages of all commands",
		Long: `Write a manual page of every command into a directory, for man: plenum.1,
plenum-plan.1 and so on. They carry no date, so that the same version gives the same
bytes.`,
		Args:   cli.Usage(cobra.NoArgs),
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return cli.Inputf("a directory for the pages is missing: -o DIR")
			}
			pages := map[string]func(io.Writer) error{}
			add(pages, cmd.Root())
			_, err := outfile.All(cmd.Context(), dir, pages)
			return err
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "directory to write the pages into")
	return cmd
}

// add adds the page of a command and those of the commands below it, by the names of their files.
func add(pages map[string]func(io.Writer) error, cmd *cobra.Command) {
	page := Page(cmd)
	pages[name(cmd)+".1"] = func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	}
	for _, c := range listed(cmd) {
		add(pages, c)
	}
}

func listed(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return !c.IsAvailableCommand() || c.Name() == "help"
	})
}

func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Page is the manual page of a command.
func Page(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"Plenum %s\" \"Plenum manual\"\n", strings.ToUpper(name(cmd)), machine.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escaped(name(cmd)), escaped(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR\n", escaped(cmd.UseLine()))
	if cmd.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		paragraphs(&b, cmd.Long)
	}
	if below := listed(cmd); len(below) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range below {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", escaped(c.Name()), escaped(c.Short))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { option(&b, f) })
	b.WriteString(".SH EXIT STATUS\n0 done; 1 the plan breaks a design rule of severity error, or what is compared " +
		"differs; 2 wrong input or usage; 3 a fault of Plenum or of the computer, or an interrupt.\n")
	b.WriteString(".SH SEE ALSO\n")
	var see []string
	if cmd.HasParent() {
		see = append(see, name(cmd.Parent()))
	}
	for _, c := range listed(cmd) {
		see = append(see, name(c))
	}
	for i, s := range see {
		see[i] = fmt.Sprintf("\\fB%s\\fR(1)", escaped(s))
	}
	b.WriteString(strings.Join(see, ",\n") + "\n")
	return b.Bytes()
}

func option(b *bytes.Buffer, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		fmt.Fprintf(b, "\\fB\\-%s\\fR, ", f.Shorthand)
	}
	kind, usage := pflag.UnquoteUsage(f)
	fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", escaped(f.Name))
	if kind != "" {
		fmt.Fprintf(b, " \\fI%s\\fR", escaped(kind))
	}
	fmt.Fprintf(b, "\n%s", escaped(strings.ReplaceAll(usage, "\n", " ")))
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		fmt.Fprintf(b, " (default %s)", escaped(f.DefValue))
	}
	b.WriteString("\n")
}

// paragraphs sets a text: lines that are indented stay as they are, the others are refilled.
func paragraphs(b *bytes.Buffer, text string) {
	kept, begin := false, false
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			begin = true
			continue
		}
		indented := strings.HasPrefix(line, "  ")
		if kept && !indented {
			b.WriteString(".fi\n.RE\n")
		}
		if begin {
			b.WriteString(".PP\n")
		}
		if !kept && indented {
			b.WriteString(".RS 2\n.nf\n")
		}
		kept, begin = indented, false
		b.WriteString(escaped(strings.TrimPrefix(line, "  ")) + "\n")
	}
	if kept {
		b.WriteString(".fi\n.RE\n")
	}
}

// escaped keeps a text from being taken for requests of roff.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
