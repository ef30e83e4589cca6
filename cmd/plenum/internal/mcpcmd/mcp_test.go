package mcpcmd

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine/spec"
)

// newServer is a server of a directory whose calls a function runs.
func newServer(t testing.TB, dir string, run runner) *server {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	s := &server{root: root, time: time.Minute, calls: 2, run: run}
	s.begin()
	return s
}

// connect connects a client to a server.
func connect(t *testing.T, s *server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.tools().Connect(context.Background(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// text is the first text of a result.
func text(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }

// TestArguments holds the command lines of calls against those that a user would type.
func TestArguments(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.yaml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	session := connect(t, newServer(t, dir, func(_ context.Context, args []string) (outcome, error) {
		got = args
		return outcome{stdout: []byte("{}\n")}, nil
	}))
	for _, tt := range []struct{ tool, arguments, want string }{
		{"plan", `{"machine": "m.yaml", "effort": "quick"}`, "plan --json --effort=quick --output= m.yaml"},
		{"plan", `{"machine": "{family: torus}", "estimate": true}`, "plan --json --estimate {family: torus}"},
		{"compare", `{"machines": ["m.yaml", "hpn-7"]}`, "compare --json --output= m.yaml hpn-7"},
		{"explain", `{"what": "C1", "plan": "m.yaml"}`, "explain --json m.yaml C1"},
		{"explain", `{"what": "--help"}`, "explain --json -- --help"},
		{"search", `{"file": "m.yaml"}`, "search --json --engine=local --output= -- m.yaml"},
		{
			"verify", `{"plan": "hpn-7", "sources": ["m.yaml"], "failed": ["a", "b"], "strict": true}`,
			"verify --json --failed=a --failed=b --strict --allow-unknown=0 hpn-7 m.yaml",
		},
		{"catalog", `{"do": "list", "kind": "cable"}`, "catalog list --json --kind=cable"},
		{"catalog", `{"do": "show", "id": "x"}`, "catalog show --json x"},
	} {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: tt.tool, Arguments: json.RawMessage(tt.arguments),
		})
		if err != nil || r.IsError {
			t.Errorf("%s %s: %v %v", tt.tool, tt.arguments, err, r)
		} else if line := strings.Join(got, " "); line != "--max-time=1m0s "+tt.want {
			t.Errorf("%s %s runs %s", tt.tool, tt.arguments, line)
		}
	}
}

// TestOutcomes holds results against what a command leaves.
func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		out          outcome
		text, beside string // "" where there is none
		wrong        string
	}{
		{outcome{stdout: []byte(" {\"a\": 1}\n")}, `{"a": 1}`, "", ""},
		{outcome{stdout: []byte("{}"), stderr: []byte("plenum: broken\n"), status: 1}, "{}", "broken", ""},
		{outcome{stdout: []byte("{}"), stderr: []byte("plenum: no file\n"), status: 2}, "", "", "no file"},
		{outcome{status: 3}, "", "", "plenum ended with status 3"},
		{outcome{status: -1}, "", "", "plenum ended with status -1"},
		{outcome{stdout: []byte("{")}, "", "", "plenum printed no JSON document"},
	} {
		r, err := result(tt.out)
		if err != nil || tt.wrong != "" {
			if err == nil || err.Error() != tt.wrong {
				t.Errorf("%v: %v", tt.out, err)
			}
			continue
		}
		if text(r) != tt.text || string(r.StructuredContent.(json.RawMessage)) != tt.text {
			t.Errorf("%v gives %s", tt.out, text(r))
		}
		if more := r.Content[1:]; len(more) > 0 != (tt.beside != "") ||
			len(more) > 0 && more[0].(*mcp.TextContent).Text != tt.beside {
			t.Errorf("%v gives %v beside", tt.out, more)
		}
	}
}

// TestTurns counts the calls that run at the same time, and those that are refused.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most, refused atomic.Int32
		s := newServer(t, t.TempDir(), func(context.Context, []string) (outcome, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return outcome{stdout: []byte("{}")}, nil
		})
		var all sync.WaitGroup
		for range 2*(waiting+1) + 3 {
			all.Go(func() {
				if _, err := s.call(t.Context(), []string{"plan"}); err != nil {
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if most.Load() != 2 || refused.Load() != 3 {
			t.Errorf("%d calls at a time, %d refused; want 2 and 3", most.Load(), refused.Load())
		}
		if len(s.turns)+len(s.queue) != 0 {
			t.Error("turns are left")
		}
	})
}

// TestCallsEnd ends a call by its time, and by its context, while it runs and while it waits.
func TestCallsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, t.TempDir(), func(ctx context.Context, _ []string) (outcome, error) {
			<-ctx.Done()
			return outcome{}, ctx.Err()
		})
		begun := time.Now()
		_, err := s.call(t.Context(), []string{"plan"})
		if err == nil || err.Error() != "ended after the 1m0s of --call-time" {
			t.Error(err)
		}
		if took := time.Since(begun); took != time.Minute+grace {
			t.Errorf("ended after %s", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if _, err := s.call(ctx, []string{"plan"}); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Second)
		begun = time.Now()
		cancel()
		all.Wait()
		if took := time.Since(begun); took != 0 {
			t.Errorf("ended %s after the end of the context", took)
		}
	})
}

// TestHostileArguments puts texts that nobody means into all arguments. Nothing panics, and none of them is taken for a
// flag or for the name of a command.
func TestHostileArguments(t *testing.T) {
	var got []string
	dir := t.TempDir()
	s := newServer(t, dir, func(_ context.Context, args []string) (outcome, error) {
		got = args
		return outcome{stdout: []byte("{}")}, nil
	})
	session := connect(t, s)
	fields := map[string]map[string]string{
		"plan": {"machine": "", "effort": "effort", "objective": "objective"}, "explain": {"what": "", "plan": ""},
		"search": {"file": ""}, "catalog": {"id": "", "kind": "kind"}, "verify": {"plan": "", "fabric": "fabric"},
	}
	rapid.Check(t, func(t *rapid.T) {
		s.write = rapid.Bool().Draw(t, "write")
		tool := rapid.SampledFrom([]string{"plan", "explain", "search", "catalog", "verify"}).Draw(t, "tool")
		args := map[string]any{}
		for field := range fields[tool] {
			args[field] = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
				"--output=/tmp/x", "-o", "--", "-", "..", "../x", "/etc/passwd", "a/../../b", "status", "cancel",
				"\x00", "--engine=slurm", "\xff", strings.Repeat("a/", 3000), "{family: torus}", ".",
			})).Draw(t, field)
		}
		if tool == "catalog" {
			args["do"] = rapid.SampledFrom([]string{"list", "show", "audit", "import"}).Draw(t, "do")
		}
		got = nil
		r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsError != (got == nil) {
			t.Fatalf("%v is an error: %v", got, r.IsError)
		}
		operand := false
		for i, a := range got[min(len(got), 2):] {
			name, _, _ := strings.Cut(strings.TrimPrefix(a, "--"), "=")
			known := []string{
				"json", "output", "engine", "effort", "objective", "kind", "fabric", "allow-unknown",
			}
			switch {
			case a == "--" && !operand:
				operand = true
			case operand || tool == "catalog" && i == 0 || !strings.HasPrefix(a, "-"):
			case !slices.Contains(known, name):
				t.Fatalf("%q has a flag that nobody gave", got)
			}
		}
		if path, _ := args["machine"].(string); got != nil && (filepath.IsAbs(path) || path != "" &&
			!filepath.IsLocal(path)) {
			t.Fatalf("%q leaves the directory", got)
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error("something was written:", left, err)
	}
}

// TestDescriptionsNameAllWords holds the descriptions of arguments against the words that commands take.
func TestDescriptionsNameAllWords(t *testing.T) {
	session := connect(t, newServer(t, t.TempDir(), nil))
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		switch tool.Name {
		case "plan":
			words = append(spec.Efforts(), spec.Objectives()...)
		case "catalog":
			for _, p := range catalog.Default().Parts() {
				words = append(words, string(p.Kind))
			}
		}
		if strings.Contains(string(data), `null`) {
			t.Errorf("%s takes null: %s", tool.Name, data)
		}
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			if meanings[name] == "" {
				t.Errorf("%s of %s has no meaning", name, tool.Name)
			}
		}
		for _, w := range words {
			if !strings.Contains(string(data), w) {
				t.Errorf("%s does not name %s", tool.Name, w)
			}
		}
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is not read-only", tool.Name)
		}
	}
	if want := []string{"catalog", "compare", "explain", "plan", "search", "verify"}; !slices.Equal(names, want) {
		t.Error(names)
	}
	for _, e := range cli.ExampleNames() {
		if !strings.Contains(session.InitializeResult().Instructions, e) {
			t.Errorf("the instructions do not name %s", e)
		}
	}
}

// TestLimitedOutput cuts messages, and refuses documents that are too large.
func TestLimitedOutput(t *testing.T) {
	cut, refused := limited{most: 5, cut: true}, limited{most: 5}
	for range 2 {
		if n, err := cut.Write([]byte("abc")); n != 3 || err != nil {
			t.Error(n, err)
		}
	}
	n1, err1 := refused.Write([]byte("abc"))
	n2, err2 := refused.Write([]byte("def"))
	if n1 != 3 || err1 != nil || n2 != 2 || err2 == nil || !refused.full {
		t.Error(n1, err1, n2, err2)
	}
	if cut.kept.String() != "abcab" || refused.kept.String() != "abcde" {
		t.Errorf("%q, %q", cut.kept.String(), refused.kept.String())
	}
	copied := limited{most: 5} // as os/exec copies what a command prints
	if _, err := io.Copy(&copied, io.MultiReader(strings.NewReader("abcdefg"))); err == nil || !copied.full {
		t.Errorf("%q was copied: %v", copied.kept.String(), err)
	}
}
