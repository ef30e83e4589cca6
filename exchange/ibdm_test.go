package exchange

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

func wiringOf(t *testing.T, path, fabric string) *Wiring {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := PlannedWiring(r, fabric)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ibdmFiles writes the files of a wiring into a directory.
func ibdmFiles(t *testing.T, w *Wiring) string {
	t.Helper()
	files, err := IBDM(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, write := range files {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// linkNames are the links of a wiring, both ends by name and in order.
func linkNames(w *Wiring) []string {
	var out []string
	for _, l := range w.Links {
		ends := []string{
			systemName(w.Boxes[l.A.Box].Name) + " P" + l.A.Port,
			systemName(w.Boxes[l.B.Box].Name) + " P" + l.B.Port,
		}
		slices.Sort(ends)
		out = append(out, ends[0]+" "+ends[1])
	}
	slices.Sort(out)
	return out
}

var exported = []struct{ path, fabric string }{
	{"../examples/superpod-h100-4su.yaml", "compute"},
	{"../examples/superpod-h100-4su.yaml", ""},
	{"../examples/basepod.yaml", ""},
	{"../machine/testdata/structured.yaml", ""},
	{"../examples/frontera.yaml", ""},
}

// A topology file has every link of the plan once, between ports that the definitions of its systems have.
func TestTopologyFilesHaveAllLinks(t *testing.T) {
	for _, test := range exported {
		w := wiringOf(t, test.path, test.fabric)
		dir := ibdmFiles(t, w)
		ports := map[string]map[string]bool{}
		var links []string
		data, err := os.ReadFile(filepath.Join(dir, TopoFile))
		if err != nil {
			t.Fatal(err)
		}
		check := func(system, port string) {
			if ports[system] == nil {
				text, err := os.ReadFile(filepath.Join(dir, system+".ibnl"))
				if err != nil || !strings.HasPrefix(string(text), "TOPSYSTEM "+system+"\n") {
					t.Fatal(system, err)
				}
				ports[system] = map[string]bool{}
				for _, m := range regexp.MustCompile(`(?m)^   \d+ -> (P\d+)$`).FindAllSubmatch(text, -1) {
					ports[system][string(m[1])] = true
				}
			}
			if !ports[system][port] {
				t.Fatalf("%s has no %s", system, port)
			}
		}
		var system, name string
		for line := range strings.Lines(string(data)) {
			switch f := strings.Fields(line); len(f) {
			case 0:
			case 2:
				system, name = f[0], f[1]
			case 5:
				check(system, f[0])
				check(f[2], f[4])
				ends := []string{name + " " + f[0], f[3] + " " + f[4]}
				slices.Sort(ends)
				links = append(links, ends[0]+" "+ends[1])
			default:
				t.Fatalf("%q", line)
			}
		}
		slices.Sort(links)
		if want := linkNames(w); len(links) == 0 || !slices.Equal(links, want) {
			t.Errorf("%s: %d links of %d", test.path, len(links), len(want))
		}
	}
}

func TestWhatIBDMRefuses(t *testing.T) {
	link := []Link{{A: End{Box: 0, Port: "1"}, B: End{Box: 1, Port: "1"}}}
	for _, test := range []struct {
		w    Wiring
		want string
	}{
		{Wiring{Boxes: []Box{{Name: "a", Role: "adapter"}, {Name: "b", Role: "adapter"}}, Links: link}, "no switches"},
		{Wiring{Boxes: []Box{{Name: "a b", Role: "switch"}, {Name: "a/b", Role: "switch"}}, Links: link}, `both "a_b"`},
		{
			Wiring{
				Boxes: []Box{{Name: "a", Role: "switch"}, {Name: "b", Role: "switch"}},
				Links: []Link{{A: End{Box: 0, Port: "eth0"}, B: End{Box: 1, Port: "1"}}},
			}, `port "eth0" of a is not a number`,
		},
	} {
		if _, err := IBDM(t.Context(), &test.w); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// ibdmchk routes what is exported: it finds every adapter and reaches each from all others. By the shortest paths, a
// fat tree has no credit loop and a dragonfly has one. What it prints decides, for Debian's ibdmchk 1.5.7 ends with a
// segmentation fault after its last line even on a fabric of two hosts and a switch of its own definitions.
func TestIBDMCheck(t *testing.T) {
	if _, err := exec.LookPath("ibdmchk"); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip("ibdmchk is not installed")
	}
	for _, test := range []struct {
		path, fabric string
		adapters     int
		loops        bool
	}{
		{"../examples/superpod-h100-4su.yaml", "compute", 127*8 + 4, false},
		{"../machine/testdata/structured.yaml", "", 256, false},
		{"../examples/dragonfly-1056.yaml", "", 1056, true},
	} {
		w := wiringOf(t, test.path, test.fabric)
		dir := ibdmFiles(t, w)
		node := slices.IndexFunc(w.Boxes, func(b Box) bool { return b.Role == "adapter" })
		cmd := exec.CommandContext(t.Context(), "ibdmchk", "-t", filepath.Join(dir, TopoFile), "-n",
			systemName(w.Boxes[node].Name)+"/U1", "-p", "1")
		cmd.Env = append(os.Environ(), "IBDM_IBNL_PATH="+dir)
		out, _ := cmd.CombinedOutput()
		text := string(out)
		want := fmt.Sprintf("-I- Scanned:%d CA to CA paths", test.adapters*(test.adapters-1))
		verdict := "-I- no credit loops found"
		if test.loops {
			verdict = "-E- credit loops in routing"
		}
		for _, want := range []string{want, verdict} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: want %s:\n%.4000s", test.path, want, text)
			}
		}
	}
}
