package search

import "math"

// GridBound is a lower bound on the mean distance between different points of a graph over a grid, and one on its
// diameter: within h hops of a point there are at most as many others as in a tree of its degree, and as many as lie
// within h times the greatest length (K. Nakano et al., "Randomly optimized grid graph for low-latency interconnection
// networks", ICPP 2016; Graph Golf). Lengths are sums of the steps along columns and rows. The mean is infinite, and
// the diameter -1, where no graph joins all points: a tree of the degree never has enough points, or longest is below
// 1. Both are 0 for a grid of one point.
func GridBound(columns, rows, degree, longest int) (mean float64, diameter int) {
	nodes := columns * rows
	switch {
	case nodes < 2:
		return 0, 0
	case longest < 1 || degree < 2 && nodes > 1+degree:
		return math.Inf(1), -1
	}
	longest = min(longest, columns+rows) // no points are farther apart
	total := 0
	for y := range rows {
		for x := range columns {
			reached := 1
			for h := 0; reached < nodes; h++ {
				// Only so many as are not yet reached stand one hop farther off.
				total += nodes - reached
				diameter = max(diameter, h+1)
				tree := moore(degree, h+1, nodes)
				reached = min(tree, pointsWithin(columns, rows, x, y, (h+1)*longest))
			}
		}
	}
	return float64(total) / float64(nodes) / float64(nodes-1), diameter
}

// moore is how many vertices a tree of a degree has within a number of hops of its root, at most limit.
func moore(degree, hops, limit int) int {
	reached, leaves := 1, degree
	for range hops {
		reached += leaves
		if reached >= limit {
			return limit
		}
		leaves *= degree - 1
	}
	return reached
}

// pointsWithin is how many points of a grid lie within a distance of one of them, itself with them.
func pointsWithin(columns, rows, x, y, distance int) int {
	points := 0
	for row := range rows {
		if left := distance - abs(row-y); left >= 0 {
			points += min(columns-1, x+left) - max(0, x-left) + 1
		}
	}
	return points
}

func abs(x int) int { return max(x, -x) }
