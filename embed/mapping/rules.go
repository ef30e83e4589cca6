package mapping

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// checkSizes finds lists that are too long or too short, and sizes and capacities
// that are none.
func (t *instance) checkSizes(p *Problem, n, places int) error {
	r := t.resources
	switch {
	case r == 0:
		return errors.New("there are no resources")
	case len(p.Capacity) != places*r:
		return fmt.Errorf("there are %d capacities; %d places with %d resources need %d",
			len(p.Capacity), places, r, places*r)
	case len(t.size) != n*r:
		return fmt.Errorf("there are %d sizes; %d vertices with %d resources need %d", len(t.size), n, r, n*r)
	}
	for i, c := range p.Capacity {
		if c < 0 {
			return fmt.Errorf("place %d offers %d %s", i/r, c, t.names[i%r])
		}
	}
	for i, s := range t.size {
		if s < 0 || s > math.MaxInt64/int64(n) {
			return fmt.Errorf("vertex %d takes %d %s", i/r, s, t.names[i%r])
		}
	}
	for l, layer := range p.Layers {
		if len(layer.Of) != places {
			return fmt.Errorf("layer %d tells the domains of %d places; there are %d", l, len(layer.Of), places)
		}
		for q, d := range layer.Of {
			if d < 0 || layer.Capacity != nil && int(d) >= len(layer.Capacity)/r {
				return fmt.Errorf("layer %d: place %d is in domain %d", l, q, d)
			}
		}
		if len(layer.Capacity)%r != 0 {
			return fmt.Errorf("layer %d has %d capacities of %d resources", l, len(layer.Capacity), r)
		}
	}
	return nil
}

// checkRules finds what is wrong with the costs and with each rule by itself.
func (t *instance) checkRules(p *Problem, n, places int) error {
	if err := checkCosts(p); err != nil {
		return err
	}
	if err := checkPins(p.Pinned, n, places); err != nil {
		return err
	}
	if err := checkClasses(p, n, places); err != nil {
		return err
	}
	for i, a := range p.AntiAffinity {
		if a.AtMost < 1 || a.Layer < 0 || a.Layer > len(p.Layers) {
			return fmt.Errorf("apart group %d: at most %d in a domain of layer %d", i, a.AtMost, a.Layer)
		}
		if err := checkMembers(a.Vertices, n); err != nil {
			return fmt.Errorf("apart group %d: %w", i, err)
		}
		if a.Times != nil && (len(a.Times) != len(a.Vertices) ||
			slices.ContainsFunc(a.Times, func(n int32) bool { return n < 1 })) {
			return fmt.Errorf("apart group %d: each of %d vertices counts for one or more", i, len(a.Vertices))
		}
	}
	return checkTogether(p.Together, n)
}

// checkCosts finds edges without costs, and sums that could not be counted.
func checkCosts(p *Problem) error {
	for _, class := range p.Graph.Class {
		if int(class>>1) >= p.Costs.classes {
			return fmt.Errorf("an edge is of class %d; there are costs for %d", class>>1, p.Costs.classes)
		}
	}
	// Sums over all edges, times the factor of means over places, must not overflow.
	const most = math.MaxInt64 >> 10
	weight := float64(0)
	for k := range p.Graph.To {
		weight += float64(p.Graph.weight(int64(k)))
	}
	c, lambda := p.Costs.largest(), p.Objective.Lambda
	if weight*float64(c) > most || lambda < 0 || float64(lambda)*float64(c) > most {
		return fmt.Errorf("weights of %.3g in all, costs up to %d and a lambda of %d: such sums cannot be counted",
			weight, c, lambda)
	}
	if p.Graph.Class == nil && !p.Costs.oneClass() && !p.Costs.symmetric() {
		return errors.New("costs that depend on the direction need a graph with classes")
	}
	return nil
}

// checkPins finds pins to places that do not exist.
func checkPins(pinned []int32, n, places int) error {
	if pinned != nil && len(pinned) != n {
		return fmt.Errorf("there are %d pins; %d vertices need as many", len(pinned), n)
	}
	for v, q := range pinned {
		if int(q) >= places {
			return fmt.Errorf("vertex %d is pinned to place %d; there are %d", v, q, places)
		}
	}
	return nil
}

// checkClasses finds what is wrong with the classes of places.
func checkClasses(p *Problem, n, places int) error {
	if p.Allowed == nil {
		return nil
	}
	if len(p.Allowed) != n || len(p.PlaceClass) != places {
		return fmt.Errorf("there are classes allowed to %d vertices and classes of %d places; there are %d and %d",
			len(p.Allowed), len(p.PlaceClass), n, places)
	}
	for q, class := range p.PlaceClass {
		if class >= 64 {
			return fmt.Errorf("place %d is of class %d; classes are below 64", q, class)
		}
	}
	return nil
}

// checkTogether finds what is wrong with groups that share a place.
func checkTogether(groups [][]int32, n int) error {
	seen := make([]bool, n)
	for i, group := range groups {
		if err := checkMembers(group, n); err != nil {
			return fmt.Errorf("together group %d: %w", i, err)
		}
		for _, v := range group {
			if seen[v] {
				return fmt.Errorf("together group %d: vertex %d is in another group too", i, v)
			}
			seen[v] = true
		}
	}
	return nil
}

// checkMembers finds vertices of a group that do not exist or come twice.
func checkMembers(group []int32, n int) error {
	sorted := slices.Sorted(slices.Values(group))
	for i, v := range sorted {
		switch {
		case v < 0 || int(v) >= n:
			return fmt.Errorf("there is no vertex %d", v)
		case i > 0 && v == sorted[i-1]:
			return fmt.Errorf("vertex %d is listed twice", v)
		}
	}
	return nil
}
