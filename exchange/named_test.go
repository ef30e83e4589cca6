package exchange

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"github.com/plenum-planner/plenum/machine"
)

func resultOf(t *testing.T, path string) *machine.Result {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// systemPort is what the operating system calls a port, or what is printed at it.
func systemPort(r *machine.Result, v int32, port uint16) string {
	if name := r.Schedule.PortIdentity(v, port).Interface; name != "" {
		return name
	}
	return r.Schedule.PortName(v, port)
}

// wantLinks are the links of a fabric between ports as systems call them, taken from PlannedLinks.
func wantLinks(r *machine.Result, fabric string) []string {
	var out []string
	for l := range PlannedLinks(r, "") {
		if fabric == "" || r.Fabrics[l.Fabric].Name == fabric {
			out = append(out, strings.Join([]string{
				r.Names.Name(int(l.A)), systemPort(r, l.A, l.PortA),
				r.Names.Name(int(l.B)), systemPort(r, l.B, l.PortB),
			}, " "))
		}
	}
	slices.Sort(out)
	return out
}

func compareLinks(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s: %d links of %d", what, len(got), len(want))
	}
}

// written is what a writer writes of a fabric of a plan.
func written(t *testing.T, r *machine.Result, fabric string,
	write func(io.Writer, *machine.Result, string) error,
) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r, fabric); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var namedCases = []struct{ path, fabric string }{
	{"../examples/superpod-h100-4su.yaml", ""},
	{"../examples/superpod-h100-4su.yaml", "compute"},
	{"../examples/basepod.yaml", "oob"},
	{"../examples/superpod-b300-planes.yaml", ""},
	{"../machine/testdata/structured.yaml", ""},
	{"../examples/torus-4096-cubes.yaml", ""},
}

func TestPTMGraphs(t *testing.T) {
	graphviz, _ := exec.LookPath("nop") // which reads a graph, and lays nothing out

	for _, test := range namedCases {
		r := resultOf(t, test.path)
		text := written(t, r, test.fabric, func(w io.Writer, r *machine.Result, fabric string) error {
			return WritePTM(t.Context(), w, r, fabric)
		})
		file, err := dot.ParseBytes(text)
		if err != nil {
			t.Fatal(test.path, err)
		}
		end := func(v ast.Vertex) string {
			n := v.(*ast.Node)
			return strings.Trim(n.ID, `"`) + " " + strings.Trim(n.Port.ID, `"`)
		}
		var links []string
		for _, s := range file.Graphs[0].Stmts {
			e := s.(*ast.EdgeStmt)
			links = append(links, end(e.From)+" "+end(e.To.Vertex))
		}
		compareLinks(t, test.path, links, wantLinks(r, test.fabric))
		if graphviz == "" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), graphviz)
		cmd.Stdin = bytes.NewReader(text)
		cmd.Stderr = os.Stderr
		if out, err := cmd.Output(); err != nil || strings.Count(string(out), " -- ") != len(links) {
			t.Errorf("%s: graphviz: %v, %d links", test.path, err, strings.Count(string(out), " -- "))
		}
	}
}

func TestPointToPointTables(t *testing.T) {
	for _, test := range namedCases {
		r := resultOf(t, test.path)
		rows, err := csv.NewReader(bytes.NewReader(written(t, r, test.fabric,
			func(w io.Writer, r *machine.Result, fabric string) error {
				return WritePointToPoint(t.Context(), w, r, fabric)
			}))).ReadAll()
		if err != nil || !slices.Equal(rows[0], pointToPointColumns) {
			t.Fatal(test.path, err)
		}
		var links []string
		for _, row := range rows[1:] {
			links = append(links, strings.Join([]string{row[2], row[4], row[7], row[9]}, " "))
			for _, v := range []int{0, 5} {
				if row[v] == "" || (row[v+1] == "") != (r.Room() == nil) || row[v+3] != "Host" && row[v+3] != "Switch" {
					t.Fatalf("%s: %v", test.path, row)
				}
			}
		}
		compareLinks(t, test.path, links, wantLinks(r, test.fabric))
	}
}

// Rack and unit are those of the cable schedule.
func TestNamedEndsStandWhereTheyAre(t *testing.T) {
	r := resultOf(t, "../machine/testdata/structured.yaml")
	for l := range namedLinks(r, "") {
		first, last := &l.segments[0], &l.segments[len(l.segments)-1]
		for _, e := range []struct {
			place
			label string
		}{{l.a, r.Schedule.Label(first.A, first.PortA)}, {l.b, r.Schedule.Label(last.B, last.PortB)}} {
			if !strings.HasPrefix(e.label, e.rack+"/U") || !strings.HasSuffix(e.label, "/"+e.box+"-"+e.port) ||
				!strings.HasPrefix(e.rack, e.row) {
				t.Fatalf("%+v is labelled %s", e.place, e.label)
			}
		}
		if n := len(l.segments); n != 1 && n != 3 {
			t.Fatalf("%d segments", n)
		}
	}
}

func TestSummariesHaveNoLinks(t *testing.T) {
	r := resultOf(t, "../machine/testdata/structured.yaml")
	r.Schedule.Segments = nil
	if err := WritePTM(t.Context(), io.Discard, r, ""); err != ErrSummary {
		t.Error(err)
	}
	if err := WritePointToPoint(t.Context(), io.Discard, r, ""); err != ErrSummary {
		t.Error(err)
	}
}
