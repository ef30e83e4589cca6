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
var fenced = regexp.MustCompile(
	"(?m)(?:^<!-- (file|section of|change|)(?:: | )?(.*?) -->\n)?^```(\\w+)\n((?s:.*?))^```$")

// tutorials are the pages that are followed from their beginnings, with the number of commands in each and the pictures
// that they show, by the files that the commands draw.
var tutorials = map[string]struct {
	commands int
	pictures map[string]string
}{
	"tutorial.md": {6, map[string]string{
		"plan/floor.png": "tutorial-floor.png", "compared/cost.png": "tutorial-cost.png",
	}},
	"tutorial-growth.md":     {7, map[string]string{"faults.png": "tutorial-faults.png"}},
	"tutorial-topologies.md": {4, map[string]string{"compared/break-even.png": "tutorial-break-even.png"}},
}

// TestTutorials does what each tutorial says, from an empty directory: writes its files, runs its commands and compares
// what they print with what it shows, line by line. "..." stands for any lines. PLENUM_UPDATE=1 keeps the pictures.
func TestTutorials(t *testing.T) {
	docs, err := filepath.Abs("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	for name, tutorial := range tutorials {
		t.Run(name, func(t *testing.T) {
			page := get(t, filepath.Join(docs, name))
			t.Chdir(t.TempDir())
			if n := follow(t, page); n != tutorial.commands {
				t.Errorf("%d commands", n)
			}
			for made, picture := range tutorial.pictures {
				if !strings.Contains(page, "(img/"+picture+")") {
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
		})
	}
}

// follow does what a page says in the current directory, and counts its commands.
func follow(t *testing.T, page string) (commands int) {
	t.Helper()
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		kind, what, language, text := m[1], m[2], m[3], m[4]
		switch {
		case language == "console":
			for _, one := range regexp.MustCompile(`(?m)^\$ .*\n(?:[^$].*\n|\n)*`).FindAllString(text, -1) {
				commands++
				console(t, one)
			}
		case kind == "file":
			put(t, what, text)
		case kind == "change":
			change(t, what, text)
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
	return commands
}

// change writes a copy of a file, "OLD to NEW", in which the lines after "-" are replaced by those after "+".
func change(t *testing.T, what, text string) {
	t.Helper()
	from, to, _ := strings.Cut(what, " to ")
	var old, replacement strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "-"):
			old.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			replacement.WriteString(line[1:])
		default:
			t.Fatalf("neither taken out nor put in: %s", line)
		}
	}
	file := strings.ReplaceAll(get(t, from), "\r\n", "\n")
	if strings.Count(file, old.String()) != 1 {
		t.Fatalf("%s has not once\n%s", from, &old)
	}
	put(t, to, strings.Replace(file, old.String(), replacement.String(), 1))
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
		status, stdout, stderr := command(context.Background(), expand(t, args[1:])...)
		printed = stdout + stderr
		want := cli.ExitDone
		if strings.Contains(shown, "cannot be built") || strings.Contains(shown, "differs from the plan") {
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

// expand replaces patterns of files by the files, as a shell does.
func expand(t *testing.T, args []string) (expanded []string) {
	t.Helper()
	for _, arg := range args {
		files, err := filepath.Glob(arg)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 || !strings.Contains(arg, "*") {
			files = []string{arg}
		}
		expanded = append(expanded, files...)
	}
	return expanded
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
