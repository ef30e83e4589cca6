package spec

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Colours is a policy of colours of cables. A rail goes before a fabric.
type Colours struct {
	Fabrics map[string]string `yaml:"fabrics,omitempty" json:"fabrics,omitempty"`
	Rails   []string          `yaml:"rails,omitempty" json:"rails,omitempty" items:"64"`
	Feeds   map[string]string `yaml:"feeds,omitempty" json:"feeds,omitempty"` // of power cords
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
	named := func(path string, colours map[string]string, known []string, what, none string) {
		for _, name := range slices.Sorted(maps.Keys(colours)) {
			at := diag.Key(path, name)
			if len(known) == 0 {
				report(at, "%s", none)
			} else if !slices.Contains(known, name) {
				report(at, "there is no %s %q\n%s", what, name, diag.Suggest(name, known, "they are "))
			}
			checkColour(report, at, colours[name], false)
		}
	}
	named(at+".fabrics", c.Fabrics, s.FabricNames(), "fabric", "the machine has one topology and no fabrics\n"+
		"give colours by rail, or write the network as one of fabrics")
	var feeds []string
	for i := range s.Room.Feeds {
		feeds = append(feeds, s.Room.Feeds[i].Name)
	}
	named(at+".feeds", c.Feeds, feeds, "feed", "the room has no feeds\ngive room.feeds")
	for i, colour := range c.Rails {
		checkColour(report, diag.Elem(at+".rails", i), colour, true)
	}
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
