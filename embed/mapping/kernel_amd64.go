package mapping

// distances is the sum, over the positions of v, of their distance from b less that from a, less the same over those of
// u. A position is a column and a row << 8. Lengths are multiples of listWord.
//
//go:noescape
func distances(v, u []uint16, a, b uint16) int
