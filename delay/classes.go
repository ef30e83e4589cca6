package delay

import "github.com/plenum-planner/plenum/units"

// Class sums up the channels of one class of links, such as a level of the
// topology or of the layout, as they come by.
type Class struct {
	Channels int64
	MaxDelay units.Time
	Spread   Spread[units.Time] // of the delays
	sum      units.Time
}

// Link is the delay of a link: its wire plus the hop delay of the vertex
// entered, the mean of both directions.
func (m Model) Link(length units.Length, medium, kindA, kindB int) units.Time {
	return m.Wire(length, medium) + meanHop(m.Hop, kindA, kindB)
}

// meanHop is the hop delay of a link, the mean of both directions.
func meanHop(hop []units.Time, kindA, kindB int) units.Time { return (hop[kindA] + hop[kindB]) / 2 }

// Add counts a channel with the delay that Link gives.
func (c *Class) Add(d units.Time) {
	c.Channels++
	c.MaxDelay = max(c.MaxDelay, d)
	c.sum += d
	c.Spread.Add(d)
}

// MeanDelay is the mean over the channels, zero if there are none.
func (c *Class) MeanDelay() units.Time {
	if c.Channels == 0 {
		return 0
	}
	return c.sum / units.Time(c.Channels)
}
