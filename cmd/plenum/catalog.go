package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

func newCatalog() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "List, show, check, audit and import parts and prices",
		Args:  cli.Usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCatalogList(), newCatalogShow(), newCatalogCheck(), newCatalogAudit(), newCatalogImport())
	return cmd
}

// catalogList is the document of catalog list.
type catalogList struct {
	Parts     []catalog.Part `json:"parts"`      // all of them, or those of the kind asked for
	PriceSets []string       `json:"price_sets"` // the names of all sets
}

func newCatalogList() *cobra.Command {
	var kind string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the parts, and the names of the price sets",
		Args:  cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind != "" && !slices.Contains(catalog.Kinds, catalog.Kind(kind)) {
				return cli.InputError(cli.NoValue("kind", "kind", kind, catalog.Kinds))
			}
			c := catalog.Default()
			parts := slices.DeleteFunc(c.Parts(),
				func(p catalog.Part) bool { return kind != "" && p.Kind != catalog.Kind(kind) })
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), &catalogList{parts, c.PriceSets()})
			}
			return printParts(cmd.OutOrStdout(), parts, c.PriceSets())
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "",
		"only parts of this kind: node, switch, adapter, cable, optic, panel, rack, tray")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printParts(w io.Writer, parts []catalog.Part, sets []string) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	for _, kind := range catalog.Kinds {
		for i := range parts {
			if p := &parts[i]; p.Kind == kind {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Kind, p.ID, describePlugs(p), p.Description)
			}
		}
	}
	t.Flush()
	fmt.Fprintf(&b, "\nprice sets: %s\n", strings.Join(sets, ", "))
	return cli.Print(w, b.String())
}

// describeLengths lists the lengths in which a cable or hose is sold.
func describeLengths(p *catalog.Part) string {
	sold, _ := p.Lengths()
	var lengths []string
	for _, l := range sold.Stocked {
		lengths = append(lengths, l.Number())
	}
	if m := sold.MadeToMeasure; m > 0 {
		lengths = append(lengths, "to measure up to "+m.Number())
	}
	return strings.Join(lengths, " ") + " m"
}

// describePlugs returns in a few words what a part connects: plugs and lengths of a cable or hose, ports of other
// parts.
func describePlugs(p *catalog.Part) string {
	switch {
	case p.Cable != nil:
		return ends(p.Cable) + ": " + describeLengths(p)
	case p.Hose != nil:
		what := p.Hose.Connector
		if p.Hose.Inside > 0 {
			what = strings.TrimSpace(what + " inside " + p.Hose.Inside.String())
		}
		return what + ": " + describeLengths(p)
	case p.Panel != nil:
		behind := ""
		if c := p.Panel.Cassette; c != nil {
			behind = fmt.Sprintf(" from %d x %s", p.Panel.Ports/p.Panel.Fronts(), c.Rear)
		}
		return fmt.Sprintf("%d x %s%s, %v", p.Panel.Ports, p.Panel.Connector, behind, p.Panel.Loss)
	case p.Optic != nil:
		return fmt.Sprintf("%s: %d x %v %s to %v", p.Optic.Form, max(p.Optic.Ports, 1), p.Optic.Rate, p.Optic.Standard,
			p.Optic.Reach)
	}
	var ports []string
	for _, g := range p.Ports {
		ports = append(ports, fmt.Sprintf("%d x %v %s", g.Count, g.Rate, g.Connector))
	}
	return strings.Join(ports, ", ")
}

// ends names the plugs of a cable: "osfp - 2 x osfp-rhs" for a splitter.
func ends(c *catalog.Cable) string {
	switch {
	case c.Trunk():
		return fmt.Sprintf("%d x %s", c.Legs, c.Connector)
	case c.FarPlugs() > 1:
		return fmt.Sprintf("%s - %d x %s", c.Connector, c.FarPlugs(), c.FarConnector())
	case c.FarConnector() != c.Connector:
		return c.Connector + " - " + c.FarConnector()
	case c.Links > 1:
		return fmt.Sprintf("%s (%d links)", c.Connector, c.Links)
	}
	return c.Connector
}

func newCatalogShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a part or a price set, as YAML that a machine file may take over",
		Args:  cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := catalog.Default()
			part, set := c.Part(args[0]), c.PriceSet(args[0])
			switch {
			case part != nil && asJSON:
				return render.Document(cmd.Context(), cmd.OutOrStdout(), part)
			case part != nil:
				return writeYAML(cmd.OutOrStdout(), part, priceComments(c, part))
			case set != nil && asJSON:
				return render.Document(cmd.Context(), cmd.OutOrStdout(), set)
			case set != nil:
				return writeYAML(cmd.OutOrStdout(), set, "")
			}
			return cli.InputError(diag.Fieldf("", "no part or price set %q\n%s", args[0], c.Suggest(args[0], "")))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// writeYAML writes a value as YAML, followed by comments, lines that begin with #.
func writeYAML(w io.Writer, v any, comments string) error {
	data, err := yaml.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, comments...))
	return err
}

// priceComments returns a comment of YAML for each price set with a price of the part, of each length of a cable.
func priceComments(c *catalog.Catalog, p *catalog.Part) string {
	var b strings.Builder
	lengths := []units.Length{0}
	if sold, ok := p.Lengths(); ok && len(sold.Stocked) > 0 {
		lengths = sold.Stocked
	} else if ok {
		lengths = []units.Length{sold.MadeToMeasure}
	}
	for _, name := range c.PriceSets() {
		set := c.PriceSet(name)
		var found []string
		for _, l := range lengths {
			q := set.Quote(p, l)
			if !q.Priced {
				continue
			}
			text := q.Unit.String()
			if q.Low != q.High {
				text += fmt.Sprintf(" (%v to %v)", q.Low, q.High)
			}
			if l > 0 {
				text = l.Number() + " m: " + text
			}
			found = append(found, text)
		}
		if len(found) > 0 {
			fmt.Fprintf(&b, "# %s, %s: %s\n", name, set.Currency, strings.Join(found, "; "))
		}
	}
	return b.String()
}

func newCatalogCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check catalog files, or without FILE the parts that come with Plenum",
		Long: `Check files of parts and price sets, beside the parts that come with Plenum: form,
words, figures without source, prices that fall with length, lengths beyond reach,
connectors that nothing fits, cages without any cable or optic. Every mistake is
reported with its place; the exit status is 2 if there are any.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var files []*catalog.File
			var errs []error
			for _, name := range args {
				data, err := readInput(name)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				files = append(files, catalog.ParseFile(data, name))
			}
			if err := catalog.Default().CheckFiles(files).Err(); err != nil {
				errs = append(errs, err)
			}
			if len(errs) > 0 {
				for _, err := range errs {
					fmt.Fprintln(cmd.ErrOrStderr(), err)
				}
				return cli.InputError(errors.New("the catalog has mistakes"))
			}
			parts, sets := len(catalog.Default().Parts()), len(catalog.Default().PriceSets())
			what := "the catalog of Plenum"
			if len(files) > 0 {
				parts, sets, what = 0, 0, strings.Join(args, ", ")
			}
			for _, f := range files {
				parts, sets = parts+len(f.Parts), sets+len(f.Sets)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: no mistakes (parts: %d, price sets: %d)\n", what, parts, sets)
			return err
		},
	}
}

// catalogAudit is the document of catalog audit.
type catalogAudit struct {
	Parts []catalog.Lack `json:"parts"` // those that lack something, by id
}

func newCatalogAudit() *cobra.Command {
	var kind string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "audit [ID...]",
		Short: "List what is not known about parts: missing figures, estimates, parts without a price",
		Long: `List the parts that lack something, or the given ones: the figures that plans use and
that the part does not state, those that are estimates, and "price" where no price set
has one. A missing figure counts as 0 in a plan.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(catalog.Kinds, catalog.Kind(kind)) {
				return cli.InputError(cli.NoValue("kind", "kind", kind, catalog.Kinds))
			}
			c := catalog.Default()
			for _, id := range args {
				if c.Part(id) == nil {
					return cli.InputError(diag.Fieldf("", "no part %q\n%s", id, c.Suggest(id, catalog.Kind(kind))))
				}
			}
			doc := catalogAudit{Parts: []catalog.Lack{}}
			for _, p := range c.Parts() {
				l := c.Lacks(&p)
				named := slices.Contains(args, p.ID) || len(args) == 0 && len(l.Missing)+len(l.Estimated) > 0
				if named && (kind == "" || p.Kind == catalog.Kind(kind)) {
					doc.Parts = append(doc.Parts, l)
				}
			}
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), &doc)
			}
			return printLacks(cmd.OutOrStdout(), doc.Parts)
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "",
		"only parts of this kind: node, switch, adapter, cable, optic, panel, rack, tray")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printLacks(w io.Writer, lacks []catalog.Lack) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "kind\tpart\tmissing\testimated\n")
	for _, l := range lacks {
		missing, estimated := strings.Join(l.Missing, ", "), strings.Join(l.Estimated, ", ")
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", l.Kind, l.Part, cmp.Or(missing, "-"), cmp.Or(estimated, "-"))
	}
	return t.Flush()
}

// mostInput is the largest size of a file that readInput reads, in bytes.
const mostInput = 16 << 20

// readInput reads a file that an argument names; one larger than mostInput is an error.
func readInput(name string) ([]byte, error) {
	f, err := infile.OpenArgument(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostInput+1))
	if err == nil && len(data) > mostInput {
		err = diag.Position{File: name, Line: 1, Column: 1}.Errorf("the file is larger than %d MiB", mostInput>>20)
	}
	return data, err
}

func newCatalogImport() *cobra.Command {
	var output, kind string
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Turn NetBox device types into parts",
		Long: `Turn device types in the form of NetBox's device-type library into parts, as YAML that
a catalog file or the parts section of a machine file takes. Such files leave much
out: standard error says, with file and line, what is missing, what was not understood
and what contradicts itself. Nothing is made up for it.`,
		Args: cli.Usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(imported, catalog.Kind(kind)) {
				return cli.InputError(cli.NoValue("kind", "kind", kind, imported))
			}
			var doc struct {
				Parts []*catalog.Part `yaml:"parts"`
			}
			var errs []error
			from := map[string]string{}
			for _, name := range args {
				data, err := readInput(name)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				part, remarks, err := catalog.ImportDevice(data, name, catalog.Kind(kind))
				if err != nil {
					errs = append(errs, err)
					continue
				}
				for _, remark := range remarks {
					fmt.Fprintln(cmd.ErrOrStderr(), remark)
				}
				if other, again := from[part.ID]; again {
					at := diag.Position{File: name, Line: 1, Column: 1}
					errs = append(errs, at.Errorf("the id %s is that of %s already", part.ID, other))
				}
				from[part.ID] = name
				doc.Parts = append(doc.Parts, part)
			}
			if err := errors.Join(errs...); err != nil {
				return cli.InputError(err)
			}
			text, err := yaml.Marshal(doc)
			if err != nil {
				return err
			}
			if output == "" {
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			return outfile.New(cmd.Context(), output, text)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "",
		"file to write, which must not exist yet (standard output when left out)")
	cmd.Flags().StringVar(&kind, "kind", "",
		"what the devices are: switch, node, adapter or panel (guessed from their ports when left out)")
	return cmd
}

// imported are the kinds of parts that a device may be.
var imported = []catalog.Kind{catalog.KindSwitch, catalog.KindNode, catalog.KindAdapter, catalog.KindPanel}
