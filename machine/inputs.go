package machine

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// Input is a file that a machine file names: its graph, a quote, a placement.
type Input struct {
	Path string // from where the plan was made
	// Copy is where the directory of the plan has it, with slashes: inputs/quote.csv.
	Copy string
}

// Inputs lists the files that the plan was made from besides the machine file, each once; see the function Inputs.
func (p *Result) Inputs() []Input { return Inputs(p.Spec) }

// Inputs lists the files that a spec names, each once, in a fixed order, whether or not they exist; those of owned.plan
// are the tables of that plan.
func Inputs(s *spec.Spec) []Input {
	var paths []string
	topologies := []topology.Spec{s.Topology}
	for _, f := range s.Fabrics {
		topologies = append(topologies, f.Topology)
	}
	for _, t := range topologies {
		switch f := t.Params.(type) {
		case graphio.File:
			paths = append(paths, f.Path)
		case *graphio.File:
			paths = append(paths, f.Path)
		}
	}
	for _, q := range s.Prices.Quote {
		paths = append(paths, s.Beside(q))
	}
	for i := range s.Stock {
		if file := s.Stock[i].File; file != "" {
			paths = append(paths, s.Beside(file))
		}
	}
	if d := s.Room.Drawing; d != nil {
		paths = append(paths, d.File)
	}
	paths = append(paths, s.Room.RackList)
	if place := s.Embedding.Placement; place != "" {
		paths = append(paths, place)
	}
	if table := s.Names.Table; table != "" {
		paths = append(paths, table)
	}
	if s.Owned != nil {
		o := s.Owned.Files()
		paths = append(paths, o.Workbook, o.Placement, o.Cables, o.Parts, o.Cooling, o.Power)
	}
	return copies(paths)
}

// copies gives every path a place in the directory of a plan: the name of the file,
// and what tells files of the same name apart.
func copies(paths []string) []Input {
	var out []Input
	seen, named := map[string]bool{}, map[string]int{}
	for _, p := range paths {
		if p == "" || seen[p] {
			continue
		}
		seen[p] = true
		base := filepath.Base(p)
		in := Input{Path: p, Copy: path.Join("inputs", base)}
		if named[base]++; named[base] > 1 {
			in.Copy = path.Join("inputs", strconv.Itoa(named[base]), base)
		}
		out = append(out, in)
	}
	return out
}

// fromCopies returns the text of a spec of a plan.json, in which it replaces paths of files by those of their copies in
// the directory of the plan. Paths of files without a copy there, as in plans of earlier versions, stay as they are.
func fromCopies(dir string, text []byte) []byte {
	var root map[string]any
	read := json.NewDecoder(bytes.NewReader(text))
	read.UseNumber() // numbers stay as they are written
	if read.Decode(&root) != nil {
		return text // the reader of machine files says why
	}
	var paths []string
	var replace []func(string)
	field := func(section any, key string) {
		m, _ := section.(map[string]any)
		switch v := m[key].(type) {
		case string:
			paths = append(paths, v)
			replace = append(replace, func(to string) { m[key] = to })
		case []any:
			for i, e := range v {
				if s, ok := e.(string); ok {
					paths = append(paths, s)
					replace = append(replace, func(to string) { v[i] = to })
				}
			}
		}
	}
	graph := func(section any) {
		if m, _ := section.(map[string]any); m["family"] == (graphio.File{}).Family() {
			field(m, "path")
		}
	}
	graph(root["topology"])
	fabrics, _ := root["fabrics"].([]any)
	for _, f := range fabrics {
		if m, ok := f.(map[string]any); ok {
			graph(m["topology"])
		}
	}
	field(root["prices"], "quote")
	field(root, "stock")
	stock, _ := root["stock"].([]any)
	for _, in := range stock {
		field(in, "file")
	}
	if room, ok := root["room"].(map[string]any); ok {
		field(room["drawing"], "file")
		field(room, "rack_list")
	}
	field(root["embedding"], "placement")
	field(root["names"], "table")
	for _, key := range []string{"workbook", "placement", "cables", "parts", "cooling", "power"} {
		field(root["owned"], key)
	}
	changed := false
	at := map[string]string{}
	for _, in := range copies(paths) {
		at[in.Path] = filepath.Join(dir, filepath.FromSlash(in.Copy))
	}
	for i, p := range paths {
		to, ok := at[p]
		if info, err := os.Stat(to); ok && err == nil && info.Mode().IsRegular() {
			replace[i](to)
			changed = true
		}
	}
	if out, err := json.Marshal(root); changed && err == nil {
		return out
	}
	return text
}
