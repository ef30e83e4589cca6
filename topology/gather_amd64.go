package topology

// gatherLines sets into to the union of the lines that n tails stand for. It
// fetches the lines of later tails into the cache: gatherAhead tails beyond the
// n must be readable, and stand for lines.
//
//go:noescape
func gatherLines(into *line, lines *line, tails *int32, n int)
