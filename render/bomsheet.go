package render

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
)

// Columns of the BOM sheet.
const (
	bomPart = iota + 1
	bomKindColumn
	bomDescription
	bomQty
	bomScheduled
	bomDifference
	bomSpares
	bomStock
	bomBuy
	bomPack
	bomUnit
	bomCost
	bomSource
	bomConfidence
	bomLow
	bomHigh
	bomMaker
	bomNumber
	bomSupplier
	bomLead
	bomColours
)

// bom is the bill: a row for each part, and below it the totals by kind.
func (b *book) bom() *grid {
	g := &grid{name: bomSheet, frozen: 1, filterTop: 1, printed: bomCost}
	g.add(heads("Part", "Kind", "Description", "Quantity", "Scheduled", "Difference", "Spares", "From stock", "To buy",
		"Pack", "Unit cost", "Cost", "Price source", "Confidence", "Least unit cost", "Most unit cost", "Maker",
		"Part number", "Supplier",
		"Lead time (days)", "Colours to buy")...)
	rows := b.report.BOM
	b.bomItem = map[string]string{}
	for i := range rows {
		b.bomItem[rows[i].Item.String()] = linkTo(bomSheet, 1, g.next())
		g.add(b.bomRow(&rows[i], g.next())...)
		if rows[i].Percent == 0 { // shares of what is above them stay where they are when the table is sorted
			g.filter = g.next() - 1
		}
	}
	last := g.next() - 1
	b.bomLast = last
	g.add()
	b.bomKind = map[catalog.Kind]int{}
	column := func(c int) string { return span(c, 2, max(last, 2)) }
	for _, kind := range catalog.Kinds {
		if !slices.ContainsFunc(rows, func(r cost.Row) bool { return r.Kind == kind }) {
			continue
		}
		n := g.next()
		b.bomKind[kind] = n
		sum := quantities(rows, kind)
		byKind := func(c int) string {
			return fmt.Sprintf("SUMIF(%s,%s,%s)", column(bomKindColumn), ref(bomKindColumn, n), column(c))
		}
		row := []cell{
			text("Total"), text(string(kind)),
			{},
			whole(sum.Qty).by(byKind(bomQty)),
			{},
			{},
			whole(sum.Spares).by(byKind(bomSpares)),
			whole(sum.FromStock).by(byKind(bomStock)),
			whole(sum.Buy).by(byKind(bomBuy)),
			{},
			{},
			{},
		}
		if total, priced := b.r.Bill.ByKind[kind]; priced {
			row[bomCost-1] = amount(total).by(byKind(bomCost))
		}
		g.add(row...)
	}
	b.bomNetwork = g.next()
	var kinds []string
	for _, kind := range cost.NetworkKinds {
		if n, ok := b.bomKind[kind]; ok && b.r.Bill.ByKind[kind] > 0 {
			kinds = append(kinds, ref(bomCost, n))
		}
	}
	row := totals("Network", "", cost.NetworkWords, "", "", "", "", "", "", "", "")
	network := amount(b.report.Cost.Network).as(strongMoney)
	if len(kinds) > 0 {
		network = network.by(strings.Join(kinds, "+"))
	}
	g.add(append(row, network)...)
	b.bomTotal = g.next()
	row = totals("Grand total", "", "", "", "", "", "", "", "", "", "")
	g.add(append(row, amount(b.report.Cost.Total).as(strongMoney).by("SUM("+column(bomCost)+")"))...)
	g.add()
	for _, n := range b.bomNotes() {
		g.add(text(n).as(note))
	}
	return g
}

// bomRow is the row of a line of the bill, which is row n of the sheet.
func (b *book) bomRow(r *cost.Row, n int) []cell {
	row := []cell{
		text(r.Item.String()), text(string(r.Kind)), text(r.Description), whole(r.Qty),
		{},
		{},
		whole(r.Spares),
		whole(r.FromStock),
		whole(r.Buy).by(toBuy(r, n)),
		{},
		{},
		{},
		text(r.Source), text(string(r.Confidence)),
		{},
		{},
		text(r.Maker), text(r.PartNumber), text(r.Supplier),
		{},
		text(r.ColourWords()),
	}
	if r.Colours != nil && r.Pack > 0 { // each colour in whole packs
		row[bomBuy-1] = whole(r.Buy)
	}
	if r.Lead > 0 {
		row[bomLead-1] = cell{value: float64(r.Lead), style: count}
	}
	if r.Kind == catalog.KindCable && b.r.Schedule.Segments != nil {
		scheduled := whole(r.Qty)
		if b.counted() {
			rows := int(b.r.Schedule.Wired) + 1
			formula := fmt.Sprintf("COUNTIF(%s!%s,%s)", cablesSheet, span(4, 2, rows), ref(bomPart, n))
			if b.r.Schedule.Wired != b.r.Schedule.Cables { // a cable has a row for each of its links
				formula = fmt.Sprintf("COUNTIFS(%s!%s,%s,%s!%s,1)", cablesSheet, span(4, 2, rows), ref(bomPart, n),
					cablesSheet, span(cableLeg+1, 2, rows))
			}
			scheduled = scheduled.by(formula)
		}
		row[bomScheduled-1] = scheduled
		row[bomDifference-1] = whole(0).by(ref(bomQty, n) + "-" + ref(bomScheduled, n))
	}
	if r.UnitCost == nil {
		row[bomUnit-1] = cell{value: "", style: editedMoney}
	}
	if r.Pack > 0 {
		row[bomPack-1] = whole(r.Pack)
	}
	if r.UnitCost != nil {
		row[bomUnit-1] = amount(*r.UnitCost).as(editedMoney)
		if r.Low < r.High {
			row[bomLow-1], row[bomHigh-1] = amount(r.Low), amount(r.High)
		}
		if r.Percent > 0 {
			row[bomUnit-1] = amount(*r.UnitCost).by(b.surcharge(r, n))
		}
		row[bomCost-1] = amount(*r.Cost).by(ref(bomBuy, n) + "*" + ref(bomUnit, n))
	} else if r.HasCost() {
		row[bomCost-1] = amount(*r.Cost)
	}
	return row
}

// toBuy is the formula of the pieces to buy, in whole packs.
func toBuy(r *cost.Row, n int) string {
	pieces := fmt.Sprintf("%s+%s-%s", ref(bomQty, n), ref(bomSpares, n), ref(bomStock, n))
	if r.Pack == 0 {
		return pieces
	}
	return fmt.Sprintf("ROUNDUP((%s)/%s,0)*%s", pieces, ref(bomPack, n), ref(bomPack, n))
}

// surcharge is the formula of freight, a share of the parts above it, or of
// contingency, a share of all lines above.
func (b *book) surcharge(r *cost.Row, n int) string {
	above := func(column int) string { return span(column, 2, n-1) }
	sum := "SUM(" + above(bomCost) + ")"
	if r.Kind == catalog.KindFreight {
		sum = fmt.Sprintf("(%s-SUMIF(%s,%q,%s))", sum, above(bomKindColumn), catalog.KindLabour, above(bomCost))
	}
	return fmt.Sprintf("ROUND(%s*%v/100,2)", sum, r.Percent)
}

// counted reports whether the bill counts cables by formula.
func (b *book) counted() bool {
	return b.r.Schedule.Segments != nil && b.r.Schedule.Wired <= mostCounted
}

// quantities adds up the pieces of the rows of a kind.
func quantities(rows []cost.Row, kind catalog.Kind) (sum cost.Row) {
	for i := range rows {
		if r := &rows[i]; r.Kind == kind {
			sum.Qty += r.Qty
			sum.Spares += r.Spares
			sum.FromStock += r.FromStock
			sum.Buy += r.Buy
		}
	}
	return sum
}

func (b *book) bomNotes() []string {
	out := []string{fmt.Sprintf("Prices: %s (%s), in %s.", b.report.PriceSet, b.report.PriceDate, b.report.Currency)}
	for _, path := range b.r.Spec.Prices.Quote {
		out = append(out, fmt.Sprintf("Quote that goes before these prices: %s.", filepath.Base(path)))
	}
	out = append(out, b.report.Cost.Omitted().Sentences()...)
	switch {
	case b.unlisted() != "":
		out = append(out, b.unlisted())
	case !b.counted():
		out = append(out, fmt.Sprintf("Scheduled: counted when this file was written. With more than %s cables there "+
			"are not formulas that count rows of the Cables sheets: they would make every change wait.",
			grouped(mostCounted)))
	default:
		out = append(out, "Scheduled: counted on the Cables sheet. Difference is quantity less scheduled, and should "+
			"be 0.")
	}
	return out
}
