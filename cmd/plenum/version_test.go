package main

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestVersionOfABuild: the version is that of its documents, regardless of what tags there are, with the commit.
func TestVersionOfABuild(t *testing.T) {
	build := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "3f526a8"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	dirty := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	head := func(version string) string {
		return "plenum " + version + "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	}
	for _, c := range []struct {
		name         string
		info         *debug.BuildInfo
		text         string
		commit, mods string
	}{
		{"nothing known", nil, head(machine.Version) + "commit unknown\n", `"unknown"`, "null"},
		{"a tree", build("(devel)"), head(machine.Version) + "commit unknown\n", `"unknown"`, "null"},
		{"a tag", build("v0.7.1"), head(machine.Version) + "commit unknown\n", `"unknown"`, "null"},
		{
			"a revision", build("v0.0.0-20261122054724-3f526a8", revision, clean),
			head(machine.Version+"+3f526a8") + "commit 3f526a8, not modified\n", `"3f526a8"`, "false",
		},
		{
			"behind a tag, changed", build("v0.7.2-0.20261122054724-3f526a8+dirty", revision, dirty),
			head(machine.Version+"+3f526a8.modified") + "commit 3f526a8, modified\n", `"3f526a8"`, "true",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := versionOf(c.info)
			if got := r.String(); got != c.text {
				t.Errorf("%q, want %q", got, c.text)
			}
			var fields map[string]json.RawMessage
			data, err := json.Marshal(r)
			if err := json.Unmarshal(data, &fields); err != nil {
				t.Fatal(err)
			}
			if err != nil || string(fields["commit"]) != c.commit || string(fields["modified"]) != c.mods {
				t.Errorf("%s: %v", data, err)
			}
		})
	}
}
