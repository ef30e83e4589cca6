package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/render/section"
)

// drawingFlags are the flags of the drawings of plenum render. Call check before write: write uses what check reads
// from the flags.
type drawingFlags struct {
	elevations elevation.Options
	trays      []string
	date       string
	floor      render.FloorOptions
	cables     cableFlags
	sheet      string
	scale      string
	k          int // of the scale 1:k, which checkFloor reads from scale; 0 without a scale
}

// drawings are the drawings of plenum render: the extensions of their files, and the flags that go with them.
var drawings = map[string]struct {
	extensions, flags []string
}{
	"elevations": {[]string{".pdf", ".png", ".svg"}, []string{"rack", "group-racks", "most-pages", "date"}},
	"exploded":   {[]string{".png", ".svg", ".pdf"}, nil},
	"floor": {
		[]string{".png", ".svg", ".pdf", ".dxf"},
		append([]string{"colour", "rack-power", "sheet", "scale", "date"}, cableFlagNames...),
	},
	"sections": {[]string{".png", ".svg", ".pdf"}, []string{"tray", "date"}},
	"trays":    {[]string{".png", ".svg", ".pdf", ".dxf"}, nil},
}

// flags adds the flags of drawings.
func (d *drawingFlags) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&d.elevations.Racks, "rack", nil,
		"racks to draw, to label, to cable or to check: by name, by row, a range of either, or a hall: A01,A05-A09,B; "+
			"all of them when left out")
	f.BoolVar(&d.elevations.Group, "group-racks", false, "draw racks that are built alike once")
	f.IntVar(&d.elevations.Most, "most-pages", elevation.DefaultMost, "most pages of racks in a book")
	f.StringVar(&d.floor.Colour, "colour", "kind",
		"what racks are coloured by: "+strings.Join(render.FloorColours, ", "))
	f.BoolVar(&d.floor.RackPower, "rack-power", false, "print the power of every rack in it")
	f.StringVar(&d.sheet, "sheet", "", "size of paper of a PDF: "+strings.Join(spec.Paper("").Words(), ", ")+
		" (as in the machine file when left out)")
	f.StringVar(&d.scale, "scale", "", "scale of a PDF, such as 1:50, on as many sheets as it takes (as in the "+
		"machine file when left out, or the largest usual one at which one sheet is enough)")
	f.StringArrayVar(&d.trays, "tray", nil, "pieces of tray of --format sections, by their id or number in trays.csv "+
		"or by where they are, with * and ? as wildcards; may be given several times; the fullest of each level when "+
		"left out")
	d.cables.flags(f)
	f.StringVar(&d.date, "date", "", "what to write as the date in the title block; no date when left out")
}

// check checks the flags of drawings against the format and the extension of the output, and returns what is wrong. For
// a format that is not a drawing, it refuses the flags of drawings.
func (d *drawingFlags) check(cmd *cobra.Command, format, output string) []error {
	var wrong []error
	drawing, drawn := drawings[format]
	all := map[string]bool{}
	for _, other := range drawings {
		for _, name := range other.flags {
			all[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == "rack" && (slices.Contains(labelFormats, format) || format == checkFormat || format == pullFormat) {
			continue
		}
		if cmd.Flags().Changed(name) && !slices.Contains(drawing.flags, name) {
			var with []string
			for _, f := range slices.Sorted(maps.Keys(drawings)) {
				if slices.Contains(drawings[f].flags, name) {
					with = append(with, f)
				}
			}
			wrong = append(wrong, fmt.Errorf("--%s: goes with --format %s only", name, english.List(with)))
		}
	}
	if !drawn {
		return wrong
	}
	for _, name := range []string{"clock-ghz", "beta-ns-per-m", "fabric"} {
		if cmd.Flags().Changed(name) && (name != "fabric" || format != "floor") {
			wrong = append(wrong, fmt.Errorf("--%s: does not go with --format %s, a drawing", name, format))
		}
	}
	if ext := strings.ToLower(filepath.Ext(output)); !slices.Contains(drawing.extensions, ext) {
		wrong = append(wrong, fmt.Errorf("-o: expected a file whose extension is %s, not %q",
			strings.Join(drawing.extensions, ", "), output))
	}
	if format == "floor" {
		wrong = append(wrong, d.checkFloor(cmd, output)...)
	}
	if format == "elevations" && cmd.Flags().Changed("most-pages") && !strings.EqualFold(filepath.Ext(output), ".pdf") {
		wrong = append(wrong, errors.New("--most-pages: goes with a PDF; a picture has one rack"))
	}
	if d.elevations.Most < 1 {
		wrong = append(wrong, errors.New("--most-pages: must be at least 1"))
	}
	return wrong
}

// checkFloor checks the flags of floor plans. It sets k, and writes the size of paper in capitals.
func (d *drawingFlags) checkFloor(cmd *cobra.Command, output string) []error {
	wrong := d.cables.check(cmd)
	ext := strings.ToLower(filepath.Ext(output))
	if !slices.Contains(render.FloorColours, d.floor.Colour) {
		wrong = append(wrong, cli.NoValue("colour", "colour", d.floor.Colour, render.FloorColours))
	}
	if sizes := spec.Paper("").Words(); d.sheet != "" && !slices.Contains(sizes, strings.ToUpper(d.sheet)) {
		wrong = append(wrong, cli.NoValue("sheet", "size of paper", d.sheet, sizes))
	}
	d.sheet = strings.ToUpper(d.sheet)
	if d.scale != "" {
		var err error
		if d.k, err = spec.ParseScale(d.scale); err != nil {
			wrong = append(wrong, fmt.Errorf("--scale: %w", err))
		}
	}
	switch {
	case ext == ".dxf" && (cmd.Flags().Changed("colour") || d.floor.RackPower):
		wrong = append(wrong, errors.New("--colour, --rack-power: a DXF has layers, no colours of racks"))
	}
	for _, name := range []string{"sheet", "scale", "date"} {
		if cmd.Flags().Changed(name) && ext != ".pdf" {
			wrong = append(wrong, fmt.Errorf("--%s: goes with a PDF, whose title block has it", name))
		}
	}
	return wrong
}

// write writes a drawing of a plan to the file output, and then prints the name of the file. It requires flags that
// check accepts.
func (d *drawingFlags) write(cmd *cobra.Command, format, output, fabric string, plan *machine.Result) error {
	var write func(io.Writer) error
	var err error
	switch format {
	case "elevations":
		write, err = d.racks(cmd, output, plan)
	case "exploded":
		write, err = explode(cmd.Context(), output, plan)
	case "floor":
		write, err = d.floorPlan(cmd, output, fabric, plan)
	case "sections":
		write, err = d.sections(cmd.Context(), output, plan)
	case "trays":
		if lacks := render.Lacks(plan, "trays.png"); lacks != "" {
			err = errors.New(lacks)
			break
		}
		write = writerFor(cmd, plan, output, map[string]render.Writer{
			".png": render.TrayPlan, ".svg": render.TrayPlanSVG, ".pdf": render.TrayPlanPDF, ".dxf": render.TrayPlanDXF,
		})
	}
	if err != nil {
		return cli.InputError(err)
	}
	if err := outfile.Write(cmd.Context(), output, write); err != nil {
		return cli.InputError(err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "written: %s\n", output)
	return err
}

// racks returns the writer of the elevations of racks. A PDF is a book of all chosen racks. A picture shows one rack,
// or racks that are alike with --group-racks; more racks are an error.
func (d *drawingFlags) racks(cmd *cobra.Command, output string, plan *machine.Result) (func(io.Writer) error, error) {
	opt := d.elevations
	opt.Date = d.date
	if lacks := render.Lacks(plan, "elevations.pdf"); lacks != "" {
		return nil, errors.New(lacks)
	}
	if strings.EqualFold(filepath.Ext(output), ".pdf") {
		if _, err := elevation.Chosen(plan, opt); err != nil {
			return nil, fmt.Errorf("--rack: %w", err)
		}
		return func(w io.Writer) error { return elevation.Book(cmd.Context(), w, plan, opt) }, nil
	}
	c, err := elevation.Draw(plan, opt)
	if err != nil {
		return nil, fmt.Errorf("--rack: %w", err)
	}
	return cli.Picture(cmd.Context(), c, output), nil
}

// sections returns the writer of cross-sections of trays. A PDF has as many pages as they take. A picture is one page;
// more sections than fit on it are an error.
func (d *drawingFlags) sections(
	ctx context.Context, output string, plan *machine.Result,
) (func(io.Writer) error, error) {
	opt := section.Options{Trays: d.trays, Date: d.date}
	if strings.EqualFold(filepath.Ext(output), ".pdf") {
		pages, err := section.Pages(plan, opt)
		if err != nil {
			return nil, nameFlag("sections", err)
		}
		return func(w io.Writer) error { return section.PDF(ctx, w, plan, pages) }, nil
	}
	c, err := section.Draw(plan, opt)
	if err != nil {
		return nil, nameFlag("sections", err)
	}
	return cli.Picture(ctx, c, output), nil
}

// explode returns the writer of the exploded view: a container of each level of packaging. A machine in racks is an
// error.
func explode(ctx context.Context, output string, plan *machine.Result) (func(io.Writer) error, error) {
	c, err := render.Exploded(ctx, plan)
	if err != nil {
		return nil, fmt.Errorf("--format exploded: %w", err)
	}
	return cli.Picture(ctx, c, output), nil
}

// writerFor returns the one of writers, by extension, for the extension of output. check has refused other extensions.
func writerFor(
	cmd *cobra.Command, plan *machine.Result, output string, writers map[string]render.Writer,
) func(io.Writer) error {
	write := writers[strings.ToLower(filepath.Ext(output))]
	return func(w io.Writer) error { return write(cmd.Context(), w, plan) }
}

// floorPlan returns the writer of a floor plan. With the name of a fabric, it shows the cables of that fabric only, and
// draws them even where no other flag chooses cables.
func (d *drawingFlags) floorPlan(
	cmd *cobra.Command, output, fabric string, plan *machine.Result,
) (func(io.Writer) error, error) {
	opt := d.floor
	opt.Date = d.date
	if opt.Colour == "kind" {
		opt.Colour = ""
	}
	if err := d.cables.choose(&opt, plan, fabric); err != nil {
		return nil, err
	}
	switch ext := strings.ToLower(filepath.Ext(output)); {
	case ext == ".dxf":
		if lacks := render.Lacks(plan, "floor.dxf"); lacks != "" {
			return nil, errors.New(lacks)
		}
		write, err := render.DrawFloorDXF(cmd.Context(), plan, opt)
		if err != nil {
			return nil, nameFlag("floor", err)
		}
		return write, nil
	case ext == ".pdf":
		block := plan.Spec.Drawing.Stated()
		pages, err := render.FloorSheets(cmd.Context(), plan, opt, cmp.Or(spec.Paper(d.sheet), block.Sheet),
			cmp.Or(d.k, block.SheetScale()))
		if err != nil {
			if d.k == 0 && block.Scale != "" {
				for _, e := range diag.Fields(err) {
					e.Path = "drawing.scale"
				}
			}
			return nil, nameFlag("floor", err)
		}
		return func(w io.Writer) error { return render.Book(cmd.Context(), w, plan, "floor plan", pages) }, nil
	default:
		c, err := render.DrawFloor(cmd.Context(), plan, opt, ext != ".png")
		if err != nil {
			return nil, nameFlag("floor", err)
		}
		return cli.Picture(cmd.Context(), c, output), nil
	}
}

// nameFlag names the flag that asks for what a drawing does not have, the format where none does.
func nameFlag(format string, err error) error {
	if len(diag.Fields(err)) > 0 {
		return cli.Spelled(err, drawingFields)
	}
	return fmt.Errorf("--format %s: %w", format, err)
}

// drawingFields are the flags of the fields of render.FloorOptions, of a filter, of the paper and of sections.
var drawingFields = func() map[string]string {
	out := maps.Clone(pickFlags)
	maps.Copy(out, map[string]string{
		"Colour": "colour", "RackPower": "rack-power", "Sheet": "sheet", "Scale": "scale", "Trays": "tray",
	})
	return out
}()

// isDrawing reports whether a format is one of drawings.
func isDrawing(format string) bool {
	_, drawn := drawings[format]
	return drawn
}
