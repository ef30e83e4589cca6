// Command jsondoc writes docs/reference/json.md: the keys of every JSON document that plenum prints or writes, with
// their types, units and meanings, from the types that make the documents and the comments at their fields.
//
//	go run ./internal/cmd/jsondoc          writes the page
//	go run ./internal/cmd/jsondoc -check   tells where it is not up to date, and which keys break the rule for names
//
// Documents are what cmd/plenum and the packages in its internal folder hand to render.Document; one that is not in
// the list of titles is an error.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

const page = "docs/reference/json.md"

func main() {
	check := flag.Bool("check", false, "compare the page instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "jsondoc:", err)
		os.Exit(1)
	}
}

// run writes the page of the repository in the current folder, or compares it.
func run(check bool) error {
	text, err := document(".")
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(page, text, 0o666)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return fmt.Errorf("%s is not up to date: go run ./internal/cmd/jsondoc", page)
	}
	return nil
}
