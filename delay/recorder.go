package delay

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Recorder receives the channels of a machine one at a time, in the order of topology.Graph.Links. It sums up the
// delays of links by level and collects the media of the model and, with Keep, the links that Paths needs.
type Recorder struct {
	Model Model
	// Links holds every link if Keep is set.
	Links Links
	Keep  bool
	// HopOf has the hop delays of each kind by level of the topology; nil stands for Model.Hop on all levels. They
	// differ if several networks share boxes that forward messages in some of these networks only.
	HopOf [][]units.Time
	// Level and Within are the delays by level of the topology and by level of
	// the lowest container that holds both ends.
	Level, Within []Class

	kinds  []topology.Kind
	number map[Medium]uint8 // in Model.Media
	last   int32            // number of the last link
	kindA  int              // kinds of the ends of the last channel
	kindB  int
	err    error
}

// Channel is one channel of a link.
type Channel struct {
	Link          int32 // its number in the order of Graph.Links
	A, B          int32 // vertices
	Level, Within uint8
	Length        units.Length
	Medium        uint8 // number returned by Recorder.Medium
}

// NewRecorder returns a Recorder for the links of a graph whose kinds of vertices have the given hop delays, in a
// layout with the given number of levels.
func NewRecorder(g topology.Graph, hop []units.Time, layoutLevels int) *Recorder {
	return &Recorder{
		Model: Model{Hop: hop}, Level: make([]Class, len(g.Levels())), Within: make([]Class, layoutLevels),
		kinds: g.Kinds(), number: map[Medium]uint8{}, last: -1,
	}
}

// Medium returns the number of a medium, which it adds if it is new. With more than 256 media, Err returns an error.
func (r *Recorder) Medium(m Medium) uint8 {
	i, ok := r.number[m]
	if !ok {
		if len(r.Model.Media) > math.MaxUint8 {
			r.err = fmt.Errorf("cables of more than %d different delays", math.MaxUint8)
			return 0
		}
		i = uint8(len(r.Model.Media))
		r.number[m] = i
		r.Model.Media = append(r.Model.Media, m)
	}
	return i
}

// Err returns the last error of Medium, nil if there was none.
func (r *Recorder) Err() error { return r.err }

// Add records a channel. Links gets only the first of the channels of a link.
func (r *Recorder) Add(c *Channel) {
	hop := r.Model.Hop
	if r.HopOf != nil {
		hop = r.HopOf[c.Level]
	}
	r.kindA = topology.KindNear(r.kinds, r.kindA, int(c.A))
	r.kindB = topology.KindNear(r.kinds, r.kindB, int(c.B))
	d := r.Model.Wire(c.Length, int(c.Medium)) + meanHop(hop, r.kindA, r.kindB)
	r.Level[c.Level].Add(d)
	r.Within[c.Within].Add(d)
	if r.Keep && c.Link != r.last {
		r.last = c.Link
		r.Links.Add(c.Length, c.Medium)
	}
}
