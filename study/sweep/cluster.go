package sweep

import (
	"strings"

	"github.com/plenum-planner/plenum/diag"
)

// Check refuses texts that would be more than one line of the script, or more than one word of an option. Mistakes are
// of the section slurm.
func (c *Slurm) Check(wrong *diag.FieldErrors) {
	for _, option := range []struct{ key, value string }{
		{"partition", c.Partition},
		{"account", c.Account},
		{"qos", c.QOS},
		{"constraint", c.Constraint},
		{"time", c.Time},
		{"memory", c.Memory},
	} {
		if strings.ContainsAny(option.value, " \t\n\"'\\$`") {
			wrong.Add(diag.Key("slurm", option.key), "%q has a blank or a quote, which sbatch would take for "+
				"something else", option.value)
		}
	}
	for _, list := range []struct {
		key   string
		words []string
	}{{"modules", c.Modules}, {"setup", c.Setup}, {"options", c.Options}} {
		for i, word := range list.words {
			if strings.Contains(word, "\n") {
				wrong.Add(diag.Elem(diag.Key("slurm", list.key), i), "must be on one line")
			}
		}
	}
	for i, o := range c.Options {
		if !strings.HasPrefix(o, "-") {
			wrong.Add(diag.Elem("slurm.options", i), "%q is not an option of sbatch\nit begins with -, like "+
				"--exclusive", o)
		}
	}
}
