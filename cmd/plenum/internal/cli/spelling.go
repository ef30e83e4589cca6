package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/diag"
)

// fileEndings are those of the files that commands read machines, studies and topologies from.
var fileEndings = []string{".yaml", ".yml", ".json"}

// IsFileName reports whether an argument that names a file or something else can only mean a file: it has a directory,
// or the ending of a file.
func IsFileName(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || slices.Contains(fileEndings, strings.ToLower(filepath.Ext(arg)))
}

// NoMachine is the error about an argument that is neither a file nor an example.
func NoMachine(arg string) error {
	best, near := diag.Closest(strings.TrimSuffix(arg, ".yaml"), ExampleNames())
	switch {
	case IsFileName(arg) && near:
		return fmt.Errorf("there is no file %s; if an example is meant, %s", arg, diag.DidYouMean(best))
	case IsFileName(arg):
		return fmt.Errorf("there is no file %s", arg)
	case near:
		return fmt.Errorf("%s is neither a machine file nor an example; %s", arg, diag.DidYouMean(best))
	}
	return fmt.Errorf("%s is neither a machine file nor an example; the examples are %s", arg,
		strings.Join(ExampleNames(), ", "))
}

// missingMachine replaces the error about a file that is not there, if its name may be that of an example.
func missingMachine(arg string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !IsFileName(arg) {
		return NoMachine(arg)
	}
	return err
}

// NoValue is the error about a value of a flag that is not one of those that it takes.
func NoValue[S ~string](flag, what, value string, known []S) error {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return fmt.Errorf("--%s: no %s %q; %s", flag, what, value, diag.Suggest(value, words, "there are "))
}

// Misspelt is the error about an argument that is not there as a file and that a command may take for one, though the
// name of a command below it was perhaps meant. It is nil otherwise.
func Misspelt(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || !cmd.HasAvailableSubCommands() || IsFileName(args[0]) ||
		slices.Contains(ExampleNames(), args[0]) {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	best, ok := diag.Closest(args[0], commandsOf(cmd))
	if !ok {
		return nil
	}
	return Inputf("there is no file %s; if a command is meant, %s", args[0],
		diag.DidYouMean(cmd.CommandPath()+" "+best))
}

// FlagError words what is wrong with the flags of a command, with the flag that a misspelt one may mean.
func FlagError(cmd *cobra.Command, err error) error {
	hint := ""
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if best, ok := diag.Closest(name, names); ok && len(name) > 1 {
			hint = fmt.Sprintf("; did you mean --%s?", best)
		}
	}
	return Inputf("%w%s (see %s --help)", err, hint, cmd.CommandPath())
}

// UnknownCommand is the error about the name of a command that does not exist below another.
func UnknownCommand(of *cobra.Command, name string) error {
	hint := ""
	if best, ok := diag.Closest(name, commandsOf(of)); ok {
		hint = "; " + diag.DidYouMean(of.CommandPath()+" "+best)
	}
	return Inputf("unknown command %q for %q%s (see %s --help)", name, of.CommandPath(), hint, of.CommandPath())
}

// commandsOf are the names of the commands below a command.
func commandsOf(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(append(names, c.Name()), c.Aliases...)
		}
	}
	return names
}
