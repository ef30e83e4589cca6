package render

import (
	"context"
	"fmt"
	"io"
	"sort"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/sheetzip"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/owned"
	"github.com/plenum-planner/plenum/machine/report"
)

// Names of the workbook's sheets. Cables that do not fit on one sheet go on to
// "Cables 2" and so on.
const (
	summarySheet = "Summary"
	bomSheet     = owned.PartsSheet
	cablesSheet  = owned.CablesSheet
	racksSheet   = "Racks"
	lengthsSheet = "Lengths"
	traysSheet   = "Trays"
	bundlesSheet = "Bundles"
	pricesSheet  = "Cost"
	listSheet    = "Cable list"
	portsSheet   = "Port maps"
	delaysSheet  = "Delay"
	rulesSheet   = "Rules"
	basisSheet   = "Assumptions"

	boxesSheet      = owned.BoxesSheet
	elevationsSheet = "Elevations"
	materialsSheet  = "Materials"
	powerSheet      = "Power"
	loadsSheet      = "Power loads"
)

const (
	// cablesPerSheet keeps under the 1,048,576 rows that a sheet may have.
	cablesPerSheet = 1_000_000
	// mostListed is the number of cables up to which a workbook lists them.
	mostListed = 2_000_000
	// mostCounted is the number of cables up to which the bill counts them on
	// the Cables sheet by formula; with more, every change would take seconds.
	mostCounted = 50_000
	// documentDate stands in the document's properties: the time of writing
	// would make every file different.
	documentDate = "2000-01-01T00:00:00Z"
)

// Workbook writes the plan as a workbook for Excel and its like: summary, bill, cables, boxes, racks, lengths, trays,
// bundles, costs, ports, power, delays, rules, purchase orders and what figures rest on. Totals are formulas over the
// rows, with their values for readers that do not compute.
func Workbook(ctx context.Context, w io.Writer, r *machine.Result) error {
	return WorkbookBy(ctx, w, r, nil)
}

// WorkbookBy writes the same with the latest date of order of each item in the purchase orders, as
// build.Document.OrderBy returns them.
func WorkbookBy(ctx context.Context, w io.Writer, r *machine.Result, dates map[string]string) error {
	return writeBook(ctx, w, &book{r: r, perSheet: cablesPerSheet, dates: dates})
}

// WorkbookWithoutCables writes the workbook of a plan with nothing but the heads on its sheets of cables.
func WorkbookWithoutCables(ctx context.Context, w io.Writer, r *machine.Result) error {
	return writeBook(ctx, w, &book{r: r, perSheet: cablesPerSheet, bare: true})
}

// writeBook makes the sheets of a book and writes them. Those that others lead to are made first.
func writeBook(ctx context.Context, w io.Writer, b *book) (err error) {
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	b.ctx, b.f, b.report = ctx, f, b.r.Report()
	if b.styles, err = newStyles(f, b.report.Currency); err != nil {
		return err
	}
	title := &excelize.DocProperties{Title: titleText(machineName(b.r))} // of the heads of pages
	if err := f.SetDocProps(title); err != nil {
		return err
	}
	bom, lengths := b.bom(), b.lengths()
	elevations, racks := b.elevationSheet(), b.racks()
	for _, g := range elevations.rows { // both lead to each other
		for i := range g {
			if name, ok := g[i].value.(string); ok && g[i].style == head {
				g[i].to = b.rackRow[name]
			}
		}
	}
	for _, add := range []func() error{
		func() error { return b.summary().write(f, b.styles) },
		func() error { return bom.write(f, b.styles) },
		b.cables,
		func() error { return b.boxes().write(f, b.styles) },
		func() error { return racks.write(f, b.styles) },
		func() error { return lengths.write(f, b.styles) },
		func() error { return b.trays().write(f, b.styles) },
		func() error { return b.bundles().write(f, b.styles) },
		func() error { return b.cost().write(f, b.styles) },
		func() error { return b.cableList().write(f, b.styles) },
		func() error { return b.ports().write(f, b.styles) },
		func() error { return elevations.write(f, b.styles) },
		func() error { return b.materials().write(f, b.styles) },
		func() error {
			if b.r.Power == nil {
				return nil
			}
			if err := b.power().write(f, b.styles); err != nil {
				return err
			}
			return b.powerLoads().write(f, b.styles)
		},
		func() error { return b.delay().write(f, b.styles) },
		func() error { return b.rules().write(f, b.styles) },
		func() error {
			for _, g := range b.orderSheets() {
				if err := g.write(f, b.styles); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return b.basis().write(f, b.styles) },
		func() error { return b.properties(ctx) },
	} {
		if err := add(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return b.zip.Write(w, f)
}

// book is a workbook in the making.
type book struct {
	ctx    context.Context
	f      *excelize.File
	r      *machine.Result
	report *report.Plan
	styles *styles
	zip    sheetzip.Archive
	// perSheet is the most cables on one sheet.
	perSheet int64
	bare     bool // the sheets of cables have no rows
	// dates are the latest dates of orders by item, nil where no start of the build is known; deliver says to which
	// rows of racks an item goes.
	dates   map[string]string
	deliver func(item catalog.Item, colour string) string
	// Rows on the BOM sheet, for the summary's formulas.
	bomLast, bomTotal, bomNetwork int
	bomKind                       map[catalog.Kind]int
	// The histogram on the sheet of lengths: its last row, and the medium of each of its columns, "" without a product.
	lengthLast  int
	lengthMedia []catalog.Medium
	// Cells that links lead to: of racks on their sheet and in elevation, of parts in the bill.
	rackRow, rackDrawn, bomItem map[string]string
	// Rows of the summary with what kinds of parts cost.
	kindsFirst, kindsLast int
}

func (b *book) properties(ctx context.Context) error {
	f := b.f
	// A chart adds content types in the order of a map.
	types := f.ContentTypes.Defaults
	sort.Slice(types, func(i, j int) bool { return types[i].Extension < types[j].Extension })
	recalculate := true
	if err := f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &recalculate}); err != nil {
		return err
	}
	if err := f.SetAppProps(&excelize.AppProperties{Application: "Plenum"}); err != nil {
		return err
	}
	return f.SetDocProps(&excelize.DocProperties{
		Title: titleText(machineName(b.r)), Subject: "Bill of materials and cable schedule", Creator: "Plenum",
		LastModifiedBy: "Plenum",
		Description:    madeBy(ctx), Created: documentDate, Modified: documentDate,
	})
}

// unlisted says why the workbook lists no cables; empty where it does.
func (b *book) unlisted() string {
	switch {
	case b.r.Schedule.Segments == nil:
		return "This plan is a summary: its cables are counted, not listed."
	case b.r.Schedule.Wired > mostListed:
		return fmt.Sprintf("The %s cables are more than the %s that a workbook usefully holds: they are listed in "+
			"cables.csv.", grouped(b.report.Cables), grouped(mostListed))
	}
	return ""
}
