package main

import (
	"bytes"
	"debug/buildinfo"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted,\n free of charge, to any person obtaining a copy of": "MIT",
		"Redistribution and use in source and binary forms ... Neither the name of Google":  "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":                "BSD-2-Clause",
		"Apache License\n Version 2.0, January 2004":                                        "Apache-2.0",
		"Mozilla Public License, version 2.0":                                               "MPL-2.0",
		"All rights reserved":                                                               "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%.40q is %q, not %q", text, got, want)
		}
	}
}

// TestTerms reads the terms of what this test is made of, and of a part that has none.
func TestTerms(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	all, err := release{source: "../../.."}.termsOf(info)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 5 || !slices.ContainsFunc(all, func(t terms) bool { return t.name == "three.js" }) {
		t.Errorf("%d parts", len(all))
	}
	for _, part := range all {
		if len(part.licences) == 0 {
			t.Errorf("%s is under terms that nobody has looked at: %.80q", part.title(), part.texts)
		}
	}
	var b bytes.Buffer
	writeTerms(&b, all)
	if !strings.Contains(b.String(), "Go "+strings.TrimPrefix(info.GoVersion, "go")+": BSD-3-Clause\n") {
		t.Errorf("%.600s", &b)
	}
	none := t.TempDir()
	if err := os.WriteFile(filepath.Join(none, "license.go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := termsIn("none", "v1", none); err == nil || err.Error() != "none v1 has no licence" {
		t.Error(err)
	}
}
