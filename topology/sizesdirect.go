package topology

import "slices"

// gridSizes offers near-cubic tori and meshes: sides in ascending order, in two
// to six dimensions, the largest at most twice the smallest. Cubes come first.
func gridSizes(s *sizeSearch, wrap bool, params func(Ints) Params) {
	for n := 2; n <= 6; n++ {
		s.cuboids(n, 1, 1, func(sides []int, points, from, to int) {
			rank := func(i int) int {
				last := from + i
				rank := 1000 * last / sides[0] << 20
				return rank + gridDiameter(wrap, sides) + gridDiameter(wrap, []int{last})
			}
			size := func(i int) Size {
				dims := append(append(make(Ints, 0, n), sides...), from+i)
				return gridSize(params(dims), wrap, dims)
			}
			ports := 0
			for _, side := range sides {
				ports += min(side-1, 2)
			}
			if from == 2 { // has one port less than a longer side
				if ports+1 <= s.ports {
					s.run(1, points*from, points, rank, size)
				}
				from++
			}
			if ports+2 <= s.ports {
				s.run(to-from+1, points*from, points, rank, size)
			}
		})
	}
}

func torusSizes(s *sizeSearch) {
	gridSizes(s, true, func(dims Ints) Params { return Torus{dims} })
}

func meshSizes(s *sizeSearch) {
	gridSizes(s, false, func(dims Ints) Params { return Mesh{dims} })
}

func gridDiameter(wrap bool, dims []int) int {
	d := 0
	for _, side := range dims {
		if wrap {
			d += side / 2
		} else {
			d += side - 1
		}
	}
	return d
}

// gridSize is a torus, or a mesh if it does not wrap.
func gridSize(p Params, wrap bool, dims Ints) Size {
	z := Size{Spec: Spec{Params: p}, Nodes: 1, Diameter: gridDiameter(wrap, dims)}
	for _, side := range dims {
		z.Nodes *= side
		z.Ports += min(side-1, 2)
	}
	for _, side := range dims {
		lines := int64(z.Nodes / side)
		z.Links += lines * int64(side-1)
		if wrap && side > 2 {
			z.Links += lines
		}
	}
	return z
}

// hypercubeSizes offers all hypercubes.
func hypercubeSizes(s *sizeSearch) {
	s.powersOf(2, 1, func(n, nodes int) {
		if n <= maxCube {
			s.add(0, Size{
				Spec:  Spec{Params: Hypercube{Ints{n}}},
				Nodes: nodes, Ports: n, Links: int64(n) * int64(nodes) / 2, Diameter: n,
			})
		}
	})
}

// ibtSizes offers networks in two to four dimensions with sides that are equal
// but for the last, which is up to twice as long; with bypass rings in the first
// m dimensions for every m; with one or two bypass lengths. Lengths are the
// valid ones, multiples of m times their number, up to half of the shorter side
// and at most 12 times the least. Cubes come first, and then the lengths
// with the fewest hops along a side, by estimate.
func ibtSizes(s *sizeSearch) {
	for n := 2; n <= 4; n++ {
		for m := 1; m <= n; m++ {
			for k := 1; k <= 2; k++ {
				for side := m * k; ; side += m * k {
					points := int64(1)
					for range n {
						points = times(points, int64(side))
					}
					if points > int64(s.max) {
						break
					}
					if side > 2 {
						ibtLengths(side, m, k, func(lengths Ints) { s.ibt(n, side, m, lengths) })
					}
				}
			}
		}
	}
}

// ibtLengths calls visit with k lengths in ascending order, which are valid
// during the call only.
func ibtLengths(side, m, k int, visit func(Ints)) {
	longest := min(side/2, side-2, 12*m*k)
	lengths := make(Ints, k)
	for a := max(m*k, 2); a <= longest; a += m * k {
		lengths[0] = a
		if k == 1 {
			visit(lengths)
			continue
		}
		for b := a + m*k; b <= longest; b += m * k {
			lengths[1] = b
			visit(lengths)
		}
	}
}

// ibt offers the networks with n-1 equal sides.
func (s *sizeSearch) ibt(n, side, m int, lengths Ints) {
	period := m * len(lengths)
	unit := 1 // of the last side
	if m == n {
		unit = period
	}
	points := 1
	for range n - 1 {
		points *= side
	}
	count := (min(2*side, s.max/points)-side)/unit + 1
	switch {
	case s.ports >= 2*n+2:
	case s.ports == 2*n+1 && 2*lengths[0] == side: // the two bypass links of a node are one
		if m == n {
			count = 1
		}
	default:
		return
	}
	// The hops along a side, by each length as far as the next longer one serves.
	hops, reach := 0.0, float64(side)
	for h := len(lengths) - 1; h >= 0; h-- {
		hops += reach / 4 / float64(lengths[h])
		reach = float64(lengths[h])
	}
	hops += reach/4 + float64(period)/2
	s.run(count, points*side, points*unit,
		func(i int) int { return 1000*(side+i*unit)/side<<20 + min(int(100*hops), 1<<20-1) },
		func(i int) Size {
			dims := slices.Repeat(Ints{side}, n)
			dims[n-1] += i * unit
			return ibtSize(dims, m, slices.Clone(lengths))
		})
}

func ibtSize(dims Ints, m int, lengths Ints) Size {
	z := gridSize(IBT{Dims: dims, BypassDims: m, BypassLengths: lengths}, true, dims)
	z.Diameter = -1
	bypasses := 0
	for _, side := range dims[:m] {
		for _, l := range lengths {
			links := z.Nodes / (m * len(lengths))
			if 2*l == side {
				links /= 2
				bypasses = max(bypasses, 1)
			} else {
				bypasses = 2
			}
			z.Links += int64(links)
		}
	}
	z.Ports += bypasses
	return z
}

// srtSizes offers all SRT networks.
func srtSizes(s *sizeSearch) {
	for n := 2; n <= 15; n++ {
		dims := Ints{1 << n, 1 << n}
		s.add(0, shiftedSize(SRT{dims}, n, dims))
	}
}

// pecSizes offers all PEC-like networks.
func pecSizes(s *sizeSearch) {
	for n := 2; n <= 15; n++ {
		for rows := 1 << n; rows >= max(4, 1<<(n-1)); rows /= 2 {
			dims := Ints{1 << n, rows}
			s.add(0, shiftedSize(PEC{dims}, n, dims))
		}
	}
}

func shiftedSize(p Params, n int, dims Ints) Size {
	columns, rows := dims[0], dims[1]
	z := gridSize(p, true, dims)
	z.Diameter = -1
	z.Ports += min(columns/2-1, 2) + min(rows/2-1, 2)
	for t := range n - 1 {
		length := 2 << t
		for _, side := range [2]int{columns, rows} { // of the nodes with t trailing zeros
			switch {
			case 2*length == side:
				z.Links += int64(z.Nodes / length / 2)
			case length < side:
				z.Links += int64(z.Nodes / length)
			}
		}
	}
	return z
}

// rdtSizes offers near-square networks: the longer side is at most twice the
// shorter. Squares come first.
func rdtSizes(s *sizeSearch) {
	s.cuboids(2, 4, 1, func(sides []int, points, from, to int) {
		rank := func(i int) int { return 1000 * (from + 4*i) / sides[0] }
		size := func(i int) Size { return rdtSize(Ints{sides[0], from + 4*i}) }
		s.runFitting((to-from)/4+1, points*from, 4*points, rank, size)
	})
}

func rdtSize(dims Ints) Size {
	z := gridSize(RDT{dims}, true, dims)
	z.Diameter = -1
	g := &rdt{grid{dims: dims}}
	most := 0
	for rank := range 4 {
		ports := 0
		for _, step := range g.strides(rank) {
			links := z.Nodes / 4
			if ports += 2; step.half > 0 {
				ports--
				links /= 2
			}
			z.Links += int64(links)
		}
		most = max(most, ports)
	}
	z.Ports += most
	return z
}

// cccSizes offers all networks of cube-connected cycles.
func cccSizes(s *sizeSearch) {
	for n := 3; n <= maxCycles; n++ {
		z := Size{
			Spec:  Spec{Params: CCC{Ints{n}}},
			Nodes: n << n, Ports: 3, Links: int64(n<<n) / 2 * 3, Diameter: 2*n + n/2 - 2,
		}
		if n == 3 {
			z.Diameter = 6
		}
		s.add(0, z)
	}
}

// barrelShifterSizes offers all barrel shifters.
func barrelShifterSizes(s *sizeSearch) {
	s.powersOf(2, 1, func(n, nodes int) {
		s.add(0, Size{
			Spec:  Spec{Params: BarrelShifter{nodes}},
			Nodes: nodes, Ports: 2*n - 1, Links: int64(nodes) / 2 * int64(2*n-1), Diameter: (n + 1) / 2,
		})
	})
}

// hybridFatTreeSizes offers all hybrid fat trees.
func hybridFatTreeSizes(s *sizeSearch) {
	s.powersOf(2, 1, func(n, nodes int) {
		s.add(0, Size{
			Spec:  Spec{Params: HybridFatTree{nodes}},
			Nodes: nodes, Ports: 2*n - 1, Links: 2*int64(nodes) - 3, Diameter: n,
		})
	})
}

// deBruijnSizes offers the graphs of at least two digits; with one, all nodes
// are joined. d + d (d-1)/2 of the d^(n+1) arcs are loops, or the second of two
// between words of alternating digits.
func deBruijnSizes(s *sizeSearch) {
	for base := 2; base <= MaxPorts/2 && base*base <= s.max; base++ {
		s.powersOf(base, 2, func(digits, nodes int) {
			d := int64(base)
			z := Size{
				Spec:  Spec{Params: DeBruijn{base, digits}},
				Nodes: nodes, Ports: 2 * base, Links: d*int64(nodes) - d - d*(d-1)/2, Diameter: digits,
			}
			if digits == 2 {
				z.Ports--
			}
			s.add(0, z)
		})
	}
}

// clexSizes offers the networks of at least two levels, the full form after
// the bundled one.
func clexSizes(s *sizeSearch) {
	for clique := 2; clique*clique <= s.max; clique++ {
		s.powersOf(clique, 2, func(levels, nodes int) {
			n, c, above := int64(nodes), int64(clique), int64(levels-1)
			z := Size{
				Spec:  Spec{Params: CLEX{Clique: clique, Levels: levels, Bundled: true}},
				Nodes: nodes, Ports: clique - 1 + levels - 1,
				Links: n*(c-1)/2 + above*(n/c*(c-1)/2), Diameter: 2*levels - 1,
			}
			s.add(0, z)
			z.Spec = Spec{Params: CLEX{Clique: clique, Levels: levels}}
			z.Ports = levels*clique - 1
			z.Links = n*(c-1)/2 + above*(n*(c-1)-n/c*(c-1)/2)
			z.Diameter = levels
			s.add(1, z)
		})
	}
}

// mooreSizesOf offers the three graphs.
func mooreSizesOf(s *sizeSearch) {
	for _, name := range mooreNames {
		g := newMoore(name)
		s.add(0, regularSize(Moore{name}, g.kinds[0].Count, g.kinds[0].Ports, 2))
	}
}

// regularSize is a graph whose nodes, which are routers, all have the same
// ports.
func regularSize(p Params, nodes, ports, diameter int) Size {
	return Size{
		Spec: Spec{Params: p}, Nodes: nodes, Ports: ports, Links: int64(nodes) * int64(ports) / 2,
		Diameter: diameter,
	}
}

// angelfishSizes offers all variants over every subnet, mesh and l-mesh after
// full and lite.
func angelfishSizes(s *sizeSearch) {
	offer := func(params Angelfish, n, p int) {
		for rank, variant := range []string{"full", "lite", "mesh", "l-mesh"} {
			params.Variant = variant
			g := fishnet{base: &subnet{n: n, p: p}, full: rank%2 == 0, mesh: rank >= 2}
			g.describe()
			nodes := g.nodes(n)
			if nodes > int64(s.max) {
				continue
			}
			diameter := 4 + rank
			if n == 5 || g.mesh {
				diameter = -1
			}
			s.add(rank/2, regularSize(params, int(nodes), g.kinds[0].Ports, diameter))
		}
	}
	for _, name := range mooreNames {
		g := newMoore(name)
		offer(Angelfish{Subnet: name}, g.kinds[0].Count, g.kinds[0].Ports)
	}
	for q := 3; times(times(2, int64(q)*int64(q)), int64(q)*int64(q)) <= int64(s.max); q++ {
		if p, _ := primePower(q); p != 0 {
			offer(Angelfish{Q: q}, 2*q*q, slimFlyDegree(q))
		}
	}
}

// flyingFishSizes offers both variants of every side.
func flyingFishSizes(s *sizeSearch) {
	for n := int64(2); n*n*n*n <= int64(s.max); n++ {
		side := int(n)
		s.add(0, Size{
			Spec:  Spec{Params: FlyingFish{Side: side, Variant: "full"}},
			Nodes: int(2 * n * n * n * n), Ports: 4*side - 2,
			Links: 2*n*n*n*n*(n-1) + n*n*n*(2*n*n-1), Diameter: 4,
		})
		s.add(0, regularSize(FlyingFish{Side: side, Variant: "lite"}, int(n*n*(n*n+1)), 2*side-1, 5))
	}
}
