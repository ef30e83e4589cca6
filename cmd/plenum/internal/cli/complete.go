package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
)

// A Completion suggests words for what has been typed of one.
type Completion = cobra.CompletionFunc

// Words suggests the words that begin with what is typed; in a list with commas, those that it does not have yet.
func Words(words func() []string) Completion {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		list, last := "", typed
		if i := strings.LastIndexByte(typed, ','); i >= 0 {
			list, last = typed[:i+1], typed[i+1:]
		}
		var out []string
		for _, word := range words() {
			if strings.HasPrefix(word, last) && !slices.Contains(strings.Split(list, ","), word) {
				out = append(out, list+word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// Machines suggests examples, and the files and directories below which machine files and plans may be. A most of 0 has
// no limit on the number of arguments.
func Machines(most int) Completion {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, name := range ExampleNames() {
			if strings.HasPrefix(name, typed) {
				out = append(out, name)
			}
		}
		found, directive := files(typed)
		if len(out) > 0 {
			directive = cobra.ShellCompDirectiveNoFileComp
		}
		return append(out, found...), directive
	}
}

// escapes keeps what is typed from being a pattern.
var escapes = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)

// files are machine files, saved plans and directories whose path begins as typed. Hidden ones must be asked for.
func files(typed string) ([]string, cobra.ShellCompDirective) {
	pattern := typed
	if filepath.Separator == '/' { // elsewhere \ separates directories
		pattern = escapes.Replace(typed)
	}
	found, _ := filepath.Glob(pattern + "*")
	var out []string
	directory := false
	for _, path := range found {
		if _, base := filepath.Split(typed); base == "" && strings.HasPrefix(filepath.Base(path), ".") {
			continue
		}
		switch ext := filepath.Ext(path); {
		case directoryAt(path):
			out, directory = append(out, path+string(filepath.Separator)), true
		case ext == ".yaml" || ext == ".yml" || ext == ".json":
			out = append(out, path)
		}
	}
	if len(out) == 1 && directory { // no space after it: its files follow
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	return out, cobra.ShellCompDirectiveDefault
}

func directoryAt(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// First suggests for the first argument by one completion, and for those that follow by another, nil for nothing.
func First(first, others Completion) Completion {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return first(cmd, nil, typed)
		case others == nil:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return others(cmd, args[1:], typed)
	}
}

// Either suggests by one completion and then by another.
func Either(a, b Completion) Completion {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		one, _ := a(cmd, args, typed)
		other, directive := b(cmd, args, typed)
		return append(one, other...), directive
	}
}

// Fabrics suggests the fabrics of the machine that the first argument names.
func Fabrics(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := PlannedSpec(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return Words(func() (names []string) {
		for i := range s.Fabrics {
			names = append(names, s.Fabrics[i].Name)
		}
		return names
	})(nil, nil, typed)
}

// PartIDs are the ids of the parts of the catalog.
func PartIDs() []string {
	var ids []string
	for _, p := range catalog.Default().Parts() {
		ids = append(ids, p.ID)
	}
	return ids
}

// RuleIDs are the ids of the design rules.
func RuleIDs() []string {
	var ids []string
	for i := range cabling.Rules {
		ids = append(ids, cabling.Rules[i].ID)
	}
	return ids
}
