// Package clusters has families of networks of clusters and supercomputers as they were built or are proposed to be
// built: servers that forward, rails, boards joined by switches. Importing it registers them, behind the families of
// package topology in their order.
package clusters

import "github.com/plenum-planner/plenum/topology"

func init() {
	for _, f := range []topology.Family{
		railOnlyFamily,
		bcubeFamily,
		dcellFamily,
		hammingMeshFamily,
		zcubeFamily,
		hexagonalTorusFamily,
		accessFamily,
		leafPairFamily,
		leafSpineFamily,
		crayDragonflyFamily,
		ocsTorusFamily,
	} {
		topology.Register(f)
	}
}
