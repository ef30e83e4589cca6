package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// A knownBreach is a line of known.txt: a limit, what breaks it, and by what size.
type knownBreach struct {
	limit, name string
	value       int
}

// A kernel is a line of kernels.txt: a function and why it may be as it is.
type kernel struct {
	name, reason string
}

// readLines returns the lines of a list without blanks and comments; a list that is not there is empty.
func readLines(fsys fs.FS, name string) ([]string, error) {
	data, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	s := bufio.NewScanner(bytes.NewReader(data))
	for s.Scan() {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, s.Err()
}

func readKnown(fsys fs.FS) ([]knownBreach, error) {
	lines, err := readLines(fsys, knownFile)
	if err != nil {
		return nil, err
	}
	var out []knownBreach
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("%s: %q is not a limit, a name and a size", knownFile, line)
		}
		value, err := strconv.Atoi(words[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", knownFile, line, err)
		}
		out = append(out, knownBreach{words[0], words[1], value})
	}
	return out, nil
}

func readKernels(fsys fs.FS) ([]kernel, error) {
	lines, err := readLines(fsys, kernelsFile)
	if err != nil {
		return nil, err
	}
	var out []kernel
	for _, line := range lines {
		name, reason, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("%s: %s has no reason", kernelsFile, line)
		}
		out = append(out, kernel{name, strings.TrimSpace(reason)})
	}
	return out, nil
}

func (t *tree) isKernel(name string) bool {
	return slices.ContainsFunc(t.kernels, func(k kernel) bool { return k.name == name })
}

const knownHeader = `# Breaches that are known: the limit, what breaks it, and its size. The list may only get shorter
# and its sizes smaller; "go run ./internal/cmd/house -shrink" takes out what is mended.
`

// shrunk returns known.txt without what is no longer a breach, and with the sizes of today where they are smaller.
func (r *result) shrunk(t *tree) []byte {
	var b bytes.Buffer
	b.WriteString(knownHeader)
	known := slices.Clone(t.known)
	slices.SortFunc(known, func(a, b knownBreach) int {
		return cmp.Or(cmp.Compare(a.limit, b.limit), cmp.Compare(a.name, b.name))
	})
	for _, k := range known {
		if f, ok := r.breach(k.limit, k.name); ok && !t.isKernel(k.name) {
			fmt.Fprintln(&b, k.limit, k.name, min(k.value, f.value))
		}
	}
	return b.Bytes()
}
