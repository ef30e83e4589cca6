package topology

// Channels returns the number of channels of every level of g: as Count does, but
// from a closed form in the families that have one, whatever the size.
func Channels(g Graph) []int64 {
	if c, ok := g.(Counted); ok {
		if n := c.LevelChannels(); len(n) == len(g.Levels()) { // families that build on another add levels
			return n
		}
	}
	return Count(g).ByLevel
}
