package traffic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// ParsePlacement returns the terminal of each task, both counted from 0: entry t is that of task t. No terminal has two
// tasks. text is "consecutive" (task n on terminal n), "random" (terminals drawn with seed, which the others ignore) or
// "file:NAME", a path that is opened as it is and read by ReadPlacement; the words may be in upper case. It returns an
// error for more tasks than terminals and for an unknown word, with the nearest known one; errors of opening and
// reading the file are passed on.
func ParsePlacement(text string, tasks, terminals int, seed uint64) ([]int32, error) {
	return parsePlacement(text, tasks, terminals, seed, placements)
}

// placements are the words that ParsePlacement knows.
var placements = []string{"consecutive", "random", "file"}

// parsePlacement does the same as ParsePlacement, but its error for an unknown word lists names in place of placements.
func parsePlacement(text string, tasks, terminals int, seed uint64, names []string) ([]int32, error) {
	if tasks > terminals {
		return nil, fmt.Errorf("%d tasks do not fit on %d terminals", tasks, terminals)
	}
	name, file, isFile := strings.Cut(text, ":")
	switch strings.ToLower(name) {
	case "consecutive":
		if !isFile {
			return consecutive(tasks), nil
		}
	case "random":
		if !isFile {
			all := consecutive(terminals)
			rand.New(rand.NewPCG(seed, 0x706c6163)).Shuffle(terminals,
				func(i, j int) { all[i], all[j] = all[j], all[i] })
			return all[:tasks:tasks], nil
		}
	case "file":
		if file == "" {
			return nil, errors.New("the placement needs the name of a file: file:NAME")
		}
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return ReadPlacement(f, file, tasks, terminals)
	default:
		return nil, unknownName("placement", name, names)
	}
	return nil, fmt.Errorf("the placement %s takes no argument, not %q", name, file)
}

// consecutive returns 0 ... n-1.
func consecutive(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// ReadPlacement reads lines of a task and its terminal, both counted from 0, separated by spaces or tabs, in any order.
// Text after a # and empty lines are ignored. Every task must have a terminal, and no two tasks the same one. The
// result is as in ParsePlacement.
//
// Mistakes are a diag.List of up to 20, with name as their file. If there is no other mistake, it has the lowest task
// without a terminal. An error of r, or a line over 64 KiB, is another error. With an error, the result must not be
// used.
func ReadPlacement(r io.Reader, name string, tasks, terminals int) ([]int32, error) {
	placed := make([]int32, tasks)
	taskOn := make([]int32, terminals)
	for i := range placed {
		placed[i] = -1
	}
	for i := range taskOn {
		taskOn[i] = -1
	}
	var found diag.List
	line := 0
	mistake := func(format string, args ...any) {
		found.Addf(diag.Position{File: name, Line: line}, format, args...)
	}
	lines := bufio.NewScanner(csvtable.Text(name, r))
	for lines.Scan() && len(found) < maxTraceErrors {
		line++
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			mistake("expected a task and its terminal, found %d fields", len(fields))
			continue
		}
		task, err1 := strconv.Atoi(fields[0])
		terminal, err2 := strconv.Atoi(fields[1])
		switch {
		case err1 != nil || task < 0 || task >= tasks:
			mistake("the task must be from 0 to %d, not %q", tasks-1, fields[0])
		case err2 != nil || terminal < 0 || terminal >= terminals:
			mistake("the terminal must be from 0 to %d, not %q", terminals-1, fields[1])
		case placed[task] >= 0:
			mistake("task %d is placed twice", task)
		case taskOn[terminal] >= 0:
			mistake("terminal %d already has task %d", terminal, taskOn[terminal])
		default:
			placed[task], taskOn[terminal] = int32(terminal), int32(task)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(found) == 0 {
		for task, terminal := range placed {
			if terminal < 0 {
				found.Addf(diag.Position{File: name}, "task %d has no terminal", task)
				break
			}
		}
	}
	return placed, found.Err()
}
