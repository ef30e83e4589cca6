package initcmd

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt/adopt"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/units"
)

// exists reports whether a path exists.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// isSource reports whether a path exists and is not a directory: a directory may have the name of the machine.
func isSource(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// free returns an error if a file exists. Its directory need not exist.
func free(path string) error {
	if !exists(filepath.Dir(path)) {
		return nil
	}
	return cli.Free(path)
}

// mostSources is the highest number of files that are read as one machine.
const mostSources = 100_000

// adopt writes the machine file of a machine that exists, from sources: --from and all arguments that are files. An
// argument that is not a file is the name of the machine; without one, the machine is called like its only source.
func (g *given) adopt(cmd *cobra.Command, args []string) error {
	if g.search || g.nodes+g.ports+g.room != "" {
		return cli.Inputf("--search, --nodes, --ports and --room do not go with --from SOURCE: the sources tell the " +
			"machine")
	}
	paths, arg := []string{g.from}, ""
	for _, a := range args {
		switch {
		case isSource(a):
			paths = append(paths, a)
		case arg == "":
			arg = a
		default:
			return cli.Inputf("%s and %s are not files: only one of the two can be the name of the machine", arg, a)
		}
	}
	if len(paths) > mostSources {
		return cli.Inputf("%d sources; at most %d are read as one machine", len(paths), mostSources)
	}
	if arg == "" {
		base := filepath.Base(g.from)
		arg = "my-machine"
		if len(paths) == 1 {
			arg = strings.TrimSuffix(base, filepath.Ext(base))
		}
	}
	path, name, err := fileOf(filepath.Join(g.out, arg))
	if err != nil {
		return err
	}
	if slices.Contains(cli.ExampleNames(), name) {
		return cli.InputError(taken(name))
	}
	if err := free(path); err != nil {
		return err
	}
	var sources []*exchange.Wiring
	var wrong []error
	for _, p := range paths {
		w, err := exchange.Read(p)
		wrong = append(wrong, err)
		sources = append(sources, w)
	}
	if err := errors.Join(wrong...); err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	rate, err := units.ParseRate(starter.Default().Rate)
	if g.rate != "" {
		rate, err = units.ParseRate(g.rate)
	}
	if err != nil || rate <= 0 {
		return cli.Inputf("--rate: %q is not a rate; write it as 100G", g.rate)
	}
	m, err := adopt.New(cmd.Context(), adopt.Options{Name: name, Rate: rate}, sources)
	if err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	dir := filepath.Dir(path)
	names := slices.Sorted(maps.Keys(m.Files))
	for _, file := range names {
		if err := free(filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	for _, file := range names {
		if err := outfile.New(cmd.Context(), filepath.Join(dir, file), m.Files[file]); err != nil {
			return err
		}
		fmt.Fprintf(out, "written: %s\n", filepath.Join(dir, file))
	}
	fmt.Fprintf(out, "%s, %s\n", english.Count(m.Boxes, "box"),
		english.Count(m.Links, "cable"))
	for _, n := range m.Notes {
		fmt.Fprintf(out, "note: %s\n", strings.Join(strings.Fields(n), " "))
	}
	c := m.Compared
	fmt.Fprintf(out, "compared with the sources: %s right, %s, %d unknown\n",
		english.Count(c.Right, "link"), english.Count(len(c.Differences), "difference"), c.Unknown)
	_, err = fmt.Fprintf(out, "plan it with: plenum plan %s\n", path)
	return err
}
