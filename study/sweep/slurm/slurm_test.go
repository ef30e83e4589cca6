package slurm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/study/sweep"
)

// The indices of an array are those of the parts that are not computed, no more, and below the limit of the cluster.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 60).Draw(t, "most")
		asked := rapid.IntRange(0, 80).Draw(t, "asked")
		limit := rapid.IntRange(1, 70).Draw(t, "limit")
		of := divide(asked, most, limit)
		if of < 1 || of > limit || of > most || asked > 0 && of > asked || of < min(most, limit, 60) && asked == 0 {
			t.Fatalf("%d parts", of)
		}
		var parts []int
		for i := range of {
			if rapid.Bool().Draw(t, "missing") {
				parts = append(parts, i)
			}
		}
		a := &Array{Parts: parts, Of: of, Config: sweep.Slurm{AtOnce: rapid.IntRange(0, 3).Draw(t, "at once")}}
		list, atOnce, limited := strings.Cut(a.indices(), "%")
		if limited != (a.Config.AtOnce > 0) || limited && atOnce != fmt.Sprint(a.Config.AtOnce) {
			t.Fatal(a.indices())
		}
		run := map[int]bool{} // as Slurm reads it
		for item := range strings.SplitSeq(list, ",") {
			from, to, ranged := strings.Cut(item, "-")
			if item == "" {
				continue
			}
			if !ranged {
				to = from
			}
			first, err := strconv.Atoi(from)
			last, err2 := strconv.Atoi(to)
			if errors.Join(err, err2) != nil || last >= limit {
				t.Fatal(a.indices())
			}
			for i := first; i <= last; i++ {
				run[i] = true
			}
		}
		for i := range of {
			if run[i] != slices.Contains(parts, i) {
				t.Fatalf("%s: part %d of %d, missing %v", a.indices(), i, of, parts)
			}
		}
	})
}

// Without Slurm it is said that there is none.
func TestNoSlurm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := arrayLimit(t.Context())
	const want = "scontrol: not found: this machine is not part of a Slurm cluster"
	if !errors.As(err, new(*CommandError)) || err.Error() != want {
		t.Error(err)
	}
}

// Names of files and of the study are words of the shell, regardless of what is in them.
func TestScriptQuotes(t *testing.T) {
	a := &Array{
		Program: "/opt/my tools/plenum", File: "/home/o'neil/a.yaml", Dir: "/scratch/$HOME",
		Name: "ä b\n#SBATCH x", Command: "sweep", Options: []string{"--chart-formats", "png,$X"}, Of: 3,
	}
	script := a.Script()
	for _, want := range []string{
		`exec '/opt/my tools/plenum' sweep '/home/o'\''neil/a.yaml' -o '/scratch/$HOME' --resume ` +
			`--shard "$SLURM_ARRAY_TASK_ID/3" '--chart-formats' 'png,$X'` + "\n",
		"#SBATCH --job-name=plenum-b--SBATCH-x\n",
	} {
		if !strings.Contains(script, want) {
			t.Errorf("no %s in\n%s", want, script)
		}
	}
}
