package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// Names says what boxes, cables and their ends are called. Boxes, Cables and Panels are patterns of package names.
type Names struct {
	Boxes  map[string]string `yaml:"boxes,omitempty" json:"boxes,omitempty"` // by kind
	Table  string            `yaml:"table,omitempty" json:"table,omitempty"`
	Cables string            `yaml:"cables,omitempty" json:"cables,omitempty"`
	Panels string            `yaml:"panels,omitempty" json:"panels,omitempty"`
	// Labels is a form of labels of the ends of cables, one of LabelForms, or a pattern.
	Labels string `yaml:"labels,omitempty" json:"labels,omitempty"`
	// Ports is the name by which ports are shown; the printed one when left out.
	Ports catalog.PortNaming `yaml:"ports,omitempty" json:"ports,omitempty"`
}

// Forms of the labels of ends.
const (
	LabelDevice = "device"  // A03/U12/SW01-24
	LabelTIA606 = "tia-606" // A03-12:24
)

// LabelForms lists the forms of labels that have a name.
func LabelForms() []string { return []string{LabelDevice, LabelTIA606} }

// checkNames finds what is wrong with patterns by themselves.
func (s *Spec) checkNames(report Reporter) {
	n := &s.Names
	for _, key := range slices.Sorted(maps.Keys(n.Boxes)) {
		if _, err := names.Parse(n.Boxes[key]); err != nil {
			report(diag.Key("names.boxes", key), "%v", err)
		}
	}
	check := func(path, text, what string, known []string) *names.Pattern {
		if text == "" {
			return nil
		}
		p, err := names.Parse(text)
		if err == nil {
			err = p.CheckFields(what, known)
		}
		if err == nil { // numbers count from 1
			_, err = p.Append(nil, func(string) names.Value { return names.Number(1) })
		}
		if err != nil {
			report(path, "%v", err)
			return nil
		}
		return p
	}
	if p := check("names.cables", n.Cables, "a cable", cabling.CableFields(len(s.Fabrics) > 0)); p != nil &&
		!p.Has("n") {
		report("names.cables", "would call several cables the same\nadd {n}, the number of the cable")
	}
	if p := check("names.panels", n.Panels, "a panel", cabling.PanelFields()); p != nil && !p.Has("n") &&
		!(p.Has("rack") && (p.Has("in_rack") || p.Has("u"))) {
		report("names.panels", "would call several panels the same\n"+
			"add {n}, the number of the panel, or {rack} and {in_rack}")
	}
	racks := len(s.Room.Containers) == 0
	switch {
	case n.Labels == LabelTIA606 && !racks:
		report("names.labels", "containers have no rack units, which labels of %s are made of\nremove it",
			LabelTIA606)
	case strings.Contains(n.Labels, "{"):
		p := check("names.labels", n.Labels, "an end of a cable", cabling.EndFields(racks))
		if p != nil && !(p.Has("port") && (p.Has("box") || p.Has("rack") && (p.Has("u") || p.Has("unit")))) {
			report("names.labels", "would label several ports the same\nadd {port}, and {box} or {rack} and {unit}")
		}
	case n.Labels != "" && !slices.Contains(LabelForms(), n.Labels):
		report("names.labels", "%q is not a form of labels, nor a pattern with fields\n%s", n.Labels,
			diag.Suggest(n.Labels, LabelForms(), "write a pattern like {rack}-{unit}:{port}, or one of "))
	}
}

// Pattern is that for the boxes of a kind, and its key; "" where there is none. The key is the name of the kind, for
// switches of a fabric also as in fabric/kind, or switch for all kinds of switches that have none.
func (n *Names) Pattern(k topology.Kind, fabric string) (text, key string) {
	keys := []string{k.Name}
	if own, ok := strings.CutPrefix(k.Name, fabric+"-"); ok && fabric != "" {
		keys = append(keys, fabric+"/"+own)
	}
	if k.Role == topology.Switch {
		keys = append(keys, "switch")
	}
	for _, key := range keys {
		if text, ok := n.Boxes[key]; ok {
			return text, key
		}
	}
	return "", ""
}

// pattern is one that checkNames has let through, nil for none.
func pattern(text string) *names.Pattern {
	if text == "" {
		return nil
	}
	p, err := names.Parse(text)
	if err != nil {
		return nil
	}
	return p
}

// Naming is what the section says of cables, panels and ends.
func (n *Names) Naming() cabling.Naming {
	out := cabling.Naming{Cables: pattern(n.Cables), Panels: pattern(n.Panels)}
	switch n.Labels {
	case "", LabelDevice:
	case LabelTIA606:
		out.Ends = pattern(cabling.TIA606)
	default:
		out.Ends = pattern(n.Labels)
	}
	return out
}
