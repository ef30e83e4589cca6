package scheduler

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteSlurmConf writes topology.conf of Slurm: SwitchName lines of the plugin topology/tree, or BlockName lines of
// topology/block for a network that is not a tree.
func WriteSlurmConf(ctx context.Context, w io.Writer, t *Topology) error {
	out := bufio.NewWriter(w)
	if t.Tiers == nil {
		fmt.Fprintf(out, "# TopologyPlugin=topology/block; a block is a %s\n", t.BlocksAre)
		for _, g := range t.Blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintf(out, "BlockName=%s Nodes=%s\n", g.Name, hostList(g.Nodes))
		}
		fmt.Fprintf(out, "BlockSizes=%s\n", joinInts(t.blockSizes()))
		return out.Flush()
	}
	out.WriteString("# TopologyPlugin=topology/tree\n")
	for s := range t.switches {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(s.Switches) > 1 {
			fmt.Fprintf(out, "# %s: %s\n", s.Name, hostList(s.Switches))
		}
		if s.inner == nil {
			fmt.Fprintf(out, "SwitchName=%s Nodes=%s\n", s.Name, hostList(s.Nodes))
			continue
		}
		fmt.Fprintf(out, "SwitchName=%s Switches=%s\n", s.Name, hostList(s.inner))
	}
	return out.Flush()
}

// WriteSlurmYAML writes topology.yaml of Slurm 25.05 and later, with the same groups as WriteSlurmConf.
func WriteSlurmYAML(ctx context.Context, w io.Writer, t *Topology) error {
	out := bufio.NewWriter(w)
	out.WriteString("---\n- topology: default\n  cluster_default: true\n")
	if t.Tiers == nil {
		fmt.Fprintf(out, "  block: # a block is a %s\n    block_sizes: [%s]\n    blocks:\n", t.BlocksAre,
			strings.ReplaceAll(joinInts(t.blockSizes()), ",", ", "))
		for _, g := range t.Blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintf(out, "      - {block: %q, nodes: %q}\n", g.Name, hostList(g.Nodes))
		}
		return out.Flush()
	}
	out.WriteString("  tree:\n    switches:\n")
	for s := range t.switches {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, list := "nodes", s.Nodes
		if s.inner != nil {
			key, list = "children", s.inner
		}
		fmt.Fprintf(out, "      - {switch: %q, %s: %q}", s.Name, key, hostList(list))
		if len(s.Switches) > 1 {
			fmt.Fprintf(out, " # %s", hostList(s.Switches))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// slurmSwitch is a group as a switch of Slurm, which has other switches below it or nodes.
type slurmSwitch struct {
	*Group
	inner []string // names of the groups below, nil in the lowest tier
}

// switches yields the groups from the lowest tier up. A group that joins nothing but one below is left out.
func (t *Topology) switches(yield func(slurmSwitch) bool) {
	names := []string(nil) // of the tier below; of a group that is left out, that of the one in it
	for tier, groups := range t.Tiers {
		called := make([]string, len(groups))
		for i := range groups {
			g := &groups[i]
			if called[i] = g.Name; tier == 0 {
				if !yield(slurmSwitch{g, nil}) {
					return
				}
				continue
			}
			if len(g.Inner) == 1 {
				called[i] = names[g.Inner[0]]
				continue
			}
			inner := make([]string, len(g.Inner))
			for k, of := range g.Inner {
				inner[k] = names[of]
			}
			if !yield(slurmSwitch{g, inner}) {
				return
			}
		}
		names = called
	}
}

// blockSizes are the nodes of the smallest block, and of larger groups that are a power of two times as large, as
// Slurm asks for.
func (t *Topology) blockSizes() []int {
	if len(t.Blocks) == 0 {
		return nil
	}
	base := len(t.Blocks[0].Nodes)
	for _, g := range t.Blocks {
		base = min(base, len(g.Nodes))
	}
	out := []int{base}
	for _, size := range t.Larger {
		if times := size / base; size%base == 0 && times > 1 && times&(times-1) == 0 {
			out = append(out, size)
		}
	}
	return out
}

func joinInts(all []int) string {
	var out []string
	for _, n := range all {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ",")
}

// hostList writes names as Slurm does: names that differ in a last number alone are one, with ranges: n[01-04,09].
func hostList(names []string) string {
	type run struct{ from, to string }
	type family struct {
		prefix string
		runs   []run
	}
	var out []family
	index := map[string]int{} // of the prefix and, with leading zeros, the number of digits
	for _, name := range names {
		prefix := strings.TrimRight(name, "0123456789")
		digits := name[len(prefix):]
		if len(digits) > 15 { // beyond what numbers hold
			prefix, digits = name, ""
		}
		key := prefix
		switch {
		case digits == "":
			key += "\x00"
		case digits[0] == '0':
			key += "\x00" + strconv.Itoa(len(digits))
		}
		i, ok := index[key]
		if !ok && digits != "" && digits[0] != '0' { // 10 goes on after 09
			i, ok = index[prefix+"\x00"+strconv.Itoa(len(digits))]
		}
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, family{prefix: prefix})
		}
		f := &out[i]
		if last := len(f.runs) - 1; last >= 0 && follows(f.runs[last].to, digits) {
			f.runs[last].to = digits
			continue
		}
		f.runs = append(f.runs, run{digits, digits})
	}
	var texts []string
	for _, f := range out {
		if len(f.runs) == 1 && f.runs[0].from == f.runs[0].to {
			texts = append(texts, f.prefix+f.runs[0].from)
			continue
		}
		var ranges []string
		for _, r := range f.runs {
			if r.from == r.to {
				ranges = append(ranges, r.from)
				continue
			}
			ranges = append(ranges, r.from+"-"+r.to)
		}
		texts = append(texts, f.prefix+"["+strings.Join(ranges, ",")+"]")
	}
	return strings.Join(texts, ",")
}

// follows reports whether a number in digits is the next after another, written with as many digits or, without leading
// zeros, with one more.
func follows(before, digits string) bool {
	a, errA := strconv.ParseInt(before, 10, 64)
	b, errB := strconv.ParseInt(digits, 10, 64)
	if errA != nil || errB != nil || b != a+1 {
		return false
	}
	return len(before) == len(digits) || before[0] != '0'
}
