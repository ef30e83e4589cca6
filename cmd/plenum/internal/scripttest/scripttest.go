// Package scripttest runs the command as a user would, for tests: scripts in cmd/plenum/testdata, each directory of
// which has a package of tests below this one. They take as long as all other tests of the command, and packages are
// tested side by side.
package scripttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// bin is the directory of the command that the scripts run, buildFlags what it is built with besides.
var (
	bin        string
	buildFlags []string
)

// Main builds the command, with the race detector where the tests have it, runs the tests of a package and ends.
func Main(m *testing.M) { os.Exit(withCommand(m.Run)) }

// withCommand builds the command for the time that something runs.
func withCommand(run func() int) int {
	dir, err := os.MkdirTemp("", "plenum")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin = dir
	args := append([]string{"build", "-buildvcs=false", "-o", dir}, buildFlags...)
	build := exec.Command("go", append(args, "github.com/plenum-planner/plenum/cmd/plenum")...)
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, out)
		return 1
	}
	return run()
}

// Run runs the scripts of a directory of cmd/plenum/testdata, with variables besides those of all scripts.
func Run(t *testing.T, dir string, variables map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("../../../testdata", dir),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("PLENUM_PROVENANCE", "program")
			e.Setenv("COLUMNS", "1000") // whole lines are looked for; package cli tests how they are broken
			for name, value := range variables {
				e.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "json": validJSON, "holds": holds,
		},
	})
}

// exits N COMMAND... runs a command that must end with exactly that status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// json FILE... checks that files, or stdout, hold one JSON document each.
func validJSON(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		if ok := json.Valid([]byte(ts.ReadFile(file))); ok == neg {
			ts.Fatalf("%s is JSON: %v", file, ok)
		}
	}
}

// holds DIR FILE... checks that a directory holds these files and no others,
// hidden ones included.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: holds DIR FILE...")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := slices.Sorted(slices.Values(args[1:]))
	if !slices.Equal(got, want) {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}
