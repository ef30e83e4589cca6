package render

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// orderColumns are the columns of purchase orders in comma-separated values.
var orderColumns = []string{
	"supplier", "line", "part", "part_number", "maker", "description", "quantity", "pack", "unit_cost", "cost",
	"currency",
	"lead_time_days", "price_source", "colour", "colour_stated_by", "order_by", "deliver_to", "order_total",
}

// order is the purchase order to one supplier: indices of lines of the bill.
type order struct {
	supplier string // "" where none is known
	rows     []int
}

// orderLine is a line of a purchase order: a row of the bill, or its pieces of one colour.
type orderLine struct {
	row    *cost.Row
	colour cost.ColourQty // with the pieces to buy; of no colour where the row has none
}

// lines are those of an order.
func (o *order) lines(bill []cost.Row) []orderLine {
	var out []orderLine
	for _, i := range o.rows {
		r := &bill[i]
		if r.Colours == nil {
			out = append(out, orderLine{r, cost.ColourQty{Buy: r.Buy}})
		}
		for _, c := range r.Colours {
			if c.Buy > 0 {
				out = append(out, orderLine{r, c})
			}
		}
	}
	return out
}

// cost is that of the line; only where the row has a price.
func (l *orderLine) cost() units.Money { return l.row.UnitCost.Times(l.colour.Buy) }

// totalOf is the cost of the lines of an order that have a price.
func totalOf(lines []orderLine) (total units.Money) {
	for i := range lines {
		if lines[i].row.UnitCost != nil {
			total += lines[i].cost()
		}
	}
	return total
}

// orders divides the lines of which pieces are bought among suppliers, by name, those without one last. Labour is
// ordered where a quote prices it.
func orders(bill []cost.Row) []order {
	var out []order
	for i := range bill {
		r := &bill[i]
		switch {
		case r.Buy == 0, r.Kind == catalog.KindLabour && !r.Quoted, r.Kind == catalog.KindFreight,
			r.Kind == catalog.KindContingency:
			continue
		}
		at := slices.IndexFunc(out, func(o order) bool { return o.supplier == r.Supplier })
		if at < 0 {
			at = len(out)
			out = append(out, order{supplier: r.Supplier})
		}
		out[at].rows = append(out[at].rows, i)
	}
	slices.SortStableFunc(out, func(x, y order) int {
		if (x.supplier == "") != (y.supplier == "") {
			return cmp.Compare(len(y.supplier), len(x.supplier))
		}
		return strings.Compare(x.supplier, y.supplier)
	})
	return out
}

// Orders writes what is to be bought as comma-separated values, a row for each item, and of cables for each colour of
// one, supplier by supplier; those without a supplier come last. The quantity is in pieces, rounded up to full packs.
//
// The column deliver_to says how many pieces go to each row of racks; Deliveries writes the same by rack. The column
// order_total has the cost of all priced lines of the supplier, the same in each of them. No plan knows the date on
// which the latest order is possible: the column order_by is empty. OrdersBy fills it in.
func Orders(ctx context.Context, w io.Writer, r *machine.Result) error {
	return OrdersBy(ctx, w, r, nil)
}

// OrdersBy writes the same with the latest date of order of each item, as build.Document.OrderBy returns them.
func OrdersBy(ctx context.Context, w io.Writer, r *machine.Result, dates map[string]string) error {
	out := csvtable.NewWriter(ctx, w, orderColumns)
	deliver := r.DeliveryWords()
	for _, o := range orders(r.Bill.Rows) {
		lines := o.lines(r.Bill.Rows)
		total := totalOf(lines)
		for n, line := range lines {
			l := line.row
			out.Text(o.supplier)
			out.Int(int64(n + 1))
			out.Texts(l.Item.String(), l.PartNumber, l.Maker, l.Description)
			out.Int(line.colour.Buy)
			out.Int(max(l.Pack, 1))
			unit, cost := "", ""
			if l.UnitCost != nil {
				unit, cost = l.UnitCost.Decimal(), line.cost().Decimal()
			}
			out.Texts(unit, cost, r.Bill.Currency, days(l.Lead), l.Source, line.colour.Colour, line.colour.StatedBy,
				dates[l.Item.String()], deliver(l.Item, line.colour.Colour), total.Decimal())
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

var deliveryColumns = []string{"row", "rack", "part", "colour", "quantity"}

// Deliveries writes how many pieces of the items to buy go to which rack as comma-separated values, rack by rack; those
// for no rack, as spares are, come last. What is in no delivery, machine.Result.Deliveries says.
func Deliveries(ctx context.Context, w io.Writer, r *machine.Result) error {
	all := r.Deliveries()
	slices.SortStableFunc(all, func(a, b machine.Delivery) int {
		return cmp.Or(cmp.Compare(min(a.Rack, 0), min(b.Rack, 0))*-1, cmp.Compare(a.Rack, b.Rack))
	})
	out := csvtable.NewWriter(ctx, w, deliveryColumns)
	room := r.Room()
	for _, d := range all {
		row, rack := "", ""
		if d.Rack != machine.NoRack {
			row, rack = room.Rows[room.Places[d.Rack].Row].Name, room.Name(int(d.Rack))
		}
		out.Texts(row, rack, d.Item.String(), d.Colour)
		out.Int(d.Pieces)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// mostOrders is the most sheets of purchase orders: the last one has what is left.
const mostOrders = 40

// orderSheets are purchase orders, a sheet for every supplier. Quantities and prices are those of the sheet of the
// bill, by formula.
func (b *book) orderSheets() []*grid {
	all := orders(b.report.BOM)
	b.deliver = b.r.DeliveryWords()
	for len(all) > mostOrders {
		last := len(all) - 1
		all[last-1].supplier = ""
		all[last-1].rows = append(all[last-1].rows, all[last].rows...)
		all = all[:last]
	}
	var out []*grid
	names := map[string]bool{}
	for i := range all {
		out = append(out, b.order(&all[i], sheetName("Order "+cmp.Or(all[i].supplier, "(no supplier)"), names)))
	}
	return out
}

// sheetName makes a text the name of a sheet that no other has.
func sheetName(text string, taken map[string]bool) string {
	text = strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' {
			return '-'
		}
		return r
	}, text), "'")
	const most = 31
	for n := 1; ; n++ {
		name := []rune(text)
		end := ""
		if n > 1 {
			end = fmt.Sprintf(" %d", n)
		}
		whole := string(name[:min(len(name), most-len(end))]) + end
		if key := strings.ToLower(whole); !taken[key] {
			taken[key] = true
			return whole
		}
	}
}

// order is the sheet of one purchase order.
func (b *book) order(o *order, name string) *grid {
	g := &grid{name: name, frozen: 4, filterTop: 4}
	g.add(text("Purchase order: " + titleText(machineName(b.r))).as(title))
	g.add(text("Supplier: " + cmp.Or(o.supplier, "none is known of these parts; name them in parts or quotes")))
	g.add()
	columns := []string{
		"Line", "Part number", "Part", "Maker", "Description", "Quantity", "Pack", "Unit cost", "Cost",
		"Lead time (days)", "Colour", "Deliver to",
	}
	if b.dates != nil {
		columns = append(columns, "Order by")
	}
	g.add(heads(columns...)...)
	first := g.next()
	total, lead, unknown := units.Money(0), units.Days(0), report.Omitted{}
	for n, line := range o.lines(b.report.BOM) {
		r, at := line.row, g.next()
		bill := func(column int) string { // by the part, as the bill may be sorted
			of := func(column int) string { return bomSheet + "!" + span(column, 2, b.bomLast) }
			return fmt.Sprintf("INDEX(%s,MATCH(%s,%s,0))", of(column), ref(3, at), of(bomPart))
		}
		row := []cell{
			whole(int64(n + 1)), text(r.PartNumber), text(r.Item.String()), text(r.Maker), text(r.Description),
			whole(line.colour.Buy), whole(max(r.Pack, 1)),
			{},
			{},
			{},
			text(line.colour.Colour), text(b.deliver(r.Item, line.colour.Colour)),
		}
		if b.dates != nil {
			row = append(row, text(b.dates[r.Item.String()]))
		}
		if r.Colours == nil {
			row[5] = row[5].by(bill(bomBuy))
		}
		if r.UnitCost != nil {
			row[7] = amount(*r.UnitCost).by(bill(bomUnit))
			row[8] = amount(line.cost()).by(ref(6, at) + "*" + ref(8, at))
			total += line.cost()
		} else if !slices.Contains(unknown.Parts, r.Item.String()) {
			unknown.Parts = append(unknown.Parts, r.Item.String())
		}
		if r.Lead > 0 {
			row[9] = cell{value: float64(r.Lead), style: count}
			lead = max(lead, r.Lead)
		}
		g.add(row...)
	}
	g.filter = g.next() - 1
	sum := append(totals("Total", "", "", "", "", "", "", ""),
		amount(total).as(strongMoney).by("SUM("+span(9, first, g.next()-1)+")"))
	if lead > 0 {
		sum = append(sum, cell{value: float64(lead), style: strongCount}.by("MAX("+span(10, first, g.next()-1)+")"))
	}
	g.add(sum...)
	g.add()
	for _, s := range unknown.Sentences() {
		g.add(text(s).as(note))
	}
	g.add(text("Quantities are pieces, rounded up to full packs, less stock. Prices are those of the " +
		"sheet " + bomSheet + ".").as(note))
	if b.r.Room() != nil && b.r.Schedule.Segments != nil {
		g.add(text("Deliver to: pieces by row of racks. A cable goes to the rack of its end A; deliveries.csv has " +
			"each rack.").as(note))
	}
	if b.dates != nil {
		g.add(text("Order by: the last date with which no task of the schedule begins later; empty without a lead " +
			"time.").as(note))
	}
	return g
}
