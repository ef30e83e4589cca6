package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

// InterfaceType is what NetBox calls a port with a cage or socket at a rate; "other" where it has no word for it. A
// cage does not tell Ethernet from InfiniBand: the word is Ethernet's where there is one. An OSFP cage for flat tops is
// that for riding heat sinks, or an OSFP cage where NetBox has none of these at the rate.
func InterfaceType(connector string, rate units.Rate) string {
	cages := []string{connector}
	if connector == "osfp-flat" || connector == "osfp-rhs" {
		cages = []string{"osfp-rhs", "osfp"}
	}
	for _, cage := range cages {
		if kind := interfaceType(socket{cage, rate}); kind != "" {
			return kind
		}
	}
	return "other"
}

// interfaceType is the word for a socket, empty where there is none.
func interfaceType(s socket) string {
	best := ""
	for _, kind := range slices.Sorted(maps.Keys(sockets)) {
		if sockets[kind] != s {
			continue
		}
		// Of two words, the one that ends as the cage is called.
		if best == "" || strings.HasSuffix(kind, s.connector) ||
			strings.HasPrefix(best, "infiniband-") && !strings.HasPrefix(kind, "infiniband-") {
			best = kind
		}
	}
	return best
}
