package machines_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
)

// wholeSearch is a search file that was read anew, as a process of its own would.
func wholeSearch(t *testing.T, text string) *machines.Search {
	t.Helper()
	s, err := machines.Parse("search.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// document is all that a search says.
func document(t *testing.T, r *machines.Result) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// partOf runs a part of a search, of which all is stopped after some batches if stop is not negative.
func partOf(t *testing.T, text, dir string, part sweep.Part, stop int) (*machines.Result, error) {
	t.Helper()
	s := wholeSearch(t, text)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	work, err := s.Keep(dir, part, true)
	if err != nil {
		t.Fatal(err)
	}
	opt := machines.Options{Work: work, Progress: func(stage string, _, _ int) {
		if stage == "planning" {
			if stop--; stop == -1 {
				cancel()
			}
		}
	}}
	if part == sweep.Whole {
		return s.Run(ctx, opt)
	}
	return s.RunPart(ctx, opt, part)
}

// However a search is divided, stopped and gone on with, it finds the same, with the same certificate.
func TestPartsFindTheSame(t *testing.T) {
	for _, objective := range []string{machines.Money, machines.Delay, "{money: 1, delay: 200}"} {
		text := small + "delay: 300 ns\nobjective: " + objective + "\n"
		want := document(t, run(t, text, machines.Options{}))
		random := rand.New(rand.NewPCG(1, uint64(len(objective))))
		dir := t.TempDir()
		of, stopped := 2+random.IntN(4), 0
		var last *machines.Result
		for _, i := range random.Perm(of) {
			for stop := random.IntN(3); ; stop = -1 {
				r, err := partOf(t, text, dir, sweep.Part{Index: i, Of: of}, stop)
				if err == nil {
					last = r
					break
				}
				if stop < 0 || !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				stopped++
			}
		}
		if last == nil {
			t.Fatalf("%s: nothing is found when all of %d parts are done", objective, of)
		}
		if got := document(t, last); got != want {
			t.Errorf("%s: %d parts, stopped %d times, find\n%s\nnot\n%s", objective, of, stopped, got, want)
		}
		r, err := partOf(t, text, dir, sweep.Whole, -1) // on one machine after all
		if err != nil || document(t, r) != want {
			t.Errorf("%s: gone on with, it finds something else: %v", objective, err)
		}
	}
}

// Parts that know nothing of each other plan candidates whose delays the whole search does not measure; what they find
// together is the same.
func TestPartsApartFindTheSame(t *testing.T) {
	text := "nodes: 120..136\nfamilies: [torus]\nmachine: {room: {racks_per_row: 8}}\n"
	want := document(t, run(t, text, machines.Options{}))
	const of = 5
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, machines.PlannedDir), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range of {
		own := t.TempDir()
		if _, err := partOf(t, text, own, sweep.Part{Index: i, Of: of}, -1); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(own, machines.PlannedDir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			err := os.Rename(f, filepath.Join(dir, machines.PlannedDir, filepath.Base(f)))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	st, err := machines.OpenWork(dir, of)
	if err != nil || st.PartsDone != of {
		t.Fatalf("%+v, %v", st, err)
	}
	r, err := partOf(t, text, dir, sweep.Part{Index: 0, Of: of}, -1)
	if err != nil {
		t.Fatal(err)
	}
	if st.Planned <= r.Planned {
		t.Errorf("the parts planned %d candidates in full, not more than the %d of the whole", st.Planned, r.Planned)
	}
	if got := document(t, r); got != want {
		t.Errorf("parts apart find\n%s\nnot\n%s", got, want)
	}
}

// A search that is stopped and gone on with plans nothing again, and leaves nothing behind.
func TestNothingIsPlannedAgain(t *testing.T) {
	text := small + "objective: cables\n"
	dir := t.TempDir()
	if _, err := partOf(t, text, dir, sweep.Whole, 3); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	st, err := machines.OpenWork(dir, 0)
	if err != nil || st.Planned == 0 {
		t.Fatalf("%+v, %v", st, err)
	}
	if _, err := wholeSearch(t, text).Keep(dir, sweep.Whole, false); !errors.As(err,
		new(*machines.BegunError)) {
		t.Errorf("it is begun anew: %v", err)
	}
	before := map[string]os.FileInfo{}
	files, err := filepath.Glob(filepath.Join(dir, machines.PlannedDir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if before[f], err = os.Stat(f); err != nil {
			t.Fatal(err)
		}
	}
	s := wholeSearch(t, text)
	work, err := s.Keep(dir, sweep.Whole, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), machines.Options{Work: work})
	if err != nil || work.CountPlanned() != r.Planned {
		t.Fatalf("%d were planned for %d: %v", work.CountPlanned(), r.Planned, err)
	}
	for f, info := range before {
		if now, err := os.Stat(f); err != nil || !os.SameFile(info, now) {
			t.Errorf("%s was written again: %v", f, err)
		}
	}
	own := filepath.Join(dir, machines.PlannedDir, "notes.txt")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := work.Remove(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, machines.PlannedDir, "*"))
	if err != nil || len(left) != 1 || left[0] != own {
		t.Errorf("%v is left, %v", left, err)
	}
}

// Work of another search, and work that is not as it was written, is refused.
func TestOtherWorkIsRefused(t *testing.T) {
	text := small + "objective: cables\n"
	dir := t.TempDir()
	if _, err := partOf(t, text, dir, sweep.Part{Index: 0, Of: 9}, -1); err != nil {
		t.Fatal(err)
	}
	keep := func(text string, part sweep.Part, resume bool) error {
		_, err := wholeSearch(t, text).Keep(dir, part, resume)
		return err
	}
	for _, same := range []string{
		"name: other\n" + text, text + "engine: slurm\nslurm: {time: '5'}\n", "# a remark\n" + text,
	} {
		if err := keep(same, sweep.Part{Index: 1, Of: 9}, false); err != nil {
			t.Errorf("%s: %v", same, err)
		}
	}
	if err := keep(text, sweep.Part{Index: 0, Of: 9}, false); !errors.As(err, new(*machines.BegunError)) {
		t.Errorf("a part that is done is begun anew: %v", err)
	}
	for _, other := range []string{
		strings.Replace(text, "cables", "money", 1), strings.Replace(text, "48..49", "48..50", 1),
		strings.Replace(text, "racks_per_row: 4", "racks_per_row: 5", 1),
	} {
		if err := keep(other, sweep.Whole, true); !errors.As(err, new(*sweep.OtherStudyError)) {
			t.Errorf("%s: %v", other, err)
		}
	}
	job := filepath.Join(t.TempDir(), "job.yaml")
	played := text + "workload: {file: " + job + ", ranks_per_node: 2}\n"
	dirs := t.TempDir()
	for i, change := range []string{"", "# the same job, another file\n"} {
		data, err := os.ReadFile("testdata/job.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(job, append([]byte(change), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := machines.Parse("search.yaml", []byte(played))
		if err != nil {
			t.Fatal(err)
		}
		work, err := s.Keep(dirs, sweep.Part{Index: 0, Of: 9}, true)
		if i == 0 && err == nil {
			_, err = s.RunPart(t.Context(), machines.Options{Work: work}, sweep.Part{Index: 0, Of: 9})
		}
		if other := errors.As(err, new(*sweep.OtherStudyError)); other != (i == 1) || !other && err != nil {
			t.Errorf("the file of the job %q: %v", change, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, machines.PlannedDir, "[0-9]*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, damaged := range []string{"{", `{"topology":"x"}`, fmt.Sprintf("{%q:1}\n\n", "entry")} {
		if err := os.WriteFile(files[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := keep(text, sweep.Whole, true); !errors.As(err, new(*sweep.DamagedError)) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
}
