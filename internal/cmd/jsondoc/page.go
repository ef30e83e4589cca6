package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// title says which command prints a type's document.
type title struct {
	typ, heading, text string
}

// titles are all documents, in the order of the page.
var titles = []title{
	{"machine/report.Plan", "plenum plan --json, plan.json", "A planned machine."},
	{"internal/outfile.Checked", "plenum plan --check --json", "The files of a plan, held against their manifest."},
	{"cost.Estimate", "plenum plan --estimate --json", "An estimate without a room."},
	{"cmd/plenum.rulesReport", "plenum plan --rules --json", "The design rules, and how a plan keeps them."},
	{"cmd/plenum.ruleEntry", "plenum explain RULE --json", "One design rule."},
	{"machine/report.Cable", "plenum explain PLAN CABLE --json", "Where a cable comes from."},
	{"machine/report.Box", "plenum explain PLAN BOX --json", "A box of a plan."},
	{"machine/report.Figure", "plenum explain PLAN FIGURE --json", "A figure of a plan."},
	{"machine/report.Part", "plenum explain PART --json", "A part, and its use in a plan."},
	{"asbuilt.Document", "plenum diff --json", "What changes between two plans, and in which steps."},
	{"asbuilt.Growth", "plenum diff --json of several stages", "A machine that grows from plan to plan."},
	{"asbuilt/verify.Result", "plenum verify --json", "What is cabled, held against a plan."},
	{"build.Document", "plenum build --json, build.json", "The schedule of building a planned machine."},
	{"operate.Document", "plenum operate --json, operate.json", "What it takes to keep a planned machine running."},
	{"asbuilt/workorder.Order", "plenum verify --work-order FILE.json", "The way from what is found to the plan."},
	{"machine/report.CompareDocument", "plenum compare --json", "Several machines side by side."},
	{
		"topology/measure.Metrics", "plenum topology --json",
		"The figures of a topology. Null is a figure that was not asked for or could not be had.",
	},
	{"cmd/plenum.pairReport", "plenum topology --from --to --json", "The paths between two vertices."},
	{"cmd/plenum.familyReport", "plenum topology list --json", "The families of topologies."},
	{"cmd/plenum.sizesReport", "plenum topology sizes --json", "The configurations of a family."},
	{"study/machines.Result", "plenum search FILE --json", "The best machines of any family."},
	{
		"cmd/plenum/internal/searchcmd.searchStatus",
		"plenum search status --json and plenum search FILE --shard --json", "How far a search in parts is.",
	},
	{"cmd/plenum/internal/searchcmd.hyperXReport", "plenum search hyperx --json", "The smallest HyperX."},
	{
		"cmd/plenum/internal/searchcmd.paperGrid", "plenum search --paper-grid --json",
		"The networks of the exascale memory paper, by size.",
	},
	{
		"cmd/plenum/internal/searchcmd.thinTreeReport", "plenum search thin-tree --json",
		"How far a tree should be thinned.",
	},
	{"cmd/plenum/internal/searchcmd.ibtReport", "plenum search ibt --json", "The best tori with bypass rings."},
	{
		"cmd/plenum/internal/searchcmd.gridReport", "plenum search graph --json",
		"A graph over a floor of racks with short links and distances.",
	},
	{
		"cmd/plenum/internal/sweepcmd.dryReport", "plenum sweep --dry-run --json",
		"How large a study is, and what of it will fail.",
	},
	{
		"cmd/plenum/internal/sweepcmd.sweepReport", "plenum sweep --json and plenum sweep status --json",
		"How far a study is.",
	},
	{"cmd/plenum/internal/sweepcmd.mergeReport", "plenum sweep merge --json", "The tables of a study."},
	{"cmd/plenum.packetReport", "plenum sim packets --json", "Simulations of packets."},
	{"cmd/plenum.roundsReport", "plenum sim rounds --json", "A simulation in rounds."},
	{"cmd/plenum.floodReport", "plenum sim flood --json", "All-to-all communication over trees."},
	{"cmd/plenum.flowReport", "plenum sim flows --json", "Workloads as flows."},
	{"cmd/plenum.goalReport", "plenum sim goal --json", "A schedule under the LogGOPS model."},
	{"machine/report.Placed", "plenum embed place --json", "The straight lines between linked boxes."},
	{"cmd/plenum/internal/embedcmd.mapReport", "plenum embed map --json", "A graph on a grid of racks."},
	{"cmd/plenum/internal/embedcmd.qapReport", "plenum embed qap --json", "A quadratic assignment."},
	{
		"cmd/plenum/internal/embedcmd.bestKnownReport", "plenum embed qap --best-known --json",
		"The same, held against the best known cost.",
	},
	{"cmd/plenum.catalogList", "plenum catalog list --json", "Parts and price sets."},
	{"catalog.Part", "plenum catalog show PART --json", "A part."},
	{"cmd/plenum.catalogAudit", "plenum catalog audit --json", "What parts lack."},
	{"catalog.PriceSet", "plenum catalog show SET --json", "A price set."},
	{"cmd/plenum.versionReport", "plenum version --json", "What the program was built from."},
}

const preface = `# JSON documents

<!-- Written by go run ./internal/cmd/jsondoc from the types of the documents and the comments at their fields. -->

` +
	"Every command that takes `--json` prints one document. This page lists the keys of each. A key is named\n" +
	"quantity, statistic, unit, as in `delay_mean_ns`: what has a unit ends with it, or stands in an object whose\n" +
	"key does (`length_m.mean`); shares and counts have none, and money is in the document's currency. Null\n" +
	"stands for a figure that is not known or does not exist; a list without entries is `[]`. In the tables,\n" +
	"`a[].b` is the key `b` of every entry of the list `a`, and `a.*` the value of every key of `a`. A meaning\n" +
	"that begins with \"of\", \"that\" or \"those\" goes on from the key, or from that of the object above it.\n" + `
All documents keep their bytes: the same input, seed and commit give the same document. How long a simulation took
differs from run to run: ` + "`wall_s` and `prepare_s` are there with `--timing` only." + `

`

const provenanceHead = `## provenance

Every document ends with the object ` + "`provenance`" + `, which says what made it; the tables below leave it out.
[Citing and reproducing](../citing.md) shows where other formats have it. Documents of earlier versions lack it, and are
read all the same.

`

// table writes the keys of a document, all below a prefix.
func table(b *strings.Builder, prefix string, keys []key) {
	b.WriteString("| key | value | meaning |\n|---|---|---|\n")
	for _, k := range keys {
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, k.path, k.kind, strings.ReplaceAll(k.text, "|", "\\|"))
	}
	b.WriteString("\n")
}

// document makes the page for the repository in a folder, or tells every key that breaks the rule or has no meaning.
func document(dir string) ([]byte, error) {
	s, err := load(dir)
	if err != nil {
		return nil, err
	}
	printed, err := s.documents()
	if err != nil {
		return nil, err
	}
	wrong := []error(nil)
	for _, name := range printed {
		if !slices.ContainsFunc(titles, func(t title) bool { return t.typ == name }) {
			wrong = append(wrong, fmt.Errorf("%s is a document without a title in page.go", name))
		}
	}
	var b strings.Builder
	b.WriteString(preface)
	keys, broken, err := s.keys("internal/provenance.Record")
	if err != nil || len(broken) > 0 {
		return nil, fmt.Errorf("internal/provenance.Record: %v, %w", broken, err)
	}
	b.WriteString(provenanceHead)
	table(&b, "provenance.", keys)
	for _, t := range titles {
		if t.typ != titles[0].typ && !slices.Contains(printed, t.typ) {
			wrong = append(wrong, fmt.Errorf("%s has a title in page.go and is printed by no command", t.typ))
			continue
		}
		keys, broken, err := s.keys(t.typ)
		if err != nil {
			return nil, err
		}
		for _, text := range broken {
			wrong = append(wrong, fmt.Errorf("%s: %s", t.typ, text))
		}
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.heading, t.text)
		if note, ok := elsewhere[t.typ]; ok {
			fmt.Fprintf(&b, "It is %s.\n\n", note)
			continue
		}
		table(&b, "", keys)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

// keys lists the keys of a document, and what is wrong with their names and meanings.
func (s *source) keys(name string) ([]key, []string, error) {
	if _, ok := elsewhere[name]; ok {
		return nil, nil, nil
	}
	t, err := s.lookup(name)
	if err != nil {
		return nil, nil, err
	}
	w := &walker{source: s}
	w.value(t, "", "", "", "")
	wrong := w.wrong
	for _, k := range w.keys {
		last := k.path[strings.LastIndex(k.path, ".")+1:]
		if text := breach(strings.TrimSuffix(last, "[]")); text != "" {
			wrong = append(wrong, text)
		}
	}
	return w.keys[1:], wrong, nil
}
