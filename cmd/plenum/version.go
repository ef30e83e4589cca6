package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/render"
)

// A versionReport says what program this is.
type versionReport struct {
	Version string `json:"version"` // that of Plenum
	Go      string `json:"go"`      // the release of Go that built it
	// Commit is what it was built from; `unknown` where the build has not recorded it.
	Commit string `json:"commit"`
	// Modified is whether files differed from that commit; null where the build does not know.
	Modified *bool  `json:"modified"`
	OS       string `json:"os"`   // the operating system it was built for
	Arch     string `json:"arch"` // the processor it was built for
}

// versionOf returns the report on a build; info may be nil.
func versionOf(info *debug.BuildInfo) versionReport {
	built := provenance.FromBuild(info)
	return versionReport{
		Version: built.Version, Commit: built.Commit, Modified: built.Modified,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
}

// name returns the version with the first 12 digits of the commit, if that is known, as build metadata of semantic
// versions, and with ".modified" if files differed from it.
func (r versionReport) name() string {
	if r.Commit == provenance.Unknown {
		return r.Version
	}
	name := r.Version + "+" + r.Commit[:min(len(r.Commit), 12)]
	if r.Modified != nil && *r.Modified {
		name += ".modified"
	}
	return name
}

// String returns the report in lines.
func (r versionReport) String() string {
	tree := ""
	switch {
	case r.Modified == nil:
	case *r.Modified:
		tree = ", modified"
	default:
		tree = ", not modified"
	}
	return fmt.Sprintf("plenum %s\n%s %s/%s\ncommit %s%s\n", r.name(), r.Go, r.OS, r.Arch, r.Commit, tree)
}

// ownVersion is the report on this program.
func ownVersion() versionReport {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func newVersion() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and what it was built from",
		Long: `Print the version, the release of Go that built it and for what, the commit it was
built from where the build knows it, and whether files differed from that commit.`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := ownVersion()
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), r)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
