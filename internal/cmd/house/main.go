// Command house measures the repository that it stands in and holds it to limits: how long files, functions and
// packages may be, how branched a function, how wide a line, what must be documented, and that the packages import
// each other as docs/architecture.md says. It prints a table of them and exits with status 1 where one is broken.
//
//	go run ./internal/cmd/house          the table, and what breaks a limit
//	go run ./internal/cmd/house -list    every breach, the known ones too
//	go run ./internal/cmd/house -shrink  drop from known.txt what no longer is one
//
// # What is measured
//
// Every .go and .md file is, but for those in folders called testdata and in folders whose names begin with a dot.
// A file's lines are all its lines. A function's lines are those from its first to its last, its comment left out;
// a function literal belongs to the function around it, and one that initialises a package's variable is a function
// by that variable's name. Complexity is the cyclomatic one, as gocyclo counts it. Columns are runes, and a tab is
// four of them. In pages, tables, blocks of code and lines without a space to break at may be of any width.
//
// Sizes of tests are reported but not limited; their lines' widths are.
//
// # What is let through
//
// The file known.txt lists the breaches there were when a limit was set, each with its size. None may be added and
// none may grow; one that is no longer a breach must be taken out. The file kernels.txt names the functions that may
// be long or branched for good, each with the reason.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// What is read besides the packages and the pages, from the root of the repository.
const (
	architecturePage = "docs/architecture.md"
	knownFile        = "internal/cmd/house/known.txt"
	kernelsFile      = "internal/cmd/house/kernels.txt"
)

func main() {
	list := flag.Bool("list", false, "print every breach, the known ones too")
	shrink := flag.Bool("shrink", false, "drop from known.txt what no longer is a breach")
	flag.Parse()
	sound, err := run(os.Stdout, *list, *shrink)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(2)
	}
	if !sound {
		os.Exit(1)
	}
}

// run reports whether the repository around the current folder meets its limits.
func run(w io.Writer, list, shrink bool) (bool, error) {
	root, err := findRoot()
	if err != nil {
		return false, err
	}
	t, err := readTree(os.DirFS(root))
	if err != nil {
		return false, err
	}
	r := inspect(t)
	if shrink {
		if err := os.WriteFile(filepath.Join(root, knownFile), r.shrunk(t), 0o644); err != nil {
			return false, err
		}
		r.failures = r.failures.without(stale)
	}
	if list {
		r.list(w)
	} else {
		t.printFacts(w)
		r.print(w)
	}
	return len(r.failures) == 0, nil
}

// findRoot returns the folder of go.mod, the current one or one above.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("there is no go.mod here or above")
		}
		dir = up
	}
}
