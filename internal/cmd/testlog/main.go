// Command testlog reads what "go test -json" prints and prints what go test does without: a line for every package, and
// in full the tests that fail, those among them with which their process ended. Behind it stands how many tests,
// subtests among them, passed, failed and were skipped.
//
//	go test -json ./... | go run ./internal/cmd/testlog -skipped FILE
//	go test -json -run 'Cores|Plan/torus' ./p | go run ./internal/cmd/testlog -expect 'Cores|Plan/torus'
//
// With -skipped, the tests that were skipped are added to a file, each with its reason. With -expect, a filter as
// go test -run takes it, the exit status is 1 if one of the filter's alternatives has matched no test. That tests fail
// is not: go test's own status says so.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	skipped := flag.String("skipped", "", "the file to which tests that were skipped are added")
	expect := flag.String("expect", "", "a filter of which every alternative must match a test")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *skipped, *expect); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, skipped, expect string) error {
	filter, err := parseFilter(expect)
	if err != nil {
		return err
	}
	l := newLog(out, filter)
	if err := l.read(in); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", l.passed, l.failed, len(l.skipped))
	if skipped != "" {
		if err := appendLines(skipped, l.skipped); err != nil {
			return err
		}
	}
	for _, a := range filter {
		if !a.matched {
			return fmt.Errorf("no test matches %s", a.text)
		}
	}
	return nil
}

func appendLines(name string, lines []string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, line := range lines {
		fmt.Fprintln(f, line)
	}
	return f.Close()
}

// An event is a line of go test -json; see "go doc test2json".
type event struct {
	Action, Package, Test, Output string
}

// A log is what has been read.
type log struct {
	out            io.Writer
	filter         []alternative
	pending        map[event][]string // what running tests have printed, by package and test
	running        []event            // those tests, in the order they began
	passed, failed int
	skipped        []string // package, test and reason
}

func newLog(out io.Writer, filter []alternative) *log {
	return &log{out: out, filter: filter, pending: map[event][]string{}}
}

func (l *log) read(in io.Reader) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var e event
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			fmt.Fprintln(l.out, s.Text()) // not an event: something printed past go test
			continue
		}
		l.add(e)
	}
	return s.Err()
}

// add takes one event.
func (l *log) add(e event) {
	test := event{Package: e.Package, Test: e.Test}
	switch {
	case e.Action == "build-output", e.Action == "output" && e.Test == "" && e.Output != "PASS\n":
		fmt.Fprint(l.out, e.Output)
	case e.Action == "fail" && e.Test == "":
		l.printUnended(e.Package)
	case e.Test == "":
	case e.Action == "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			l.pending[test] = append(l.pending[test], e.Output)
		}
	case e.Action == "run":
		for i := range l.filter {
			l.filter[i].see(e.Test)
		}
		l.running = append(l.running, test)
	case e.Action == "pass":
		l.passed++
		l.end(test)
	case e.Action == "fail":
		l.failed++
		fmt.Fprint(l.out, strings.Join(l.end(test), ""))
	case e.Action == "skip":
		l.skipped = append(l.skipped, e.Package+" "+e.Test+": "+reason(l.end(test)))
	}
}

// end forgets a test that has ended, and returns what it has printed.
func (l *log) end(test event) []string {
	printed := l.pending[test]
	delete(l.pending, test)
	l.running = slices.DeleteFunc(l.running, func(e event) bool { return e == test })
	return printed
}

// printUnended prints the tests of a package that were running when their process ended, as a panic, a call of os.Exit
// or the system ends one; go test says of none of them that it fails.
func (l *log) printUnended(pkg string) {
	for _, test := range slices.Clone(l.running) {
		if test.Package == pkg {
			l.failed++
			fmt.Fprintf(l.out, "--- FAIL: %s (its process ended)\n%s", test.Test, strings.Join(l.end(test), ""))
		}
	}
}

var logLine = regexp.MustCompile(`^\s*\w+\.go:\d+: `)

// reason returns the last line that a skipped test has logged.
func reason(printed []string) string {
	why := "no reason given"
	for _, line := range printed {
		if at := logLine.FindString(line); at != "" {
			why = strings.TrimSpace(line[len(at):])
		}
	}
	return why
}

// An alternative is one part of a filter: expressions for the name of a test, its subtest, and so on.
type alternative struct {
	text    string
	levels  []*regexp.Regexp
	matched bool
}

// parseFilter splits a filter at its bars and slashes; there may be none inside of brackets.
func parseFilter(filter string) ([]alternative, error) {
	if filter == "" {
		return nil, nil
	}
	var out []alternative
	for text := range strings.SplitSeq(filter, "|") {
		a := alternative{text: text}
		for level := range strings.SplitSeq(text, "/") {
			re, err := regexp.Compile(level)
			if err != nil {
				return nil, err
			}
			a.levels = append(a.levels, re)
		}
		out = append(out, a)
	}
	return out, nil
}

// see notes a test that has run.
func (a *alternative) see(test string) {
	names := strings.Split(test, "/")
	if len(names) < len(a.levels) {
		return
	}
	for i, re := range a.levels {
		if !re.MatchString(names[i]) {
			return
		}
	}
	a.matched = true
}
