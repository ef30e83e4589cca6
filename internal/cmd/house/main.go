// Command house checks the repository that it is run in and prints its sizes. It fails where the packages do not import
// each other as docs/reference/imports.md says (which rules out cycles), where an exported name or a package lacks a
// comment, and where a line is wider than 120 columns. Sizes (lines a package, a file and a function, and cyclomatic
// complexity) are printed for reviewers and never fail.
//
//	go run ./internal/cmd/house
//
// # What is measured
//
// Every .go and .md file, except in folders named testdata and in folders whose names begin with a dot. A function's
// lines are those from its first to its last, without its comment; a function literal belongs to the function around
// it, and one that initializes a package variable is a function by that variable's name. Complexity is the cyclomatic
// complexity as gocyclo counts it. Columns are runes, and a tab is four of them. In pages, tables, blocks of code and
// lines without a space to break at may have any width.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// importsPage states which package imports which. Its path starts at the root of the repository.
const importsPage = "docs/reference/imports.md"

func main() {
	passed, err := run(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(2)
	}
	if !passed {
		os.Exit(1)
	}
}

// run prints the sizes and the violations of the repository around the current folder. It reports whether there are no
// violations.
func run(w io.Writer) (bool, error) {
	root, err := findRoot()
	if err != nil {
		return false, err
	}
	t, err := readTree(os.DirFS(root))
	if err != nil {
		return false, err
	}
	t.printSizes(w)
	messages := violations(t)
	for _, m := range messages {
		fmt.Fprintln(w, m)
	}
	return len(messages) == 0, nil
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
