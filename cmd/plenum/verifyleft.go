package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
)

// mostFailedBytes is the largest size of a file of --failed, in bytes.
const mostFailedBytes = 1 << 24

// readFailed finds the boxes, panels and cables that --failed names, directly or in files: one a line, text after #
// ignored. A name of the plan is never taken for a file.
func readFailed(p *verify.Plan, names []string) (*verify.Failed, error) {
	var all []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && p.Names(name):
			all = append(all, name)
			continue
		case err != nil:
			return nil, cli.InputError(err)
		case !info.Mode().IsRegular() || info.Size() > mostFailedBytes:
			return nil, cli.Inputf("--failed %s: expected a box, a panel, a cable or a file of at most %d bytes", name,
				mostFailedBytes)
		}
		data, err := readInput(name)
		if err != nil {
			return nil, cli.InputError(err)
		}
		for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, line)
			}
		}
	}
	failed, err := p.Fail(all)
	if err != nil {
		return nil, cli.Inputf("--failed: %w", err)
	}
	return failed, nil
}

// ofFabric returns " of NAME" for the name of a fabric, "" for "".
func ofFabric(name string) string {
	if name == "" {
		return ""
	}
	return " of " + name
}

// mostCutOff is the highest number of names that are printed in a list; --json has all.
const mostCutOff = 20

// printLeft prints what is left of a network.
func printLeft(b *strings.Builder, l *verify.Left) {
	fmt.Fprintf(b, "What is left%s\n", ofFabric(l.Fabric))
	line := func(what, format string, args ...any) {
		fmt.Fprintf(b, "  %-12s %s\n", what, fmt.Sprintf(format, args...))
	}
	assumed := ""
	if l.Assumed > 0 && l.Assumed < l.LinksLeft {
		assumed = fmt.Sprintf("; %s no source sees and are taken to be there", english.Grouped(int64(l.Assumed)))
	}
	line("links", "%s of %s planned%s", english.Grouped(int64(l.LinksLeft)), english.Grouped(int64(l.LinksPlanned)),
		assumed)
	line("nodes", "%s of %s reach each other as planned", english.Grouped(int64(l.Nodes-len(l.CutOff))),
		english.Grouped(int64(l.Nodes)))
	names := func(what string, list []string) {
		if more := len(list) - mostCutOff; more > 0 {
			list = append(list[:mostCutOff:mostCutOff], english.Grouped(int64(more))+" more, which --json lists")
		}
		if len(list) > 0 {
			line(what, "%s", english.List(list))
		}
	}
	names("cut off", l.CutOff)
	names("idle", l.SwitchesCutOff)
	switch r := &l.Routes; {
	case r.OK:
		line("routes", "%s in %s; no deadlock along %s", r.Function, english.Count(r.Lanes, "virtual lane"),
			english.Count(r.Followed, "path"))
	case r.Function == "" && r.Problem != "":
		line("routes", "not looked at: %s", r.Problem)
	case r.Problem != "":
		line("routes", "none: %s", r.Problem)
	}
	for _, level := range l.Levels {
		line(strings.TrimPrefix(level.Name, l.Fabric+"/"), "%s of %s channels", english.Grouped(int64(level.Left)),
			english.Grouped(int64(level.Planned)))
	}
	if u := l.Uniform; u != nil && u.Planned > 0 {
		line("all to all", "at most %.4g %% of what the plan carries", 100*u.Left/u.Planned)
	}
	var fewer []string
	for _, n := range l.Fewer {
		fewer = append(fewer, fmt.Sprintf("%s (%d of %d)", n.Box, n.Left, n.Planned))
	}
	names("fewer links", fewer)
	for _, n := range l.Notes {
		line("note", "%s", n)
	}
}
