package topology

// PortUse counts the ports at which links end. A port has a lane to transmit and a lane to receive: a duplex link takes
// both lanes of a port at each end, a simplex link one lane, so that an outgoing and an incoming simplex link share a
// port. The ports in use at a vertex are therefore the greater of its outgoing and incoming channels.
type PortUse struct {
	out, in []int32 // channels by vertex
}

// NewPortUse returns counts of zero for every vertex of g. They take 8 bytes a vertex.
func NewPortUse(g Graph) *PortUse {
	n := Vertices(g)
	lanes := make([]int32, 2*n)
	return &PortUse{out: lanes[:n], in: lanes[n:]}
}

// Add counts the channels of a link.
func (u *PortUse) Add(l *Link) {
	u.out[l.A] += l.Width
	u.in[l.B] += l.Width
	if !l.Simplex {
		u.in[l.A] += l.Width
		u.out[l.B] += l.Width
	}
}

// At returns the number of ports in use at a vertex.
func (u *PortUse) At(v int) int { return int(max(u.out[v], u.in[v])) }

// Of returns the number of ports in use at all vertices of a kind.
func (u *PortUse) Of(k Kind) int64 {
	sum := int64(0)
	for v := k.First; v < k.First+k.Count; v++ {
		sum += int64(u.At(v))
	}
	return sum
}
