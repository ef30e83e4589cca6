package cost

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Ids of the lines for installing cables, by which a machine file or a quote
// prices them.
const (
	InstallInRack       = "install-in-rack"
	InstallInRow        = "install-in-row"
	InstallCrossRow     = "install-cross-row"
	InstallBetweenRacks = "install-between-racks"
	TerminateFibre      = "terminate-fibre"
)

// LabourIDs lists the ids of labour.
var LabourIDs = []string{InstallInRack, InstallInRow, InstallCrossRow, InstallBetweenRacks, TerminateFibre}

// labourWords describe the lines.
var labourWords = map[string]string{
	InstallInRack:       "Installing one cable inside a rack",
	InstallInRow:        "Installing one cable between racks of a row",
	InstallCrossRow:     "Installing one cable from row to row",
	InstallBetweenRacks: "Installing one cable between racks",
	TerminateFibre:      "Terminating one fibre cable at both ends, on top of installing it",
}

// room stands for any room of racks.
var room = &layout.Layout{Levels: layout.RoomLevels()}

// InstallLabour returns the labour of a cable by the layout level of the lowest container
// that holds both its ends: in a rack, in a row, or from row to row. Where no level
// is a row, it is between racks, as in containers of which no level is a rack either.
func InstallLabour(l *layout.Layout, within int) string {
	row := l.LevelOf(layout.RoleRow)
	switch {
	case l.InRack(within):
		return InstallInRack
	case row < 0:
		return InstallBetweenRacks
	case within >= row:
		return InstallInRow
	}
	return InstallCrossRow
}

// ByLevel returns the price of installing one cable, by layout level of the lowest container that holds both ends, and
// that of terminating fibre on top. It is 0 where there is no price.
func (w Wages) ByLevel(l *layout.Layout) (install []units.Money, terminate units.Money) {
	for within := range l.Levels {
		install = append(install, w(InstallLabour(l, within), 0).Unit)
	}
	return install, w(TerminateFibre, 0).Unit
}

// Wages returns the price of one piece of labour, by an id of LabourIDs, if qty pieces are ordered. A qty of 0 is
// priced as the smallest quantity that is offered.
type Wages func(id string, qty int64) catalog.Quote

// NewWages returns Wages that take a price from the user's own prices, else from the first of the offers that has one,
// else from the price set, which must not be nil. Each of these is asked for InstallBetweenRacks where it has no price
// for cables in a row or from row to row, before the next one is asked. There is no price where the rate is 0: fibre
// whose termination nobody prices comes with its plugs.
func NewWages(own map[catalog.Item]units.Money, offers []*catalog.Offer, set *catalog.PriceSet) Wages {
	rates := &set.Labour
	byID := map[string]units.Money{
		InstallInRack: rates.InRack, InstallInRow: rates.InRow, InstallCrossRow: rates.CrossRow,
		InstallBetweenRacks: rates.BetweenRacks, TerminateFibre: rates.Fibre,
	}
	return func(id string, qty int64) catalog.Quote {
		ids := []string{id}
		if id == InstallInRow || id == InstallCrossRow {
			ids = append(ids, InstallBetweenRacks)
		}
		for _, id := range ids {
			if m, ok := own[catalog.Item{Part: id}]; ok {
				return ownQuote(m)
			}
		}
		for _, o := range offers {
			for _, id := range ids {
				if q := o.Quote(catalog.Item{Part: id}, qty); q.Priced {
					return q
				}
			}
		}
		i := slices.IndexFunc(ids, func(id string) bool { return byID[id] != 0 })
		if i < 0 {
			return catalog.Quote{}
		}
		q := catalog.Quote{
			Unit: byID[ids[i]], Priced: true, From: set.Name, Source: rates.Source,
			Confidence: rates.Confidence,
		}
		q.Low, q.High = q.Unit, q.Unit
		if set.Spread != nil {
			q.Low, q.High = units.MoneyOf(float64(q.Unit.Float()*set.Spread.Low)),
				units.MoneyOf(float64(q.Unit.Float()*set.Spread.High))
		}
		return q
	}
}
