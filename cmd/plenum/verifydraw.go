package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/elevation"
)

// faultDrawings are the flags of drawings of what differs.
type faultDrawings struct{ floor, elevations string }

// Extensions of the drawings of what differs.
var (
	faultFloors = []string{".svg", ".png", ".pdf"}
	faultRacks  = []string{".pdf", ".svg", ".png"}
)

func (o *faultDrawings) flags(f *pflag.FlagSet) {
	f.StringVar(&o.floor, "floor", "",
		"draw what differs on the floor plan, into this file: "+english.List(faultFloors))
	f.StringVar(&o.elevations, "elevations", "",
		"draw the racks in which something differs, into this file: .pdf, or .svg and .png of one rack")
}

// check returns an error for extensions that are not supported, and for drawings without a source (sources).
func (o *faultDrawings) check(sources bool) error {
	var wrong []error
	for _, d := range []struct {
		flag, file string
		extensions []string
	}{{"--floor", o.floor, faultFloors}, {"--elevations", o.elevations, faultRacks}} {
		switch ext := strings.ToLower(filepath.Ext(d.file)); {
		case d.file == "":
		case !slices.Contains(d.extensions, ext):
			wrong = append(wrong, fmt.Errorf("%s: expected a file whose extension is %s, not %q", d.flag,
				strings.Join(d.extensions, ", "), d.file))
		case !sources:
			wrong = append(wrong, fmt.Errorf("%s: needs a source that says what is cabled", d.flag))
		}
	}
	return errors.Join(wrong...)
}

// write writes the drawings that the flags name.
func (o *faultDrawings) write(ctx context.Context, plan *machine.Result, r *verify.Result) error {
	for _, d := range []struct {
		flag, file string
		draw       func(ctx context.Context, plan *machine.Result, r *verify.Result, file string) (
			func(io.Writer) error, error)
	}{{"--floor", o.floor, floorOfFaults}, {"--elevations", o.elevations, racksOfFaults}} {
		if d.file == "" {
			continue
		}
		write, err := d.draw(ctx, plan, r, d.file)
		if err == nil {
			err = outfile.Write(ctx, d.file, write)
		}
		if err != nil {
			return cli.Inputf("%s: %w", d.flag, err)
		}
	}
	return nil
}

// floorOfFaults returns the writer of a floor plan that shows what differs, in the format of the extension of file.
func floorOfFaults(
	ctx context.Context, plan *machine.Result, r *verify.Result, file string,
) (func(io.Writer) error, error) {
	raster := strings.EqualFold(filepath.Ext(file), ".png")
	c, err := render.DrawFloor(ctx, plan, render.FloorOptions{Faults: r.Floor()}, !raster)
	if err != nil {
		return nil, err
	}
	return cli.Picture(ctx, c, file), nil
}

// racksOfFaults returns the writer of the elevations of racks in which something differs: a book of them as a PDF, else
// a picture of one rack.
func racksOfFaults(
	ctx context.Context, plan *machine.Result, r *verify.Result, file string,
) (func(io.Writer) error, error) {
	if lacks := render.Lacks(plan, "elevations.pdf"); lacks != "" {
		return nil, errors.New(lacks)
	}
	opt := elevation.Options{Marks: r.Marks(), Unmarked: "Nothing that is seen differs from the plan."}
	if strings.EqualFold(filepath.Ext(file), ".pdf") {
		return func(w io.Writer) error { return elevation.Book(ctx, w, plan, opt) }, nil
	}
	c, err := elevation.Draw(plan, opt)
	if err != nil {
		return nil, err
	}
	return cli.Picture(ctx, c, file), nil
}
