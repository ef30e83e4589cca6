package machine

import (
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/owned"
)

// patchEnd is an end of a cord or trunk: the port of a box or, where box is below 0, of the panel at a place.
type patchEnd struct {
	box              int32
	rack, unit, port string
}

// patch is a cord or trunk at a panel.
type patch struct {
	ends [2]patchEnd
	item catalog.Item
}

// keepPatches counts the cords and trunks at panels that exist as cables that stay: between the same ports, of panels
// that stand in the same place, and of the same product.
func (r *resolved) keepPatches(s *cabling.Schedule) {
	if r.existing == nil || r.existing.found == nil || s.Patching == nil {
		return
	}
	there := map[patch]bool{}
	for i := range r.existing.cables {
		for _, piece := range r.existing.cables[i].Over {
			p := patch{item: catalog.Item{Part: piece.Part, Length: piece.Length}}
			for k := range piece.Ends {
				p.ends[k] = r.existing.patchEnd(&piece.Ends[k])
			}
			there[p] = true
			p.ends[0], p.ends[1] = p.ends[1], p.ends[0]
			there[p] = true
		}
	}
	if len(there) == 0 {
		return
	}
	room := s.Placement.Layout.Room
	end := func(v int32, port uint16) patchEnd {
		if panel := s.Panel(v); panel >= 0 {
			at := &s.Patching.Panels[panel]
			return patchEnd{-1, room.Name(int(at.Rack)), strconv.Itoa(at.Unit), s.PortName(v, port)}
		}
		return patchEnd{box: v, port: s.PortName(v, port)}
	}
	s.KeepPatched(func(seg *cabling.Segment) bool {
		product := &s.Products[seg.Product]
		return there[patch{
			[2]patchEnd{end(seg.A, seg.PortA), end(seg.B, seg.PortB)}, product.Part.Item(product.Length),
		}]
	})
}

// patchEnd finds an end of a cable that exists.
func (own *existing) patchEnd(e *owned.PieceEnd) patchEnd {
	if v := own.found.Find(e.Box); v >= 0 {
		return patchEnd{box: v, port: e.Port}
	}
	return patchEnd{-1, e.Rack, e.Unit, e.Port}
}
