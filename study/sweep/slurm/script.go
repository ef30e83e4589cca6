package slurm

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/study/sweep"
)

// Array is a job array for a study, or a search.
type Array struct {
	Config sweep.Slurm
	// Program is plenum, File the file of the study and Dir the directory of results, as nodes see them.
	Program, File, Dir string
	Command            string   // of plenum: sweep or search
	Options            []string // of the command, besides the directory and the part
	Name               string   // of the study
	Of                 int      // parts that the study is divided into
	Parts              []int    // those to run, in order
}

// Script is what every task runs: a batch script with the options of the file as comments that sbatch reads.
func (a *Array) Script() string {
	var b strings.Builder
	c := &a.Config
	b.WriteString("#!/bin/bash\n" +
		"# Written by plenum. Each task computes a part of the study, and goes on after what is there.\n")
	option := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "#SBATCH --%s=%s\n", name, value)
		}
	}
	option("job-name", "plenum-"+word(a.Name))
	option("partition", c.Partition)
	option("account", c.Account)
	option("qos", c.QOS)
	option("constraint", c.Constraint)
	option("time", c.Time)
	option("mem", c.Memory)
	option("nodes", "1")
	option("ntasks", "1")
	option("cpus-per-task", fmt.Sprint(max(c.CPUs, 1)))
	option("output", "%A_%a.log")
	option("open-mode", "append")
	b.WriteString("#SBATCH --requeue\n")
	for _, o := range c.Options {
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	b.WriteString("set -e\n")
	for _, m := range c.Modules {
		fmt.Fprintf(&b, "module load %s\n", quoteWord(m))
	}
	for _, line := range c.Setup {
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "export GOMAXPROCS=\"${SLURM_CPUS_PER_TASK:-1}\"\n")
	fmt.Fprintf(&b, "exec %s %s %s -o %s --resume --shard \"$SLURM_ARRAY_TASK_ID/%d\"", quoteWord(a.Program), a.Command,
		quoteWord(a.File), quoteWord(a.Dir), a.Of)
	for _, o := range a.Options {
		b.WriteString(" " + quoteWord(o))
	}
	b.WriteByte('\n')
	return b.String()
}

// indices is the option --array: the parts in ranges, and how many run at a time.
func (a *Array) indices() string {
	var out []string
	for i := 0; i < len(a.Parts); {
		end := i
		for end+1 < len(a.Parts) && a.Parts[end+1] == a.Parts[end]+1 {
			end++
		}
		if end > i {
			out = append(out, fmt.Sprintf("%d-%d", a.Parts[i], a.Parts[end]))
		} else {
			out = append(out, fmt.Sprint(a.Parts[i]))
		}
		i = end + 1
	}
	text := strings.Join(out, ",")
	if a.Config.AtOnce > 0 {
		text += fmt.Sprintf("%%%d", a.Config.AtOnce)
	}
	return text
}

// usualTasks is how many tasks an array has if the file does not say.
const usualTasks = 1000

// divide returns the number of parts of a study: asked, or usualTasks if asked is 0, but at most most and limit. The
// indices of an array must be below limit.
func divide(asked, most, limit int) int {
	if asked == 0 {
		asked = usualTasks
	}
	return max(1, min(asked, most, limit))
}

// quoteWord returns a word for the shell.
func quoteWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// word keeps what may stand in the name of a job.
func word(text string) string {
	plain := strings.Map(func(r rune) rune {
		if r < 128 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, text)
	return strings.Trim(plain[:min(len(plain), 40)], "-")
}
