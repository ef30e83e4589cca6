package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDifference(t *testing.T) {
	a := map[string][]byte{"same": []byte("x"), "gone": nil, "changed": []byte("1\n2\n3\n")}
	b := map[string][]byte{"same": []byte("x"), "new": nil, "changed": []byte("1\nII\n3\n")}
	want := "  changed:2\n    - \"2\"\n    + \"II\"\n  gone: is gone\n  new: is new\n"
	if got := difference(a, b); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := difference(a, a); got != "" {
		t.Errorf("the same outputs differ: %s", got)
	}
	if line, x, y := firstDifference("a\nb", "a\nb\nc"); line != 3 || x != `"(end)"` || y != `"c"` {
		t.Errorf("line %d: %s and %s", line, x, y)
	}
}

// TestRun: all that a program prints and writes is seen, and the time that a simulation took is not.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	script := "#!/bin/sh\ncat given\necho '\"wall_s\": '$$,\necho bad >&2\nmkdir sub\necho x >sub/out\nexit 3\n"
	if err := os.WriteFile(program, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	c := command{files: map[string]string{"given": "read\n"}}
	got, err := c.run(context.Background(), program, filepath.Join(dir, "work"), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{
		"(standard output)": []byte("read\n\"wall_s\": some,\n"), "(standard error)": []byte("bad\n"),
		"(status)": []byte("3"), filepath.Join("sub", "out"): []byte("x\n"),
	}
	if d := difference(want, got); d != "" {
		t.Error(d)
	}
}

// TestMistaken: a damaged machine file differs from the whole one.
func TestMistaken(t *testing.T) {
	cases, err := addRandomCases(nil, func(args ...string) ([]byte, error) {
		if args[1] == "list" {
			return []byte(`{"families": [{"family": "torus"}]}`), nil
		}
		return []byte(`{"sizes": [{"spec": "{family: torus, dims: [4, 4]}"}]}`), nil
	}, options{machines: 1, seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	whole, wrong := cases[len(cases)-2].files["m.yaml"], cases[len(cases)-1].files["m.yaml"]
	if whole == wrong || !strings.Contains(whole, "topology: {family: torus, dims: [4, 4]}\n") {
		t.Errorf("whole:\n%swrong:\n%s", whole, wrong)
	}
}
