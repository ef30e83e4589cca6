package topology

import "slices"

// hyperXSizes offers the regular networks, with L sides of S switches, K
// channels and T terminals each: L up to 8, K up to 4, T = K S for a relative
// bisection of 1/2 or T = K S/2 for 1. With a limit of ports it also offers the
// networks with the fewest switches for the nodes at which each step begins, by
// SmallestHyperX with a relative bisection of 1/2 and 1.
func hyperXSizes(s *sizeSearch) {
	regular := func(p HyperX) bool {
		w := 1
		if len(p.Widths) > 0 {
			w = p.Widths[0]
		}
		side := p.Dims[0]
		for d := range p.Dims {
			if p.Dims[d] != side || len(p.Widths) > 0 && p.Widths[d] != w {
				return false
			}
		}
		t := p.Terminals
		return side > 1 && len(p.Dims) <= 8 && w <= 4 && (t == w*side || t == w*side/2)
	}
	for side := 2; side <= s.max; side++ {
		if side > s.ports {
			break
		}
		s.powersOf(side, 1, func(n, switches int) {
			if n > 8 {
				return
			}
			for width := 1; width <= 4; width++ {
				for _, terminals := range [2]int{width * side, width * side / 2} {
					p := HyperX{Dims: slices.Repeat(Ints{side}, n), Terminals: terminals}
					if width > 1 {
						p.Widths = slices.Repeat(Ints{width}, n)
					}
					s.add(width-1, hyperXSize(p, p))
				}
			}
		})
	}
	if s.radix == 0 {
		return
	}
	var found []HyperX
	for _, nodes := range append(s.bounds[:len(s.bounds)-1:len(s.bounds)-1], s.max) {
		for _, beta := range []float64{0.5, 1} {
			p, err := SmallestHyperX(nodes, s.radix, beta)
			if err != nil {
				continue
			}
			same := func(o HyperX) bool {
				return o.Terminals == p.Terminals && slices.Equal(o.Dims, p.Dims) && slices.Equal(o.Widths, p.Widths)
			}
			if !regular(p) && !slices.ContainsFunc(found, same) {
				found = append(found, p)
				s.add(0, hyperXSize(p, p))
			}
		}
	}
}

// hyperXSize is a HyperX, or a family that says otherwise what is one.
func hyperXSize(params Params, p HyperX) Size {
	z := Size{Spec: Spec{Params: params}, Switches: 1, Terminals: p.Terminals, Ports: p.Terminals}
	between := 0 // channels of a switch to others
	for d, side := range p.Dims {
		z.Switches *= side
		width := 1
		if len(p.Widths) > 0 {
			width = p.Widths[d]
		}
		between += width * (side - 1)
		if side > 1 {
			z.Diameter++
		}
	}
	z.Nodes = z.Switches * p.Terminals
	z.Ports += between
	z.Links = int64(z.Nodes) + int64(z.Switches)*int64(between)/2
	if z.Switches == 1 { // the distance is that between terminals
		z.Diameter = 2
		if z.Nodes == 1 {
			z.Diameter = 0
		}
	}
	return z
}

// flattenedButterflySizes offers the k-ary n-flats: n-1 sides of k switches
// with k terminals each.
func flattenedButterflySizes(s *sizeSearch) {
	for k := 2; k*k <= s.max; k++ {
		s.powersOf(k, 2, func(n, _ int) {
			p := FlattenedButterfly{Dims: slices.Repeat(Ints{k}, n-1), Terminals: k}
			s.add(0, hyperXSize(p, HyperX{Dims: p.Dims, Terminals: p.Terminals}))
		})
	}
}

// kAryNTreeSizes offers the trees of at least two levels.
func kAryNTreeSizes(s *sizeSearch) {
	for k := 2; k*k <= s.max; k++ {
		s.powersOf(k, 2, func(n, nodes int) {
			s.add(0, thinTreeSize(KAryNTree{Down: k, Levels: n}, k, k, n, nodes))
		})
	}
}

// thinTreeSizes offers the trees of at least two levels with fewer up than down
// ports, those with half as many first.
func thinTreeSizes(s *sizeSearch) {
	for k := 2; k*k <= s.max; k++ {
		s.powersOf(k, 2, func(n, nodes int) {
			half := max(1, k/2)
			rank := func(i int) int { return 1000 * i / k }
			size := func(up int) Size { return thinTreeSize(ThinTree{Down: k, Up: up, Levels: n}, k, up, n, nodes) }
			s.runFitting(half, nodes, 0, rank, func(i int) Size { return size(half - i) })
			s.runFitting(k-1-half, nodes, 0, func(i int) int { return rank(i + 1) },
				func(i int) Size { return size(half + 1 + i) })
		})
	}
}

func thinTreeSize(p Params, down, up, levels, nodes int) Size {
	z := Size{
		Spec:  Spec{Params: p},
		Nodes: nodes, Terminals: down, Ports: down + up, Links: int64(nodes), Diameter: 2 * levels,
	}
	count := nodes / down
	for i := range levels {
		z.Switches += count
		if i < levels-1 {
			z.Links += int64(count) * int64(up)
		}
		count = count / down * up
	}
	return z
}

// fatTreeSizes offers the full trees of switches with any even number of ports,
// in two and three tiers with tapers 1, 2 and 3. Of switches with as many ports
// as the limit, which come first, it offers the trees of any number of full
// leaves (two tiers) or full pods (three tiers). Of these, or without a limit of
// those with 32, 36, 40, 48, 64 and 128 ports, it also offers the trees that have
// as many nodes as the range begins and ends with.
func fatTreeSizes(s *sizeSearch) {
	for taper := 1; taper <= 3; taper++ {
		for radix := 4; radix <= s.ports; radix += 2 {
			down := radix * taper / (taper + 1)
			if radix != s.radix {
				s.add(2+taper, fatTreeSize(radix, taper, 2, radix))
			}
			if radix != s.radix && radix*down*down <= s.max {
				s.add(2+taper, fatTreeSize(radix, taper, 3, radix))
			}
			if radix*down > s.max {
				break
			}
		}
		s.partFatTrees(taper)
		if s.radix < 3 {
			continue
		}
		down := s.radix * taper / (taper + 1)
		for tiers, nodes := 2, down; tiers <= 3; tiers, nodes = tiers+1, nodes*down {
			s.runFitting(s.radix-1, 2*nodes, nodes, func(int) int { return taper - 1 },
				func(i int) Size { return fatTreeSize(s.radix, taper, tiers, 2+i) })
		}
	}
}

// ends is the ports of switches, and the numbers of nodes at which the range
// begins and ends, for families with members of any number of nodes.
func (s *sizeSearch) ends() (radices, nodes []int) {
	radices = []int{32, 36, 40, 48, 64, 128}
	if s.radix > 0 {
		radices = []int{s.radix}
	}
	return radices, slices.Compact([]int{s.min, s.max})
}

// partFatTrees offers the trees with as many nodes as the range begins and ends
// with, if these are not full leaves or pods.
func (s *sizeSearch) partFatTrees(taper int) {
	radices, ends := s.ends()
	for _, radix := range radices {
		down := radix * taper / (taper + 1)
		for _, nodes := range ends {
			for tiers, part := 2, down; tiers <= 3; tiers, part = tiers+1, part*down {
				if full := nodes == radix*part || radix == s.radix && nodes%part == 0; down < 2 || full ||
					nodes <= radix || nodes > radix*part {
					continue
				}
				p := FatTree{Nodes: nodes, Radix: radix}
				if taper > 1 {
					p.Taper = float64(taper)
				}
				if tiers > 2 {
					p.Tiers = tiers
				}
				if z, ok := countFatTree(p); ok {
					s.add(9+taper, z)
				}
			}
		}
	}
}

// countFatTree builds a fat tree, without its links, and counts. It tells whether
// there is such a tree.
func countFatTree(p FatTree) (z Size, ok bool) {
	m := &Mistakes{}
	t := newFatTree(p, m)
	if !m.None() || t.leaf.Count < 2 || t.cores > 0 && t.pods < 2 {
		return z, false
	}
	return Size{
		Spec: Spec{Params: p}, Nodes: t.node.Count, Switches: t.node.First, Terminals: t.down,
		Ports: max(t.leaf.Ports, t.spine.Ports, t.core.Ports),
		Links: int64(t.node.Count)*int64(t.rails) + int64(t.leaf.Count)*int64(t.up) +
			int64(t.spine.Count)*int64(t.spineUp),
		Diameter: 2 * (len(t.kinds) - 1),
	}, true
}

// fatTreeSize is a fat tree of two tiers with the given number of full leaves,
// or of three with that of full pods.
func fatTreeSize(radix, taper, tiers, parts int) Size {
	down := radix * taper / (taper + 1)
	up := ceilDiv(down, taper)
	p := FatTree{Nodes: parts * down, Radix: radix}
	z := Size{Terminals: down, Ports: down + up, Diameter: 2 * tiers}
	if taper > 1 {
		p.Taper = float64(taper)
	}
	if tiers == 2 {
		spines := fewestUpper(parts, up, radix)
		z.Switches = parts + spines
		z.Ports = max(z.Ports, ceilDiv(parts*up, spines))
		z.Links = int64(parts) * int64(up)
	} else { // a pod has down leaves and up spines
		p.Tiers = 3
		p.Nodes *= down
		cores := ceilDiv(parts*up*up, radix)
		z.Switches = parts*(down+up) + cores
		z.Ports = max(z.Ports, ceilDiv(parts*up*up, cores))
		z.Links = int64(parts) * int64(up) * int64(down+up)
	}
	z.Spec, z.Nodes = Spec{Params: p}, p.Nodes
	z.Links += int64(z.Nodes)
	return z
}

// railOnlySizes offers servers with 4, 8 and 16 rails. Rails are full: of one
// switch, of two and of three tiers, of switches with any even number of ports.
// Of switches with as many ports as the limit, which come first, rails may also
// be of any number of full leaves or full pods. Rails for as many servers as the
// range begins and ends with are offered as in fatTreeSizes.
func railOnlySizes(s *sizeSearch) {
	for _, rails := range []int{4, 8, 16} {
		for radix := 4; radix <= s.ports && radix <= s.max; radix += 2 {
			for tiers := 1; tiers <= 3; tiers++ {
				if radix != s.radix {
					s.add(1, railOnlySize(rails, radix, tiers, radix))
				}
			}
		}
		s.partRails(rails)
		if s.radix < 4 {
			continue
		}
		s.add(0, railOnlySize(rails, s.radix, 1, s.radix))
		down := s.radix / 2
		for tiers, nodes := 2, down; tiers <= 3; tiers, nodes = tiers+1, nodes*down {
			// Of two parts, the nodes fit into a tier less.
			s.runFitting(s.radix-2, 3*nodes, nodes, func(int) int { return 0 },
				func(i int) Size { return railOnlySize(rails, s.radix, tiers, 3+i) })
		}
	}
}

// partRails offers rails for as many servers as the range begins and ends with,
// in the fewest tiers that do without pods or leaves that not all reach, if these
// are not full leaves or pods.
func (s *sizeSearch) partRails(rails int) {
	radices, ends := s.ends()
	for _, radix := range radices {
		if radix < 4 {
			continue
		}
		down := radix / 2
		for _, nodes := range ends {
			p := RailOnly{Nodes: nodes, Rails: rails, Radix: radix}
			switch {
			case nodes < 2:
				continue
			case nodes < radix:
				s.add(2, Size{
					Spec: Spec{Params: p}, Nodes: nodes, Switches: rails, Terminals: nodes,
					Ports: nodes, Links: int64(rails) * int64(nodes), Diameter: 2,
				})
				continue
			case nodes == radix:
				continue
			}
			part := down
			for p.Tiers = 2; p.Tiers < 3 && nodes > radix*part; p.Tiers++ {
				part *= down
			}
			if nodes >= radix*part || radix == s.radix && nodes%part == 0 {
				continue
			}
			if z, ok := countFatTree(FatTree{Nodes: nodes, Radix: radix, Tiers: p.Tiers}); ok {
				z.Spec = Spec{Params: p}
				z.Switches *= rails
				z.Links *= int64(rails)
				s.add(2, z)
			}
		}
	}
}

func railOnlySize(rails, radix, tiers, parts int) Size {
	rail := Size{Nodes: radix, Switches: 1, Terminals: radix, Ports: radix, Links: int64(radix), Diameter: 2}
	if tiers > 1 {
		rail = fatTreeSize(radix, 1, tiers, parts)
	}
	p := RailOnly{Nodes: rail.Nodes, Rails: rails, Radix: radix}
	if tiers > 1 {
		p.Tiers = tiers
	}
	rail.Spec = Spec{Params: p}
	rail.Switches *= rails
	rail.Links *= int64(rails)
	return rail
}

// dragonflySizes offers, with h global ports on a switch, groups of a = h to 4h
// switches with p = h/2 to 2h nodes each, in as many groups as there can be.
// The balanced ones, a = 2p = 2h, come first; these also with fewer groups, where
// several links to each other group use all global ports. It also offers those
// of nodes that are their own switches, with any number of links between groups.
func dragonflySizes(s *sizeSearch) {
	for h := 1; ; h++ {
		least := int64(ceilDiv(h, 2)) * int64(max(h, 2))
		if times(least, int64(max(h, 2)*h+1)) > int64(s.max) || h >= s.ports {
			break
		}
		for a := max(h, 2); a <= 4*h; a++ {
			s.dragonflies(a, h)
		}
	}
	for h := 1; 4*h-1 <= s.ports && 4*h*h <= s.max; h++ {
		divisorsOfSquare(2, h, func(others int) {
			if perPair := 2 * h * h / others; perPair > 1 {
				s.add(10_000+perPair, dragonflySize(h, 2*h, h, others+1, perPair))
			}
		})
	}
	for local := 1; (local+1)*(local+2) <= s.max && local < s.ports; local++ {
		s.runFitting(min(local+1, s.ports-local), (local+1)*(local+2), 0,
			func(i int) int { return 1<<30 + i }, func(i int) Size { return directDragonflySize(local, i+1) })
	}
}

// dragonflies offers the full networks with given groups.
func (s *sizeSearch) dragonflies(a, h int) {
	groups := a*h + 1
	step := a * groups
	rank := func(p int) int { return 1000*abs(a-2*h)/h + 1000*abs(p-h)/h }
	size := func(p int) Size { return dragonflySize(p, a, h, groups, 1) }
	few := ceilDiv(h, 2)
	if step > s.max/few { // of these, the fewest nodes are too many
		return
	}
	s.runFitting(h+1, h*step, step, func(i int) int { return rank(h + i) }, func(i int) Size { return size(h + i) })
	s.runFitting(h-few, (h-1)*step, -step, func(i int) int { return rank(h - 1 - i) },
		func(i int) Size { return size(h - 1 - i) })
}

// dragonflySize is a dragonfly whose global ports are all used. Its diameter is
// at most 3, and 3 if fewer routers than there are can be within two hops.
func dragonflySize(p, a, h, groups, perPair int) Size {
	params := Dragonfly{P: p, A: a, H: h}
	if perPair > 1 {
		params.Groups, params.LinksPerPair = groups, perPair
	}
	z := Size{
		Spec:      Spec{Params: params},
		Nodes:     p * a * groups,
		Switches:  a * groups,
		Terminals: p,
		Ports:     p + a - 1 + h,
		Diameter:  -1,
	}
	g := int64(groups)
	z.Links = int64(z.Nodes) + g*(int64(a)*int64(a-1)/2) + int64(perPair)*(g*(g-1)/2)
	if near := a + h + 2*(a-1)*h + h*(h-1); z.Switches > near {
		z.Diameter = 3
	}
	return z
}

func directDragonflySize(local, perPair int) Size {
	p := Dragonfly{LocalPorts: local}
	if perPair > 1 {
		p.LinksPerPair = perPair
	}
	z := regularSize(p, (local+1)*(local+2), local+perPair, 3)
	if perPair == local+1 {
		z.Diameter = 2
	}
	return z
}

// dragonflyPlusSizes offers groups of k leaves and k spines with k global ports
// on each spine and k/2 to 2k nodes on each leaf, in as many groups as there can
// be. Those with k nodes come first; these also with fewer groups, where several
// links to each other group use all global ports.
func dragonflyPlusSizes(s *sizeSearch) {
	for k := 1; 2*k <= s.ports && times(int64(k)*int64(ceilDiv(k, 2)), int64(k*k+1)) <= int64(s.max); k++ {
		groups, few := k*k+1, ceilDiv(k, 2)
		step := groups * k
		rank := func(p int) int { return 1000 * abs(p-k) / k }
		size := func(p int) Size { return dragonflyPlusSize(p, k, groups, 1) }
		s.runFitting(k+1, k*step, step, func(i int) int { return rank(k + i) }, func(i int) Size { return size(k + i) })
		s.runFitting(k-few, (k-1)*step, -step, func(i int) int { return rank(k - 1 - i) },
			func(i int) Size { return size(k - 1 - i) })
	}
	for k := 2; 2*k <= s.ports && 2*k*k <= s.max; k++ {
		divisorsOfSquare(1, k, func(others int) {
			if perPair := k * k / others; perPair > 1 {
				s.add(10_000+perPair, dragonflyPlusSize(k, k, others+1, perPair))
			}
		})
	}
}

func dragonflyPlusSize(p, k, groups, perPair int) Size {
	params := DragonflyPlus{P: p, A: k, H: k}
	if perPair > 1 {
		params.Groups, params.LinksPerPair = groups, perPair
	}
	z := Size{
		Spec:      Spec{Params: params},
		Nodes:     p * k * groups,
		Switches:  2 * k * groups,
		Terminals: p,
		Ports:     k + max(p, k),
		Diameter:  5,
	}
	g := int64(groups)
	z.Links = int64(z.Nodes) + g*int64(k)*int64(k) + int64(perPair)*(g*(g-1)/2)
	return z
}

// slimFlySizes offers every prime power, with half as many terminals as links
// on each router, rounded up, as the source recommends, then with one fewer or
// more and without.
func slimFlySizes(s *sizeSearch) {
	for q := 3; q <= maxField && 2*q*q <= s.max; q++ {
		if p, _ := primePower(q); p != 0 {
			links := slimFlyDegree(q)
			s.routers(func(terminals int) Params { return SlimFly{Q: q, Terminals: terminals} }, 2*q*q, links,
				int64(q)*int64(q)*int64(links))
		}
	}
}

// polarFlySizes offers every prime power with terminals as slimFlySizes does.
func polarFlySizes(s *sizeSearch) {
	for q := 2; q <= maxField && q*q <= s.max; q++ {
		if p, _ := primePower(q); p != 0 {
			s.routers(func(terminals int) Params { return PolarFly{Q: q, Terminals: terminals} }, q*q+q+1, q+1,
				int64(q)*int64(q+1)*int64(q+1)/2)
		}
	}
}

// routers offers n routers of diameter 2 with various numbers of terminals.
func (s *sizeSearch) routers(params func(terminals int) Params, n, ports int, links int64) {
	half := ceilDiv(ports, 2)
	for rank, terminals := range []int{half, half - 1, half + 1, 0} {
		if rank > 0 && terminals == 0 && rank < 3 {
			continue
		}
		z := Size{
			Spec: Spec{Params: params(terminals)}, Nodes: n, Terminals: terminals,
			Ports: ports + terminals, Links: links, Diameter: 2,
		}
		if terminals > 0 {
			z.Nodes, z.Switches = n*terminals, n
			z.Links += int64(z.Nodes)
		}
		s.add(rank, z)
	}
}

// randomRegularSizes exist for about any number of switches. It offers 4, 5, 6
// or 7 times a power of two, and the numbers at which the range begins and ends;
// 3, 4, 6, 8, 12, ... 128 links on a switch, with no terminals, half as many and
// as many as links. With a limit of ports it first offers switches whose ports
// are all used, a quarter, a third and half of them for terminals.
func randomRegularSizes(s *sizeSearch) {
	var full []int // terminals of switches whose ports are all used
	for _, share := range []int{4, 3, 2} {
		if terminals := s.radix / share; terminals > 0 && s.radix-terminals >= 3 && !slices.Contains(full, terminals) {
			s.randomRegulars(0, s.radix-terminals, terminals)
			full = append(full, terminals)
		}
	}
	for degree := 3; degree <= 128; {
		for _, terminals := range []int{degree / 2, degree, 0} {
			if degree+terminals != s.radix || !slices.Contains(full, terminals) {
				s.randomRegulars(1, degree, terminals)
			}
		}
		if degree&(degree-1) == 0 {
			degree += degree / 2
		} else {
			degree += degree / 3
		}
	}
}

// randomRegulars offers switches with the given ports.
func (s *sizeSearch) randomRegulars(rank, degree, terminals int) {
	each := max(terminals, 1) // nodes
	if each > s.max {
		return
	}
	first, last := ceilDiv(s.min, each), s.max/each
	if degree%2 == 1 {
		first, last = first+first%2, last-last%2
	}
	var numbers []int
	add := func(n int) {
		if n >= first && n <= last && n > degree+1 && n*degree%2 == 0 && n*degree/2 <= maxRandomLinks {
			numbers = append(numbers, n)
		}
	}
	for power := 1; power <= last; power *= 2 {
		for quarter := 4; quarter < 8; quarter++ {
			if power*quarter%4 == 0 {
				add(power * quarter / 4)
			}
		}
	}
	add(first)
	add(last)
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		z := Size{
			Spec:  Spec{Params: RandomRegular{Nodes: n, Degree: degree, Terminals: terminals}},
			Nodes: n, Terminals: terminals, Ports: degree + terminals, Links: int64(n) * int64(degree) / 2,
			Diameter: -1,
		}
		if terminals > 0 {
			z.Nodes, z.Switches = n*terminals, n
			z.Links += int64(z.Nodes)
		}
		s.add(rank, z)
	}
}

// bcubeSizes offers the networks of at least two levels.
func bcubeSizes(s *sizeSearch) {
	for n := 2; n*n <= s.max; n++ {
		s.powersOf(n, 2, func(levels, nodes int) {
			s.add(0, Size{
				Spec:  Spec{Params: BCube{Radix: n, Levels: levels}},
				Nodes: nodes, Switches: nodes / n * levels, Ports: max(n, levels),
				Links: int64(nodes) * int64(levels), Diameter: 2 * levels,
			})
		})
	}
}

// dcellSizes offers the networks of at least two levels.
func dcellSizes(s *sizeSearch) {
	for n := 2; n*(n+1) <= s.max; n++ {
		nodes := n * (n + 1)
		for levels := 2; nodes <= s.max; levels++ {
			s.add(0, Size{
				Spec:  Spec{Params: DCell{Radix: n, Levels: levels}},
				Nodes: nodes, Switches: nodes / n, Ports: max(n, levels),
				Links: int64(nodes) + int64(levels-1)*int64(nodes/2), Diameter: -1,
			})
			nodes *= nodes + 1
		}
	}
}

// hammingMeshSizes offers square boards of 4, 16 and 64 accelerators (Hx2Mesh,
// Hx4Mesh and Hx8Mesh), with x columns and x to 2x rows of boards. Squares come
// first.
func hammingMeshSizes(s *sizeSearch) {
	for _, a := range []int{2, 4, 8} {
		if a*a > s.max {
			break
		}
		s.cuboids(2, 1, a*a, func(sides []int, boards, from, to int) {
			rank := func(i int) int { return 1000 * (from + i) / sides[0] }
			size := func(i int) Size { return hammingMeshSize(sides[0], from+i, a) }
			s.runFitting(to-from+1, boards*from*a*a, boards*a*a, rank, size)
		})
	}
}

// hammingMeshSize is x times y boards of a times a accelerators, x and y at
// least 2. Distances in x and y add up: the longest lead from the middle of one
// board's line to its edge, to the switch and to the middle of another.
func hammingMeshSize(x, y, a int) Size {
	nodes := x * y * a * a
	return Size{
		Spec:  Spec{Params: HammingMesh{Dims: Ints{x, y}, Board: Ints{a, a}}},
		Nodes: nodes, Switches: (x + y) * a, Ports: max(2*x, 2*y, 4),
		Links:    int64(nodes)/int64(a)*int64(a-1)*2 + 2*int64(x*y*a)*2,
		Diameter: 4 * ((a-1)/2 + 1),
	}
}

// foldedClosSizes offers the full networks of two tiers or more, with tapers 1,
// 2 and 3, of switches with any even number of ports, those with as many as the
// limit first. Networks for as many nodes as the range begins and ends with are
// offered as in fatTreeSizes, in as many tiers as they need.
func foldedClosSizes(s *sizeSearch) {
	for taper := 1; taper <= 3; taper++ {
		for radix := 4; radix <= s.ports && radix <= s.max; radix += 2 {
			rank := 2 + taper
			if radix == s.radix {
				rank = taper - 1
			}
			down, _ := splitRadix(radix, float64(taper))
			for tiers := 2; tiers < maxTiers && closNodes(tiers, radix, down) <= int64(s.max); tiers++ {
				s.addFoldedClos(rank, int(closNodes(tiers, radix, down)), radix, taper)
			}
		}
		radices, ends := s.ends()
		for _, radix := range radices {
			down, _ := splitRadix(radix, float64(taper))
			for _, nodes := range ends {
				tiers := 1
				for tiers < maxTiers && closNodes(tiers, radix, down) < int64(nodes) {
					tiers++
				}
				if tiers > 1 && closNodes(tiers, radix, down) != int64(nodes) {
					s.addFoldedClos(9+taper, nodes, radix, taper)
				}
			}
		}
	}
}

// addFoldedClos builds a folded Clos network, without its links, and counts.
func (s *sizeSearch) addFoldedClos(rank, nodes, radix, taper int) {
	p := FoldedClos{Nodes: nodes, Radix: radix}
	if taper > 1 {
		p.Taper = float64(taper)
	}
	g := newFoldedClos(p, &Mistakes{})
	if g == nil {
		return
	}
	z := Size{Spec: Spec{Params: p}, Nodes: nodes, Terminals: g.down[0], Links: int64(nodes), Diameter: 2 * len(g.size)}
	for j, k := range g.kinds[:len(g.size)] {
		z.Switches += k.Count
		z.Ports = max(z.Ports, k.Ports)
		z.Links += int64(k.Count) * int64(g.up[j])
	}
	s.add(rank, z)
}
