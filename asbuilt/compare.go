package asbuilt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
)

// Options says what steps have to keep.
type Options struct {
	// Paths is how many edge-disjoint paths are kept between each two boxes, at least 1; 0 stands for 1. A pair that
	// has fewer in one of the plans keeps as many as it has there.
	Paths int
	// Capacity is the least share of links that stay up, in per cent: of the links of each level that the boxes of a
	// kind have in both plans, boxes that stay where they are. 0 asks for none.
	Capacity float64
	// Fabrics are the fabrics that keep paths and capacity; all of them when empty. Each has to be one of both plans.
	Fabrics []string
	// Panels is how many patch panels a layer between two kinds of switches would have; 0 asks for no layers.
	Panels int
}

// check refuses what is out of range.
func (opt *Options) check() error {
	if opt.Paths < 0 || opt.Paths > MostPaths {
		return fmt.Errorf("asbuilt: %d paths; at most %d can be kept", opt.Paths, MostPaths)
	}
	if !(opt.Capacity >= 0 && opt.Capacity <= 100) {
		return fmt.Errorf("asbuilt: %v %% of the links is not from 0 to 100", opt.Capacity)
	}
	if opt.Panels < 0 || opt.Panels > MostLayerPanels {
		return fmt.Errorf("asbuilt: a layer of %d panels is not from 1 to %d", opt.Panels, MostLayerPanels)
	}
	return nil
}

// A NoFabricError says that a plan does not have a fabric that steps are to keep.
type NoFabricError struct {
	Machine, Fabric string
	Fabrics         []string // those that the machine has; none where it has one network
}

// Error lists the fabrics of the machine.
func (e *NoFabricError) Error() string {
	if len(e.Fabrics) == 0 {
		return fmt.Sprintf("%s has no fabric %q: it has one network", e.Machine, e.Fabric)
	}
	return fmt.Sprintf("%s has no fabric %q; its fabrics are %s", e.Machine, e.Fabric, english.List(e.Fabrics))
}

// hasFabric refuses a fabric that a plan does not have.
func hasFabric(plan *machine.Result, name string) error {
	e := &NoFabricError{Machine: plan.Spec.Name, Fabric: name}
	for _, f := range plan.Fabrics {
		if f.Name == name {
			return nil
		}
		e.Fabrics = append(e.Fabrics, f.Name)
	}
	return e
}

// MostPaths is the most paths that can be asked for.
const MostPaths = 64

// Difference is what changes between two plans.
type Difference struct {
	Old, New *machine.Result
	Boxes    []Box // those of the old plan in its order, then those that are added
	Parts    []Part
	Steps    []Step
	// Faults are demands that no steps could keep.
	Faults []string
	Layers []Layer // of patch panels that would change the growth; nil where Options asks for none
	*transition
}

// Compare finds what changes between two plans, and the steps from one to the other.
func Compare(ctx context.Context, old, new *machine.Result, opt Options) (*Difference, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if old.Schedule.Segments == nil || new.Schedule.Segments == nil {
		return nil, errors.New("a plan without a list of cables, a summary, cannot be compared")
	}
	for _, name := range opt.Fabrics {
		for _, plan := range [2]*machine.Result{old, new} {
			if err := hasFabric(plan, name); err != nil {
				return nil, err
			}
		}
	}
	d := &Difference{Old: old, New: new, transition: newTransition(old, new)}
	if len(opt.Fabrics) > 0 {
		d.networks = slices.DeleteFunc(d.networks, func(n *network) bool {
			return !slices.Contains(opt.Fabrics, n.name)
		})
	}
	d.Boxes = d.boxes
	d.Parts = parts(old.Bill, new.Bill)
	var err error
	if d.Steps, d.Faults, err = planSteps(ctx, d.transition, opt); err != nil {
		return nil, err
	}
	if err := d.walk(d.Steps); err != nil {
		return nil, fmt.Errorf("asbuilt: the steps do not lead there: %w", err)
	}
	if opt.Panels > 0 {
		d.Layers = d.findLayers(opt.Panels, opt.Capacity/100)
	}
	return d, nil
}
