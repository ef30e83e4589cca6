package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
)

// cableFlags are the flags that choose cables for a floor plan.
type cableFlags struct {
	filter pick.Filter
	colour string
}

// cableFlagNames are the names of these flags. --fabric chooses cables as well, but is of all formats.
var cableFlagNames = []string{
	"cable", "cable-end", "cable-level", "cable-medium", "cable-product", "cable-longest", "cable-colour",
}

// pickFlags are the flags of the fields of a filter and of what it is drawn with.
var pickFlags = map[string]string{
	"Cables": "cable", "Ends": "cable-end", "Levels": "cable-level", "Media": "cable-medium", "Fabrics": "fabric",
	"Products": "cable-product", "Longest": "cable-longest", "CableColour": "cable-colour",
}

func (c *cableFlags) flags(f *pflag.FlagSet) {
	names := func(to *[]string, flag, what string) {
		f.StringArrayVar(to, flag, nil, what+"; may be given several times, with * and ? as wildcards")
	}
	names(&c.filter.Cables, "cable", "draw cables of a floor plan by id or by the label of an end")
	names(&c.filter.Ends, "cable-end", "those that end in a box, a patch panel or a rack")
	names(&c.filter.Levels, "cable-level", "those of a level of the topology")
	names(&c.filter.Media, "cable-medium", "those of a medium, or copper, fibre, optical")
	names(&c.filter.Products, "cable-product", "those of a cable of the catalog, of one length as id@3 m")
	f.IntVar(&c.filter.Longest, "cable-longest", 0, "of the cables chosen, so many of the longest")
	f.StringVar(&c.colour, "cable-colour", route.Colours[0],
		"what the cables drawn are coloured by: "+strings.Join(route.Colours, ", "))
}

// check returns what is wrong with the flags.
func (c *cableFlags) check(cmd *cobra.Command) []error {
	var wrong []error
	if c.filter.Longest < 0 || c.filter.Longest == 0 && cmd.Flags().Changed("cable-longest") {
		wrong = append(wrong, fmt.Errorf("--cable-longest: must be at least 1, not %d", c.filter.Longest))
	}
	if !slices.Contains(route.Colours, c.colour) {
		wrong = append(wrong, cli.NoValue("cable-colour", "colour", c.colour, route.Colours))
	}
	if cmd.Flags().Changed("cable-colour") && c.filter.Empty() && !cmd.Flags().Changed("fabric") {
		wrong = append(wrong, errors.New("--cable-colour: goes with cables that are drawn; --cable '*' draws all"))
	}
	return wrong
}

// choose adds the cables of a plan that the flags and fabric ("" for any) choose to the options of a floor plan; none
// if nothing is chosen. A machine in containers, and a choice without cables, are errors.
func (c *cableFlags) choose(opt *render.FloorOptions, plan *machine.Result, fabric string) error {
	f := c.filter
	if fabric != "" {
		f.Fabrics = []string{fabric}
	}
	if f.Empty() {
		return nil
	}
	if plan.Room() == nil {
		return errors.New("--cable: containers have no racks between which cables could be drawn")
	}
	var err error
	if opt.Cables, err = pick.Of(plan, f); err != nil {
		return cli.Spelled(err, pickFlags)
	}
	opt.CableColour = c.colour
	return nil
}
