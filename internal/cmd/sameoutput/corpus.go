package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// command is one call of plenum, with the files that it finds in the directory in which it runs.
type command struct {
	args  []string
	files map[string]string
}

func (c command) String() string { return "plenum " + strings.Join(c.args, " ") }

// wallTime is what simulations tell of the time that they took.
var wallTime = regexp.MustCompile(`("wall_s": |wall time +)[0-9.e-]+`)

// run calls the program in an empty directory; the result has all that it printed and wrote. A command that takes too
// long says only that.
func (c command) run(ctx context.Context, program, dir string, limit time.Duration) (map[string][]byte, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for name, text := range c.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, c.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return map[string][]byte{"": []byte("too long")}, nil
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	results := map[string][]byte{
		"(standard output)": wallTime.ReplaceAll(stdout.Bytes(), []byte("${1}some")),
		"(standard error)":  stderr.Bytes(),
		"(status)":          fmt.Append(nil, cmd.ProcessState.ExitCode()),
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, given := c.files[name]; given {
			return nil
		}
		results[name], err = os.ReadFile(path)
		return err
	})
	return results, err
}

// corpus makes the commands; the old program tells which examples and families there are.
func corpus(ctx context.Context, program string, opts options) ([]command, error) {
	ask := func(args ...string) ([]byte, error) {
		out, err := exec.CommandContext(ctx, program, args...).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", command{args: args}, err)
		}
		return out, nil
	}
	var cases []command
	add := func(files map[string]string, args ...string) {
		cases = append(cases, command{args: args, files: files})
	}
	help, err := ask("init", "--help")
	if err != nil {
		return nil, err
	}
	_, list, _ := strings.Cut(string(help), "Examples: ")
	list, _, _ = strings.Cut(list, "\n")
	formats := []string{"anynet", "dot", "edges", "graphml", "json"}
	for i, example := range strings.Split(list, ", ") {
		add(nil, "plan", example)
		add(nil, "plan", example, "--json", "--summary")
		add(nil, "plan", example, "--rules")
		add(nil, "plan", example, "--estimate", "--json")
		add(nil, "explain", example, "C00001")
		add(nil, "explain", example, "C00100", "--json")
		add(nil, "topology", example, "--json")
		add(nil, "embed", "place", example, "--json")
		add(nil, "init", "copy", "--from", example)
		add(nil, "render", example, "--format", formats[i%len(formats)])
	}
	for _, name := range []string{
		"", "catalog", "catalog list", "catalog show", "catalog check", "catalog import", "compare", "diff",
		"embed", "embed map", "embed place", "embed qap", "explain", "init", "plan", "render", "schema", "sim",
		"topology", "topology list", "topology sizes", "version",
	} {
		add(nil, append(strings.Fields(name), "--help")...)
	}
	for _, line := range []string{
		"schema", "catalog list", "catalog list --json", "catalog check", "topology list", "topology list --json",
		"plan --rules", "compare torus-4096-racks clex-4096-racks", "diff superpod-h100-compute superpod-b300-xdr",
		"plan --rules --json", "init starter",
		"catalog show nvidia-qm9700", "explain nvidia-qm9700", "explain reach",
	} {
		add(nil, strings.Fields(line)...)
	}
	if cases, err = pages(cases); err != nil {
		return nil, err
	}
	return addRandomCases(cases, ask, opts)
}

var indented = regexp.MustCompile(`(?m)^    plenum (?:.*\\\n)*.*$`)

// pages adds the commands that README and docs show. Their files are absent for the most part, so that many end with
// a message; what they need no file for is done.
func pages(cases []command) ([]command, error) {
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, "README.md") {
		page, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, text := range indented.FindAllString(string(page), -1) {
			text, _, _ = strings.Cut(strings.ReplaceAll(text, "\\\n", " "), " #")
			var args []string
			for i, part := range strings.Split(text, "'") {
				if i%2 == 1 {
					args = append(args, part)
				} else {
					args = append(args, strings.Fields(part)...)
				}
			}
			if !strings.ContainsAny(text, "[>|") || strings.Contains(text, "'") {
				cases = append(cases, command{args: args[1:]})
			}
		}
	}
	return cases, nil
}

// addRandomCases adds machines of every family, in rooms and with wishes drawn at random, and mistakes in their files.
func addRandomCases(cases []command, ask func(...string) ([]byte, error), opts options) ([]command, error) {
	var families struct {
		Families []struct{ Family string }
	}
	text, err := ask("topology", "list", "--json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &families); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opts.seed, 0))
	var specs []string
	for _, f := range families.Families {
		for _, size := range []string{"..64", "100..400", "5000..5200"} {
			cases = append(cases, command{args: []string{
				"topology", "sizes", "--family", f.Family, "--nodes", size, "--json",
			}})
		}
		text, err := ask("topology", "sizes", "--family", f.Family, "--nodes", "8..300", "--limit", "12", "--json")
		if err != nil {
			continue // some, as file, have no sizes
		}
		var found struct{ Sizes []struct{ Spec string } }
		if err := json.Unmarshal(text, &found); err != nil {
			return nil, err
		}
		rng.Shuffle(len(found.Sizes),
			func(i, j int) { found.Sizes[i], found.Sizes[j] = found.Sizes[j], found.Sizes[i] })
		for i, s := range found.Sizes {
			if i < max(1, opts.machines/len(families.Families)) {
				specs = append(specs, s.Spec)
			}
		}
	}
	for _, spec := range specs {
		cases = append(cases,
			command{args: []string{"topology", spec, "--json", "--metrics", "all"}},
			command{args: []string{"topology", spec, "--export", "edges"}},
			command{args: []string{"sim", "--topology", spec, "--json", "--load", "0.3", "--batch", "200"}},
			command{args: []string{"sim", "--topology", spec, "--traffic", "worst-case", "--json", "--batch", "100"}},
			command{args: []string{"plan", "--estimate", "--json", spec}},
		)
		files := map[string]string{"m.yaml": machineFile(rng, spec)}
		for _, line := range []string{
			"plan m.yaml", "plan m.yaml --json --summary", "explain m.yaml C00003 --json", "plan m.yaml --estimate",
			"sim m.yaml --json --load 0.2 --batch 200", "embed place m.yaml --json", "render m.yaml --format graphml",
			"render m.yaml --format json", "render m.yaml --format anynet",
		} {
			cases = append(cases, command{args: strings.Fields(line), files: files})
		}
		wrong := map[string]string{"m.yaml": mistaken(rng, files["m.yaml"])}
		cases = append(cases, command{args: []string{"plan", "m.yaml", "--summary"}, files: wrong})
	}
	return cases, nil
}

// machineFile draws a room, cables and wishes for a topology.
func machineFile(rng *rand.Rand, spec string) string {
	pick := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	lines := []string{"name: drawn", "topology: " + spec, pick(
		"room: {racks_per_row: 6, cold_aisle: 1.2 m}",
		"room: {racks_per_row: 4, gaps: [{after: 2, width: 1.5 m}], trays: {height: 2.6 m, cross: [0, 4]}}",
		"room: {containers: [{name: cube, count: [4, 4, 4], pitch: 0.5 m}, {name: hall, count: [4, 4, 1], "+
			"pitch: 2 m}]}",
		"room: {racks_per_row: 10, rows: 3}", "",
	), pick(
		"cabling: {route: tray, slack: {fixed: 0.5 m, percent: 5}}", "cabling: {route: manhattan}",
		"cabling: {media: [{within: rack, use: copper}, {use: [active-optical, multimode, single-mode]}]}",
		"cabling: {route: direct, slack: {fixed: 1 m}}", "",
	), pick("embedding: {effort: quick}", "embedding: {strategy: random, seed: 3}", "", ""), pick(
		"prices: {spares: {cable: 2, switch: 5}}", "prices: {currency: EUR}", "", "",
	)}
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	return strings.Join(lines, "\n") + "\n"
}

// mistaken damages a machine file: a name misspelt, a value of a wrong kind, a line left out or given twice.
func mistaken(rng *rand.Rand, text string) string {
	at := rng.IntN(len(text))
	lines := strings.SplitAfter(text, "\n")
	line := rng.IntN(len(lines) - 1)
	switch rng.IntN(4) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at] + "x" + text[at:]
	case 2:
		return strings.Join(slices.Insert(lines, line, lines[line]), "")
	default:
		return strings.Replace(text, ": ", ": -", 1+line)
	}
}
