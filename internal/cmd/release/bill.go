package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/plenum-planner/plenum/machine"
)

// A billOfMaterials is what a program is made of, in the form of CycloneDX 1.6
// (https://cyclonedx.org/docs/1.6/json/). It has neither the time nor the number that the form would allow, for these
// would differ from build to build.
type billOfMaterials struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl"`
	Licences   []licence  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

// licence is one of a component, by its SPDX identifier.
type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bill writes what the Go linker has recorded in a program: the modules with the sums of go.sum, and the release of Go,
// each with its licences.
func (r release) bill(program, to, goos, arch string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	all, err := r.termsOf(info)
	if err != nil {
		return err
	}
	b := billOf(info, goos, arch)
	for i := range b.Components {
		b.Components[i].under(all)
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(data, '\n'), 0o666)
}

func billOf(info *buildinfo.BuildInfo, goos, arch string) billOfMaterials {
	main := module("application", info.Main.Path, "v"+machine.Version, "")
	main.Properties = []property{{"goos", goos}, {"goarch", arch}}
	all := []component{module("library", "stdlib", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, module("library", m.Path, m.Version, m.Sum))
	}
	return billOfMaterials{"CycloneDX", "1.6", 1, metadata{main}, all}
}

// module is a component. The sum of a module is of its files by Go's own rule, and thus no hash that the form has.
func module(kind, path, version, sum string) component {
	url := fmt.Sprintf("pkg:golang/%s@%s", path, version)
	c := component{Type: kind, Ref: url, Name: path, Version: version, URL: url}
	if raw, ok := strings.CutPrefix(sum, "h1:"); ok {
		if _, err := base64.StdEncoding.DecodeString(raw); err == nil {
			c.Properties = []property{{"go.sum", sum}}
		}
	}
	return c
}

// under states the licences of a component.
func (c *component) under(all []terms) {
	for _, t := range all {
		if t.name != c.Name && (t.name != "Go" || c.Name != "stdlib") {
			continue
		}
		for _, id := range t.licences {
			var l licence
			l.License.ID = id
			c.Licences = append(c.Licences, l)
		}
	}
}
