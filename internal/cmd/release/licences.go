package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// terms is what one part of the program may be used under.
type terms struct {
	name, version string
	licences      []string // SPDX identifiers, as far as the texts are known ones
	texts         []string
}

func (t *terms) title() string { return strings.TrimSpace(t.name + " " + t.version) }

// carried are parts of the program that are not modules, with the directories of their licences.
var carried = map[string]string{"three.js": "render/page/assets/three"}

// licensed are the files of a directory that state terms.
var licensed = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|ofl)([-._].*)?$`)

// known are licences by words that stand in their texts, and in no other that comes later.
var known = []struct{ id, words string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"OFL-1.1", "sil open font license version 1.1"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose"},
	{"BSD-3-Clause", "neither the name"},
	{"BSD-2-Clause", "redistribution and use in source and binary forms"},
	{"CC-BY-4.0", "creative commons attribution 4.0 international public license"},
	{"FTL", "the freetype license"},
	{"CC0-1.0", "cc0 1.0 universal"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
}

// identify names a licence by its text, "" if it is none of those known.
func identify(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	text = strings.ReplaceAll(text, "license, version", "license version")
	for _, k := range known {
		if strings.Contains(text, k.words) {
			return k.id
		}
	}
	return ""
}

// termsIn reads the terms of a directory. One without any is an error: nobody may pass on what has none.
func termsIn(name, version, dir string) (terms, error) {
	t := terms{name: name, version: version}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return t, err
	}
	var paths []string
	for _, e := range entries {
		if e.Name() == "licenses" && e.IsDir() { // texts that LICENSE names
			more, err := filepath.Glob(filepath.Join(dir, e.Name(), "*.txt"))
			if err != nil {
				return t, err
			}
			paths = append(paths, more...)
		} else if !e.IsDir() && licensed.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), ".go") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return t, err
		}
		t.texts = append(t.texts, strings.ReplaceAll(string(text), "\r\n", "\n"))
		if id := identify(string(text)); id != "" && !slices.Contains(t.licences, id) {
			t.licences = append(t.licences, id)
		}
	}
	if len(t.texts) == 0 {
		return t, fmt.Errorf("%s %s has no licence", name, version)
	}
	return t, nil
}

// termsOf are the terms of Go's library, of the modules that a program is made of, and of what else it carries.
func (r release) termsOf(info *buildinfo.BuildInfo) ([]terms, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	args := []string{"list", "-mod=readonly", "-m", "-json=Path,Version,Dir"}
	for _, m := range info.Deps {
		args = append(args, m.Path)
	}
	list := exec.Command("go", args...)
	list.Dir, list.Stderr = r.source, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []terms
	var wrong []error
	add := func(name, version, dir string) {
		t, err := termsIn(name, version, dir)
		all, wrong = append(all, t), append(wrong, err)
	}
	add("Go", strings.TrimPrefix(info.GoVersion, "go"), strings.TrimSpace(string(root)))
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := in.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		add(m.Path, m.Version, m.Dir)
	}
	for name, dir := range carried {
		add(name, "", filepath.Join(r.source, dir))
	}
	return all, errors.Join(wrong...)
}

// licences writes the terms of a program into a directory, and names the file.
func (r release) licences(program, dir string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	all, err := r.termsOf(info)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	writeTerms(&b, all)
	path := filepath.Join(dir, "LICENSES.txt")
	return path, os.WriteFile(path, b.Bytes(), 0o666)
}

// writeTerms lists the parts with their licences, then all texts.
func writeTerms(b *bytes.Buffer, all []terms) {
	b.WriteString("Plenum is under the Apache License 2.0 (LICENSE). It is made of the following parts as well.\n\n")
	for _, t := range all {
		fmt.Fprintf(b, "%s: %s\n", t.title(), cmp.Or(strings.Join(t.licences, ", "), "see below"))
	}
	for _, t := range all {
		fmt.Fprintf(b, "\n%s\n%s\n", t.title(), strings.Repeat("=", len(t.title())))
		for _, text := range t.texts {
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(text))
		}
	}
}
