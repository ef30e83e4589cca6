package main

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"
)

// The test of a small module notices all mutations but a rounding that makes no difference and what it never runs.
func TestTiny(t *testing.T) {
	t.Chdir("testdata/tiny")
	loaded, err := load(t.Context(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure(t.Context(), loaded[0], options{workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	// Of A, B, +, *, +=, the statement, Ceil, max and -, those that survive are Ceil, max and -.
	if s.points != 9 || s.tried != 9 || s.noticed != 6 || s.unreached != 2 {
		t.Errorf("%+v", s)
	}
}

// The tests of packages whose figures people build by notice mutations drawn anew each time.
func TestScores(t *testing.T) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("takes an hour; set PLENUM_LONG=1")
	}
	var patterns []string
	for _, name := range []string{"asbuilt", "cabling", "catalog", "cost", "delay", "exchange", "layout"} {
		patterns = append(patterns, "github.com/plenum-planner/plenum/"+name)
	}
	loaded, err := load(t.Context(), patterns)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	for _, pkg := range loaded {
		opt := options{sample: int(math.Ceil(100 / float64(len(loaded)))), seed: seed, workers: 2}
		s, err := measure(t.Context(), pkg, opt)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(s)
		if least := 70.0; s.share() < least { // three standard errors of 15 draws below 90 %
			t.Errorf("seed %d: %s, expected at least %g %%", seed, s, least)
		}
	}
}
