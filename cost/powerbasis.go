package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// PowerBasis is the basis of all figures of power of a machine, and what is counted on another. Every output that shows
// such a figure takes its words from here. Nil stands for a machine file that names no basis.
type PowerBasis struct {
	Basis catalog.PowerBasis `json:"basis"` // `typical`, `design` or `peak`
	// Instead are the parts that state no figure on this basis, sorted by id.
	Instead []OtherPower `json:"instead"`
}

// OtherPower is a part that states no power on the basis that is planned, and the figure that is counted in its place.
type OtherPower struct {
	Part string `json:"part"` // its id
	// Kind is `node`, `service`, `switch`, `adapter`, `optic`, `cable`, `midplane`, `chassis` or `frame`.
	Kind catalog.Kind `json:"kind"`
	Qty  int64        `json:"qty"` // pieces that the machine takes, without spares
	// Basis is that of the figure; empty where the part does not state it.
	Basis catalog.PowerBasis `json:"basis"`
	// Power is the draw of a piece; of a cable, of its near end. 0 where the part states no power.
	Power units.Power `json:"power_w"`
}

// String is the part with its pieces and what is counted: "nvidia-q3400 (16, typical power)".
func (o OtherPower) String() string {
	return fmt.Sprintf("%s (%s, %s)", o.Part, english.Grouped(o.Qty), o.BasisName())
}

// BasisName returns the name of the figure that the power is based on, such as "typical power".
func (o OtherPower) BasisName() string {
	switch {
	case o.Basis != "":
		return string(o.Basis) + " power"
	case o.Power > 0:
		return "power of no stated basis"
	}
	return "no power"
}

// Short names the basis in a few words, for the space beside a figure of power: "design power; 3 parts (16 pieces)
// state none". It is empty without a basis.
func (p *PowerBasis) Short() string {
	if p == nil {
		return ""
	}
	out := string(p.Basis) + " power"
	if n := int64(len(p.Instead)); n > 0 {
		pieces := int64(0)
		for _, o := range p.Instead {
			pieces += o.Qty
		}
		state := "state"
		if n == 1 {
			state = "states"
		}
		out += fmt.Sprintf("; %s (%s) %s none", english.Count(n, "part"),
			english.Count(pieces, "piece"), state)
	}
	return out
}

// Words is Short, or "power" without a basis.
func (p *PowerBasis) Words() string { return cmp.Or(p.Short(), "power") }

// After is Short behind a comma and a space, for the end of a sentence about power. It is empty without a basis.
func (p *PowerBasis) After() string {
	if p == nil {
		return ""
	}
	return ", " + p.Short()
}

// Lacks reports whether a part states no power on the basis, so that another figure is counted.
func (p *PowerBasis) Lacks(part string) bool {
	return p != nil && slices.ContainsFunc(p.Instead, func(o OtherPower) bool { return o.Part == part })
}

// Sentences name the basis and every part that is counted on another. There are none without a basis.
func (p *PowerBasis) Sentences() []string {
	if p == nil {
		return nil
	}
	out := []string{fmt.Sprintf("all figures of power are %s power, by power_basis", p.Basis)}
	if len(p.Instead) > 0 {
		var parts []string
		for _, o := range p.Instead {
			parts = append(parts, o.String())
		}
		out = append(out, fmt.Sprintf("parts that state no %s power, with what is counted in its place: %s", p.Basis,
			strings.Join(parts, ", ")))
	}
	return out
}

// PowerNote says in words what figures of power are of, and what they leave out.
type PowerNote struct {
	*PowerBasis
	boxes int64 // whose parts state no power
}

// NewPowerNote makes the note of a basis, nil for none, and the boxes that state no power.
func NewPowerNote(basis *PowerBasis, unstated []OtherPower) PowerNote {
	note := PowerNote{PowerBasis: basis}
	for _, o := range unstated {
		note.boxes += o.Qty
	}
	return note
}

// PowerNote says what the power of the bill is of.
func (b *Bill) PowerNote() PowerNote { return NewPowerNote(b.PowerBasis, b.PowerUnstated) }

// Without says what figures of power leave out: "without 32 boxes of unstated power". It is empty where all state it.
func (n PowerNote) Without() string {
	if n.boxes == 0 {
		return ""
	}
	return "without " + english.Count(n.boxes, "box") + " of unstated power"
}

// Short is PowerBasis.Short, with what figures leave out.
func (n PowerNote) Short() string {
	without := n.Without()
	if n.PowerBasis == nil || without == "" {
		return n.PowerBasis.Short() + without
	}
	return n.PowerBasis.Short() + ", " + without
}

// Words is PowerBasis.Words, with what figures leave out.
func (n PowerNote) Words() string {
	if without := n.Without(); without != "" {
		return n.PowerBasis.Words() + ", " + without
	}
	return n.PowerBasis.Words()
}

// After is Short behind a comma and a space, for the end of a sentence about power. It is empty without a note.
func (n PowerNote) After() string {
	if short := n.Short(); short != "" {
		return ", " + short
	}
	return ""
}

// powerUnstated lists the parts of boxes that state no power.
func (b *builder) powerUnstated() {
	s, at := b.in.Schedule, map[string]int{}
	for i, k := range s.Kinds {
		part := s.Boxes[i].Part
		if k.Count == 0 || !part.LacksPower() {
			continue
		}
		j, ok := at[part.ID]
		if !ok {
			j = len(b.bill.PowerUnstated)
			at[part.ID] = j
			b.bill.PowerUnstated = append(b.bill.PowerUnstated, OtherPower{Part: part.ID, Kind: part.Kind})
		}
		b.bill.PowerUnstated[j].Qty += int64(k.Count)
	}
}

// powerBasis lists the parts that state no power on the basis of the input.
func (b *builder) powerBasis() {
	basis := b.in.PowerBasis
	if basis == "" {
		return
	}
	out := &PowerBasis{Basis: basis, Instead: []OtherPower{}}
	at := map[string]int{} // cables of several lengths are one part
	for i := range b.bill.Rows {
		row, part := &b.bill.Rows[i], b.lots[i].part
		if part == nil || row.Qty == 0 || part.Power == 0 && !part.LacksPower() ||
			!part.Draws() && !isCounted(part.Kind) {
			continue
		}
		on := otherBasis(part, basis)
		if on == basis {
			continue
		}
		j, ok := at[part.ID]
		if !ok {
			j = len(out.Instead)
			at[part.ID] = j
			out.Instead = append(out.Instead, OtherPower{Part: part.ID, Kind: row.Kind, Basis: on, Power: part.Power})
		}
		out.Instead[j].Qty += row.Qty
	}
	slices.SortFunc(out.Instead, func(x, y OtherPower) int { return cmp.Compare(x.Part, y.Part) })
	b.bill.PowerBasis = out
}

// isCounted reports whether the power of parts of a kind that need not draw any is in the bill.
func isCounted(kind catalog.Kind) bool {
	return kind == catalog.KindCable || slices.Contains(catalog.EnclosureKinds, kind)
}

// otherBasis is the basis of the power of a part that is planned on basis: that of a far end where only the far end
// states none.
func otherBasis(part *catalog.Part, basis catalog.PowerBasis) catalog.PowerBasis {
	_, near := part.PowerOn(basis)
	if _, far := part.FarPowerOn(basis); near == basis {
		return far
	}
	return near
}
