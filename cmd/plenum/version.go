package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// A versionReport says what program this is. Revision and Modified are null where the build does not know them.
type versionReport struct {
	Version string `json:"version"` // that of Plenum
	Go      string `json:"go"`      // the release of Go that built it
	// Revision is the commit that it was built from; null where the build does not know it.
	Revision *string `json:"revision"`
	// Modified is whether files differed from that commit; null where the build does not know it.
	Modified *bool  `json:"modified"`
	OS       string `json:"os"`   // the operating system it was built for
	Arch     string `json:"arch"` // the processor it was built for
}

// revision is the commit that a release was built from, where the build has no repository to ask: -X main.revision=...
var revision string

// versionOf reads what the build has recorded of itself. A build of a source tree without a tagged version is of the
// version that its documents name.
func versionOf(info *debug.BuildInfo) versionReport {
	r := versionReport{Version: machine.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if revision != "" {
		r.Revision = &revision
	}
	if info == nil {
		return r
	}
	if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok && !strings.HasPrefix(v, "0.0.0-") {
		r.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Revision = &s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			r.Modified = &modified
		}
	}
	return r
}

// String returns the report in lines.
func (r versionReport) String() string {
	s := fmt.Sprintf("plenum %s\n%s %s/%s\n", r.Version, r.Go, r.OS, r.Arch)
	switch {
	case r.Revision == nil:
	case r.Modified != nil && *r.Modified:
		s += fmt.Sprintf("revision %s, modified\n", *r.Revision)
	default:
		s += fmt.Sprintf("revision %s\n", *r.Revision)
	}
	return s
}

func newVersion() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and what it was built from",
		Long: `Print the version, the release of Go that built it and for what, and the revision it
was built from where the build knows it.`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			r := versionOf(info)
			if asJSON {
				return render.Document(cmd.OutOrStdout(), r)
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), r)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
