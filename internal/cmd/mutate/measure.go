package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// measure tries the mutations of a package and prints those that its tests do not notice.
func measure(ctx context.Context, pkg *packages.Package, opt options) (score, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return score{}, err
	}
	defer os.RemoveAll(dir)
	b, err := build(ctx, pkg, dir)
	if err != nil {
		return score{}, err
	}
	tests, err := b.tests(ctx, pkg, opt.tests)
	if err != nil {
		return score{}, err
	}
	s := score{pkg: strings.TrimPrefix(pkg.PkgPath, pkg.Module.Path+"/"), points: len(b.points)}
	line := func(p *point) string {
		at := pkg.Fset.Position(p.from)
		return fmt.Sprintf("%s/%s:%d:%d: %s", s.pkg, filepath.Base(at.Filename), at.Line, at.Column, p.what)
	}
	tries := drawMutations(b.points, line, opt)
	s.tried = len(tries)
	var noticed, unreached atomic.Int32
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(max(opt.workers, 1))
	for _, p := range tries {
		work.Go(func() error {
			reach := slices.DeleteFunc(slices.Clone(tests), func(t test) bool { return !t.reached[p.id] })
			switch {
			case len(reach) == 0:
				unreached.Add(1)
				fmt.Println(line(p) + " (reached by no test)")
			case b.notices(inner, pkg, reach, p.id):
				noticed.Add(1)
			case inner.Err() == nil:
				fmt.Println(line(p))
			}
			return inner.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return s, err
	}
	s.noticed, s.unreached = int(noticed.Load()), int(unreached.Load())
	return s, nil
}

// A test is one test function of a package, with the mutations that it reaches and how long it takes without one.
type test struct {
	name    string
	reached map[int]bool
	takes   time.Duration
}

// tests runs each of the tests that match an expression without a mutation, and returns them, quick ones first.
func (b *binary) tests(ctx context.Context, pkg *packages.Package, match string) ([]test, error) {
	names, err := b.run(ctx, pkg, time.Minute, nil, "-test.list="+cmp.Or(match, "."))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, names)
	}
	var tests []test
	for _, name := range strings.Fields(names) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		reached := filepath.Join(filepath.Dir(b.path), "reached."+name)
		begin := time.Now()
		out, err := b.run(ctx, pkg, 10*time.Minute, []string{"MUTANT_REACHED=" + reached}, "-test.run=^"+name+"$")
		if err != nil {
			return nil, fmt.Errorf("the tests fail without a mutation: %w\n%s", err, out)
		}
		t := test{name: name, takes: time.Since(begin)}
		if t.reached, err = numbers(reached); err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	slices.SortStableFunc(tests, func(x, y test) int { return cmp.Compare(x.takes, y.takes) })
	return tests, nil
}

// notices reports whether one of the tests fails with a mutation, or takes much longer than without. Quick tests run
// first, many in one process.
func (b *binary) notices(ctx context.Context, pkg *packages.Package, tests []test, id int) bool {
	for len(tests) > 0 {
		n, takes := 1, tests[0].takes
		for n < len(tests) && takes+tests[n].takes <= 2*time.Second {
			takes += tests[n].takes
			n++
		}
		var names []string
		for _, t := range tests[:n] {
			names = append(names, t.name)
		}
		if _, err := b.run(ctx, pkg, 3*takes+10*time.Second, []string{"MUTANT=" + strconv.Itoa(id)},
			"-test.run=^("+strings.Join(names, "|")+")$"); err != nil {
			return ctx.Err() == nil
		}
		tests = tests[n:]
	}
	return false
}

// run runs the tests with an argument and variables; an error is a test that failed or took longer than the limit.
func (b *binary) run(
	ctx context.Context, pkg *packages.Package, limit time.Duration, env []string, arg string,
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, "-test.failfast", arg)
	cmd.Dir = filepath.Dir(pkg.CompiledGoFiles[0])
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=0s")
	cmd.Env = append(cmd.Env, env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// numbers reads the mutations that were reached.
func numbers(path string) (map[int]bool, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	out := map[int]bool{}
	for line := range strings.Lines(string(data)) {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		out[n] = true
	}
	return out, err
}
