package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is a client of plenum mcp, which serves a directory.
type agent struct {
	*testing.T
	session *mcp.ClientSession
	command *exec.Cmd
}

// connectAgent starts a server in a directory and connects to it over its standard input and output.
func connectAgent(t *testing.T, dir string, flags ...string) agent {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "plenum") // what testscript.Main runs as the command
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	a := agent{T: t, command: exec.Command(program, append([]string{"mcp", "--root", dir}, flags...)...)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	a.session, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: a.command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.session.Close() })
	return a
}

// call calls a tool, and returns its first text and whether that is an error.
func (a agent) call(tool string, arguments map[string]any) (string, bool) {
	a.Helper()
	r, err := a.session.CallTool(a.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.Fatal(err)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// document calls a tool that has to give a document.
func (a agent) document(tool string, arguments map[string]any) string {
	a.Helper()
	text, wrong := a.call(tool, arguments)
	if wrong {
		a.Fatalf("%s %v: %s", tool, arguments, text)
	}
	return text
}

// refused calls a tool that has to refuse its arguments, with a text.
func (a agent) refused(tool string, arguments map[string]any, want string) {
	a.Helper()
	if text, wrong := a.call(tool, arguments); !wrong || !strings.Contains(text, want) {
		a.Errorf("%s %v: %.200s (error: %v); want %s", tool, arguments, text, wrong, want)
	}
}

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// ringFile is a small machine.
const ringFile = "name: Ring\ntopology: {family: torus, dims: 8}\n"

// TestAgent lists the tools, and holds the documents that they give against those of the commands.
func TestAgent(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"ring.yaml": ringFile, "found.yaml": "machine: ring.yaml\nnodes: 8\n"})
	a := connectAgent(t, dir)
	listed, err := a.session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 6 {
		t.Fatal(listed, err)
	}
	t.Chdir(dir)
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		command   []string
	}{
		{
			"plan",
			map[string]any{"machine": "superpod-h100-compute"},
			[]string{"plan", "superpod-h100-compute", "-o", ""},
		},
		{
			"plan",
			map[string]any{"machine": "ring.yaml", "summary": true},
			[]string{"plan", "ring.yaml", "--summary", "-o", ""},
		},
		{
			"compare",
			map[string]any{"machines": []string{"ring.yaml", "hpn-1024"}},
			[]string{"compare", "ring.yaml", "hpn-1024", "-o", ""},
		},
		{
			"explain",
			map[string]any{"plan": "superpod-h100-compute", "what": "C00042"},
			[]string{"explain", "superpod-h100-compute", "C00042"},
		},
		{"explain", map[string]any{"what": "reach"}, []string{"explain", "reach"}},
		{"search", map[string]any{"file": "found.yaml"}, []string{"search", "found.yaml"}},
		{
			"verify",
			map[string]any{"plan": "ring.yaml", "failed": []string{"N1"}},
			[]string{"verify", "ring.yaml", "--failed", "N1"},
		},
		{"catalog", map[string]any{"do": "show", "id": "nvidia-qm9700"}, []string{"catalog", "show", "nvidia-qm9700"}},
	} {
		_, want, errs := command(t.Context(), append(tt.command, "--json")...)
		if got := a.document(tt.tool, tt.arguments); got != strings.TrimSpace(want) || !json.Valid([]byte(got)) {
			t.Errorf("%s %v: %.300q\nthe command: %.300q %s", tt.tool, tt.arguments, got, want, errs)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 2 {
		t.Error("a reader has written:", left, err)
	}
}

// TestAgentStaysBelowItsDirectory refuses files outside, whoever names them.
func TestAgentStaysBelowItsDirectory(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{
		"ring.yaml": ringFile, "names.csv": "box,name\nN1,a\n",
	})
	links := map[string]string{
		"link.yaml": filepath.Join(outside, "ring.yaml"), "linked": outside,
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.yaml")).Run(); err != nil {
		t.Skip(err)
	}
	table := filepath.Join(outside, "names.csv")
	write(t, dir, map[string]string{
		"ring.yaml": ringFile, "named.yaml": ringFile + "names: {table: " + table + "}\n",
		"up.yaml":     ringFile + "names: {table: ../" + filepath.Base(outside) + "/names.csv}\n",
		"linked.yaml": ringFile + "names: {table: linked/names.csv}\n",
		"piped.yaml":  ringFile + "names: {table: pipe.yaml}\n",
		"graph.yaml":  "name: x\ntopology: {family: file, format: edges, path: " + table + "}\n",
		"placed.yaml": ringFile + "embedding: {placement: linked/names.csv}\n",
		"racked.yaml": ringFile + "room: {rack_list: linked/names.csv}\n",
		"drawn.yaml":  ringFile + "room: {drawing: {file: linked/names.dxf}}\n",
		"quoted.yaml": ringFile + "prices: {quote: [linked/names.csv]}\n",
		"found.yaml":  "machine: " + filepath.Join(outside, "ring.yaml") + "\nnodes: 8\n",
		"plan.json": `{"version": "0.1.0", "spec": {"name": "x", "topology": {"family": "torus", "dims": [4]},` +
			`"names": {"table": "` + table + `"}}}`,
	})
	a := connectAgent(t, dir)
	for path, want := range map[string]string{
		filepath.Join(outside, "ring.yaml"):           "is an absolute path",
		"../" + filepath.Base(outside) + "/ring.yaml": "is not below the directory",
		"a/../../ring.yaml":                           "is not below the directory",
		"link.yaml":                                   "escapes",
		"linked/ring.yaml":                            "escapes",
		"pipe.yaml":                                   "is neither a regular file nor a directory",
	} {
		a.refused("plan", map[string]any{"machine": path}, want)
		a.refused("plan", map[string]any{"machine": path, "estimate": true}, want)
		a.refused("compare", map[string]any{"machines": []string{"ring.yaml", path}}, want)
		a.refused("explain", map[string]any{"plan": path, "what": "C1"}, want)
		a.refused("search", map[string]any{"file": path}, want)
		a.refused("verify", map[string]any{"plan": path, "failed": []string{"N1"}}, want)
		a.refused("verify", map[string]any{"plan": "ring.yaml", "sources": []string{path}}, want)
		a.refused("verify", map[string]any{"plan": "ring.yaml", "failed": []string{path}}, want)
		a.refused("verify", map[string]any{"plan": "ring.yaml", "maps": []string{path}}, want)
	}
	for file, want := range map[string]string{ // machine files that name files
		"named.yaml":  "is an absolute path",
		"graph.yaml":  "is an absolute path",
		"up.yaml":     "is not below the directory",
		"linked.yaml": "escapes",
		"placed.yaml": "escapes",
		"racked.yaml": "escapes",
		"drawn.yaml":  "escapes",
		"quoted.yaml": "escapes",
		"piped.yaml":  "is neither a regular file nor a directory",
	} {
		a.refused("plan", map[string]any{"machine": file}, want)
	}
	a.refused("explain", map[string]any{"plan": "plan.json", "what": "C1"}, "is an absolute path")
	a.refused("search", map[string]any{"file": "found.yaml"}, "is an absolute path")
	a.refused("plan", map[string]any{"machine": "ring.yaml", "output": "plan-out"}, "--allow-write")
	graph := "{family: file, format: edges, path: " + outside + "/ring.yaml}"
	a.refused("plan", map[string]any{"machine": graph, "estimate": true}, "is an absolute path")
}

// TestAgentWrites writes below the directory, where that is allowed, and nowhere else.
func TestAgentWrites(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"ring.yaml": ringFile})
	if err := os.Symlink(outside, filepath.Join(dir, "linked")); err != nil {
		t.Skip(err)
	}
	a := connectAgent(t, dir, "--allow-write")
	a.document("plan", map[string]any{"machine": "ring.yaml", "output": "plans/ring"})
	if _, err := os.Stat(filepath.Join(dir, "plans/ring/cables.csv")); err != nil {
		t.Error(err)
	}
	a.document("explain", map[string]any{"plan": "plans/ring", "what": "C1"})
	for out, want := range map[string]string{
		outside: "is an absolute path", "../x": "is not below the directory", "linked/deeper": "escapes",
		"linked": "escapes", "ring.yaml": "file exists",
	} {
		a.refused("plan", map[string]any{"machine": "ring.yaml", "output": out}, want)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Error("something is written outside:", left, err)
	}
}

// TestAgentEndsCalls ends a long call by its time and by a cancellation, and the server by a signal.
func TestAgentEndsCalls(t *testing.T) {
	long := map[string]any{"machine": "mrc-8-planes"}
	connectAgent(t, t.TempDir(), "--call-time", "1s").refused("plan", long, "-time")
	a := connectAgent(t, t.TempDir(), "--call-time", "1h") // no estimate of the time refuses the call at once
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	begun := time.Now()
	if _, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: "plan", Arguments: long}); err == nil {
		t.Error("a call that is cancelled has a result")
	}
	a.document("catalog", map[string]any{"do": "show", "id": "nvidia-qm9700"})
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if err := a.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a.session.Wait()
	if state, err := a.command.Process.Wait(); err == nil && state.ExitCode() != 0 {
		t.Error(state)
	}
}
