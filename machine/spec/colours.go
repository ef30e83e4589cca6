package spec

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Colours is a policy of colours of cables. A rail goes before a fabric.
type Colours struct {
	Fabrics map[string]string `yaml:"fabrics,omitempty" json:"fabrics,omitempty"`
	Rails   RailColours       `yaml:"rails,omitempty" json:"rails,omitempty" items:"64"`
	Feeds   map[string]string `yaml:"feeds,omitempty" json:"feeds,omitempty"` // of power cords
}

// RailColours are the colours of rails 0, 1, ... of each fabric, by its name. The name "" stands for all fabrics. It is
// then the only one, and is written as a list without a name.
type RailColours map[string][]string

// RailsOfAll gives the rails of all fabrics the same colours.
func RailsOfAll(colours ...string) RailColours { return RailColours{"": colours} }

// Of returns the colours of the rails of a fabric, or of a machine with one topology, whose name is "".
func (c RailColours) Of(fabric string) []string {
	if own, ok := c[fabric]; ok {
		return own
	}
	return c[""]
}

// Written makes the reader take a list for that of all fabrics; for a mapping it returns nil, and the names are read.
func (c *RailColours) Written(tag string) (target any, take func()) {
	if tag == "!!map" {
		return nil, nil
	}
	var list []string
	return &list, func() {
		if len(list) > 0 {
			*c = RailsOfAll(list...)
		}
	}
}

// MarshalJSON writes a list or the lists of fabrics.
func (c RailColours) MarshalJSON() ([]byte, error) { return json.Marshal(c.value()) }

// MarshalYAML writes a list or the lists of fabrics.
func (c RailColours) MarshalYAML() (any, error) { return c.value(), nil }

func (c RailColours) value() any {
	if list, ok := c[""]; ok {
		return list
	}
	return map[string][]string(c)
}

// mostColourLetters is the longest name of a colour.
const mostColourLetters = 32

// checkColours checks colours and what has them.
func (s *Spec) checkColours(report Reporter) {
	c := s.Cabling.Colours
	if c == nil {
		return
	}
	const at = "cabling.colours"
	named := func(path string, colours map[string]string, list string, known []string, what, none string) {
		lost := s.NamesLost(list, len(known))
		for _, name := range slices.Sorted(maps.Keys(colours)) {
			at := diag.OfKey(path, name)
			switch {
			case lost: // the name may be one that could not be read
			case len(known) == 0:
				report(at, "%s", none)
			case !slices.Contains(known, name):
				report(at, "there is no %s %q\n%s", what, name, diag.Suggest(name, known, "they are "))
			}
			checkColour(report, diag.Key(path, name), colours[name], false)
		}
	}
	named(at+".fabrics", c.Fabrics, "fabrics", s.FabricNames(), "fabric", "the machine has one topology and no "+
		"fabrics\ngive colours by rail, or write the network as one of fabrics")
	var feeds []string
	for i := range s.Room.Feeds {
		feeds = append(feeds, s.Room.Feeds[i].Name)
	}
	named(at+".feeds", c.Feeds, "room.feeds", feeds, "feed", "the room has no feeds\ngive room.feeds")
	s.checkRailColours(report, at+".rails")
	if n := len(c.ofCables()); n > cabling.MostColours {
		report(at, "%d colours of cables are more than %d", n, cabling.MostColours)
	}
}

// checkRailColours checks the colours of rails and the fabrics that have them.
func (s *Spec) checkRailColours(report Reporter, path string) {
	rails := s.Cabling.Colours.Rails
	for _, name := range slices.Sorted(maps.Keys(rails)) {
		at, known := path, s.FabricNames()
		if name != "" {
			at = diag.Key(path, name)
			switch {
			case s.NamesLost("fabrics", len(known)):
			case len(known) == 0:
				report(at, "the machine has one topology and no fabrics\nwrite the list of colours without a name")
			case !slices.Contains(known, name):
				report(at, "there is no fabric %q\n%s", name, diag.Suggest(name, known, "they are "))
			}
		}
		for i, colour := range rails[name] {
			checkColour(report, diag.Elem(at, i), colour, true)
		}
	}
}

// ofCables are the different colours of cables.
func (c *Colours) ofCables() []string {
	all := slices.Collect(maps.Values(c.Fabrics))
	for _, list := range c.Rails {
		all = append(all, list...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// checkColour checks the name of a colour.
func checkColour(report Reporter, at, colour string, mayLack bool) {
	switch wrong := strings.TrimFunc(colour, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' || r == '-'
	}); {
	case colour == "" && mayLack:
	case strings.TrimSpace(colour) != colour || colour == "":
		report(at, "%q is not a colour\nwrite its name, such as aqua", colour)
	case wrong != "":
		report(at, "%q has %q in it\nnames of colours have letters, digits, blanks and dashes", colour, wrong)
	case len(colour) > mostColourLetters:
		report(at, "the name of a colour has at most %s", english.Count(mostColourLetters, "byte"))
	}
}
