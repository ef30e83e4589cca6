package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
)

// A field of embed.Problem or cabling.Problem, and where a machine file has it.
type spelling struct {
	field, path string
	// verbatim says that what follows the field are keys of the file. Fields of
	// types are spelled there in lower case.
	verbatim bool
}

var spellings = []spelling{
	{field: "Strategy", path: "embedding.strategy"},
	{field: "Blocks", path: "embedding.blocks", verbatim: true},
	{field: "Pins", path: "embedding.placement"},
	{field: "Templates", path: "racks"},
	{field: "Together", path: "embedding.together"},
	{field: "AntiAffinity", path: "embedding.apart"},
	{field: "Racks", path: "embedding.racks"},
	{field: "Fill", path: "embedding.fill"},
	{field: "FreeUnits", path: "embedding.free_units"},
	{field: "Contiguous", path: "embedding.contiguous"},
	{field: "Optimizer", path: "embedding"},
	{field: "Tree.Levels", path: "room.containers"},
	{field: "Tree", path: "room.containers"},
	{field: "Room.List", path: "room.rows"},
	{field: "Room.PerRow", path: "room.racks_per_row"},
	{field: "Room", path: "room"},
	{field: "Chassis", path: "packaging.chassis"},
	{field: "Structured.panels", path: "cabling.structured.panels", verbatim: true},
	{field: "Structured", path: "cabling.structured"},
	{field: "Shuffle", path: "cabling.shuffle"},
	{field: "Consolidate", path: "cabling.consolidate"},
}

// spelled gives mistakes in fields of the problems that the spec was turned into
// the paths of its file. Another error stays what it is.
func (r *resolved) spelled(err error) error {
	var all diag.FieldErrors
	for _, e := range diag.Fields(err) {
		moved := *e
		moved.Path = r.spell(e.Path)
		if limit := r.limit(e.Path); limit != "" {
			kind := strings.TrimPrefix(moved.Path[:strings.LastIndexByte(moved.Path, '.')], "packaging.")
			moved.Path, moved.Message = limit, kind+": "+e.Message
		}
		all = append(all, &moved)
	}
	switch {
	case all == nil:
		return err
	case errors.As(err, new(cabling.FullRacksError)):
		return fullRacks{all}
	}
	return all
}

// fullRacks is the error that racks have no free units for the panels of shuffles.
type fullRacks struct{ diag.FieldErrors }

func (e fullRacks) Unwrap() error { return e.FieldErrors }

// limit is where the file says what a rack can take, if a field of a problem is the
// power or weight of a box that is too much for one; "" where the file leaves the rack
// out.
func (r *resolved) limit(field string) string {
	key := field[strings.LastIndexByte(field, '.')+1:]
	if !strings.HasPrefix(field, "Kinds[") || key != "Power" && key != "Weight" || r.rack == nil {
		return ""
	}
	for i := range r.spec.Parts {
		if r.spec.Parts[i].ID == r.rack.ID {
			return fmt.Sprintf("parts[%d].rack.%s", i, strings.ToLower(key))
		}
	}
	if r.rack.ID != DefaultRack {
		return "room.rack"
	}
	return ""
}

// spell is the path in the file of a field of a problem.
func (r *resolved) spell(field string) string {
	all := slices.Clone(spellings)
	if r.spec.Room.RackList != "" {
		all = append([]spelling{{field: "Room.List", path: "room.rack_list", verbatim: true}}, all...)
	}
	for i, path := range r.at {
		all = append(all, spelling{field: diag.Elem("Kinds", i), path: path})
	}
	if len(r.spec.Boxes) > 0 {
		all = append(all, spelling{field: "Kinds", path: "boxes"})
	}
	for _, s := range all {
		rest, ok := strings.CutPrefix(field, s.field)
		switch {
		case !ok || rest != "" && rest[0] != '.' && rest[0] != '[':
		case s.verbatim:
			return s.path + rest
		default:
			return s.path + strings.ToLower(rest)
		}
	}
	return field
}
