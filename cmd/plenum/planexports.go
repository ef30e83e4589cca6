package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/netbox"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/label"
)

// export is a format of links for another tool, or for those who cable a machine: one file, or a directory of files.
type export struct {
	// file is the name that plenum plan gives to the file; "" for a directory, which has the name of the format.
	file string
	// parts is true if a large file is divided into several, with names formed from file (partName).
	parts bool
	// files returns the files of a fabric, of all fabrics for "". The key is the name in the directory; it is "" for
	// the one file, and the name of the part for one of several. The notes say what the files lack.
	files func(ctx context.Context, r *machine.Result, fabric string) (files writers, notes []string, err error)
	stale []string // names that a directory of an earlier plan may have, which are removed
}

// writers write files, by their names.
type writers = map[string]func(io.Writer) error

// linkExports are the formats that plenum render writes of all links, and plenum plan where --only names them.
var linkExports = map[string]export{
	"ansible":        oneFile("ansible.yaml", exchange.WriteAnsible),
	"ndt":            oneFile("ndt.csv", exchange.WriteNDT),
	"omnipath":       oneFile("omnipath.csv", exchange.WriteOmniPath),
	"point-to-point": oneFile("point-to-point.csv", exchange.WritePointToPoint),
	"ptm":            oneFile("ptm.dot", exchange.WritePTM),
	ibFormat: {file: "ibnetdiscover.txt", files: ofWiring(exchange.PlannedAdapters, func(
		ctx context.Context, w *exchange.Wiring,
	) (writers, error) {
		return writers{"": func(out io.Writer) error { return exchange.WriteIBNetDiscover(ctx, out, w) }}, nil
	})},
	topoFormat: {files: ofWiring(exchange.PlannedWiring, exchange.IBDM)},
	"lldp":     {files: ofPlan(exchange.LLDP)},
	"tt-metal": {files: ofPlan(exchange.TTMetal)},
	netboxFormat: {stale: netbox.Names(), files: func(
		ctx context.Context, r *machine.Result, fabric string,
	) (writers, []string, error) {
		x, err := netbox.New(r, fabric)
		if err != nil {
			return nil, nil, err
		}
		return x.Files(ctx), x.Notes, nil
	}},
}

// oneFile returns a format of one file; a summary, which has no links, is an error.
func oneFile(
	name string, write func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error,
) export {
	return export{file: name, files: func(
		ctx context.Context, r *machine.Result, fabric string,
	) (writers, []string, error) {
		if r.Schedule.Segments == nil {
			return nil, nil, exchange.ErrSummary
		}
		return writers{"": func(w io.Writer) error { return write(ctx, w, r, fabric) }}, nil, nil
	}}
}

// ofPlan returns an export.files without notes.
func ofPlan(
	files func(ctx context.Context, r *machine.Result, fabric string) (writers, error),
) func(ctx context.Context, r *machine.Result, fabric string) (writers, []string, error) {
	return func(ctx context.Context, r *machine.Result, fabric string) (writers, []string, error) {
		out, err := files(ctx, r, fabric)
		return out, nil, err
	}
}

// ofWiring returns an export.files that writes, by files, the links that planned returns for a plan.
func ofWiring(
	planned func(r *machine.Result, fabric string) (*exchange.Wiring, error),
	files func(ctx context.Context, w *exchange.Wiring) (writers, error),
) func(ctx context.Context, r *machine.Result, fabric string) (writers, []string, error) {
	return ofPlan(func(ctx context.Context, r *machine.Result, fabric string) (writers, error) {
		w, err := planned(r, fabric)
		if err != nil {
			return nil, err
		}
		return files(ctx, w)
	})
}

// paperExport returns a format of paper as plenum plan writes it: sheets (.pdf), or, for the one without sheets, a
// table (.csv).
func paperExport(format string) export {
	pdf := format != progressFormat
	name := format + map[bool]string{true: ".pdf", false: ".csv"}[pdf]
	return export{file: name, parts: pdf, files: func(
		ctx context.Context, r *machine.Result, fabric string,
	) (writers, []string, error) {
		parts, err := paper(ctx, r, format, label.Chosen{Fabric: fabric}, pdf)
		return partFiles(name, parts), partNotes(name, "row", parts), err
	}}
}

// exported lists, sorted, the formats that plenum plan writes if --only names them.
func exported() []string { return slices.Sorted(maps.Keys(planExports())) }

// planExports returns these formats, by the names that plenum render has for them.
func planExports() map[string]export {
	out := maps.Clone(linkExports)
	for _, format := range handoutFormats {
		out[format] = paperExport(format)
	}
	return out
}

// exportsOf returns the files of formats, which are to be written into dir, with the names of earlier files there that
// are to be removed, and notes about what the files lack.
func exportsOf(
	ctx context.Context, r *machine.Result, dir string, formats []string,
) (more render.More, notes []string, err error) {
	known := planExports()
	for _, format := range formats {
		x := known[format]
		files, said, err := x.files(ctx, r, "")
		if err != nil {
			return more, nil, fmt.Errorf("--only: %s: %w", format, err)
		}
		notes = append(notes, said...)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			write := files[name]
			f := render.File{Name: x.file, Write: func(_ context.Context, w io.Writer) error { return write(w) }}
			switch {
			case x.file == "":
				f.Name = path.Join(format, name)
			case name != "":
				f.Name = name
			}
			more.Files = append(more.Files, f)
		}
		if x.parts {
			more.Stale = append(more.Stale, staleParts(dir, x.file)...)
		}
		for _, name := range x.stale {
			more.Stale = append(more.Stale, path.Join(format, name))
		}
	}
	more.Stale = slices.DeleteFunc(more.Stale, func(name string) bool {
		return slices.ContainsFunc(more.Files, func(f render.File) bool { return f.Name == name })
	})
	return more, notes, nil
}
