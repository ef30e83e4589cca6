package scheduler_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/scheduler"
	"github.com/plenum-planner/plenum/machine"
)

func grouped(t testing.TB, text string) *scheduler.Topology {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte("name: m\n"+text+"\n"))
	if err != nil {
		t.Fatal(text, err)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatal(text, err)
	}
	out, err := scheduler.New(r, "")
	if err != nil {
		t.Fatal(text, err)
	}
	return out
}

func written(
	t testing.TB, to *scheduler.Topology, write func(context.Context, io.Writer, *scheduler.Topology) error,
) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(t.Context(), &b, to); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSlurmConf holds the files of a two-tier tree, a three-tier tree, a tree whose nodes are on several leaves, and
// networks without tiers.
func TestSlurmConf(t *testing.T) {
	for _, c := range []struct{ topology, want string }{
		{"topology: {family: leaf-spine, nodes: 10, down: 4, up: 2, spines: 2}", `# TopologyPlugin=topology/tree
SwitchName=LF1 Nodes=N[01-04]
SwitchName=LF2 Nodes=N[05-08]
SwitchName=LF3 Nodes=N[09-10]
# tier2-1: SP[1-2]
SwitchName=tier2-1 Switches=LF[1-3]
`},
		{"topology: {family: leaf-spine, nodes: 4, down: 4, up: 1, spines: 1}", `# TopologyPlugin=topology/tree
SwitchName=LF1 Nodes=N[1-4]
`},
		{dragonfly, `# TopologyPlugin=topology/block; a block is a block
BlockName=block-1 Nodes=N[01-02]
`},
		{"topology: {family: torus, dims: [4, 3]}", `# TopologyPlugin=topology/block; a block is a rack
BlockName=A01 Nodes=N`},
	} {
		if got := written(t, grouped(t, c.topology), scheduler.WriteSlurmConf); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n%s\nand not\n%s", c.topology, got, c.want)
		}
	}
	if got := written(t, grouped(t, dragonfly),
		scheduler.WriteSlurmConf); !strings.HasSuffix(got, "\nBlockSizes=2,8\n") {
		t.Error(got)
	}
	tree := grouped(t, "topology: {family: k-ary-n-tree, down: 3, levels: 3}")
	if len(tree.Tiers) != 3 || len(tree.Tiers[0]) != 9 || len(tree.Tiers[1]) != 3 || len(tree.Tiers[2]) != 1 {
		t.Errorf("%d tiers", len(tree.Tiers))
	}
	if got := tree.Tiers[1][2].Inner; !slices.Equal(got, []int{6, 7, 8}) {
		t.Error(got)
	}
}

const dragonfly = "topology: {family: dragonfly, p: 2, a: 4, h: 1, groups: 5}"

// rails is a machine whose nodes have a port on each of four leaves.
const rails = `topology: {family: leaf-spine, nodes: 12, rails: 4, down: 6, up: 3, spines: 3}`

// TestRails: nodes that share all their leaves are one group.
func TestRails(t *testing.T) {
	got := grouped(t, rails)
	if len(got.Tiers) != 2 || len(got.Tiers[0]) != 2 || len(got.Tiers[0][0].Nodes) != 6 ||
		len(got.Tiers[0][0].Switches) != 4 {
		t.Errorf("%+v", got.Tiers)
	}
	if conf := written(t, got, scheduler.WriteSlurmConf); !strings.Contains(conf, "# tier1-1: LF[1-4]\n"+
		"SwitchName=tier1-1 Nodes=N[01-06]\n") {
		t.Error(conf)
	}
}

// TestFormsAgree: topology.conf, topology.yaml and the labels of Kubernetes say the same of every node.
func TestFormsAgree(t *testing.T) {
	for _, text := range []string{
		rails, "topology: {family: fat-tree, nodes: 100, radix: 16}",
		"topology: {family: k-ary-n-tree, down: 3, levels: 3}",
		dragonfly, "topology: {family: torus, dims: [5, 5]}",
		"topology: {family: hyperx, dims: [3, 4], terminals: 2}",
	} {
		to := grouped(t, text)
		conf := confParents(t, written(t, to, scheduler.WriteSlurmConf))
		yamlText := written(t, to, scheduler.WriteSlurmYAML)
		if got := yamlParents(t, yamlText); fmt.Sprint(got) != fmt.Sprint(conf) {
			t.Errorf("%s: topology.yaml has %v, topology.conf %v", text, got, conf)
		}
		labels := 0
		decoder := yaml.NewDecoder(strings.NewReader(written(t, to, scheduler.WriteKubernetes)))
		for {
			var doc struct {
				Kind     string
				Metadata struct {
					Name   string
					Labels map[string]string
				}
			}
			err := decoder.Decode(&doc)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || doc.Kind != "Node" {
				t.Fatal(doc, err)
			}
			labels++
			of := conf[doc.Metadata.Name]
			if l := doc.Metadata.Labels; l["fabric.topograph.run/tier-0"]+l["accelerator.topograph.run/domain"] != of {
				t.Errorf("%s: %s is labelled %v, and below %s", text, doc.Metadata.Name, l, of)
			}
		}
		if nodes := len(nodesOf(to)); labels != nodes {
			t.Errorf("%s: %d documents for %d nodes", text, labels, nodes)
		}
	}
}

func nodesOf(to *scheduler.Topology) []string {
	var out []string
	groups := to.Blocks
	if to.Tiers != nil {
		groups = to.Tiers[0]
	}
	for _, g := range groups {
		out = append(out, g.Nodes...)
	}
	return out
}

// confParents is, for every name in topology.conf, the switch or block that it is in.
func confParents(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if f[0] == "#" || strings.HasPrefix(f[0], "BlockSizes=") {
			continue
		}
		_, name, _ := strings.Cut(f[0], "=")
		_, list, _ := strings.Cut(f[1], "=")
		for _, in := range expand(t, list) {
			if out[in] != "" {
				t.Errorf("%s is in %s and in %s", in, out[in], name)
			}
			out[in] = name
		}
	}
	return out
}

func yamlParents(t *testing.T, text string) map[string]string {
	t.Helper()
	var doc []struct {
		Tree struct {
			Switches []struct{ Switch, Nodes, Children string }
		}
		Block struct {
			Blocks []struct{ Block, Nodes string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc) != 1 {
		t.Fatal(err, text)
	}
	out := map[string]string{}
	for _, s := range doc[0].Tree.Switches {
		for _, in := range expand(t, s.Nodes+s.Children) {
			out[in] = s.Switch
		}
	}
	for _, b := range doc[0].Block.Blocks {
		for _, in := range expand(t, b.Nodes) {
			out[in] = b.Block
		}
	}
	return out
}

// expand expands a list of Slurm: n[01-03,7],x.
func expand(t rapid.TB, list string) []string {
	t.Helper()
	var out []string
	for list != "" {
		end := 0
		for depth := 0; end < len(list) && (list[end] != ',' || depth > 0); end++ {
			switch list[end] {
			case '[':
				depth++
			case ']':
				depth--
			}
		}
		item := list[:end]
		list = strings.TrimPrefix(list[end:], ",")
		prefix, ranges, is := strings.Cut(item, "[")
		if !is {
			out = append(out, item)
			continue
		}
		for r := range strings.SplitSeq(strings.TrimSuffix(ranges, "]"), ",") {
			from, to, is := strings.Cut(r, "-")
			if !is {
				to = from
			}
			a, errA := strconv.Atoi(from)
			b, errB := strconv.Atoi(to)
			if errA != nil || errB != nil || b < a {
				t.Fatal(item)
			}
			for n := a; n <= b; n++ {
				out = append(out, fmt.Sprintf("%s%0*d", prefix, len(from), n))
			}
		}
	}
	return out
}

// TestNamesOfHosts refuses nodes whose names no scheduler takes.
func TestNamesOfHosts(t *testing.T) {
	s, err := machine.Parse("machine.yaml", []byte(`name: m
topology: {family: leaf-spine, nodes: 4, down: 4, up: 1, spines: 1}
names: {boxes: {node: "gpu {n}"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(t.Context(), s, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatal(err)
	}
	var limit exchange.LimitError
	if _, err := scheduler.New(r, ""); !errors.As(err, &limit) || !strings.Contains(err.Error(), `"gpu 1"`) {
		t.Error(err)
	}
}

// TestNamesOfSwitches: names of switches never end a line or a list, and groups differ.
func TestNamesOfSwitches(t *testing.T) {
	got := written(t, grouped(t, `topology: {family: leaf-spine, nodes: 8, down: 4, up: 2, spines: 2}
names: {boxes: {leaf: "leaf {n},[x]", spine: "sp Nodes=x {n}"}}`), scheduler.WriteSlurmConf)
	if want := `# TopologyPlugin=topology/tree
SwitchName=leaf-1--x- Nodes=N[1-4]
SwitchName=leaf-2--x- Nodes=N[5-8]
# tier2-1: sp-Nodes-x-[1-2]
SwitchName=tier2-1 Switches=leaf-1--x-,leaf-2--x-
`; got != want {
		t.Error(got)
	}
}

// TestHostLists expands lists again: the same names, regardless of their order and leading zeros.
func TestHostLists(t *testing.T) {
	for names, want := range map[string]string{
		"a": "a", "n1 n2 n3": "n[1-3]", "n08 n09 n10": "n[08-10]", "n8 n9 n10": "n[8-10]", "n1 m1 n2": "n[1-2],m1",
		"n1 n3 n4 x": "n[1,3-4],x", "n01 n2": "n01,n2", "n99999999999999999": "n99999999999999999",
		"a1b": "a1b", "9 10": "[9-10]", "n099 n100": "n[099-100]", "n99 n100": "n[99-100]",
	} {
		if got := scheduler.HostList(strings.Fields(names)); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%s%0*d", rapid.SampledFrom([]string{"n", "m-", "r1s"}).Draw(t, "prefix"),
				rapid.IntRange(1, 3).Draw(t, "width"), rapid.IntRange(0, 12).Draw(t, "number"))
		}), 1, 20, func(s string) string { return s }).Draw(t, "names")
		got := expand(t, scheduler.HostList(names))
		slices.Sort(got)
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Fatalf("%v became %s, which is %v", names, scheduler.HostList(names), got)
		}
	})
}
