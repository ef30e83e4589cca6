package delay

import (
	"fmt"

	"plenum/topology"
	"plenum/units"
)

// Class sums up the links of one level. The delay of a link is its wire plus
// the hop delay of the vertex entered, the mean of both directions; means are
// over channels.
type Class struct {
	Name       string       `json:"name"`
	Channels   int64        `json:"channels"`
	MeanDelay  units.Time   `json:"mean_delay_ns"`
	MaxDelay   units.Time   `json:"max_delay_ns"`
	MeanLength units.Length `json:"mean_length_m"`
	MaxLength  units.Length `json:"max_length_m"`
}

// Levels sums up the links of g by their level in the topology.
func Levels(g topology.Graph, m Model, l Links) ([]Class, error) {
	var names []string
	for _, level := range g.Levels() {
		names = append(names, level.Name)
	}
	return classes(g, m, l, names, func(link topology.Link, _ int) int { return int(link.Level) })
}

// Classes sums up the links of g by a class handed in per link, an index into
// names: their level in the layout, for example.
func Classes(g topology.Graph, m Model, l Links, class []uint8, names []string) ([]Class, error) {
	if len(class) != len(l.Length) {
		return nil, fmt.Errorf("delay: %d classes for %d links", len(class), len(l.Length))
	}
	for i, c := range class {
		if int(c) >= len(names) {
			return nil, fmt.Errorf("delay: link %d has class %d of %d", i, c, len(names))
		}
	}
	return classes(g, m, l, names, func(_ topology.Link, i int) int { return int(class[i]) })
}

func classes(g topology.Graph, m Model, l Links, names []string, of func(topology.Link, int) int) ([]Class, error) {
	kinds := g.Kinds()
	if err := m.check(kinds, l); err != nil {
		return nil, err
	}
	out := make([]Class, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	i := 0
	for link := range g.Links() {
		if i == len(l.Length) {
			return nil, fmt.Errorf("delay: more than the %d links that have a length", i)
		}
		length, medium := l.at(int32(i))
		hops := m.Hop[topology.KindOf(kinds, int(link.A))] + m.Hop[topology.KindOf(kinds, int(link.B))]
		d := m.Wire(length, medium) + hops/2
		c := &out[of(link, i)]
		c.Channels += int64(link.Width)
		c.MeanDelay += units.Time(float64(d) * float64(link.Width)) // a sum until the end
		c.MeanLength += units.Length(float64(length) * float64(link.Width))
		c.MaxDelay = max(c.MaxDelay, d)
		c.MaxLength = max(c.MaxLength, length)
		i++
	}
	if i != len(l.Length) {
		return nil, fmt.Errorf("delay: %d links and %d lengths", i, len(l.Length))
	}
	for i := range out {
		if n := out[i].Channels; n > 0 {
			out[i].MeanDelay /= units.Time(n)
			out[i].MeanLength /= units.Length(n)
		}
	}
	return out, nil
}
