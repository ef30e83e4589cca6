package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/machine"
)

// provenanceIn reads the provenance of a document by the extension of its name.
func provenanceIn(t *testing.T, name string, data []byte) provenance.Record {
	t.Helper()
	var line string
	between := func(text, before, after string) string {
		_, rest, ok := strings.Cut(text, before)
		if !ok {
			t.Fatalf("%s has no %q", name, before)
		}
		line, _, _ := strings.Cut(rest, after)
		return line
	}
	tag := "<plenum:" + provenance.Key + ">"
	switch filepath.Ext(name) {
	case ".json", "":
		var d struct {
			Provenance json.RawMessage `json:"provenance"`
		}
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatal(name, err)
		}
		line = string(d.Provenance)
	case ".svg", ".pdf":
		line = between(string(data), tag, "</")
	case ".png":
		line = between(string(data), "tEXt"+provenance.Key+"\x00", "IDAT")
		line = line[:strings.LastIndexByte(line, '}')+1]
	case ".xlsx":
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(name, err)
		}
		f, err := z.Open("docProps/core.xml")
		if err != nil {
			t.Fatal(name, err)
		}
		core, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(name, err)
		}
		line = strings.ReplaceAll(between(string(core), provenance.Key+": ", "</"), "&#34;", `"`)
	case ".parquet":
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(name, err)
		}
		line, _ = f.Lookup(provenance.Key)
	}
	var r provenance.Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%s: %q: %v", name, line, err)
	}
	return r
}

// TestProvenanceOfDocuments: every format has it, the same on any number of cores and in any directory.
func TestProvenanceOfDocuments(t *testing.T) {
	t.Setenv(provenanceVariable, "")
	machineFile := "name: Small\ntopology: {family: random-regular, nodes: 16, degree: 4, seed: 7}\n" +
		"room: {rows: 1, racks_per_row: 4}\n"
	sweepFile := "name: study\nmachine: small.yaml\naxes:\n  - {field: topology.degree, values: [3, 4]}\n" +
		"measure: [plan]\n"
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	small := provenance.File{Name: "small.yaml", SHA256: sum(machineFile)}
	study := provenance.File{Name: "study.yaml", SHA256: sum(sweepFile)}
	seven := provenance.Seed{Of: "small.yaml: topology.seed", Seed: 7}
	one := provenance.Seed{Of: "--seed", Seed: 1}
	cases := []struct {
		args    string // with OUT for a directory and ~ for a blank
		command string
		files   []provenance.File
		seeds   []provenance.Seed
		written []string // in the directory; none for standard output
	}{
		{
			"plan small.yaml --json -o OUT/plan --max-time 1h", "plenum plan small.yaml",
			[]provenance.File{small},
			[]provenance.Seed{seven},
			[]string{
				"", "plan/plan.json", "plan/manifest.json", "plan/floor.png", "plan/floor.svg", "plan/floor.pdf",
				"plan/bom.xlsx", "plan/elevations.pdf", "plan/trays.png", "plan/trays.svg",
			},
		},
		{
			"render plan --format floor --output=OUT/floor.pdf", "plenum render plan --format floor",
			[]provenance.File{{Name: "plan/plan.json"}, small},
			[]provenance.Seed{seven},
			[]string{"floor.pdf"},
		},
		{
			"render plan --format pull-sheets -o OUT/pull.pdf", "plenum render plan --format pull-sheets",
			[]provenance.File{{Name: "plan/plan.json"}, small},
			[]provenance.Seed{seven},
			[]string{"pull.pdf"},
		},
		{
			"compare small.yaml ./small.yaml --json --baseline 1 -oOUT/c --chart-formats png,svg,pdf,csv",
			"plenum compare small.yaml ./small.yaml --baseline 1 --chart-formats png,svg,pdf,csv",
			[]provenance.File{small, {Name: "./small.yaml", SHA256: small.SHA256}},
			[]provenance.Seed{one, seven, {Of: "./small.yaml: topology.seed", Seed: 7}},
			[]string{
				"", "c/compare.xlsx", "c/compare.parquet", "c/delays.png", "c/cost.svg", "c/lengths.pdf",
				"c/compare.csv.provenance.json", "c/cost.csv.provenance.json",
			},
		},
		{
			"sweep study.yaml --jobs 1 -o OUT/s --json", "plenum sweep study.yaml",
			[]provenance.File{study, small},
			[]provenance.Seed{seven},
			[]string{
				"", "s/sweep.json", "s/results.parquet", "s/results.csv.provenance.json",
			},
		},
		{
			"sim packets --topology {family:~torus,~dims:~[4,~4]} --load=0.1 --json",
			"plenum sim packets --topology '{family: torus, dims: [4, 4]}' --load 0.1",
			nil,
			[]provenance.Seed{one},
			[]string{""},
		},
		{"topology OUT/small.yaml --json", "plenum topology small.yaml", []provenance.File{small}, nil, []string{""}},
		{"version --json", "plenum version", nil, nil, []string{""}},
		{"catalog list --json", "plenum catalog list", nil, nil, []string{""}},
	}
	var first map[string]string
	for _, cores := range []int{1, 4} {
		dir := t.TempDir()
		t.Chdir(dir)
		for name, text := range map[string]string{"small.yaml": machineFile, "study.yaml": sweepFile} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]string{}
		for _, c := range cases {
			args := strings.Fields(strings.ReplaceAll(c.args, "OUT", dir))
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "~", " ")
			}
			before := runtime.GOMAXPROCS(cores)
			var out, errs bytes.Buffer
			status := run(context.Background(), &out, &errs, args)
			runtime.GOMAXPROCS(before)
			if status != cli.ExitDone {
				t.Fatalf("%s: status %d, %s", c.args, status, &errs)
			}
			for _, name := range c.written {
				data := out.Bytes()
				if name != "" {
					var err error
					if data, err = os.ReadFile(name); err != nil {
						t.Fatal(err)
					}
				}
				got[c.args+" "+name] = string(data)
				r := provenanceIn(t, name, data)
				for i := range r.Files {
					if i < len(c.files) && c.files[i].SHA256 == "" {
						c.files[i].SHA256 = r.Files[i].SHA256
					}
				}
				want := provenance.Record{
					Version: machine.Version, Commit: provenance.Unknown, Command: c.command,
					Files: c.files, Seeds: c.seeds,
				}
				if len(c.seeds) == 0 {
					want.Seeds = r.Seeds // such as the default of --seed
				}
				if !sameRecord(want, r) {
					t.Errorf("%s: %s: %s", c.args, name, cmp.Diff(want, r))
				}
				if bytes.Contains(data, []byte(dir)) && name != "" {
					t.Errorf("%s: %s names the directory", c.args, name)
				}
				if table, ok := strings.CutSuffix(name, outfile.SidecarEnding); ok {
					checkSidecar(t, table, data)
				}
			}
		}
		if first == nil {
			first = got
			continue
		}
		for name, data := range got {
			timed := strings.HasPrefix(name, "sweep") && strings.HasSuffix(name, " ") // says how long it took
			if first[name] != data && !timed {
				t.Errorf("%s: other bytes with %d cores", name, cores)
			}
		}
	}
}

func sameRecord(a, b provenance.Record) bool {
	return a.Version == b.Version && a.Commit == b.Commit && a.Command == b.Command &&
		slices.Equal(a.Files, b.Files) && slices.Equal(a.Seeds, b.Seeds)
}

// checkSidecar checks that a sidecar is of the table that it stands beside.
func checkSidecar(t *testing.T, table string, data []byte) {
	t.Helper()
	var s outfile.Sidecar
	text, err := os.ReadFile(table)
	if err != nil || json.Unmarshal(data, &s) != nil {
		t.Fatal(table, err)
	}
	if sum := sha256.Sum256(text); s.SHA256 != hex.EncodeToString(sum[:]) || s.File != filepath.Base(table) {
		t.Errorf("%s: the sidecar is of %s, %s", table, s.File, s.SHA256)
	}
	if bytes.Contains(text, []byte(provenance.Key)) || text[0] == '#' {
		t.Errorf("%s has a comment", table)
	}
}

// TestPlansWithoutProvenance: what reads plans and results reads those of versions that wrote none.
func TestPlansWithoutProvenance(t *testing.T) {
	t.Setenv(provenanceVariable, "")
	t.Chdir(t.TempDir())
	must := func(args string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if status := run(context.Background(), &out, &errs, strings.Fields(args)); status != cli.ExitDone {
			t.Fatalf("%s: status %d, %s", args, status, &errs)
		}
		return out.String()
	}
	text := "topology: {family: torus, dims: [4, 4]}\nroom: {rows: 1, racks_per_row: 4}\n"
	study := "name: study\nmachine: small.yaml\naxes:\n  - {field: room.rows, values: [1, 2]}\nmeasure: [plan]\n"
	for name, text := range map[string]string{"small.yaml": text, "study.yaml": study} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must("plan small.yaml -o new")
	must("plan small.yaml -o old --only plan.json,cables.csv,placement.csv")
	must("sweep study.yaml -o results")
	record := regexp.MustCompile(`(?s),\s+"provenance": \{.*\}\n\}\n$`)
	for _, name := range []string{"old/plan.json", "results/sweep.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		without := record.ReplaceAll(data, []byte("\n}\n"))
		if bytes.Contains(without, []byte(provenance.Key)) || !json.Valid(without) {
			t.Fatalf("%s: %s", name, without)
		}
		if err := os.WriteFile(name, without, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove("old/manifest.json"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{
		"render PLAN --format floor -o floor.svg", "explain PLAN C1", "diff PLAN PLAN", "verify PLAN PLAN/cables.csv",
	} {
		if a, b := must(strings.ReplaceAll(c, "PLAN", "new")), must(strings.ReplaceAll(c, "PLAN", "old")); a !=
			strings.ReplaceAll(b, "old", "new") {
			t.Errorf("%s: %s\n%s", c, a, b)
		}
	}
	must("sweep merge results")
	must("sweep study.yaml -o results --resume")
}

// TestProvenanceOfProgramOnly: the variable leaves out what names people's files, and nothing else is taken for it.
func TestProvenanceOfProgramOnly(t *testing.T) {
	_, out, _ := command(context.Background(), "version", "--json")
	program := provenance.Program()
	if r := provenanceIn(t, "", []byte(out)); r.Line() != program.Line() {
		t.Errorf("%s", out)
	}
	t.Setenv(provenanceVariable, "programme")
	if status, _, errs := command(context.Background(), "version"); status != cli.ExitInput ||
		!strings.Contains(errs, "expected program") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// TestCitingPage runs what the page shows, and compares the provenance that it shows.
func TestCitingPage(t *testing.T) {
	t.Setenv(provenanceVariable, "")
	data, err := os.ReadFile("../../docs/citing.md")
	if err != nil {
		t.Fatal(err)
	}
	citation, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	piece := func(language string) string {
		m := regexp.MustCompile("(?s)\n```" + language + "\n(.*?)```\n").FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("the page has no %s", language)
		}
		return m[1]
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("small.yaml", []byte(piece("yaml")), 0o666); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		for line := range strings.Lines(block(t, strings.ReplaceAll(page, "```json", "```yaml"), n)) {
			args, ok := strings.CutPrefix(strings.TrimSpace(line), "plenum ")
			if !ok {
				continue
			}
			var out, errs bytes.Buffer
			if status := run(context.Background(), &out, &errs, strings.Fields(args)); status != cli.ExitDone {
				t.Fatalf("%s: status %d, %s", line, status, &errs)
			}
		}
	}
	var shown provenance.Record
	if err := json.Unmarshal([]byte(piece("json")), &shown); err != nil {
		t.Fatal(err)
	}
	plan, err := os.ReadFile("small/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	shown.Commit, shown.Modified = provenance.Unknown, nil // the page shows those of a build
	if r := provenanceIn(t, "plan.json", plan); !sameRecord(shown, r) {
		t.Errorf("the page shows %s, the plan has %s", shown.Line(), r.Line())
	}
	for _, name := range []string{"plan.json", "floor.svg", "floor.pdf", "bom.xlsx", "manifest.json"} {
		one, err := os.ReadFile(filepath.Join("small", name))
		if err != nil {
			t.Fatal(err)
		}
		if two, err := os.ReadFile(filepath.Join("again", name)); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s is not reproduced: %v", name, err)
		}
	}
	var cff struct {
		Version string `yaml:"version"`
		Form    string `yaml:"cff-version"`
		Authors []struct {
			Name string `yaml:"name"`
		} `yaml:"authors"`
		Title, Message string
	}
	if err := yaml.Unmarshal(citation, &cff); err != nil || cff.Version != machine.Version || cff.Form != "1.2.0" ||
		fmt.Sprint(cff.Authors) != "[{The Plenum authors}]" || cff.Title == "" || cff.Message == "" {
		t.Errorf("CITATION.cff: %+v, %v", cff, err)
	}
}
