package main

import (
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
	reached := filepath.Join(dir, "reached")
	begin := time.Now()
	if out, err := b.test(ctx, pkg, 0, 10*time.Minute, "MUTANT_REACHED="+reached); err != nil {
		return score{}, fmt.Errorf("the tests fail without a mutation: %w\n%s", err, out)
	}
	limit := 3*time.Since(begin) + 10*time.Second
	hit, err := numbers(reached)
	if err != nil {
		return score{}, err
	}
	tries := drawn(b.points, opt)
	s := score{pkg: strings.TrimPrefix(pkg.PkgPath, pkg.Module.Path+"/"), points: len(b.points), tried: len(tries)}
	survives := make([]bool, len(tries))
	var noticed, unreached atomic.Int32
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(max(opt.workers, 1))
	for i, p := range tries {
		work.Go(func() error {
			if !hit[p.id] {
				unreached.Add(1)
				survives[i] = true
				return nil
			}
			if _, err := b.test(inner, pkg, p.id, limit); err != nil {
				noticed.Add(1)
			} else {
				survives[i] = true
			}
			return inner.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return s, err
	}
	s.noticed, s.unreached = int(noticed.Load()), int(unreached.Load())
	var lines []string
	for i, p := range tries {
		if survives[i] {
			at := pkg.Fset.Position(p.from)
			lines = append(lines, fmt.Sprintf("%s/%s:%d:%d: %s", s.pkg, filepath.Base(at.Filename), at.Line, at.Column,
				p.what))
		}
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
	return s, nil
}

// test runs the tests with a mutation, 0 for none; an error is a test that failed or took longer than the limit.
func (b *binary) test(
	ctx context.Context, pkg *packages.Package, id int, limit time.Duration, env ...string,
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, "-test.failfast")
	cmd.Dir = filepath.Dir(pkg.CompiledGoFiles[0])
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(id), "RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=0s")
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
