package embed

import (
	"context"
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// Class determines in which racks the boxes of a kind are placed, and where these racks stand.
type Class uint8

// The classes of racks.
const (
	InRack      Class = iota // in the racks of the nodes
	EndOfRow                 // in racks at the ends of the rows
	MiddleOfRow              // in racks in the middle of the rows
	NetworkRow               // in racks of their own in the middle of the room
	// Beside is upright at the rear of racks that hold other boxes, beside the rack units and without taking any, as
	// vertical power strips are mounted. With Kind.Racks, only racks of that name count, of any class.
	Beside
)

// Kind describes the boxes of one kind of vertices of the graph.
type Kind struct {
	Box     *layout.Box
	Power   units.Power // of one box
	Plugged units.Power // an upper bound of the power of the optics and cable ends in one box; 0 to leave it out
	Weight  units.Mass
	Class   Class
	Block   int    // index in Problem.Contiguous plus 1; 0 for none
	Racks   string // kinds of a class with the same name share racks of their own; "" for the racks of the class
	Units   []int  // fixed lowest rack units of the boxes in a rack, by number of the box; nil for any
	PerRack int    // limit of the boxes in one rack, 0 for none; of class Beside, 0 stands for 1
	// ByPlace is true for switches whose cables are assigned after placement, to the boxes that stand nearby.
	ByPlace bool
	Chassis int // index in Problem.Chassis plus 1; 0 for a box that is not in a chassis
	// Types are the types of racks of the room that boxes may stand in, by number; type 0 when nil. Kinds that share
	// racks do so in racks of the types that they have in common.
	Types []int
}

// home identifies a set of racks. All kinds with the same home share its racks.
type home struct {
	class Class
	name  string // "" for the racks of the class
	block int
}

// chassis returns the index of the kind's chassis in Problem.Chassis, -1 for none.
func (k *Kind) chassis() int { return k.Chassis - 1 }

// home returns the set of racks that boxes of the kind are placed in.
func (k *Kind) home() home { return home{k.Class, k.Racks, k.Block} }

// Problem is the input of Place: everything that a placement depends on.
type Problem struct {
	Graph   topology.Graph
	Names   *names.Names // of the boxes; nil stands for names.Of(Graph)
	Kinds   []Kind       // one for each kind of Graph
	Chassis []layout.Chassis
	// Templates are racks with a fixed place for each of their boxes, in rooms of racks. The kinds in them are placed
	// in no other racks; their Class and Racks must be those of the first template that holds them. Other kinds with
	// the same Racks take the units that are left.
	Templates []Template

	// Exactly one of Tree and Room is set. A room whose Rows or PerRow is 0
	// gets as many as the racks need.
	Tree *layout.Tree
	Room *layout.RoomSpec

	Strategy Strategy
	Seed     uint64
	// Fold folds the rings of a lattice, so that no link spans a whole dimension, except along the dimensions in
	// Straight.
	Fold     bool
	Straight []int // dimensions, from 0
	// Blocks fixes, by name of a layout level, how many routers a container
	// holds along each dimension of a lattice.
	Blocks map[string][]int
	// Pins are vertices whose places are given. No two pins have the same vertex or place.
	Pins []Pin
	// Sizing is true if the placement is needed only for the size of its room, in which boxes are pinned afterwards.
	// Pinning adds racks, so racks may hold more boxes of class Beside than they have room for.
	Sizing bool
	// Optimizer, if not nil, improves the placement of the strategy.
	Optimizer *Optimizer
	// Together states affinity: it names levels of groups of the graph. The Optimizer keeps the boxes of each group in
	// one rack, in rooms of racks.
	Together []string
	// AntiAffinity states anti-affinity, in rooms of racks.
	AntiAffinity []AntiAffinity
	Feeds        []Feed // power feeds of the room's racks
	Fill         Fill   // order in which rows are filled, in rooms of racks
	// FreeUnits is the number of rack units at the top of every rack that boxes leave free, except those with fixed
	// units or in templates.
	FreeUnits int
	// ByPlace is true if links of the graph are assigned anew after placement, by where boxes stand. A level of groups
	// of the graph is then kept together only if each of its groups fits into a rack.
	ByPlace bool
	// Contiguous has the name of each block: kinds (see Kind.Block) whose racks have adjacent rows of their own.
	Contiguous []string

	// Grouped keeps groups of boxes together even where only a denser packing fits into the room. The boxes are then
	// refused.
	Grouped bool

	packing packing
	trial   bool // the caller only asks whether the boxes fit; refuse makes no further trials
}

// vertexNames returns the names of the boxes.
func (p *Problem) vertexNames() *names.Names {
	if p.Names == nil {
		return names.Of(p.Graph)
	}
	return p.Names
}

// Placement has the slot of every vertex. Place makes it; a zero Placement is not usable, as it has no layout.
type Placement struct {
	Layout *layout.Layout
	Slot   []int32 // of each vertex
	Racks  []Rack  // the racks that hold boxes, by position; empty for containers
	// Optimized describes how the placement was improved, nil if there was no Optimizer.
	Optimized *Optimized
	// SharesRacks is true if boxes of different groups share racks, as the room has too few for groups that are kept
	// together.
	SharesRacks bool
	// Notes are remarks for the user, such as which kinds share racks.
	Notes []string
}

// RackCount returns the number of racks that hold boxes. For containers, it counts those of the level with the role of
// a rack, and is 0 if no level has it.
func (p *Placement) RackCount() int {
	if p.Layout.Room != nil {
		return len(p.Racks)
	}
	if rack := p.Layout.LevelOf(layout.RoleRack); rack >= 0 {
		return p.Layout.CountOccupied(rack, p.Slot)
	}
	return 0
}

// Rack sums up the contents of one rack.
type Rack struct {
	Place  int32 // in Layout.Room.Places
	Class  Class
	Name   string // Kind.Racks of its boxes, "" for none
	Boxes  int
	Used   int         // rack units
	Power  units.Power // of boxes and chassis, without the optics and cable ends in them
	Weight units.Mass
}

// Place computes a placement and leaves p as it is. An error about a field of p is a diag.FieldError; the error is that
// of ctx if it ended.
func Place(ctx context.Context, p *Problem) (*Placement, error) {
	if p.Graph == nil {
		return nil, errors.New("embed: no graph")
	}
	if len(p.Kinds) != len(p.Graph.Kinds()) {
		return nil, fmt.Errorf("embed: %d kinds of boxes for %d kinds of vertices", len(p.Kinds), len(p.Graph.Kinds()))
	}
	if (p.Tree == nil) == (p.Room == nil) {
		return nil, errors.New("embed: a placement needs a room or a tree of containers, and not both")
	}
	for i, k := range p.Kinds {
		if k.Chassis < 0 || k.Chassis > len(p.Chassis) {
			return nil, fmt.Errorf("embed: kind %d is in chassis %d of %d", i, k.Chassis, len(p.Chassis))
		}
		if k.Box == nil && k.Chassis == 0 && p.Room != nil {
			return nil, fmt.Errorf("embed: kind %d has no box", i)
		}
	}
	if err := p.Strategy.Fits(p.Graph, p.Tree); err != nil {
		return nil, err
	}
	if p.Tree != nil {
		return placeInTree(ctx, p)
	}
	return placeInRoom(ctx, p)
}
