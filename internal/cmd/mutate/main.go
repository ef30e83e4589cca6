// Command mutate measures how well the tests of packages notice small mistakes: it changes the arithmetic, the
// comparisons and the ends of links in a package, one at a time, and counts the changes that fail a test of that
// package. All mutations of a package are compiled into one test binary, which a variable switches (R. H. Untch,
// A. J. Offutt and M. J. Harrold, Mutation analysis using mutant schemata, ISSTA 1993).
//
// usage: go run ./internal/cmd/mutate [-sample N] [-seed S] [-only REGEXP] [-run REGEXP] PACKAGE...
//
// It prints the mutations that no test notices, then a line for each package.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sample := flag.Int("sample", 0, "mutations to try in each package, drawn at random; all when 0")
	seed := flag.Uint64("seed", 0, "seed of the draw; a fresh one when 0")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "tests that run at the same time")
	least := flag.Float64("least", 0, "fail where the tests of a package notice less than this share, in per cent")
	only := flag.String("only", "", "try the mutations whose line of output matches, such as 'route.go:1[0-9]:'")
	tests := flag.String("run", "", "run the tests that match, as go test -run does; all when empty")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	places, err := regexp.Compile(*only)
	if err == nil {
		err = run(ctx, flag.Args(), options{*sample, *seed, *workers, *least, places, *tests})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type options struct {
	sample  int
	seed    uint64
	workers int
	least   float64
	only    *regexp.Regexp // matches the lines of the mutations to try; nil for all
	tests   string         // of which to run, as go test -run takes it
}

// run measures packages.
func run(ctx context.Context, patterns []string, opt options) error {
	if len(patterns) == 0 {
		return errors.New("expected packages, such as ./cabling")
	}
	loaded, err := load(ctx, patterns)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d\n", opt.seed)
	var scores []string
	var failed error
	for _, pkg := range loaded {
		s, err := measure(ctx, pkg, opt)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg.PkgPath, err)
		}
		scores = append(scores, s.String())
		if s.share() < opt.least {
			failed = fmt.Errorf("%s: %.1f %% noticed, expected %g %%", s.pkg, s.share(), opt.least)
		}
	}
	fmt.Println()
	for _, s := range scores {
		fmt.Println(s)
	}
	return failed
}

// A score is how many mutations of a package its tests notice.
type score struct {
	pkg            string
	points         int // mutations in the package
	tried, noticed int
	unreached      int // of those tried, by any test
}

func (s score) share() float64 {
	if s.tried == 0 {
		return 100
	}
	return 100 * float64(s.noticed) / float64(s.tried)
}

// String is a line of the table.
func (s score) String() string {
	return fmt.Sprintf("%-12s %5.1f %%  %d of %d mutations noticed, %d reached by no test; the package has %d",
		s.pkg, s.share(), s.noticed, s.tried, s.unreached, s.points)
}

// drawMutations returns the mutations to try; line is the line of output for one.
func drawMutations(points []*point, line func(*point) string, opt options) []*point {
	points = slices.Clone(points)
	if opt.only != nil {
		points = slices.DeleteFunc(points, func(p *point) bool { return !opt.only.MatchString(line(p)) })
	}
	if opt.sample == 0 || opt.sample >= len(points) {
		return points
	}
	rng := rand.New(rand.NewPCG(opt.seed, 0))
	rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	return points[:opt.sample]
}
