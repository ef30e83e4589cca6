package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAgentsPage runs the examples of the page, starts a server as its settings say, and holds the table of tools
// against those that the server has.
func TestAgentsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)```(json|python)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		shown[m[1]] = m[2]
	}
	t.Run("python", func(t *testing.T) {
		if _, err := exec.LookPath("python3"); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		bin := t.TempDir()
		if err := os.Symlink(self, filepath.Join(bin, "plenum")); err != nil {
			t.Skip(err)
		}
		t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		cmd := exec.Command("python3", "-c", shown["python"])
		cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
		out, err := cmd.Output()
		if want := "1.2 m: 598.0 ns\n2.4 m: 601.0 ns\n4.8 m: 607.1 ns\n"; err != nil || string(out) != want {
			t.Errorf("%v\n%s", err, out)
		}
	})
	var settings struct {
		Servers map[string]struct {
			Args []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(shown["json"]), &settings); err != nil {
		t.Fatal(err)
	}
	args := settings.Servers["plenum"].Args
	if len(args) != 3 || args[0] != "mcp" || args[1] != "--root" {
		t.Fatal(args)
	}
	listed, err := connectAgent(t, t.TempDir()).session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		row := regexp.MustCompile("(?m)^\\| `" + tool.Name + "` \\| (.*?) \\|").FindStringSubmatch(string(page))
		if row == nil {
			t.Errorf("the page has no tool %s", tool.Name)
			continue
		}
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		for name := range schema.Properties {
			if !strings.Contains(row[1], "`"+name+"`") {
				t.Errorf("the page does not name %s of %s", name, tool.Name)
			}
		}
	}
}
