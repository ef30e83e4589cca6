package workload

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/sim/goal"
)

// Groups is the ranks of every process group by name, in the order of the group.
type Groups map[string][]int32

// ReadGroups reads process groups from JSON as ASTRA-sim's files of communicator groups have them: an object with a
// list of ranks for each name. Ranks below 0 or from goal.MaxRanks on, and one twice in a group, are errors.
func ReadGroups(path string) (Groups, error) {
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var groups Groups
	if err := json.Unmarshal(data, &groups); err != nil {
		return nil, fmt.Errorf("%s: want lists of ranks by name, like {\"0\": [0, 1]}: %w", path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		seen := map[int32]bool{}
		for _, r := range groups[name] {
			switch {
			case r < 0 || r >= goal.MaxRanks:
				return nil, fmt.Errorf("%s: group %q: there is no rank %d", path, name, r)
			case seen[r]:
				return nil, fmt.Errorf("%s: group %q has rank %d twice", path, name, r)
			}
			seen[r] = true
		}
	}
	return groups, nil
}
