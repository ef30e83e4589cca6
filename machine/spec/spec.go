package spec

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Spec is a machine file. It has a Topology, or Fabrics over Boxes; everything else has a
// default that the plan reports.
//
// The tags rule both the reader and the schema of machine files: a field
// without omitempty is required; minimum and enum hold for the elements of a
// list or mapping too; numbers and quantities are not negative unless tagged
// signed.
type Spec struct {
	Name        string             `yaml:"name,omitempty" json:"name,omitempty"`
	Description string             `yaml:"description,omitempty" json:"description,omitempty"`
	Topology    topology.Spec      `yaml:"topology,omitempty" json:"topology,omitzero"`
	Boxes       []Boxes            `yaml:"boxes,omitempty" json:"boxes,omitempty" items:"1024"`
	Fabrics     []Fabric           `yaml:"fabrics,omitempty" json:"fabrics,omitempty" items:"256"`
	Packaging   Packaging          `yaml:"packaging,omitempty" json:"packaging,omitzero"`
	Racks       []RackTemplate     `yaml:"racks,omitempty" json:"racks,omitempty" items:"256"`
	Room        Room               `yaml:"room,omitempty" json:"room,omitzero"`
	Drawing     *TitleBlock        `yaml:"drawing,omitempty" json:"drawing,omitempty"`
	Parts       []catalog.Part     `yaml:"parts,omitempty" json:"parts,omitempty"`
	PowerBasis  catalog.PowerBasis `yaml:"power_basis,omitempty" json:"power_basis,omitempty"`
	Cabling     Cabling            `yaml:"cabling,omitempty" json:"cabling,omitzero"`
	Names       Names              `yaml:"names,omitempty" json:"names,omitzero"`
	Delay       Delay              `yaml:"delay,omitempty" json:"delay,omitzero"`
	Prices      Prices             `yaml:"prices,omitempty" json:"prices,omitzero"`
	Owned       *Owned             `yaml:"owned,omitempty" json:"owned,omitempty"`
	Stock       []InStore          `yaml:"stock,omitempty" json:"stock,omitempty"`
	Operation   *Operation         `yaml:"operation,omitempty" json:"operation,omitempty"`
	Rules       Rules              `yaml:"rules,omitempty" json:"rules,omitzero"`
	Embedding   Embedding          `yaml:"embedding,omitempty" json:"embedding,omitzero"`

	source *strictyaml.Document // where it was read from, nil if it was not
	listed *layout.RoomSpec     // the racks of Room.RackList as far as they have names, once it has been read
}
