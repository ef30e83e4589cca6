package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// RackTemplate is racks that hold the same boxes at the same units.
type RackTemplate struct {
	Name  string   `yaml:"name" json:"name" letters:"64"`
	Part  string   `yaml:"part,omitempty" json:"part,omitempty"`
	Holds []Held   `yaml:"holds" json:"holds" items:"256"`
	Count int      `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" most:"65536"`
	Place string   `yaml:"place,omitempty" json:"place,omitempty"`
	At    []string `yaml:"at,omitempty" json:"at,omitempty" items:"10000"`
	Feeds []string `yaml:"feeds,omitempty" json:"feeds,omitempty" items:"16"`
	// Cooling is the loop of coolant that serves the racks; "" where loops state their racks.
	Cooling string `yaml:"cooling,omitempty" json:"cooling,omitempty"`
	// CoolingSpare is how many of the coolant distribution units in each rack, in no loop, do not count.
	CoolingSpare int `yaml:"cooling_spare,omitempty" json:"cooling_spare,omitempty" most:"1000"`
	// Growth is how many racks there will be; nil where they do not grow.
	Growth *Growth `yaml:"growth,omitempty" json:"growth,omitempty"`
}

// Growth is how many racks of a template there will be, and what is reserved for them.
type Growth struct {
	To      int    `yaml:"to" json:"to" jsonschema:"minimum=2" most:"65536"`
	Reserve string `yaml:"reserve,omitempty" json:"reserve,omitempty" jsonschema:"enum=trays"`
}

// Grown returns a copy that has the numbers of racks which templates grow to, without what exists and without a
// placement file; nil where no racks grow. trays reports whether trays are reserved for it.
func (s *Spec) Grown() (grown *Spec, trays bool) {
	own := *s
	own.Racks = slices.Clone(s.Racks)
	own.Owned, own.Embedding.Placement = nil, ""
	for i := range own.Racks {
		t := &own.Racks[i]
		if t.Growth == nil {
			continue
		}
		grown, trays = &own, trays || t.Growth.Reserve != ""
		t.Count, t.Growth = t.Growth.To, nil
		own.growLoops(t)
	}
	return grown, trays
}

// growLoops has loops of coolant take the units that racks which grow add.
func (s *Spec) growLoops(t *RackTemplate) {
	s.Room.Loops = slices.Clone(s.Room.Loops)
	for i := range s.Room.Loops {
		l := &s.Room.Loops[i]
		l.grows = l.grows || slices.ContainsFunc(t.Holds, func(h Held) bool { return h.Names(l.CDUs) })
	}
}

// Held is boxes that every rack of a template holds: a kind of boxes or of switches, and where they stand.
type Held struct {
	Boxes  string      `yaml:"boxes,omitempty" json:"boxes,omitempty"`
	Switch string      `yaml:"switch,omitempty" json:"switch,omitempty"`
	Units  []Positions `yaml:"units,omitempty" json:"units,omitempty" items:"256"`
	Count  int         `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" most:"256"`
	Face   string      `yaml:"face,omitempty" json:"face,omitempty" jsonschema:"enum=front,enum=rear"`
	Feed   string      `yaml:"feed,omitempty" json:"feed,omitempty"`
	// Redundancy is how many of the boxes, which have outlets, may fail together; none is checked if it is empty.
	Redundancy catalog.Redundancy `yaml:"redundancy,omitempty" json:"redundancy,omitempty"`
}

// RearFace is the face of boxes that have their front at the rear of the rack.
const RearFace = "rear"

// Word is what the entry calls its boxes by, and the key that does.
func (h *Held) Word() (key, word string) {
	if h.Boxes != "" {
		return "boxes", h.Boxes
	}
	return "switch", h.Switch
}

// Names reports whether the entry is of a kind of boxes, by the words of the file: "tray", "oob/leaf". A switch may be
// called by its fabric alone.
func (h *Held) Names(kind string) bool {
	fabric, _, ofFabric := strings.Cut(kind, "/")
	return kind != "" && (h.Boxes == kind || h.Switch == kind || ofFabric && fabric != "" && h.Switch == fabric)
}

// Places is how many boxes of a height in rack units every rack has by the entry, 0 high for those beside the units.
// A range counts as far as it holds whole boxes.
func (h *Held) Places(height int) int {
	if height == 0 {
		return cmp.Or(h.Count, 1)
	}
	n := 0
	for _, p := range h.Units {
		if s, ok := p.Stretch(); ok && p.Range() {
			n += (s.Last - s.First + 1) / height
		} else if ok {
			n++
		}
	}
	return n
}

// Range reports whether the positions are written as a range, such as 7-9.
func (p Positions) Range() bool { return strings.Contains(string(p), "-") }

// TemplatesOf are the indices in Racks of the templates that hold a kind of boxes, by the words of the file, ascending.
func (s *Spec) TemplatesOf(kind string) []int {
	var out []int
	for i := range s.Racks {
		if slices.ContainsFunc(s.Racks[i].Holds, func(h Held) bool { return h.Names(kind) }) {
			out = append(out, i)
		}
	}
	return out
}

// PlaceOf is where the racks of a template stand: in those of the nodes unless they hold nothing but switches.
func (t *RackTemplate) PlaceOf() string {
	switch {
	case t.Place != "":
		return t.Place
	case slices.ContainsFunc(t.Holds, func(h Held) bool { return h.Boxes != "" }):
		return InRack
	}
	return NetworkRow
}

// checkTemplates checks templates of racks as far as is possible without knowing the kinds of boxes.
func (s *Spec) checkTemplates(report Reporter) {
	if len(s.Racks) > 0 && len(s.Room.Containers) > 0 {
		report("racks", "containers have no racks\nremove it")
	}
	first := map[string]int{}
	for i := range s.Racks {
		t, at := &s.Racks[i], diag.Elem("racks", i)
		switch before, again := first[t.Name]; {
		case t.Name == "": // the reader has told
		case strings.ContainsAny(t.Name, "/, \t\n"):
			report(at+".name", "%q has blanks, commas or slashes\nnames of racks are single words", t.Name)
		case again:
			report(at+".name", "racks[%d] has the name %q already", before, t.Name)
		default:
			first[t.Name] = i
		}
		switch g := t.Growth; {
		case g == nil:
		case t.Count == 0:
			report(at+".growth", "grows from no stated number of racks\nwrite count: how many there are")
		case g.To > 0 && g.To <= t.Count:
			report(at+".growth.to", "%d racks are not more than the %d of count\nwrite how many there will be", g.To,
				t.Count)
		}
		for j, feed := range t.Feeds {
			s.checkFeed(report, diag.Elem(at+".feeds", j), feed)
			if slices.Index(t.Feeds, feed) < j {
				report(diag.Elem(at+".feeds", j), "feed %s is in the list already\nname it once", feed)
			}
		}
		if t.Cooling != "" {
			s.checkLoop(report, at+".cooling", t.Cooling)
			if t.CoolingSpare > 0 {
				report(at+".cooling_spare", "is of units in the racks, and loop %s cools them\nwrite spare of the loop",
					t.Cooling)
			}
		}
		for j := range t.Holds {
			h, at := &t.Holds[j], diag.Elem(at+".holds", j)
			h.check(report, at)
			if h.Feed != "" {
				s.checkFeed(report, at+".feed", h.Feed)
			}
			if h.Redundancy != "" && s.Room.Feeds == nil && !s.Unread("room.feeds") {
				report(at+".redundancy", "is checked on the feeds of the room, of which there are none\nadd room.feeds")
			}
			if h.Feed != "" && t.Feeds != nil && !slices.Contains(t.Feeds, h.Feed) {
				report(at+".feed", "the racks draw from %s by feeds\nadd %s there, or name one of them",
					english.List(t.Feeds), h.Feed)
			}
			if names := s.OthersThan(h); names != nil {
				key, word := h.Word()
				report(at+"."+key, "there are no boxes %q\n%s", word, diag.Suggest(word, names, "there are "))
			}
		}
	}
}

// checkFeed refuses the name of a feed that the room does not have.
func (s *Spec) checkFeed(report Reporter, at, name string) {
	var names []string
	for i := range s.Room.Feeds {
		names = append(names, s.Room.Feeds[i].Name)
	}
	if s.NamesLost("room.feeds", len(names)) {
		return
	}
	if names == nil {
		report(at, "the room has no feeds\ngive room.feeds: [{name: %s}]", cmp.Or(name, "A"))
	} else if !slices.Contains(names, name) {
		report(at, "there is no feed %q\n%s", name, diag.Suggest(name, names, "there are "))
	}
}

// checkLoop refuses the name of a loop of coolant that the room does not have.
func (s *Spec) checkLoop(report Reporter, at, name string) {
	var names []string
	for i := range s.Room.Loops {
		names = append(names, s.Room.Loops[i].Name)
	}
	if s.NamesLost("room.loops", len(names)) {
		return
	}
	if names == nil {
		report(at, "the room has no loops of coolant\ngive room.loops: [{name: %s, cdus: KIND}]", name)
	} else if !slices.Contains(names, name) {
		report(at, "there is no loop %q\n%s", name, diag.Suggest(name, names, "there are "))
	}
}

// OthersThan returns the names of boxes, or of fabrics, that an entry of a template could have meant; nil if its name
// is known, is empty, or cannot be judged yet because the file lists no boxes.
func (s *Spec) OthersThan(h *Held) []string {
	key, word := h.Word()
	word, _, ofFabric := strings.Cut(word, "/")
	if len(s.Boxes) == 0 || word == "" || s.NamesLost("boxes", len(s.Boxes)) ||
		s.NamesLost("fabrics", len(s.Fabrics)) {
		return nil
	}
	var names []string
	if key == "boxes" && !ofFabric {
		for i := range s.Boxes {
			names = append(names, s.Boxes[i].Name)
		}
	} else {
		for i := range s.Fabrics {
			names = append(names, s.Fabrics[i].Name)
		}
	}
	isBox := func(b Boxes) bool { return b.Name == word } // as a switch it is refused once roles are known
	if slices.Contains(names, word) || slices.ContainsFunc(s.Boxes, isBox) {
		return nil
	}
	return names
}

// check checks an entry of what a rack holds.
func (h *Held) check(report Reporter, at string) {
	switch {
	case h.Boxes == "" && h.Switch == "":
		report(at, "names no boxes\nwrite boxes: KIND, or switch: FABRIC for the switches of a fabric")
	case h.Boxes != "" && h.Switch != "":
		report(at+".switch", "the entry is of boxes %s already\nwrite an entry for each", h.Boxes)
	}
	for k, p := range h.Units {
		if _, ok := p.Stretch(); !ok {
			report(diag.Elem(at+".units", k), "%q is not a rack unit, nor a range of them\nwrite 36 or 5-12",
				string(p))
		}
	}
}
