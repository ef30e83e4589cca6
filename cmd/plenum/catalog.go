package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"plenum/catalog"
)

func newCatalog() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "List and show the parts and prices that come with Plenum",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCatalogList(), newCatalogShow())
	return cmd
}

func newCatalogList() *cobra.Command {
	var kind string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the parts, and the names of the price sets",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind != "" && !slices.Contains(catalog.Kinds, catalog.Kind(kind)) {
				return inputError(fmt.Errorf("--kind: no kind %q; there are %v", kind, catalog.Kinds))
			}
			c := catalog.Default()
			parts := slices.DeleteFunc(c.Parts(), func(p catalog.Part) bool { return kind != "" && p.Kind != catalog.Kind(kind) })
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"parts": parts, "price_sets": c.PriceSets()})
			}
			return printParts(cmd.OutOrStdout(), parts, c.PriceSets())
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "only parts of this kind: node, switch, adapter, cable, optic, rack, tray")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printParts(w io.Writer, parts []catalog.Part, sets []string) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	for _, kind := range catalog.Kinds {
		for i := range parts {
			if p := &parts[i]; p.Kind == kind {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Kind, p.ID, plugs(p), p.Description)
			}
		}
	}
	t.Flush()
	fmt.Fprintf(&b, "\nprice sets: %s\n", strings.Join(sets, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}

// plugs says in a few words what a part connects.
func plugs(p *catalog.Part) string {
	switch {
	case p.Cable != nil:
		lengths := make([]string, len(p.Cable.Lengths))
		for i, l := range p.Cable.Lengths {
			lengths[i] = l.Number()
		}
		if m := p.Cable.MadeToMeasure; m > 0 {
			lengths = append(lengths, "to measure up to "+m.Number())
		}
		return fmt.Sprintf("%s: %s m", p.Cable.Connector, strings.Join(lengths, " "))
	case p.Optic != nil:
		return fmt.Sprintf("%s: %d x %v %s to %v", p.Optic.Form, max(p.Optic.Ports, 1), p.Optic.Rate, p.Optic.Standard, p.Optic.Reach)
	}
	var ports []string
	for _, g := range p.Ports {
		ports = append(ports, fmt.Sprintf("%d x %v %s", g.Count, g.Rate, g.Connector))
	}
	return strings.Join(ports, ", ")
}

func newCatalogShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a part or a price set, as YAML that a machine file may take over",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := catalog.Default()
			var what any
			if p := c.Part(args[0]); p != nil {
				what = p
			} else if s := c.PriceSet(args[0]); s != nil {
				what = s
			} else {
				hint := ""
				if near := c.Nearest(args[0], ""); near != "" {
					hint = fmt.Sprintf("; did you mean %q?", near)
				}
				return inputError(fmt.Errorf("no part or price set %q%s", args[0], hint))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), what)
			}
			data, err := yaml.Marshal(what)
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(data)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
