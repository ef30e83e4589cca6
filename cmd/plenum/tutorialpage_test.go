package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// fenced is a block of a page, with the comment before it that says what it is.
var fenced = regexp.MustCompile("(?m)(?:^<!-- (file|section of|)(?:: | )?(.*?) -->\n)?^```(\\w+)\n((?s:.*?))^```$")

// TestTutorial does what the tutorial says, from an empty directory: writes its files, runs its commands and compares
// what they print with what it shows, line by line. "..." stands for any lines. PLENUM_UPDATE=1 keeps its pictures.
func TestTutorial(t *testing.T) {
	docs, err := filepath.Abs("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(docs, "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	commands := 0
	for _, m := range fenced.FindAllStringSubmatch(string(data), -1) {
		kind, what, language, text := m[1], m[2], m[3], m[4]
		switch {
		case language == "console":
			commands++
			console(t, text)
		case kind == "file":
			put(t, what, text)
		case kind == "section of":
			file, section, _ := strings.Cut(what, ": ")
			old := regexp.MustCompile(`(?m)^` + section + `:\n(  .*\n)*`).FindString(get(t, file))
			if old == "" {
				t.Fatalf("%s has no section %s", file, section)
			}
			put(t, file, strings.Replace(get(t, file), old, text, 1))
			full := strings.NewReplacer("name: Cluster\n", "name: Cluster without taper\n", ", taper: 2", "")
			put(t, "full.yaml", full.Replace(get(t, file)))
		default:
			t.Errorf("nothing says what this is:\n%s", text)
		}
	}
	if commands != 7 {
		t.Errorf("%d commands", commands)
	}
	for picture, made := range map[string]string{
		"tutorial-floor.png": "plan/floor.png", "tutorial-cost.png": "compared/cost.png",
	} {
		if !strings.Contains(string(data), "(img/"+picture+")") {
			t.Errorf("the page does not show %s", picture)
		}
		drawn := get(t, made)
		if os.Getenv("PLENUM_UPDATE") == "1" {
			put(t, filepath.Join(docs, "img", picture), drawn)
		}
		if get(t, filepath.Join(docs, "img", picture)) == "" || !strings.HasPrefix(drawn, "\x89PNG") {
			t.Errorf("%s is not a picture", made)
		}
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// console runs the command of a block and compares what it prints.
func console(t *testing.T, text string) {
	t.Helper()
	line, shown, _ := strings.Cut(text, "\n")
	args := strings.Fields(line)[1:]
	var printed string
	switch args[0] {
	case "cat":
		printed = strings.ReplaceAll(get(t, args[1]), "\r\n", "\n")
	case "plenum":
		status, stdout, stderr := command(context.Background(), args[1:]...)
		printed = stdout + stderr
		want := cli.ExitDone
		if strings.Contains(shown, "cannot be built") {
			want = cli.ExitBroken
		}
		if status != want {
			t.Fatalf("%s: status %d\n%s", line, status, stderr)
		}
	default:
		t.Fatalf("%s is not a command of the page", line)
	}
	if !shows(strings.Split(shown, "\n"), strings.Split(printed, "\n")) {
		t.Errorf("%s prints\n%s\nthe page shows\n%s", line, printed, shown)
	}
}

// shows reports whether lines are what is printed, "..." standing for any lines.
func shows(shown, printed []string) bool {
	for i, line := range shown {
		if line == "..." {
			for from := range len(printed) + 1 {
				if shows(shown[i+1:], printed[from:]) {
					return true
				}
			}
			return false
		}
		if i >= len(printed) || line != printed[i] {
			return false
		}
	}
	return len(shown) == len(printed)
}

func TestShows(t *testing.T) {
	printed := []string{"a", "b", "c", ""}
	for text, want := range map[string]bool{
		"a b c ": true, "...": true, "a ... ": true, "... c ": true, "a ... c ": true, "a c ": false, "a ... b": false,
		"... b ": false, "a b c": false,
	} {
		if got := shows(strings.Split(text, " "), printed); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
