package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

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

// versionOf reads what the build has recorded of itself. A build of a source tree without a tagged version is of the
// version that its documents name.
func versionOf(info *debug.BuildInfo) versionReport {
	built := provenance.Built(info)
	r := versionReport{
		Version: built.Version, Commit: built.Commit, Modified: built.Modified,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	if info != nil {
		if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok && !strings.HasPrefix(v, "0.0.0-") {
			r.Version = v
		}
	}
	return r
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
	return fmt.Sprintf("plenum %s\n%s %s/%s\ncommit %s%s\n", r.Version, r.Go, r.OS, r.Arch, r.Commit, tree)
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
			info, _ := debug.ReadBuildInfo()
			r := versionOf(info)
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
