// Command sameoutput runs the commands of two builds of plenum on the same input and tells where what they print, write
// or exit with differs. Rebuilding a part of the house must not change a byte of what users get; this holds it to that.
//
//	go run ./internal/cmd/sameoutput main             the tree as it is, against the revision main
//	go run ./internal/cmd/sameoutput -new ./plenum OLD
//
// The commands are those of every example with every file of its plan, the blocks of commands in the pages, machines
// of every family in rooms drawn from a seed, and files with mistakes in them. OLD is a revision of the repository, or
// the path of a program. The exit status is 1 where outputs differ.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	var opts options
	flag.StringVar(&opts.fresh, "new", "", "the program that is held against OLD (the tree as it is when left out)")
	flag.IntVar(&opts.machines, "machines", 120, "machines that are drawn")
	flag.Uint64Var(&opts.seed, "seed", 1, "seed of the machines")
	flag.IntVar(&opts.show, "show", 40, "differences that are shown")
	flag.DurationVar(&opts.limit, "limit", 2*time.Minute, "time of a command; what takes longer is not compared")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: sameoutput [flags] OLD")
		os.Exit(2)
	}
	same, err := compare(context.Background(), os.Stdout, flag.Arg(0), opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sameoutput:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

type options struct {
	fresh    string
	machines int
	seed     uint64
	show     int
	limit    time.Duration
}

// compare runs all commands with both programs and reports what differs.
func compare(ctx context.Context, w io.Writer, old string, opts options) (same bool, err error) {
	dir, err := os.MkdirTemp("", "sameoutput")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	programs := [2]string{old, opts.fresh}
	if _, err := os.Stat(old); err != nil {
		if programs[0], err = buildRevision(ctx, dir, old); err != nil {
			return false, err
		}
	}
	if opts.fresh == "" {
		programs[1] = filepath.Join(dir, "new")
		if err := build(ctx, ".", programs[1]); err != nil {
			return false, err
		}
	}
	for i := range programs {
		if programs[i], err = filepath.Abs(programs[i]); err != nil {
			return false, err
		}
	}
	cases, err := corpus(ctx, programs[0], opts)
	if err != nil {
		return false, err
	}
	outcomes := make([]string, len(cases))
	files := make([]int, len(cases))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, c := range cases {
		group.Go(func() error {
			results := [2]map[string][]byte{}
			for k, program := range programs {
				work := filepath.Join(dir, fmt.Sprintf("%d-%d", i, k))
				var err error
				if results[k], err = c.run(ctx, program, work, opts.limit); err != nil {
					return err
				}
				if err := os.RemoveAll(work); err != nil {
					return err
				}
			}
			files[i] = len(results[0])
			outcomes[i] = difference(results[0], results[1])
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return false, err
	}
	total, differ := 0, 0
	for i, c := range cases {
		total += files[i]
		if outcomes[i] == "" {
			continue
		}
		if differ++; differ <= opts.show {
			fmt.Fprintf(w, "%s\n%s", c, outcomes[i])
		}
	}
	fmt.Fprintf(w, "%d commands, %d outputs; %d commands differ\n", len(cases), total, differ)
	return differ == 0, nil
}

// build makes the program of a tree. It knows no revision, as its output must not tell it.
func build(ctx context.Context, tree, program string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, "./cmd/plenum")
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", tree, err, out)
	}
	return nil
}

// buildRevision makes the program of a revision in a work tree of its own.
func buildRevision(ctx context.Context, dir, revision string) (string, error) {
	tree := filepath.Join(dir, "tree")
	if out, err := exec.CommandContext(ctx, "git", "worktree", "add", "--detach", tree,
		revision).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s is neither a program nor a revision: %w\n%s", revision, err, out)
	}
	program := filepath.Join(dir, "old")
	err := build(ctx, tree, program)
	if out, gone := exec.CommandContext(ctx, "git", "worktree", "remove", "--force",
		tree).CombinedOutput(); err == nil &&
		gone != nil {
		err = fmt.Errorf("git worktree remove: %w\n%s", gone, out)
	}
	return program, err
}

// difference tells of two sets of outputs which differ, with the first line that does; nothing where they are equal.
func difference(a, b map[string][]byte) string {
	var out strings.Builder
	names := make([]string, 0, len(a))
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		old, isOld := a[name]
		fresh, isNew := b[name]
		switch {
		case !isNew:
			fmt.Fprintf(&out, "  %s: is gone\n", name)
		case !isOld:
			fmt.Fprintf(&out, "  %s: is new\n", name)
		case !bytes.Equal(old, fresh):
			line, x, y := firstDifference(string(old), string(fresh))
			fmt.Fprintf(&out, "  %s:%d\n    - %s\n    + %s\n", name, line, x, y)
		}
	}
	return out.String()
}

// firstDifference finds the first line that differs in two texts, and cuts it to a readable length.
func firstDifference(a, b string) (line int, x, y string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for line = range max(len(as), len(bs)) {
		x, y = "(end)", "(end)"
		if line < len(as) {
			x = as[line]
		}
		if line < len(bs) {
			y = bs[line]
		}
		if x != y {
			break
		}
	}
	cut := func(s string) string { return fmt.Sprintf("%.180q", s) }
	return line + 1, cut(x), cut(y)
}
