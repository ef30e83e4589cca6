package delay

import "github.com/plenum-planner/plenum/units"

// Class sums up the delays of one class of links, such as a level of the topology or of the layout. Its zero value is
// an empty class.
type Class struct {
	Channels int64
	MaxDelay units.Time
	Spread   Spread[units.Time] // histogram of the delays
	sum      units.Time
}

// Link returns the delay of a link between vertices of two kinds: that of its wire plus the hop delay of the vertex
// entered, as the mean of both directions.
func (m Model) Link(length units.Length, medium, kindA, kindB int) units.Time {
	return m.Wire(length, medium) + meanHop(m.Hop, kindA, kindB)
}

// meanHop returns the hop delay of entering a vertex over a link, as the mean of both directions.
func meanHop(hop []units.Time, kindA, kindB int) units.Time { return (hop[kindA] + hop[kindB]) / 2 }

// Add counts a channel with the delay that Link gives.
func (c *Class) Add(d units.Time) {
	c.Channels++
	c.MaxDelay = max(c.MaxDelay, d)
	c.sum += d
	c.Spread.Add(d)
}

// MeanDelay returns the mean over the channels, zero if there are none.
func (c *Class) MeanDelay() units.Time {
	if c.Channels == 0 {
		return 0
	}
	return c.sum / units.Time(c.Channels)
}
