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

// Class says in which racks a kind of box stands.
type Class uint8

// The classes of racks.
const (
	InRack      Class = iota // with the nodes
	EndOfRow                 // in racks at the ends of the rows
	MiddleOfRow              // in racks in the middle of the rows
	NetworkRow               // in racks of their own in the middle of the room
	// Beside is upright beside the units of racks that others fill, at the rear. Of a kind with Racks, these are those
	// of the name, of any class.
	Beside
)

// Kind is how one kind of vertex is boxed.
type Kind struct {
	Box     *layout.Box
	Power   units.Power // of one box
	Plugged units.Power // of the optics and cable ends in one box at most, 0 where they need no counting
	Weight  units.Mass
	Class   Class
	Block   int    // of Problem.Contiguous, from 1; 0 for none
	Racks   string // kinds of a class with the same name share racks of their own; "" for the racks of the class
	Units   []int  // fixed lowest rack units of the boxes of a rack; nil for any
	PerRack int    // most in one rack, 0 for as many as fit; of class Beside 0 for one
	// ByPlace says that the boxes are switches that others are plugged into by where these stand.
	ByPlace bool
	Chassis int // of Problem.Chassis, from 1; 0 for none
	// Types are the types of racks of the room that boxes may stand in, by number, the same for all kinds that share
	// racks; type 0 when nil.
	Types []int
}

// home is which racks a kind of box stands in: all kinds of one home share racks.
type home struct {
	class Class
	name  string // "" for the racks of the class
	block int
}

// chassis returns the index of the kind's chassis in Problem.Chassis, -1 for none.
func (k *Kind) chassis() int { return k.Chassis - 1 }

func (k *Kind) home() home { return home{k.Class, k.Racks, k.Block} }

// Problem is everything that decides a placement.
type Problem struct {
	Graph   topology.Graph
	Names   *names.Names // of the boxes; those of names.Of when nil
	Kinds   []Kind       // of each kind of Graph
	Chassis []layout.Chassis
	// Templates are racks whose boxes have their places in advance, in rooms of racks. The kinds that they hold stand
	// in no other racks: Class and Racks of these are those of the first template that holds them. Other kinds with
	// that name of racks take the units that are left.
	Templates []Template

	// Exactly one of Tree and Room is set. A room whose Rows or PerRow is 0
	// gets as many as the racks need.
	Tree *layout.Tree
	Room *layout.RoomSpec

	Strategy Strategy
	Seed     uint64
	// Fold lays rings of a lattice out there and back, so that no link spans a
	// whole dimension, but for those of the dimensions in Straight.
	Fold     bool
	Straight []int // from 0
	// Blocks fixes, by name of a layout level, how many routers a container
	// holds along each dimension of a lattice.
	Blocks map[string][]int
	// Pins are vertices whose places are given; no two have the same.
	Pins []Pin
	// Sizing says that the placement only sizes the room for one with pins, which adds racks: there may be more boxes
	// beside the units of racks than these have room for.
	Sizing bool
	// Optimizer, if set, improves what the strategy has placed.
	Optimizer *Optimizer
	// Together names nests of the graph each group of which shares a rack. It is for the Optimizer, in rooms of racks.
	Together []string
	// Apart states anti-affinity, in rooms of racks.
	Apart []Apart
	Feeds []Feed // that racks of the room draw from
	Fill  Fill   // how rows are filled, in rooms of racks
	// ByPlace says that boxes are plugged into the graph anew once they stand. Its groups are then kept together only
	// if each of them fits into a rack.
	ByPlace bool
	// Contiguous names blocks of kinds, those of Kind.Block, that have rows of their own which follow each other.
	Contiguous []string

	trial bool // only asks whether it fits
}

// vertexNames returns the names of the boxes.
func (p *Problem) vertexNames() *names.Names {
	if p.Names == nil {
		return names.Of(p.Graph)
	}
	return p.Names
}

// Placement is where every vertex stands. Place makes it; a zero Placement is not usable, as it has no layout.
type Placement struct {
	Layout *layout.Layout
	Slot   []int32 // of each vertex
	Racks  []Rack  // that hold boxes, by place; empty for containers
	// Optimized tells how the placement was improved, nil where it was not.
	Optimized *Optimized
	// Notes say what could not be kept to, for those who read the plan.
	Notes []string
}

// RackCount is the number of racks that hold boxes: of a machine in containers, those of the level that is a rack, 0
// where no level is.
func (p *Placement) RackCount() int {
	if p.Layout.Room != nil {
		return len(p.Racks)
	}
	if rack := p.Layout.LevelOf(layout.RoleRack); rack >= 0 {
		return p.Layout.CountOccupied(rack, p.Slot)
	}
	return 0
}

// Rack is what one rack holds.
type Rack struct {
	Place  int32 // in Layout.Room.Places
	Class  Class
	Name   string // that kinds of boxes share it by, "" for none
	Boxes  int
	Used   int // rack units
	Power  units.Power
	Weight units.Mass
}

// Place finds a placement. What is wrong in a field of p is a diag.FieldError.
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
