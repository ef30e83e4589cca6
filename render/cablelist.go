package render

import (
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
)

// mostPrinted is the most rows of the list of cables that is made for paper, a few hundred pages.
const mostPrinted = 20_000

// cableList is what a technician has on paper: of every cable what it is and where it goes, in as many columns as can
// be read on a page.
func (b *book) cableList() *grid {
	g := &grid{name: listSheet, frozen: 1, filterTop: 1}
	g.add(heads("Cable", "Product", "Needs (m)", "From", "To", "Bundle", "Polarity", "Store", "Done")...)
	s := b.r.Schedule
	switch {
	case s.Segments == nil:
		g.add(text(b.unlisted()).as(note))
		return g
	case s.Wired > mostPrinted:
		g.add(text(fmt.Sprintf("More than %s cables are not for paper: they are on the sheet %s and in cables.csv.",
			grouped(mostPrinted), cablesSheet)).as(note))
		return g
	}
	bundles := newBundleText(b.r)
	s.Each(func(number int64, seg *cabling.Segment) bool {
		row := []cell{
			text(s.CableID(number)), text(product(s, seg)), long(seg.Length), text(s.Label(seg.A, seg.PortA)).as(unit),
			text(s.Label(seg.B, seg.PortB)),
			{},
			text(string(s.Polarity(seg))),
			{},
			text("☐"),
		}
		if seg.Bundle > 0 {
			row[5] = text(string(bundles.appendID(nil, seg.Bundle)))
		}
		if seg.Product >= 0 && s.Products[seg.Product].Stock {
			row[7] = text(inStock)
		}
		g.add(row...)
		return true
	})
	g.filter = max(g.next()-1, 2)
	return g
}
