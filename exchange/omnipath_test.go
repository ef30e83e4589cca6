package exchange

import (
	"encoding/csv"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// omniPathLinks are the links of a sheet, or of a plan, switches by port, nodes by adapter.
func omniPathLinks(rows [][]string) []string {
	var out []string
	for _, row := range rows {
		out = append(out, row[2]+" "+row[4]+" "+row[5]+" "+row[8]+" "+row[10]+" "+row[11]+" "+row[12])
	}
	slices.Sort(out)
	return out
}

func wantOmniPath(r *machine.Result, fabric string) []string {
	kinds := r.Graph.Kinds()
	var out []string
	end := func(v int32, p uint16) (string, bool) {
		name := identity.PlainName(r.Names.Name(int(v)))
		if kinds[topology.KindOf(kinds, int(v))].Role == topology.Switch {
			return name + " " + strconv.Itoa(r.Schedule.PortNumber(v, p)) + " SW", true
		}
		return name + " hfi1_" + strconv.Itoa(r.Schedule.PortNumber(v, p)-1) + " 1 FI", false
	}
	for l := range PlannedLinks(r, "") {
		if fabric != "" && r.Fabrics[l.Fabric].Name != fabric {
			continue
		}
		a, aSwitch := end(l.A, l.PortA)
		b, bSwitch := end(l.B, l.PortB)
		if aSwitch && !bSwitch {
			a, b = b, a
		}
		out = append(out, a+" "+b+" "+r.Schedule.CableID(int64(l.Segments[0].Cable)))
	}
	slices.Sort(out)
	return out
}

func sheetOf(t *testing.T, r *machine.Result, fabric string) (text string, rows [][]string) {
	t.Helper()
	text = string(written(t, r, fabric, func(w io.Writer, r *machine.Result, fabric string) error {
		return WriteOmniPath(t.Context(), w, r, fabric)
	}))
	if strings.Contains(text, `"`) || !strings.HasPrefix(text, omniPathHead) {
		t.Fatalf("%.300s", text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return text, rows[2:]
}

func TestOmniPathSheets(t *testing.T) {
	for _, test := range []struct{ path, fabric string }{
		{"../examples/superpod-h100-4su.yaml", "compute"},
		{"../examples/basepod.yaml", ""},
		{"../examples/frontera.yaml", ""},
	} {
		r := resultOf(t, test.path)
		_, rows := sheetOf(t, r, test.fabric)
		compareLinks(t, test.path, omniPathLinks(rows), wantOmniPath(r, test.fabric))
	}
	// Over panels, the cables of a link are together as long as the schedule has them.
	r := resultOf(t, "../machine/testdata/structured.yaml")
	_, rows := sheetOf(t, r, "")
	want, three := 0.0, 0
	for i := range r.Schedule.Segments {
		if p := r.Schedule.Segments[i].Product; p != cabling.IsTrace {
			want += float64(r.Schedule.Products[p].Length)
		}
	}
	for _, row := range rows {
		length, err := strconv.ParseFloat(strings.TrimSuffix(row[13], "m"), 64)
		if err != nil {
			t.Fatal(err)
		}
		want -= length
		if len(strings.Fields(row[12])) == 3 {
			three++
		}
	}
	if want > 1e-6 || want < -1e-6 || three != int(r.Schedule.Patching.Links) {
		t.Errorf("%g m left, %d links over panels", want, three)
	}
}

func TestWhatOmniPathRefuses(t *testing.T) {
	r := resultOf(t, "../examples/torus-4096-cubes.yaml")
	if err := WriteOmniPath(t.Context(), io.Discard, r, ""); err != ErrBetweenNodes {
		t.Error(err)
	}
	s, err := machine.Parse("machine.yaml", []byte("topology: {family: fat-tree, nodes: 12, radix: 8}\n"+
		"names: {boxes: {node: \"{n}\", leaf: \"n.{n}\", spine: \"n_{n}\"}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	clash, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteOmniPath(t.Context(), io.Discard, clash, ""); err == nil ||
		!strings.Contains(err.Error(), "are both \"n_1\" in the letters") {
		t.Error(err)
	}
	r.Schedule.Segments = nil
	if err := WriteOmniPath(t.Context(), io.Discard, r, ""); err != ErrSummary {
		t.Error(err)
	}
	for _, name := range []string{"a,b", `a"b`, "a;b", "=a", "a|b"} {
		if text := omniPathText(name); strings.ContainsAny(text, `,;"|`) || text[0] == '=' {
			t.Errorf("%q is written %q", name, text)
		}
	}
}

// opaxlattopology makes of a sheet the topology by which a fabric is verified, with every link and its cable.
func TestOmniPathTranslation(t *testing.T) {
	if _, err := exec.LookPath("opaxlattopology"); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip("opaxlattopology is not installed")
	}
	s, err := machine.Parse("machine.yaml", []byte("topology: {family: fat-tree, nodes: 12, radix: 8}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := sheetOf(t, r, "")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "topology.csv"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "opaxlattopology", "-v", "0", "topology.csv", "out.xml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "out.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Links []struct {
			Label string `xml:"Cable>CableLabel"`
			Ports []struct {
				Number string `xml:"PortNum"`
				Type   string `xml:"NodeType"`
				Name   string `xml:"NodeDesc"`
			} `xml:"Port"`
		} `xml:"LinkSummary>Link"`
	}
	if err := xml.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range report.Links {
		text := ""
		for _, p := range l.Ports {
			text += p.Name + " " + p.Number + " " + p.Type + " "
		}
		got = append(got, text+l.Label)
	}
	compareLinks(t, "opaxlattopology", got, wantOmniPath(r, ""))
}
