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
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/handout"
	"github.com/plenum-planner/plenum/render/label"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// export is a format for another tool, or for those who cable a machine, that plenum plan writes where --only names it,
// with all fabrics: a file called after it, or a directory.
type export struct {
	file  string // its name; empty for a directory of the format's name
	files func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, []string, error)
	stale []string // of a directory, names that may be there of an earlier plan
}

// planExports are these formats, by the names that plenum render has for them.
var planExports = map[string]export{
	"ansible":        linkExport("ansible.yaml", exchange.WriteAnsible),
	"ndt":            linkExport("ndt.csv", exchange.WriteNDT),
	"omnipath":       linkExport("omnipath.csv", exchange.WriteOmniPath),
	"point-to-point": linkExport("point-to-point.csv", exchange.WritePointToPoint),
	"ptm":            linkExport("ptm.dot", exchange.WritePTM),
	progressFormat:   linkExport("progress.csv", handout.Progress),
	ibFormat: wiringExport("ibnetdiscover.txt", func(
		ctx context.Context, w *exchange.Wiring,
	) (map[string]func(io.Writer) error, error) {
		return map[string]func(io.Writer) error{"": func(out io.Writer) error {
			return exchange.WriteIBNetDiscover(ctx, out, w)
		}}, nil
	}),
	topoFormat:  wiringExport("", exchange.IBDM),
	pullFormat:  sheetExport("pull-sheets.pdf", pullSheets),
	checkFormat: sheetExport("checklists.pdf", checkSheets),
	"lldp":      directoryExport(exchange.LLDP),
	"tt-metal":  directoryExport(exchange.TTMetal),
	netboxFormat: {
		stale: netbox.Names(),
		files: func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, []string, error) {
			x, err := netbox.New(r, "")
			if err != nil {
				return nil, nil, err
			}
			return x.Files(ctx), x.Notes, nil
		},
	},
}

// exported lists the formats that plenum plan writes where they are asked for.
func exported() []string { return slices.Sorted(maps.Keys(planExports)) }

// linkExport is a format of one file.
func linkExport(
	name string, write func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error,
) export {
	return export{file: name, files: func(
		ctx context.Context, r *machine.Result,
	) (map[string]func(io.Writer) error, []string, error) {
		if r.Schedule.Segments == nil {
			return nil, nil, exchange.ErrSummary
		}
		return map[string]func(io.Writer) error{"": func(w io.Writer) error { return write(ctx, w, r, "") }}, nil, nil
	}}
}

// wiringExport is a format that is made of all links.
func wiringExport(
	name string, files func(ctx context.Context, w *exchange.Wiring) (map[string]func(io.Writer) error, error),
) export {
	return export{file: name, files: func(
		ctx context.Context, r *machine.Result,
	) (map[string]func(io.Writer) error, []string, error) {
		w, err := exchange.Planned(r, "")
		if err != nil {
			return nil, nil, err
		}
		out, err := files(ctx, w)
		return out, nil, err
	}}
}

// directoryExport is a format of links in several files.
func directoryExport(
	files func(ctx context.Context, r *machine.Result, fabric string) (map[string]func(io.Writer) error, error),
) export {
	return export{files: func(
		ctx context.Context, r *machine.Result,
	) (map[string]func(io.Writer) error, []string, error) {
		out, err := files(ctx, r, "")
		return out, nil, err
	}}
}

// sheetExport is a PDF of some rows.
func sheetExport(
	name string, sheets func(ctx context.Context, r *machine.Result) (rows int, write func(io.Writer) error, err error),
) export {
	return export{file: name, files: func(
		ctx context.Context, r *machine.Result,
	) (map[string]func(io.Writer) error, []string, error) {
		if r.Schedule.Segments == nil {
			return nil, nil, exchange.ErrSummary
		}
		rows, write, err := sheets(ctx, r)
		if err == nil && rows > worksheet.Most {
			err = &worksheet.TooManyError{Rows: rows}
		}
		return map[string]func(io.Writer) error{"": write}, nil, err
	}}
}

func pullSheets(ctx context.Context, r *machine.Result) (int, func(io.Writer) error, error) {
	pulls := handout.Pulls(r, "")
	return len(pulls), func(w io.Writer) error { return handout.PullSheets(ctx, w, r, pulls) }, nil
}

func checkSheets(ctx context.Context, r *machine.Result) (int, func(io.Writer) error, error) {
	plugs, err := label.Of(r, label.Chosen{})
	plugs = handout.Sorted(plugs)
	return len(plugs), func(w io.Writer) error { return handout.CheckSheets(ctx, w, r, plugs) }, err
}

// exportsOf are the files of the formats that are asked for, and what is to be said of them.
func exportsOf(ctx context.Context, r *machine.Result, formats []string) (more render.More, notes []string, err error) {
	for _, format := range formats {
		x := planExports[format]
		files, said, err := x.files(ctx, r)
		if err != nil {
			return more, nil, fmt.Errorf("--only: %s: %w", format, err)
		}
		notes = append(notes, said...)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			write := files[name]
			f := outfile.File{Name: x.file, Write: func(_ context.Context, w io.Writer) error { return write(w) }}
			if x.file == "" {
				f.Name = path.Join(format, name)
			}
			more.Files = append(more.Files, f)
		}
		for _, name := range x.stale {
			if _, written := files[name]; !written {
				more.Stale = append(more.Stale, path.Join(format, name))
			}
		}
	}
	return more, notes, nil
}
